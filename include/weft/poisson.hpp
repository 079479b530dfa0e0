// Poisson: lap u = f on a distributed grid, with any mix of periodic, even, odd and unbounded boundaries.
#pragma once

#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "weft/boundary.hpp"
#include "weft/comm.hpp"
#include "weft/field.hpp"
#include "weft/green.hpp"
#include "weft/layout.hpp"
#include "weft/options.hpp"

namespace weft {

/// The treatment of the mean of the right-hand side if it has to be zero: every axis periodic or even at both ends, no
/// screening, a kernel that is 0 for the wavenumber 0, and no negative power. remove: the mean is subtracted. error:
/// solve() refuses a mean beyond rounding.
enum class Mean { remove, error };

std::string to_string(Mean mean);
/// The inverse of to_string. Throws an Error that lists what is allowed.
Mean parse_mean(const std::string& text);

/// A Poisson problem in 2 or 3 dimensions.
///
/// One axis may be a finite-difference axis: cells of any widths, with values in their middles, and periodic, even
/// (Neumann) or odd (Dirichlet, Robin) ends. It is not transformed but discretised by finite volumes of order 2, so
/// that the fluxes into every cell add up to the right-hand side there:
///   (q[j+1] - q[j]) / width[j] + (lap u along the other axes) - lambda^2 u = f,
///   q[j] = (u[j] - u[j-1]) / (distance of the middles),
/// and for each mode of the other axes, which have no unbounded ends, a tridiagonal or cyclic system is solved. The
/// Laplacian along the other axes is exact for the kernels chat2, truncated, igf and hej0, and a difference operator
/// for lgf2 to lgf8: with lgf2 the solution is that of second-order differences along all axes.
///
/// With order 4 the rows of this system are compact: each row weights f, lambda^2 u and the Laplacian of the other axes
/// over the cell and its two neighbours, so that the systems stay tridiagonal (Goedheer and Potters 1985). Rows are
/// exact for u of degree 4 whatever the widths are; at the ends f is extrapolated from the three nearest cells. The
/// error is of fourth order in the spacing where widths are smooth functions of the cell's number, and at least of
/// third order elsewhere. Integrals weight cells by these rows; the weights have to be positive.
///
/// Instead, one axis may be a Chebyshev axis (Centring::chebyshev), between even (Neumann) or odd (Dirichlet, Robin)
/// ends. It has the N+1 Gauss-Lobatto points, see weft/chebyshev.hpp, which include both walls, and u is a polynomial
/// of degree N along it. The other axes obey the rules for a finite-difference axis. For each of their modes the
/// coefficients of u satisfy d2u/dz2 - (k^2 + lambda^2) u = f up to degree N-2 and the conditions at both ends (the tau
/// method; Canuto et al., Spectral Methods in Fluid Dynamics, 1988, section 5.1.2). Integrated twice, this is a
/// tridiagonal system for the even and one for the odd coefficients, solved in O(N) operations. Errors of smooth
/// solutions fall faster than any power of N, down to rounding. f is used at all points, including the walls, where u
/// has its given values up to rounding.
struct PoissonProblem {
  Extents cells;                                      ///< N per axis; node-centred arrays have N+1 points
  std::vector<double> length;                         ///< L per axis
  std::vector<Boundary> boundary;                     ///< per axis: one condition, or a pair {left, right}
  std::vector<Centring> centring = {Centring::cell};  ///< one for all axes or one per axis
  Kernel kernel = "chat2";                            ///< Green's function, see weft/green.hpp
  double screening = 0;                               ///< lambda >= 0 of lap u - lambda^2 u = f
  Mean mean = Mean::remove;                           ///< mean of f if it has to be zero
  /// Per axis: the widths of the cells of a finite-difference axis, which add up to its length; empty for the others.
  /// An empty list: no axis has widths.
  std::vector<std::vector<double>> widths{};
  /// At the left and the right end of the finite-difference or Chebyshev axis, where it is odd: u + robin du/dn = 0, n
  /// pointing outwards, robin >= 0 a length. 0: u = 0.
  std::array<double, 2> robin{};
  /// p of -(lambda^2 - lap)^p u = f, not 0: 1 is lap u - lambda^2 u = f, 2 the biharmonic problem -lap lap u = f, 1/2 a
  /// fractional one; a negative p applies the operator, u = -(lambda^2 - lap)^-p f. Not possible with unbounded,
  /// finite-difference or Chebyshev axes; see make_kernel() for the kernels. Where a constant is free, u has mean zero
  /// for every p, and for p > 0 so must f (see Mean).
  double power = 1;
  /// Right-hand sides that one solve takes together, in one exchange: axis 0 of all arrays counts them, and no rank
  /// cuts it. 0: one, in arrays without such an axis.
  index_t batch = 0;
  int order = 2;  ///< of the differences along the finite-difference axis: 2 or 4
  /// Per axis: solutions are computed at points displaced by these lengths, u(x + shift) instead of u(x), which may lie
  /// outside the box of f and far from it. Empty: none. It must be 0 along axes with an even or odd end. Along periodic
  /// axes the waves of the grid, and the values given at ends, are displaced. Not possible with finite-difference or
  /// Chebyshev axes, nor along an unbounded axis together with values at odd ends that have points on them. Lattice
  /// kernels take shifts of whole cells only along unbounded axes.
  std::vector<double> shift{};
};

/// The lower or the upper end of an axis.
enum class Side { left, right };

/// The values given at one end: u at an odd end (u + robin du/dn along a finite-difference or Chebyshev axis), du/dn at
/// an even end, with n pointing outwards.
template <class Real>
struct EndValues {
  int axis = 0;
  Side side = Side::left;
  const Real* values = nullptr;  ///< at the points of this rank's box without the axis, in C order, for a whole batch
};

/// A right-hand side that becomes the solution, in memory made by an in-place solver. Copies refer to the same memory.
template <class Real>
struct SolverField {
  FieldView<Real> values;
  std::shared_ptr<const InPlaceMemory<Real>> memory;
};

/// Solves lap u = f by transforms along every axis, a multiplication by the Green's function and backward transforms
/// (Balty, Chatelain and Gillis, FLUPS, 2023). Unbounded axes are padded inside the passes, the array of the user is
/// never enlarged, and the last forward transform is never stored.
///
/// Arrays are indexed [x][y][z] in C order: the last axis is contiguous. Stored points that lie on an odd boundary or
/// repeat a periodic one are ignored on input and written on output. In a problem without unbounded axes and screening
/// whose boundaries allow a constant, the mean of f is dropped (see Mean) and u has mean zero; cells of a
/// finite-difference axis count by their widths, Chebyshev points by the weights of Clenshaw and Curtis.
///
/// A solver with PlanOptions::in_place, for problems without unbounded ends, works on in_place_field() alone. On a node
/// all ranks solve in one shared array. They only synchronise by barriers and need no further memory except for
/// the kernel and a few lines.
///
/// Solvers of one process with the same cells, boundaries, kernel and distribution share one copy of the kernel, also
/// for other lengths of the same ratio if the kernel scales with a power of lengths. The last few kernels, at most 32
/// MB on a rank, are kept after their solvers are gone.
template <class Real>
class Poisson {
 public:
  /// Collective: makes plans and the transformed kernel. Throws the same Error on every rank if an argument is not
  /// allowed or differs between ranks. With the default effort results are the same in every run.
  Poisson(MPI_Comm comm, const PoissonProblem& problem, const PlanOptions& options = default_options());
  ~Poisson();
  Poisson(Poisson&&) noexcept;
  Poisson& operator=(Poisson&&) noexcept;

