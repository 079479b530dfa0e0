// The public solver for coefficients that vary: checks, the preconditioner, and the iteration.
#include "weft/variable_poisson.hpp"

#include <algorithm>
#include <cmath>

#include "base/exact_sum.hpp"
#include "base/number.hpp"
#include "base/wrap.hpp"
#include "plan/arguments.hpp"
#include "poisson/mean.hpp"
#include "poisson/problem.hpp"
#include "variable/operator.hpp"
#include "variable/variable_problem.hpp"

namespace weft {

template <class Real>
struct VariablePoisson<Real>::State {
  using Values = AlignedVector<Real>;

  State(MPI_Comm user, const VariableProblem& given, const PlanOptions& asked)
      : start(MPI_Wtime()),
        users(user),
        comm(user),
        problem(checked(given, asked)),
        options(asked),
        plain(user, constant_problem(problem, 0), options),
        threads(plain.threads()),
        count(plain.box().size()) {
    const OperatorInput input{user, problem, plain.layout(), options, threads};
    equation =
        problem.form == Form::finite_volume ? make_flux_operator<Real>(input) : make_spectral_operator<Real>(input);
    comm.together([&] {
      for (Values* values : {&remainder, &nearly, &direction, &image}) values->resize(static_cast<std::size_t>(count));
    });
    setup_seconds = MPI_Wtime() - start;
  }

  // Collective.
  const VariableProblem& checked(const VariableProblem& given, const PlanOptions& asked) {
    comm.require_same("problem", to_text(given));
    require_same_options(comm, asked);
    comm.together([&] {
      domain = domain_of({given.cells, given.length, given.boundary});
      check(given);
      require(!asked.in_place, "in_place: a solver for coefficients that vary works on arrays of the caller; omit it");
    });
    return given;
  }

  // --- coefficients --------------------------------------------------------------------------------------------------

  void take(const Real* a, const Real* c) {
    require_values("a", a, "positive and finite", [](Real value) { return value > 0 && std::isfinite(value); });
    require_values("c", c, "0 or positive, and finite", [](Real value) { return value >= 0 && std::isfinite(value); });
    const bool some = c != nullptr && std::any_of(c, c + count, [](Real value) { return value > 0; });
    const bool screened = comm.max(index_t{some}) > 0;
    is_ready = false;
    comm.together([&] {
      coefficient.assign(a, a + count);
      reaction.clear();
      if (screened) reaction.assign(static_cast<std::size_t>(count), Real(0));
      if (screened && c != nullptr) std::copy_n(c, count, reaction.data());
      take_scale();
    });
    take_constants(screened);
    equation->take(coefficient.data(), screened ? reaction.data() : nullptr);
    is_free = !screened && allows_constant(problem);
    is_ready = true;
  }

  // Finds the closest constant coefficients, divided by that of the gradient. Collective.
  void take_constants(bool screened) {
    const double mean_a = is_scaled() ? 1 : mean([&](index_t i) { return double{coefficient[at(i)]}; });
    inverse_scale = static_cast<Real>(1 / mean_a);
    const auto ratio = [&](index_t i) {
      return double{reaction[at(i)]} / (is_scaled() ? double{coefficient[at(i)]} : mean_a);
    };
    const double square = screened ? mean(ratio) : 0.0;
    if (square > 0 && (around == nullptr || square != around_square))
      around = std::make_unique<Poisson<Real>>(users, constant_problem(problem, square), options);
    around_square = square;
  }

  void take_scale() {
    if (!is_scaled()) return;
    scale.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < scale.size(); i++) scale[i] = 1 / std::sqrt(coefficient[i]);
  }

  bool is_scaled() const { return problem.around == Around::scaled; }

  // Throws Error on every rank alike that names the first value of the lowest rank that is not allowed. A null pointer
  // has no values. Collective.
  template <class Allowed>
  void require_values(const std::string& name, const Real* values, const char* wanted, const Allowed& allowed) const {
    comm.together([&] {
      if (values == nullptr) return;
      const Real* wrong = std::find_if_not(values, values + count, allowed);
      if (wrong == values + count) return;
      const Box box = plain.box();
      index_t rest = wrong - values;
      std::string place;
      for (int axis = box.dims() - 1; axis >= 0; rest /= box[axis--].size())
        place.insert(0, std::to_string(box[axis].lo + rest % box[axis].size()) + (place.empty() ? "" : ", "));
      throw Error(Fault::argument, name + ": " + number("%g", double{*wrong}) + " given at point [" + place +
                                       "]; it must be " + wanted + " in all cells");
    });
  }

  // Collective.
  void require_ready() const {
    comm.together([&] { require(is_ready, "coefficients: none are set; call set_coefficients(a, c) first"); });
  }

  // Collective.
  void require_sizes(const char* names, std::initializer_list<std::size_t> given) const {
    comm.together([&] {
      for (const std::size_t size : given)
        require(static_cast<index_t>(size) == count, std::string(names) + ": a field has " + std::to_string(size) +
                                                         " values, but this rank has " + std::to_string(count) +
                                                         " cells; make fields by field()");
    });
  }

