// The boundary table of the Poisson solver: the transform of an axis for each pair of boundary conditions.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "weft/kind.hpp"
#include "weft/types.hpp"

namespace weft {

/// Condition at one end x0 of an axis. even: u(x0+t) = u(x0-t), so u' = 0 (Neumann). odd: u(x0+t) = -u(x0-t), so u = 0
/// (Dirichlet). unbounded: free space beyond the end, where the right-hand side vanishes.
enum class End { periodic, even, odd, unbounded };

/// Conditions at the lower and the upper end of an axis.
struct Boundary {
  End left = End::periodic;
  End right = End::periodic;

  Boundary() = default;
  /// One condition at both ends. It is implicit, so that a list of ends is a list of boundaries.
  Boundary(End both) : left(both), right(both) {}
  Boundary(End left_end, End right_end) : left(left_end), right(right_end) {}
  friend bool operator==(const Boundary&, const Boundary&) = default;
};

/// The positions of the points on an axis of N cells of width h: cell (j+1/2) h, j = 0..N-1; node j h, j = 0..N;
/// chebyshev L/2 (1 - cos(pi j/N)), j = 0..N, the Gauss-Lobatto points, which only Poisson solvers take.
enum class Centring { cell, node, chebyshev };

/// The class of an axis: symmetric (even or odd at both ends), periodic, mixed (even or odd at one end, unbounded at
/// the other), unbounded. The order of the enumerators is the order in which the classes are transformed.
enum class AxisClass { symmetric, periodic, mixed, unbounded };

/// Parses "periodic", "even", "odd" or "unbounded". Throws an Error that names the axis for any other text.
End parse_end(const std::string& text, int axis);
/// Parses "cell", "node" or "chebyshev". Throws an Error that names the axis for any other text.
Centring parse_centring(const std::string& text, int axis);
std::string to_string(End end);
/// The text "periodic", or "(odd, even)" if the ends differ.
std::string to_string(const Boundary& boundary);
std::string to_string(Centring centring);

/// One axis of a Poisson problem: [0, length] in N = cells cells, h = length / N in all centrings. An axis whose cells
/// have widths is a finite-difference axis, which is not transformed. Along a Chebyshev axis u is a polynomial of
/// degree N. Both are solved along: for each mode of the other axes there is a system of equations.
struct DomainAxis {
  index_t cells = 0;
  double length = 1;
  Boundary boundary;
  Centring centring = Centring::cell;
  std::vector<double> widths{};   ///< of the cells of a finite-difference axis; else empty
  std::array<double, 2> robin{};  ///< ends of an axis that is solved along: b >= 0 of u + b du/dn = 0 where they are
                                  ///< odd, n pointing outwards
  int order = 2;                  ///< of its differences: 2, or 4 by compact rows
  /// Solutions are computed at points displaced by this length; 0 unless the axis is periodic or unbounded at both
  /// ends.
  double shift = 0;

  bool is_differenced() const { return !widths.empty(); }
  bool is_chebyshev() const { return centring == Centring::chebyshev; }
  bool is_solved_along() const { return is_differenced() || is_chebyshev(); }
  /// h; of a finite-difference axis the mean width.
  double spacing() const { return length / static_cast<double>(cells); }
  /// Number of stored points: N (cell) or N+1 (node, chebyshev).
  index_t points() const { return centring == Centring::cell ? cells : cells + 1; }
  /// Coordinate of stored point j of an axis with equal cells.
  double coordinate(index_t point) const {
    return (static_cast<double>(point) + (centring == Centring::cell ? 0.5 : 0.0)) * spacing();
  }
};

/// Throws Error if the axis is periodic at one end only.
void check(const Boundary& boundary, int axis);
/// Throws Error if the axis is periodic at one end only, if the length is not positive and finite, or unless cells >= 1
/// (2 for odd ends on nodes, which leave no inner point otherwise). A finite-difference axis has values in cells, no
/// unbounded end, and one positive width per cell, which add up to the length. A Chebyshev axis has even or odd ends
/// and 2 cells at least. A shift is finite, and 0 where an end is even or odd.
void check(const DomainAxis& domain, int axis);

/// Whether any axis has a shift.
bool is_shifted(const std::vector<DomainAxis>& domain);

/// The coordinates of all stored points.
std::vector<double> coordinates(const DomainAxis& domain);

AxisClass classify(const Boundary& boundary);
/// True for the axes along which the Green's function is sampled in space and transformed (mixed, unbounded).
bool is_convolved(const Boundary& boundary);

/// The transform of an axis that passed check(): kind, padding, and the stored points outside the transform
/// (Balty, Chatelain and Gillis, FLUPS, 2023, section II). Odd planes on a node are ignored on input and zero on
/// output; the last node of a periodic axis repeats the first. Mixed axes are padded to 2N on the unbounded side, so
/// that the symmetry plane is the first or the last plane of the transform; unbounded axes are padded to 2N after the
/// data, those with nodes and a shift to the next good length from 2N+2 on, since offsets of -N and +N nodes differ
/// then. Fourier axes take r2c, or c2c if the data are complex by then. Stored modes are those that the transform
/// writes: sine transforms of types I and II start at the wavenumber of index 1. Finite-difference axes have the kind
/// none, Chebyshev axes dct1 of all points whatever their ends are.
AxisTransform axis_transform(const DomainAxis& domain, bool complex_input);

/// Angular wavenumber of a stored mode, in 1/(unit of length): signed for c2c, with the mode -N/2 of an even number of
/// points negative as in numpy's fftfreq.
double wavenumber(const DomainAxis& domain, const AxisTransform& transform, index_t mode);

/// The factor that normalises the round trip of this axis: 1/(2N) symmetric, 1/(4N) mixed, 1/N periodic, 1/(2N)
/// unbounded without shift; 2N is the length of the transform.
double norm_factor(const DomainAxis& domain);

/// Number of entries along this axis of the Green's function, which is real and even and thus stored for non-negative
/// wavenumbers only: N+1 unbounded, 2N+1 mixed, N/2+1 periodic, the number of modes symmetric. Along unbounded and
/// mixed axes it is also the length of the DCT-I that transforms the Green's function.
index_t green_extent(const DomainAxis& domain);
/// The entry of the Green's function that has the wavenumber, up to its sign, of a stored mode.
index_t green_index(const DomainAxis& domain, const AxisTransform& transform, index_t mode);
/// The argument of the kernel for an entry: the offset j h along unbounded and mixed axes (from 0 in both
/// centrings, since an offset is a difference of points), the wavenumber along symmetric and periodic axes.
double green_coordinate(const DomainAxis& domain, index_t entry);

/// The axes in the order in which the forward transform takes them: symmetric, periodic, mixed, unbounded. Axes that
/// double the data come last, so that exchanges between transforms move the least data; otherwise real-to-real
/// transforms come before DFTs. Within a class the last axis, which is contiguous in memory, comes first.
std::vector<int> transform_order(const std::vector<Boundary>& boundaries);

}  // namespace weft