  static PlanOptions default_options() {
    PlanOptions options;
    options.effort = Effort::estimate;
    return options;
  }

  /// The distribution of the points.
  const Layout& layout() const;
  /// The part of the global array of points that this rank owns, which may be empty.
  Box box() const;
  /// Coordinates of this rank's points along an axis of the problem.
  std::vector<double> points(int axis) const;
  /// The weights of these points in means over the domain, relative to others along the axis: the trapezoidal rule for
  /// nodes, with 0 for a repeated node, and cell_weights() for an axis with widths or Chebyshev points.
  std::vector<double> weights(int axis) const;
  /// The number of right-hand sides of one solve, which axis 0 of box() counts; 0: arrays have no such axis.
  index_t batch() const;

  /// The weights of all cells of the finite-difference axis, or of all points of the Chebyshev axis, in means along it.
  /// Their sum is the number of cells. Empty if all axes are transformed. The weights of cells are their widths, or
  /// with order 4 weights of that order; the weights of points are those of Clenshaw and Curtis.
  std::vector<double> cell_weights() const;

  /// A new field of zeros that knows its coordinates.
  Field<Real> field() const { return {box(), places()}; }

  /// Collective. `rhs` and `solution` are local arrays of box().size() values in C order; they may be the same. A batch
  /// holds one right-hand side after the other, and each solution has the bits that it has alone. Throws the same Error
  /// on every rank, with nothing written, if the right-hand side has NaN or Inf at a point that is not ignored, or,
  /// with Mean::error, if its mean is further from zero than rounding explains: two roundings of each value, the
  /// subtraction of a mean that was summed pairwise in this precision, and the sums of this check.
  void solve(const Real* rhs, Real* solution);
  void solve(const std::vector<Real>& rhs, std::vector<Real>& solution);
  void solve(const Field<Real>& rhs, Field<Real>& solution);

