// Halfcomplex and Hartley transforms of FFTW's MPI interface: FFTW transforms whole lines of a rank, and the array is
// redistributed between the axis that is cut and the others.
#include <fftw3.h>

#include <algorithm>

#include "fftw_mpi/step.hpp"
#include "transform/engine/fftw_api.hpp"
#include "weft/error.hpp"
#include "weft/memory.hpp"
#include "weft/redistribution.hpp"

namespace weft::fftw_mpi {

namespace {

unsigned flag_of(Effort effort) {
  return effort == Effort::estimate ? FFTW_ESTIMATE : effort == Effort::measure ? FFTW_MEASURE : FFTW_PATIENT;
}

// FFTW's transforms of some axes of a rank's array, out of place.
template <class Real>
class Lines {
 public:
  using Api = FftwApi<Real>;
  // kinds: one per axis, -1 for those that are not transformed.
  Lines(const Extents& extents, const std::vector<int>& kinds, const Extents& in, const Extents& out, Effort effort) {
    if (extents.product() == 0) return;
    std::vector<typename Api::Dim> lines, batches;
    std::vector<fftw_r2r_kind> wanted;
    for (int axis = 0; axis < extents.dims(); axis++) {
      const int kind = kinds[static_cast<std::size_t>(axis)];
      (kind < 0 ? batches : lines).push_back({extents[axis], in[axis], out[axis]});
      if (kind >= 0) wanted.push_back(static_cast<fftw_r2r_kind>(kind));
    }
    // Planning writes to the arrays, so it uses separate ones.
    AlignedVector<Real> from(spanned(extents, in)), to(spanned(extents, out));
    plan_ = Api::r2r(static_cast<int>(lines.size()), lines.data(), static_cast<int>(batches.size()), batches.data(),
                     from.data(), to.data(), wanted.data(), flag_of(effort) | FFTW_UNALIGNED | FFTW_PRESERVE_INPUT);
    if (plan_ == nullptr) throw Error(Fault::argument, "kind: FFTW has no such transform of these lengths");
  }
  ~Lines() {
    if (plan_ != nullptr) Api::destroy(plan_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  void run(const Real* in, Real* out) const {
    if (plan_ != nullptr) Api::run_r2r(plan_, const_cast<Real*>(in), out);
  }

 private:
  static std::size_t spanned(const Extents& extents, const Extents& strides) {
    index_t last = 0;
    for (int axis = 0; axis < extents.dims(); axis++) last += (extents[axis] - 1) * strides[axis];
    return static_cast<std::size_t>(last + 1);
  }

  typename Api::Plan plan_ = nullptr;
};

// The steps: all axes but the one that is cut; a redistribution that makes that axis whole; its transform; and, unless
// the output is cut as the array is now, a redistribution to the output.
template <class Real>
class SerialStep : public Step<Real> {
 public:
  SerialStep(MPI_Comm user, const Problem& problem, const Planning& planning)
      : SerialStep(user, problem, sides_of(problem), Comm(user), planning) {}

  void run(const Real* in, Real* out) override {
    others_.run(in, first_.data());
    turn_.forward(first_.data(), second_.data());
    last_.run(second_.data(), first_.data());
    leave_.forward(first_.data(), c_strides(leave_.from().extents()), out, out_strides_);
  }
  void allocate() override {
    first_.resize(static_cast<std::size_t>(std::max(box_.size(), whole_.size())));
    second_.resize(static_cast<std::size_t>(whole_.size()));
  }
  std::string strategy() const override { return "FFTW's lines, " + turn_.strategy(); }

 private:
  SerialStep(MPI_Comm user, const Problem& problem, const Sides& sides, const Comm& comm, const Planning& planning)
      : box_(sides.in.box(comm.rank())),
        whole_(turned(sides.in, comm)),
        out_strides_(sides.out.strides),
        others_(box_.extents(), kinds(problem, sides.in, false), sides.in.strides, c_strides(box_.extents()),
                planning.effort),
        turn_(user, box_, whole_, sizeof(Real), moves_of(planning)),
        last_(whole_.extents(), kinds(problem, sides.in, true), c_strides(whole_.extents()),
              c_strides(whole_.extents()), planning.effort),
        leave_(user, whole_, sides.out.box(comm.rank()), sizeof(Real), moves_of(planning)) {}

  // The box of a rank while the axis that the input cuts is whole.
  static Box turned(const Side& side, const Comm& comm) {
    const int other = side.cut.axis == 0 ? 1 : 0;
    const index_t n = side.extents[other];
    Box box(side.extents);
    box[other] = block_of(n, default_block(n, comm.size()), comm.rank());
    return box;
  }
  // FFTW's kinds of the axis that is cut, or of all others; -1 for an axis that is not transformed.
  static std::vector<int> kinds(const Problem& problem, const Side& side, bool cut_axis) {
    std::vector<int> result(static_cast<std::size_t>(side.extents.dims()), -1);
    for (int axis = 0; axis < problem.n.dims(); axis++) {
      const auto a = static_cast<std::size_t>(axis);
      if ((axis == side.cut.axis) == cut_axis) result[a] = problem.kinds[a];
    }
    return result;
  }

  Box box_, whole_;
  Extents out_strides_;
  Lines<Real> others_;
  Redistribution turn_;
  Lines<Real> last_;
  Redistribution leave_;
  AlignedVector<Real> first_, second_;
};

}  // namespace

template <class Real>
std::unique_ptr<Step<Real>> serial_step(MPI_Comm comm, const Problem& problem, const Planning& planning) {
  return std::make_unique<SerialStep<Real>>(comm, problem, planning);
}

template std::unique_ptr<Step<float>> serial_step(MPI_Comm, const Problem&, const Planning&);
template std::unique_ptr<Step<double>> serial_step(MPI_Comm, const Problem&, const Planning&);

}  // namespace weft::fftw_mpi
