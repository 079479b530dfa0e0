// The public ChebyshevAxis: one transformed axis among others, and an operation in its pass.
#include <algorithm>
#include <string>
#include <vector>

#include "base/number.hpp"
#include "base/wrap.hpp"
#include "plan/pass/chebyshev_operation.hpp"
#include "plan/planned.hpp"
#include "weft/chebyshev.hpp"
#include "weft/error.hpp"

namespace weft {

template <class Real>
struct ChebyshevAxis<Real>::State {
  State(MPI_Comm user, const ChebyshevProblem& given, const Box& box, const PlanOptions& options)
      : comm(user), problem(given), pipeline(make_pipeline(box, options)) {}

  BorderedPipeline<Real> make_pipeline(const Box& box, const PlanOptions& options) {
    const std::string ends = number(", a %.17g", problem.a) + number(", b %.17g", problem.b);
    comm.require_same("problem", "shape " + to_string(problem.shape) + ", axis " + std::to_string(problem.axis) + ends);
    const int dims = problem.shape.dims();
    std::vector<Kind> kinds(static_cast<std::size_t>(dims), Kind::none);
    comm.together([&] {
      require(problem.axis >= 0 && problem.axis < dims, "axis: " + std::to_string(problem.axis) +
                                                            " is not an axis of the array; give 0 to " +
                                                            std::to_string(dims - 1));
      (void)chebyshev_points(std::min<index_t>(problem.shape[problem.axis], 2), problem.a, problem.b);
      kinds[static_cast<std::size_t>(problem.axis)] = Kind::dct1;
      require(
          !options.in_place && options.modes.empty(),
          "options: in_place and modes are for plans; an axis of Chebyshev points works on arrays of the caller and "
          "keeps all coefficients; omit them");
    });
    const ScheduleInput input = checked_input(comm, problem.shape, kinds, options, sizeof(Real));
    const PlanBoxes boxes{box, {}};
    comm.together([&] { check_boxes(options, boxes, comm.size()); });
    return planned<Real>(comm, input, boxes, options, summary);
  }

  void run(const Real* in, Real* out, int order) {
    const index_t intervals = problem.shape[problem.axis] - 1;
    const ChebyshevOperation<Real> operation(intervals, problem.b / 2 - problem.a / 2, order);
    LineSymbol<Real> symbol;
    symbol.operation = &operation;
    pipeline.convolve(in, out, symbol, static_cast<Real>(0.5 / static_cast<double>(intervals)));
  }

  Comm comm;
  ChebyshevProblem problem;
  std::string summary;  // written while the pipeline is made
  BorderedPipeline<Real> pipeline;
};

template <class Real>
ChebyshevAxis<Real>::ChebyshevAxis(MPI_Comm comm, const ChebyshevProblem& problem, const Box& box,
                                   const PlanOptions& options)
    : state_(std::make_unique<State>(comm, problem, box, options)) {}
template <class Real>
ChebyshevAxis<Real>::~ChebyshevAxis() = default;
template <class Real>
ChebyshevAxis<Real>::ChebyshevAxis(ChebyshevAxis&&) noexcept = default;
template <class Real>
ChebyshevAxis<Real>& ChebyshevAxis<Real>::operator=(ChebyshevAxis&&) noexcept = default;

template <class Real>
Box ChebyshevAxis<Real>::box() const {
  return state_->pipeline.physical_box();
}
template <class Real>
void ChebyshevAxis<Real>::derivative(const Real* in, Real* out, int order) {
  state_->comm.require_same("order", std::to_string(order));
  require(order >= 1, "order: " + std::to_string(order) + " given; give 1 or more");
  state_->run(in, out, order);
}
template <class Real>
void ChebyshevAxis<Real>::integral(const Real* in, Real* out) {
  state_->run(in, out, -1);
}
template <class Real>
index_t ChebyshevAxis<Real>::workspace_bytes() const {
  return state_->pipeline.workspace_bytes();
}
template <class Real>
index_t ChebyshevAxis<Real>::bytes_sent() const {
  return 2 * state_->pipeline.bytes_sent();
}
template <class Real>
std::string ChebyshevAxis<Real>::explain() const {
  return wrapped(state_->pipeline.explain() + "  symbol    the recurrence of a polynomial; then all steps backward\n" +
                 state_->summary);
}
template <class Real>
std::string ChebyshevAxis<Real>::strategy() const {
  return state_->pipeline.moves();
}
template <class Real>
int ChebyshevAxis<Real>::threads() const {
  return state_->pipeline.threads();
}

template class ChebyshevAxis<float>;
template class ChebyshevAxis<double>;

}  // namespace weft
