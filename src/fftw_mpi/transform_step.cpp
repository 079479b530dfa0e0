// Transforms of FFTW's MPI interface by a plan of Weft.
#include <algorithm>

#include "fftw_mpi/plan_axes.hpp"
#include "weft/memory.hpp"
#include "weft/plan.hpp"

namespace weft::fftw_mpi {

namespace {

template <class Real>
Plan<Real> make_plan(MPI_Comm user, const Problem& problem, const Side& points, const Side& modes,
                     const Planning& planning) {
  const Comm comm(user);
  const PlanAxes axes(points);
  PlanOptions options = options_of(problem, points, comm.size(), planning);
  // Boxes equal to those of the plan cost nothing. Plans do not cut a single line, but its tuples, nor a single point.
  PlanBoxes boxes{axes.of(points.box(comm.rank())), axes.of(modes.box(comm.rank()))};
  const bool single = std::find(problem.n.begin(), problem.n.end(), 1) != problem.n.end();
  if (problem.n.dims() > 1 && !single && points.cut.axis == modes.cut.axis && has_default_blocks(modes, comm.size())) {
    options.output = Output::natural;
    boxes.spectral = {};
  }
  return {user, axes.of(points.extents), axes.of(kinds_of(problem)), boxes, options};
}

template <class Real>
class TransformStep : public Step<Real> {
 public:
  TransformStep(MPI_Comm comm, const Problem& problem, const Sides& sides, const Planning& planning)
      : direction_(direction_of(problem)),
        plan_(make_plan<Real>(comm, problem, points_of(sides, direction_), modes_of(sides, direction_), planning)) {
    const PlanAxes axes(points_of(sides, direction_));
    in_strides_ = axes.of(sides.in.strides);
    out_strides_ = axes.of(sides.out.strides);
    // A plan without exchanges overwrites only rows that it has already read.
    if (planning.in_place() && plan_.strategy() == "none" && !rows_coincide(sides))
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