  // --- sums and loops ------------------------------------------------------------------------------------------------

  template <class Term>
  double sum(const Term& term) const {
    return exact_sum(comm, threads, count, term);
  }
  template <class Term>
  double mean(const Term& term) const {
    return sum(term) / static_cast<double>(problem.cells.product());
  }
  template <class Work>
  void for_cells(const Work& work) const {
    on_threads(threads, [&](int thread) {
      for (index_t i = count * thread / threads; i < count * (thread + 1) / threads; i++) work(i);
    });
  }
  // Subtracts the mean if a constant is free. Collective.
  void centre(Real* values) const {
    if (!is_free) return;
    const Real middle = static_cast<Real>(mean([&](index_t i) { return double{values[i]}; }));
    for_cells([&](index_t i) { values[i] -= middle; });
  }

  // --- the iteration -------------------------------------------------------------------------------------------------

  void solve(const Real* f, Real* u, const Real* guess, const IterationReport& report) {
    const bool guessed = comm.max(index_t{guess != nullptr}) > 0;
    comm.together([&] {
      require(!guessed || guess != nullptr || count == 0,
              "guess: none was given on this rank, and one on another; give it on all ranks, or on none");
    });
    const auto finite = [](Real value) { return std::isfinite(value); };
    require_values("f", f, "finite", finite);
    require_values("guess", guess, "finite", finite);
    std::copy_n(f, count, remainder.data());
    if (is_free && problem.mean == Mean::error)
      require_zero_mean(comm, "f", domain, plain.box(),
                        LocalArray<Real>{remainder.data(), c_strides(plain.box().extents())});
    centre(remainder.data());
    equation->filter(remainder.data());
    const double size = std::sqrt(sum([&](index_t i) { return square_of(remainder[at(i)]); }));
    iterations = 0;
    residual = 0;
    if (!guessed || size == 0) {
      std::fill_n(u, count, Real(0));
    } else {
      if (u != guess) std::copy_n(guess, count, u);
      equation->filter(u);
      equation->apply(u, image.data());
    }
    if (size == 0) return;
    const double left = std::sqrt(sum([&](index_t i) {
      remainder[at(i)] = (guessed ? image[at(i)] : Real(0)) - remainder[at(i)];
      return square_of(remainder[at(i)]);
    }));
    iterate(u, left, size, report);
    centre(u);
  }

  // Conjugate gradients for the negative operator, which is positive, starting from u. `left` is the norm of the
  // residual.
  void iterate(Real* u, double left, double size, const IterationReport& report) {
    double before = 1;
    std::fill(direction.begin(), direction.end(), Real(0));
    for (;; iterations++) {
      residual = left / size;
      if (report) report(iterations, residual);
      if (residual <= problem.tolerance) return;
      require(iterations < problem.most_iterations && std::isfinite(residual),
              "most_iterations: after " + std::to_string(iterations) + " the residual is " + number("%.3g", residual) +
                  " of the norm of f, tolerance=" + number("%g", problem.tolerance) +
                  " was given; allow more iterations, or a larger tolerance");
      precondition();
      const double now = sum([&](index_t i) { return double{nearly[at(i)]} * double{remainder[at(i)]}; });
      const Real kept = static_cast<Real>(iterations > 0 ? now / before : 0.0);
      for_cells([&](index_t i) { direction[at(i)] = nearly[at(i)] + kept * direction[at(i)]; });
      equation->apply(direction.data(), image.data());
      const double curvature = sum([&](index_t i) { return double{image[at(i)]} * double{direction[at(i)]}; });
      const Real step = static_cast<Real>(-now / curvature);
      left = std::sqrt(sum([&](index_t i) {
        u[i] += step * direction[at(i)];
        remainder[at(i)] += step * image[at(i)];
        return square_of(remainder[at(i)]);
      }));
      before = now;
    }
  }

  // Applies an approximate inverse of the negative operator to the residual: that of constant coefficients, between
  // scalings. Collective.
  void precondition() {
    Real* z = nearly.data();
    const auto scale_of = [&](index_t i) { return is_scaled() ? scale[at(i)] : inverse_scale; };
    for_cells([&](index_t i) { z[i] = scale_of(i) * remainder[at(i)]; });
    (around_square > 0 ? *around : plain).solve(z, z);
    // Solutions for constant coefficients lack the waves that filter() removes, but scaling brings them back.
    for_cells([&](index_t i) { z[i] *= is_scaled() ? -scale[at(i)] : Real(-1); });
    if (is_scaled()) equation->filter(z);
    centre(z);
  }

  static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
  static double square_of(Real value) { return double{value} * double{value}; }

