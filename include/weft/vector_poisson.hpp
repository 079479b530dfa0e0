// Vector fields: lap u = f, the velocity of a vorticity (Biot-Savart), gradient, divergence, curl and projection.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/poisson.hpp"

namespace weft {

/// First derivatives: i w for every mode (spectral), or the symbols of centred differences of order 2, 4 and 6: with
/// t = w h, sin(t)/h, (4/3 sin t - 1/6 sin 2t)/h, (3/2 sin t - 3/10 sin 2t + 1/30 sin 3t)/h (Balty, Chatelain and
/// Gillis, FLUPS, 2023, eqs. (12)-(14)).
enum class Derivative { spectral, second, fourth, sixth };

/// "spectral", "2", "4" or "6".
std::string to_string(Derivative derivative);
/// Throws Error for any other text.
Derivative parse_derivative(const std::string& text);

/// The boundaries of the vector fields that are gradients of scalars with these: even ends are walls that the field
/// does not cross (its normal component is odd there), odd ends such that it crosses at right angles.
std::vector<std::vector<Boundary>> vector_boundary(const std::vector<Boundary>& scalar);

/// A vector field in 2 or 3 dimensions, with as many components as axes.
struct VectorProblem {
  Extents cells;               ///< N per axis, as in PoissonProblem
  std::vector<double> length;  ///< L per axis
  /// boundary[component][axis]. A vector field has mirror symmetry: across an even or odd end the component normal to
  /// it has the opposite condition of the others. Where no end is even or odd one list serves all components.
  std::vector<std::vector<Boundary>> boundary;
  std::vector<Centring> centring = {Centring::cell};
  Kernel kernel = "chat2";
  double screening = 0;
  Derivative derivative = Derivative::spectral;
  /// Component 0 points along the last axis, component 1 along the one before, as for arrays whose axes are named last
  /// first (column-major order). What is right-handed by those names is left-handed by these, so curls and velocities
  /// are those of the names.
  bool reversed = false;
};

/// Solves for vector fields. All components share one kernel and travel in one exchange; transforms, operation and
/// inverse transforms of the last axis happen in one pass, so that no spectrum is stored.
///
/// Arrays of vectors hold all components of this rank's box one after the other: [component][x][y][z] in C order;
/// scalars are [x][y][z]. Points on odd planes and repeated periodic points are ignored on input and written on output.
///
/// The scalars that go with the field are even where the components tangential to an end are: a divergence, a
/// potential. Fields are differentiated in the space of modes, so along unbounded axes they have to vanish towards the
/// ends; only solve_gradient and biot_savart differentiate solutions, which need not. The order of what these give is
/// the lower one of kernel and derivative.
template <class Real>
class VectorPoisson {
 public:
  /// Collective. Throws the same Error on every rank when an argument is not allowed or differs between ranks: in
  /// particular where the components differ along an axis in more than parity (periodic, unbounded side, half-integer
  /// modes) or break the mirror symmetry.
  VectorPoisson(MPI_Comm comm, const VectorProblem& problem, const PlanOptions& options = default_options());
  ~VectorPoisson();
  VectorPoisson(VectorPoisson&&) noexcept;
  VectorPoisson& operator=(VectorPoisson&&) noexcept;

  static PlanOptions default_options() { return Poisson<Real>::default_options(); }

  int components() const;
  /// The part of the global array of points that this rank owns, the same for all components.
  Box box() const;
  /// Points of the global array per axis.
  Extents extents() const;
  std::vector<double> points(int axis) const;
  /// Boundaries of the scalars that go with the field: divergence() of it, gradient() of them.
  std::vector<Boundary> scalar_boundary() const;
  /// Boundaries per component of what curl() gives: every even end is odd and the other way round. In two dimensions
  /// that is one scalar.
  std::vector<std::vector<Boundary>> curl_boundary() const;

  // All of these are collective. Output arrays may be input arrays where sizes agree. They throw the same Error on
  // every rank, with nothing written, when the input holds NaN or Inf. The first call of each plans what it needs.

  /// lap u - screening^2 u = f, component by component.
  void solve(const Real* rhs, Real* solution);
  /// u with curl u = omega and div u = 0: u = -curl of the solution for omega. In three dimensions omega has the
  /// boundaries of the problem and u those of curl_boundary(); in two dimensions omega is a scalar with those of
  /// curl_boundary() and u has the boundaries of the problem.
  void biot_savart(const Real* vorticity, Real* velocity);
  /// (du_z/dy - du_y/dz, ...); in two dimensions the scalar du_y/dx - du_x/dy.
  void curl(const Real* vector, Real* result);
  void divergence(const Real* vector, Real* scalar);
  void gradient(const Real* scalar, Real* vector);
  /// The gradient of the solution for a scalar f: the force field of a charge or mass density.
  void solve_gradient(const Real* scalar, Real* vector);
  /// v - grad lap^-1 div v, the part without divergence. Exact for the derivative in use where no axis is unbounded.
  void project(const Real* vector, Real* result);

  std::string explain() const;
  /// What the user should know about this problem and kernel, one sentence each, the same on every rank; mostly
  /// nothing. explain() has them, too.
  const std::vector<std::string>& notes() const;
  std::string strategy() const;
  int threads() const;
  index_t workspace_bytes() const;
  /// Bytes that this rank sends in one call of an operation that takes and gives vectors.
  index_t bytes_sent() const;
  double setup_seconds() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class VectorPoisson<float>;
extern template class VectorPoisson<double>;

}  // namespace weft
