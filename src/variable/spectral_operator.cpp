// The spectral form: the divergence of a times the gradient of u, by the derivatives of all waves.
#include <algorithm>
#include <vector>

#include "base/threads.hpp"
#include "variable/operator.hpp"
#include "variable/variable_problem.hpp"
#include "weft/vector_poisson.hpp"

namespace weft {

namespace {

VectorProblem gradient_problem(const VariableProblem& problem) {
  return {problem.cells, problem.length, vector_boundary(problem.boundary)};
}

// The options with the grid of the cells, so that fluxes are distributed like them.
PlanOptions in_grid(PlanOptions options, const Layout& layout) {
  options.grid.clear();
  for (int axis = 0; axis < layout.grid().dims(); axis++) options.grid.push_back(layout.grid()[axis]);
  return options;
}

template <class Real>
class SpectralOperator final : public VariableOperator<Real> {
 public:
  explicit SpectralOperator(const OperatorInput& input)
      : threads_(input.threads),
        derivatives_(input.comm, gradient_problem(input.problem), in_grid(input.options, input.layout)),
        cells_(derivatives_.box().size()),
        fluxes_(static_cast<std::size_t>(cells_ * derivatives_.components())) {
    const Comm comm(input.comm);
    const bool same =
        comm.rank() >= input.layout.ranks() ? cells_ == 0 : derivatives_.box() == input.layout.box(comm.rank());
    comm.together([&] {
      if (!same) throw Error(Fault::internal, "the gradient is not distributed like the cells");
    });
    if (has_shortest_wave(input.problem))
      waves_ = std::make_unique<Poisson<Real>>(input.comm, filter_problem(input.problem), input.options);
  }

  void take(const Real* a, const Real* c) override {
    coefficient_ = a;
    reaction_ = c;
  }

  void apply(const Real* u, Real* result) override {
    derivatives_.gradient(u, fluxes_.data());
    for_cells([&](index_t first, index_t end) {
      for (int axis = 0; axis < derivatives_.components(); axis++) {
        Real* flux = fluxes_.data() + axis * cells_;
        for (index_t i = first; i < end; i++) flux[i] *= coefficient_[i];
      }
    });
    derivatives_.divergence(fluxes_.data(), result);
    if (reaction_ != nullptr)
      for_cells([&](index_t first, index_t end) {
        for (index_t i = first; i < end; i++) result[i] -= reaction_[i] * u[i];
      });
    filter(result);
  }

  void filter(Real* values) override {
    if (waves_ != nullptr) waves_->solve(values, values);
  }

  index_t workspace_bytes() const override {
    return derivatives_.workspace_bytes() + (waves_ == nullptr ? 0 : waves_->workspace_bytes()) +
           static_cast<index_t>(fluxes_.size() * sizeof(Real));
  }
  index_t bytes_sent() const override {
    // The cells beside the components of their gradient.
    const index_t all = derivatives_.bytes_sent() / derivatives_.components() * (derivatives_.components() + 1);
    return all + (waves_ == nullptr ? 0 : waves_->bytes_sent());
  }
  std::string explain() const override { return "gradient and divergence\n" + derivatives_.explain(); }

 private:
  template <class Work>
  void for_cells(const Work& work) const {
    on_threads(threads_, [&](int thread) { work(cells_ * thread / threads_, cells_ * (thread + 1) / threads_); });
  }

  int threads_;
  VectorPoisson<Real> derivatives_;
  index_t cells_;
  AlignedVector<Real> fluxes_;
  std::unique_ptr<Poisson<Real>> waves_;  // removes the shortest waves; null if there are none
  const Real* coefficient_ = nullptr;
  const Real* reaction_ = nullptr;
};

}  // namespace

template <class Real>
std::unique_ptr<VariableOperator<Real>> make_spectral_operator(const OperatorInput& input) {
  return std::make_unique<SpectralOperator<Real>>(input);
}

template std::unique_ptr<VariableOperator<double>> make_spectral_operator(const OperatorInput&);
template std::unique_ptr<VariableOperator<float>> make_spectral_operator(const OperatorInput&);

}  // namespace weft
