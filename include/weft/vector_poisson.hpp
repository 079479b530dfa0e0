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

/// The name of a derivative: "spectral", "2", "4" or "6".
std::string to_string(Derivative derivative);
/// The inverse of to_string. Throws Error for any other text.
Derivative parse_derivative(const std::string& text);

/// The boundaries of vector fields that are gradients of scalars with the given boundaries. Even ends are walls that
/// the field does not cross (its normal component is odd there); the field crosses odd ends at right angles.
std::vector<std::vector<Boundary>> vector_boundary(const std::vector<Boundary>& scalar);

/// A vector field in 2 or 3 dimensions, with as many components as axes.
struct VectorProblem {
  Extents cells;               ///< N per axis, as in PoissonProblem
  std::vector<double> length;  ///< L per axis
  /// boundary[component][axis]. A vector field has mirror symmetry: across an even or odd end the component normal to
  /// it has the opposite condition of the others. If no end is even or odd, one list applies to all components.
  std::vector<std::vector<Boundary>> boundary;
  std::vector<Centring> centring = {Centring::cell};
  Kernel kernel = "chat2";
  double screening = 0;
  Derivative derivative = Derivative::spectral;
  /// Component 0 points along the last axis, component 1 along the one before, as for arrays whose axes are named in
  /// reverse order (column-major order). Axes that are right-handed in that order are left-handed here, so that curls
  /// and velocities follow the reversed names.
  bool reversed = false;
  /// Per axis: solve(), solve_gradient() and biot_savart() give their results at points displaced by these lengths, see
  /// PoissonProblem. Empty: none. The other operations do not displace, and project() is refused.
  std::vector<double> shift{};
  /// p of -(lambda^2 - lap)^p u = f, as in PoissonProblem, for solve(), solve_gradient() and biot_savart(): with p =
  /// 1/2 and no screening biot_savart() gives the velocity of surface quasi-geostrophic flow. All other operations,
  /// including project(), do not depend on it.
  double power = 1;
  /// The number of fields of one call, in one exchange; all arrays count them by an axis before that of the components.
  /// 0: one field, in arrays without such an axis.
  index_t batch = 0;
};

/// A solver for vector fields. All components share one kernel and are moved by one exchange. One pass does the
/// transform, the operation and the inverse transform of the last axis, so that no spectrum is stored.
///
/// Arrays of vectors hold all components of this rank's box one after the other: [component][x][y][z] in C order;
/// scalars are [x][y][z]. A batch holds one field after the other, and each result has the bits that it has alone.
/// Points on odd planes and repeated periodic points are ignored on input and written on output.
///
/// The scalars that belong to the field, a divergence or a potential, are even where the components tangential to an
/// end are even. Fields are differentiated in the space of modes, so they have to vanish towards unbounded ends. Only
/// solve_gradient and biot_savart differentiate solutions, which need not vanish. The order of their results is the
/// lower one of kernel and derivative.
template <class Real>
class VectorPoisson {
 public:
  /// Collective. Throws the same Error on every rank if an argument is not allowed or differs between ranks, in
  /// particular if the components differ along an axis in more than parity (periodic, unbounded side, half-integer
  /// modes) or break the mirror symmetry.
  VectorPoisson(MPI_Comm comm, const VectorProblem& problem, const PlanOptions& options = default_options());
  ~VectorPoisson();
  VectorPoisson(VectorPoisson&&) noexcept;
  VectorPoisson& operator=(VectorPoisson&&) noexcept;

  static PlanOptions default_options() { return Poisson<Real>::default_options(); }

  int components() const;
  /// The number of fields of one call; 0: arrays have no axis for it.
  index_t batch() const;
  /// The part of the global array of points that this rank owns, the same for all components.
  Box box() const;
  /// The points of the global array per axis.
  Extents extents() const;
  std::vector<double> points(int axis) const;
  /// The boundaries of the scalars that belong to the field: results of divergence() and arguments of gradient().
  std::vector<Boundary> scalar_boundary() const;
  /// The boundaries per component of the result of curl(): even ends become odd, and odd ends even. In two dimensions
  /// the result is one scalar.
  std::vector<std::vector<Boundary>> curl_boundary() const;

  // The following members are collective. Output arrays may be input arrays if sizes agree. They throw the same Error
  // on every rank, with nothing written, if the input has NaN or Inf. The first call of each makes its plans.

  /// Solves lap u - screening^2 u = f, or the problem of another power, for each component.
  void solve(const Real* rhs, Real* solution);
  /// The velocity u with curl u = omega and div u = 0: u = -curl of the solution for omega, for any power. In
  /// three dimensions omega has the boundaries of the problem and u has curl_boundary(). In two dimensions omega is a
  /// scalar with curl_boundary() and u has the boundaries of the problem.
  void biot_savart(const Real* vorticity, Real* velocity);
  /// The curl (du_z/dy - du_y/dz, ...), or in two dimensions the scalar du_y/dx - du_x/dy.
  void curl(const Real* vector, Real* result);
  void divergence(const Real* vector, Real* scalar);
  void gradient(const Real* scalar, Real* vector);
  /// The gradient of the solution for a scalar f: the force field of a charge or mass density.
  void solve_gradient(const Real* scalar, Real* vector);
  /// The divergence-free part v - grad lap^-1 div v. It is exact for the derivative in use if no axis is unbounded.
  void project(const Real* vector, Real* result);

  std::string explain() const;
  /// Notes about this problem and kernel, one sentence each, equal on every rank. Usually there are none. explain()
  /// also has them.
  const std::vector<std::string>& notes() const;
  std::string strategy() const;
  int threads() const;
  index_t workspace_bytes() const;
  /// Bytes that this rank sends in one call of an operation from vectors to vectors.
  index_t bytes_sent() const;
  double setup_seconds() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class VectorPoisson<float>;
extern template class VectorPoisson<double>;

}  // namespace weft
