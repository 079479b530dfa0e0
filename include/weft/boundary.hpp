// The boundary table of the Poisson solver: what each pair of boundary conditions means for the transform of an axis.
#pragma once

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
  /// The same condition at both ends; implicit, so that a list of ends is a list of boundaries.
  Boundary(End both) : left(both), right(both) {}
  Boundary(End left_end, End right_end) : left(left_end), right(right_end) {}
  friend bool operator==(const Boundary&, const Boundary&) = default;
};

/// Where the points of an axis of N cells of width h lie: cell (j+1/2) h, j = 0..N-1; node j h, j = 0..N.
enum class Centring { cell, node };

/// How an axis is treated: symmetric (even or odd at both ends), periodic, mixed (even or odd at one end, unbounded at
/// the other), unbounded. The order of the enumerators is the order in which the classes are transformed.
enum class AxisClass { symmetric, periodic, mixed, unbounded };

/// "periodic", "even", "odd" or "unbounded". Throws Error that names the axis for any other text.
End parse_end(const std::string& text, int axis);
/// "cell" or "node". Throws Error that names the axis for any other text.
Centring parse_centring(const std::string& text, int axis);
std::string to_string(End end);
/// "periodic", or "(odd, even)" if the ends differ.
std::string to_string(const Boundary& boundary);
std::string to_string(Centring centring);

/// One axis of a Poisson problem: [0, length] in N = cells cells, h = length / N in both centrings.
struct DomainAxis {
  index_t cells = 0;
  double length = 1;
  Boundary boundary;
  Centring centring = Centring::cell;

  double spacing() const { return length / static_cast<double>(cells); }
  /// Stored points: N (cell) or N+1 (node).
  index_t points() const { return centring == Centring::cell ? cells : cells + 1; }
  /// Coordinate of stored point j.
  double coordinate(index_t point) const {
    return (static_cast<double>(point) + (centring == Centring::cell ? 0.5 : 0.0)) * spacing();
  }
};

/// Throws Error if the axis is periodic at one end only.
void check(const Boundary& boundary, int axis);
/// The same, and throws Error unless cells >= 1 (2 for odd ends on nodes, which leave no inner point otherwise) and the
/// length is positive and finite.
void check(const DomainAxis& domain, int axis);

AxisClass classify(const Boundary& boundary);
/// True for the axes along which the Green's function is sampled in space and transformed (mixed, unbounded).
bool is_convolved(const Boundary& boundary);

/// The transform of an axis that passed check(): kind, padding, and the stored points that the transform leaves out
/// (Balty, Chatelain and Gillis, FLUPS, 2023, section II). Odd planes on a node are ignored on input and zero on
/// output; the last node of a periodic axis repeats the first. Mixed axes are padded to 2N on the unbounded side, so
/// that the symmetry plane is the first or the last plane of the transform; unbounded axes are padded to 2N behind the
/// data. Fourier axes take r2c, or c2c if the data is already complex when their turn comes. Stored modes are what the
/// transform writes: sine transforms of types I and II start at the wavenumber of index 1.
AxisTransform axis_transform(const DomainAxis& domain, bool complex_input);

/// Angular wavenumber of a stored mode, in 1/(unit of length): signed for c2c, with the mode -N/2 of an even number of
/// points negative as in numpy's fftfreq.
double wavenumber(const DomainAxis& domain, const AxisTransform& transform, index_t mode);

/// What the round trip of this axis has to be multiplied by: 1/(2N) symmetric, 1/(4N) mixed, 1/N periodic, 1/(2N)
/// unbounded.
double norm_factor(const DomainAxis& domain);

/// Number of entries along this axis of the Green's function, which is real and even and so is stored for
/// non-negative wavenumbers only: N+1 unbounded, 2N+1 mixed, N/2+1 periodic, the number of modes symmetric.
/// Along unbounded and mixed axes, before and after the DCT-I of this length that transforms it.
index_t green_extent(const DomainAxis& domain);
/// The entry of the Green's function that has the wavenumber, up to its sign, of a stored mode.
index_t green_index(const DomainAxis& domain, const AxisTransform& transform, index_t mode);
/// What the kernel is evaluated at for an entry: the offset j h along unbounded and mixed axes (from 0 in both
/// centrings, for an offset is a difference of points), the wavenumber along symmetric and periodic axes.
double green_coordinate(const DomainAxis& domain, index_t entry);

/// The axes in the order in which the forward transform takes them: symmetric, periodic, mixed, unbounded. Axes that
/// double the data come last, so that exchanges between transforms move as little as any order allows; among axes that
/// do the same, real-to-real transforms come before DFTs. Within a class the last axis, contiguous in memory, comes
/// first.
std::vector<int> transform_order(const std::vector<Boundary>& boundaries);

}  // namespace weft