  /// Solves with values and slopes at ends that are not 0. Along the finite-difference axis they enter its differences,
  /// of either order; along the Chebyshev axis the conditions on its coefficients. Along transformed axes, the harmonic
  /// waves with these values are added, which is exact at the points, for the kernels chat2, truncated, igf and hej0 if
  /// no axis is unbounded or solved along. With the kernel lgf2 their terms in the differences are subtracted from a
  /// copy of the right-hand side. Values along an end are sums of the modes of the other axes. Each rank gives values
  /// for the points of its box; only those of ranks that own points beside the end are used. The first call for an axis
  /// allocates memory for two planes. The mean that must be zero, see Mean, is that of f less the slopes at the ends:
  /// the integral of f equals that of du/dn over the ends.
  void solve(const Real* rhs, Real* solution, const std::vector<EndValues<Real>>& ends);

  /// A field of zeros for a solver in place. Collective.
  SolverField<Real> in_place_field();
  /// Solves in place: the solution overwrites the right-hand side. Throws Error if the field belongs to a solver of
  /// another problem or distribution. Collective.
  void solve(const SolverField<Real>& field);

  std::string explain() const;
  /// Notes about this problem and kernel, one sentence each, equal on every rank. Usually there are none. explain()
  /// also has them.
  const std::vector<std::string>& notes() const;
  std::string strategy() const;
  int threads() const;
  /// Bytes that this rank holds beyond the caller's arrays: buffers, kernel, and memory for values given at ends so
  /// far.
  index_t workspace_bytes() const;
  /// Bytes that this rank sends in one solve.
  index_t bytes_sent() const;
  double setup_seconds() const;

 private:
  std::shared_ptr<const AxisPlaces> places() const {
    AxisPlaces places;
    const int batch_axes = batch() > 0 ? 1 : 0;
    if (batch() > 0) {
      places.weights.emplace_back(static_cast<std::size_t>(batch()), 1.0);
      places.positions.emplace_back(static_cast<std::size_t>(batch()), 0.0);
      std::iota(places.positions.front().begin(), places.positions.front().end(), 0.0);
    }
    for (int axis = 0; axis < layout().dims() - batch_axes; axis++) {
      places.positions.push_back(points(axis));
      places.weights.emplace_back(places.positions.back().size(), 1.0);
    }
    return std::make_shared<const AxisPlaces>(std::move(places));
  }

  struct State;
  std::unique_ptr<State> state_;
};

extern template class Poisson<float>;
extern template class Poisson<double>;

}  // namespace weft
