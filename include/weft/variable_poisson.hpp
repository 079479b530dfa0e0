// VariablePoisson: div(a grad u) - c u = f with coefficients a and c that vary, by conjugate gradients around Poisson.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/poisson.hpp"

namespace weft {

/// How the equation is discretised. finite_volume: fluxes through the faces of cells, of order 2. spectral: derivatives
/// of all waves of the grid, with the parity that the boundary gives them.
enum class Form { finite_volume, spectral };
/// a on the face between two cells: their harmonic mean, with which the flux through layers is exact, or their
/// arithmetic one.
enum class Faces { harmonic, arithmetic };
/// How an iteration uses the solver for constant coefficients. scaled: between divisions by sqrt(a) (Concus and Golub
/// 1973), best where a is smooth. laplacian: without a, best where a jumps.
enum class Around { scaled, laplacian };

/// The names "finite-volume" and "spectral", "harmonic" and "arithmetic", "scaled" and "laplacian".
std::string to_string(Form form);
std::string to_string(Faces faces);
std::string to_string(Around around);
/// The inverses of to_string. They throw an Error that lists what is allowed.
Form parse_form(const std::string& text);
Faces parse_faces(const std::string& text);
Around parse_around(const std::string& text);

/// div(a grad u) - c u = f in 2 or 3 dimensions, on cells with values in their middles. Ends are periodic, even
/// (du/dn = 0) or odd (u = 0).
struct VariableProblem {
  Extents cells;                   ///< N per axis
  std::vector<double> length;      ///< L per axis
  std::vector<Boundary> boundary;  ///< per axis: one condition, or a pair {left, right}
  Form form = Form::finite_volume;
  Faces faces = Faces::harmonic;   ///< of finite volumes
  Around around = Around::scaled;  ///< of each iteration
  double tolerance = 1e-10;        ///< of the residual's 2-norm over that of f, between 0 and 1
  int most_iterations = 500;       ///< a solve gives up after this many
  Mean mean = Mean::remove;        ///< of f where a constant is free: no odd end, and c = 0 everywhere
};

/// Called after each iteration with its number, 0 before the first, and the residual. It must not throw.
using IterationReport = std::function<void(int iteration, double residual)>;

/// Solves div(a grad u) - c u = f with a > 0 and c >= 0.
///
/// Finite volumes: with q between a cell and the one before it along each axis,
///   sum over axes of (q[j+1] - q[j]) / h - c u = f,   q[j] = a (u[j] - u[j-1]) / h,
/// and a of the face, see Faces. At an odd end the cell beyond has -u, and a of the cell.
///
/// Spectral: D' (a D u) - c u = f, with D the derivative of the waves of the boundary at the points and D' that of the
/// boundaries of the gradient, which is minus the transpose of D. The shortest wave of two points, along a periodic
/// axis of an even number of cells or between odd ends, has no derivative, so it is removed from u and the equation.
///
/// Both are symmetric, and solved by conjugate gradients (Hestenes and Stiefel 1952) around a solve with constant
/// coefficients. The iterations grow with the contrast of a, but not with the number of cells where a is smooth. Sums
/// are exact, so that results have the same bits on any number of ranks and threads.
///
/// Where a constant is free, see Mean, u has mean zero. Arrays are indexed [x][y][z] in C order, as for Poisson.
template <class Real>
class VariablePoisson {
 public:
  /// Collective. Throws the same Error on every rank if an argument is not allowed or differs between ranks. The
  /// `options` that distribute data and in_place are refused, and with the spectral form also chunks and workspace.
  VariablePoisson(MPI_Comm comm, const VariableProblem& problem, const PlanOptions& options = default_options());
  ~VariablePoisson();
  VariablePoisson(VariablePoisson&&) noexcept;
  VariablePoisson& operator=(VariablePoisson&&) noexcept;

  static PlanOptions default_options() { return Poisson<Real>::default_options(); }

  /// The distribution of the points.
  const Layout& layout() const;
  /// The part of the global array of points that this rank owns, which may be empty.
  Box box() const;
  /// Coordinates of this rank's points along an axis.
  std::vector<double> points(int axis) const;
  /// A new field of zeros that knows its coordinates.
  Field<Real> field() const;

  /// Copies the coefficients of the next solves from local arrays of box().size() values; a null `c` is 0. Collective.
  /// Throws the same Error on every rank, and keeps the previous coefficients, unless a is positive, c is 0 or positive
  /// and both are finite. Can be called again at any time.
  void set_coefficients(const Real* a, const Real* c = nullptr);
  void set_coefficients(const Field<Real>& a);
  void set_coefficients(const Field<Real>& a, const Field<Real>& c);

  /// result = div(a grad u) - c u. Collective. `result` may be `u`.
  void apply(const Real* u, Real* result);
  void apply(const Field<Real>& u, Field<Real>& result);

  /// Solves for u. Collective. The iteration begins at `guess`, or at 0 if it is null; `u` may be `f` or `guess`. A
  /// good guess, such as the solution of the last time step, saves iterations. `report` is called on the ranks that
  /// give one. Throws the same Error on every rank, with nothing written, if f or the guess have NaN or Inf, or with
  /// Mean::error if the mean of f is further from zero than rounding explains. If the tolerance is not reached, it
  /// throws Error with the residual and the number of iterations, and `u` holds the last iterate.
  void solve(const Real* f, Real* u, const Real* guess = nullptr, const IterationReport& report = {});
  void solve(const Field<Real>& f, Field<Real>& u);

  /// The iterations of the last solve, even if it gave up, and the 2-norm of its residual over that of f, both without
  /// the parts that are removed from the equation (a free mean, shortest waves).
  int iterations() const;
  double residual() const;
  /// Whether the coefficients that are set leave u free up to a constant.
  bool mean_is_free() const;

  std::string explain() const;
  /// Notes about this problem, one sentence each, equal on every rank. Usually there are none.
  const std::vector<std::string>& notes() const;
  std::string strategy() const;
  int threads() const;
  /// Bytes that this rank holds beyond the caller's arrays.
  index_t workspace_bytes() const;
  /// Bytes that this rank sends for the operator and the solve with constant coefficients of one iteration.
  index_t bytes_sent() const;
  double setup_seconds() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class VariablePoisson<float>;
extern template class VariablePoisson<double>;

}  // namespace weft
