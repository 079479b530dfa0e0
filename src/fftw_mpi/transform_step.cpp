// Transforms of FFTW's MPI interface by a plan of Weft.
#include <algorithm>
#include <utility>

#include "fftw_mpi/step.hpp"
#include "weft/memory.hpp"
#include "weft/plan.hpp"

namespace weft::fftw_mpi {

namespace {

// The axes of the plan: those of the problem, or with the first two exchanged, since a plan cuts its points along its
// first axis, and its modes along the second one (transposed) or along the first (natural).
struct PlanAxes {
  bool exchanged;

  explicit PlanAxes(const Side& points) : exchanged(points.cut.axis == 1) {}
  // A list with an entry for each axis of the problem, in the plan's order of axes.
  template <class List>
  List of(List list) const {
    if (exchanged) std::swap(list[0], list[1]);
    return list;
  }
};

// Whether every rank's part of an array equals that of a plan with blocks of the default size.
bool has_default_blocks(const Side& side, int ranks) {
  return side.cut.block == default_block(side.extents[side.cut.axis], ranks);
}

template <class Real>
Plan<Real> make_plan(MPI_Comm user, const Problem& problem, const Side& points, const Side& modes,
                     const Planning& planning) {
  const Comm comm(user);
  const PlanAxes axes(points);
  PlanOptions options;
  options.grid = {comm.size()};
  options.scheme = Scheme::block;
  // Neither direction of FFTW divides, and neither does the direction of the plan that is used.
  options.norm = direction_of(problem) == Direction::forward ? Norm::backward : Norm::forward;
  options.effort = planning.effort;
  options.threads = planning.threads;
  const int rank = problem.n.dims(), dims = points.extents.dims();
  if (rank > 1 && dims > rank) options.batch_axes = {dims - 1};
  // Boxes equal to those of the plan cost nothing. Plans do not cut a single line, but its tuples.
  PlanBoxes boxes{axes.of(points.box(comm.rank())), axes.of(modes.box(comm.rank()))};
  if (rank > 1 && points.cut.axis == modes.cut.axis && has_default_blocks(modes, comm.size())) {
    options.output = Output::natural;
    boxes.spectral = {};
  }
  return {user, axes.of(points.extents), axes.of(kinds_of(problem)), boxes, options};
}

// Whether each element of the output lies at the place of an input element with the same indices, except for the last
// index.
bool rows_coincide(const Sides& sides) {
  for (int axis = 0; axis + 1 < sides.in.strides.dims(); axis++)
    if (sides.in.strides[axis] * sides.in.width() != sides.out.strides[axis] * sides.out.width()) return false;
  return true;
}

template <class Real>
class TransformStep : public Step<Real> {
 public:
  TransformStep(MPI_Comm comm, const Problem& problem, const Sides& sides, const Planning& planning)
      : direction_(direction_of(problem)),
        plan_(direction_ == Direction::forward ? make_plan<Real>(comm, problem, sides.in, sides.out, planning)
                                               : make_plan<Real>(comm, problem, sides.out, sides.in, planning)) {
    const PlanAxes axes(direction_ == Direction::forward ? sides.in : sides.out);
    in_strides_ = axes.of(sides.in.strides);
    out_strides_ = axes.of(sides.out.strides);
    // A plan without exchanges overwrites only rows that it has already read.
    if (planning.in_place && plan_.strategy() == "none" && !rows_coincide(sides))
      staged_reals_ = static_cast<std::size_t>(sides.in.reals(Comm(comm).rank()));
  }

  void allocate() override { staged_.resize(staged_reals_); }

  void run(const Real* in, Real* out) override {
    if (in == out && !staged_.empty()) {
      std::copy_n(in, staged_.size(), staged_.data());
      in = staged_.data();
    }
    if (direction_ == Direction::forward)
      plan_.forward(in, in_strides_, out, out_strides_);
    else
      plan_.backward(in, in_strides_, out, out_strides_);
  }
  std::string strategy() const override { return plan_.strategy(); }

 private:
  Direction direction_;
  Plan<Real> plan_;
  Extents in_strides_, out_strides_;
  std::size_t staged_reals_ = 0;  // of the input of a transform in place that has to be copied first
  AlignedVector<Real> staged_;
};

}  // namespace

template <class Real>
std::unique_ptr<Step<Real>> transform_step(MPI_Comm comm, const Problem& problem, const Planning& planning) {
  return std::make_unique<TransformStep<Real>>(comm, problem, sides_of(problem), planning);
}

template std::unique_ptr<Step<float>> transform_step(MPI_Comm, const Problem&, const Planning&);
template std::unique_ptr<Step<double>> transform_step(MPI_Comm, const Problem&, const Planning&);

}  // namespace weft::fftw_mpi