  double start;
  MPI_Comm users;
  Comm comm;
  std::vector<DomainAxis> domain;  // written while the problem is checked
  VariableProblem problem;
  PlanOptions options;
  Poisson<Real> plain;                    // for constant coefficients, c = 0
  std::unique_ptr<Poisson<Real>> around;  // for c > 0, with this constant:
  double around_square = 0;
  int threads;
  index_t count;  // cells of this rank
  std::unique_ptr<VariableOperator<Real>> equation;
  Values coefficient, reaction, scale;
  Real inverse_scale = 1;  // 1 / a where one number serves all cells
  bool is_free = false, is_ready = false;
  Values remainder, nearly, direction, image;
  int iterations = 0;
  double residual = 0;
  double setup_seconds = 0;
};

template <class Real>
VariablePoisson<Real>::VariablePoisson(MPI_Comm comm, const VariableProblem& problem, const PlanOptions& options)
    : state_(std::make_unique<State>(comm, problem, options)) {}
template <class Real>
VariablePoisson<Real>::~VariablePoisson() = default;
template <class Real>
VariablePoisson<Real>::VariablePoisson(VariablePoisson&&) noexcept = default;
template <class Real>
VariablePoisson<Real>& VariablePoisson<Real>::operator=(VariablePoisson&&) noexcept = default;

template <class Real>
const Layout& VariablePoisson<Real>::layout() const {
  return state_->plain.layout();
}
template <class Real>
Box VariablePoisson<Real>::box() const {
  return state_->plain.box();
}
template <class Real>
std::vector<double> VariablePoisson<Real>::points(int axis) const {
  return state_->plain.points(axis);
}
template <class Real>
Field<Real> VariablePoisson<Real>::field() const {
  return state_->plain.field();
}

template <class Real>
void VariablePoisson<Real>::set_coefficients(const Real* a, const Real* c) {
  state_->take(a, c);
}
template <class Real>
void VariablePoisson<Real>::apply(const Real* u, Real* result) {
  State& state = *state_;
  state.require_ready();
  state.equation->apply(u, state.image.data());
  std::copy(state.image.begin(), state.image.end(), result);
}
template <class Real>
void VariablePoisson<Real>::solve(const Real* f, Real* u, const Real* guess, const IterationReport& report) {
  state_->require_ready();
  state_->solve(f, u, guess, report);
}

// Overloads for fields, whose sizes must be those of the cells.
template <class Real>
void VariablePoisson<Real>::set_coefficients(const Field<Real>& a) {
  state_->require_sizes("a", {a.size()});
  set_coefficients(a.data());
}
template <class Real>
void VariablePoisson<Real>::set_coefficients(const Field<Real>& a, const Field<Real>& c) {
  state_->require_sizes("a, c", {a.size(), c.size()});
  set_coefficients(a.data(), c.data());
}
template <class Real>
void VariablePoisson<Real>::apply(const Field<Real>& u, Field<Real>& result) {
  state_->require_sizes("u, result", {u.size(), result.size()});
  apply(u.data(), result.data());
}
template <class Real>
void VariablePoisson<Real>::solve(const Field<Real>& f, Field<Real>& u) {
  state_->require_sizes("f, u", {f.size(), u.size()});
  solve(f.data(), u.data());
}

template <class Real>
int VariablePoisson<Real>::iterations() const {
  return state_->iterations;
}
template <class Real>
double VariablePoisson<Real>::residual() const {
  return state_->residual;
}

template <class Real>
bool VariablePoisson<Real>::mean_is_free() const {
  return state_->is_free;
}

template <class Real>
std::string VariablePoisson<Real>::explain() const {
  const State& state = *state_;
  const std::string how = state.problem.form == Form::finite_volume
                              ? "finite volumes, " + to_string(state.problem.faces) + " means on faces"
                              : "spectral derivatives";
  return wrapped("conjugate gradients for " + how + ", around = " + to_string(state.problem.around) + "\n" +
                 state.equation->explain() + "solver for constant coefficients\n" + state.plain.explain());
}
template <class Real>
const std::vector<std::string>& VariablePoisson<Real>::notes() const {
  return state_->plain.notes();
}
template <class Real>
std::string VariablePoisson<Real>::strategy() const {
  return state_->plain.strategy();
}
template <class Real>
int VariablePoisson<Real>::threads() const {
  return state_->threads;
}
template <class Real>
index_t VariablePoisson<Real>::workspace_bytes() const {
  const State& state = *state_;
  index_t bytes = state.plain.workspace_bytes() + state.equation->workspace_bytes();
  if (state.around != nullptr) bytes += state.around->workspace_bytes();
  for (const auto* values : {&state.coefficient, &state.reaction, &state.scale, &state.remainder, &state.nearly,
                             &state.direction, &state.image})
    bytes += static_cast<index_t>(values->size() * sizeof(Real));
  return bytes;
}
template <class Real>
index_t VariablePoisson<Real>::bytes_sent() const {
  return state_->plain.bytes_sent() + state_->equation->bytes_sent();
}
template <class Real>
double VariablePoisson<Real>::setup_seconds() const {
  return state_->setup_seconds;
}

template class VariablePoisson<float>;
template class VariablePoisson<double>;

}  // namespace weft
