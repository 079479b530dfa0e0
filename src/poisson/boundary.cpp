// The boundary table: pairs of boundary conditions to transform kinds, padding, wavenumbers and Green's function
// entries.
#include "weft/boundary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/number.hpp"
#include "transform/fast_length.hpp"
#include "weft/chebyshev.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr std::array<End, 4> all_ends{End::periodic, End::even, End::odd, End::unbounded};

std::string of_axis(const char* argument, int axis) {
  return std::string(argument) + " of axis " + std::to_string(axis) + ": ";
}

/// Whether an end is a mirror plane of the data.
bool is_mirror(End end) { return end == End::even || end == End::odd; }

/// The mirror plane of a mixed axis.
End mirror_end(const Boundary& boundary) { return is_mirror(boundary.left) ? boundary.left : boundary.right; }

/// The cosine or sine transform of type I (node) or II (cell): the same condition at both ends.
Kind full_mode_kind(End end, Centring centring) {
  if (centring == Centring::cell) return end == End::even ? Kind::dct2 : Kind::dst2;
  return end == End::even ? Kind::dct1 : Kind::dst1;
}

/// The cosine or sine transform of type III (node) or IV (cell): different conditions at the two ends, half-integer
/// modes.
Kind half_mode_kind(End left, Centring centring) {
  if (centring == Centring::cell) return left == End::even ? Kind::dct4 : Kind::dst4;
  return left == End::even ? Kind::dct3 : Kind::dst3;
}

/// Points of a type I or II transform over `cells` cells; type I includes both mirror planes (even) or neither (odd).
index_t full_mode_length(Kind kind, index_t cells) {
  if (kind == Kind::dct1) return cells + 1;
  return kind == Kind::dst1 ? cells - 1 : cells;
}

/// Cells that the transform spans. Without a shift, nodes need no more than cells do: offsets -N and +N share an entry
/// of the kernel, which is even.
index_t spanned_cells(const DomainAxis& domain) {
  if (!is_convolved(domain.boundary)) return domain.cells;
  const bool differ = domain.shift != 0 && domain.centring == Centring::node;
  return 2 * (differ ? fast_length(domain.cells + 1) : domain.cells);
}

struct Shape {
  Kind kind;
  index_t length;
};

Shape shape_of(const DomainAxis& domain, bool complex_input) {
  if (domain.is_differenced()) return {Kind::none, domain.cells};
  if (domain.is_chebyshev()) return {Kind::dct1, domain.points()};
  const Boundary& boundary = domain.boundary;
  const index_t span = spanned_cells(domain);
  switch (classify(boundary)) {
    case AxisClass::mixed: {
      const Kind kind = full_mode_kind(mirror_end(boundary), domain.centring);
      return {kind, full_mode_length(kind, span)};
    }
    case AxisClass::symmetric: {
      if (boundary.left != boundary.right) return {half_mode_kind(boundary.left, domain.centring), span};
      const Kind kind = full_mode_kind(boundary.left, domain.centring);
      return {kind, full_mode_length(kind, span)};
    }
    default:
      return {complex_input ? Kind::c2c : Kind::r2c, span};
  }
}

/// Node points that the transform omits: odd planes, and the second copy of a periodic plane.
std::vector<EndPoint> left_out(const DomainAxis& domain) {
  std::vector<EndPoint> ends;
  if (domain.centring != Centring::node) return ends;
  const Boundary& boundary = domain.boundary;
  if (boundary.left == End::odd) ends.push_back({0, false});
  if (boundary.right == End::odd || boundary.right == End::periodic) {
    ends.push_back({domain.cells, boundary.right == End::periodic});
  }
  return ends;
}

}  // namespace

End parse_end(const std::string& text, int axis) {
  for (const End end : all_ends) {
    if (text == to_string(end)) return end;
  }
  throw Error(Fault::argument, of_axis("boundary", axis) + "unknown condition '" + text +
                                   "'; use periodic, even, odd or unbounded, or a pair of them (left, right)");
}

Centring parse_centring(const std::string& text, int axis) {
  if (text == "cell") return Centring::cell;
  if (text == "chebyshev") return Centring::chebyshev;
  require(text == "node", of_axis("centring", axis) + "unknown centring '" + text + "'; use cell, node or chebyshev");
  return Centring::node;
}

std::string to_string(End end) {
  switch (end) {
    case End::periodic:
      return "periodic";
    case End::even:
      return "even";
    case End::odd:
      return "odd";
    default:
      return "unbounded";
  }
}

std::string to_string(const Boundary& boundary) {
  if (boundary.left == boundary.right) return to_string(boundary.left);
  return "(" + to_string(boundary.left) + ", " + to_string(boundary.right) + ")";
}

std::string to_string(Centring centring) {
  if (centring == Centring::chebyshev) return "chebyshev";
  return centring == Centring::cell ? "cell" : "node";
}

void check(const Boundary& boundary, int axis) {
  require((boundary.left == End::periodic) == (boundary.right == End::periodic),
          of_axis("boundary", axis) + to_string(boundary) +
              " is periodic at one end only; make both ends periodic, or neither");
}

namespace {

void check_robin(const DomainAxis& domain, int axis) {
  const std::array<End, 2> ends{domain.boundary.left, domain.boundary.right};
  for (std::size_t end = 0; end < 2; end++) {
    const double given = domain.robin[end];
    const std::string name = "robin[" + std::to_string(end) + "] of axis " + std::to_string(axis) + ": ";
    require(std::isfinite(given) && given >= 0,
            name + number("%.6g", given) + " given; it is a length, 0 or positive, and finite");
    require(given == 0 || ends[end] == End::odd, name + number("%.6g", given) + " given for an end that is " +
                                                     to_string(ends[end]) +
                                                     "; u + robin du/dn = 0 holds at odd ends, give 0 or make it odd");
  }
}

// Checks a finite-difference axis. Cells that are too thin for the digits of a double would be lost.
void check_widths(const DomainAxis& domain, int axis) {
  const std::string name = of_axis("widths", axis);
  require(static_cast<index_t>(domain.widths.size()) == domain.cells, name + std::to_string(domain.widths.size()) +
                                                                          " given for " + std::to_string(domain.cells) +
                                                                          " cells; give one per cell, or none");
  double sum = 0;
  for (const double width : domain.widths) {
    require(std::isfinite(width) && width >= 1e-12 * domain.length,
            name + number("%.6g", width) + " given; cells need positive and finite widths, at least " +
                number("%.0e", 1e-12 * domain.length) + " here");
    sum += width;
  }
  require(std::abs(sum - domain.length) <= 1e-6 * domain.length,
          name + "their sum is " + number("%.9g", sum) + ", the length of the axis " + number("%.9g", domain.length) +
              "; make them agree to one part in a million");
  require(!is_convolved(domain.boundary), of_axis("boundary", axis) + to_string(domain.boundary) +
                                              " given with widths; such an axis has periodic, even or odd ends");
  require(domain.centring == Centring::cell,
          of_axis("centring", axis) + "'" + to_string(domain.centring) +
              "' given with widths; values of such an axis lie in cells, use 'cell'");
  check_robin(domain, axis);
}

void check_chebyshev(const DomainAxis& domain, int axis) {
  require(classify(domain.boundary) == AxisClass::symmetric,
          of_axis("boundary", axis) + to_string(domain.boundary) +
              " given for Chebyshev points (centring); their ends are walls, even or odd");
  require(domain.cells >= 2, of_axis("cells", axis) + std::to_string(domain.cells) +
                                 " given; Chebyshev points (centring) need at least 2 cells, an inner point");
  check_robin(domain, axis);
}

void check_shift(const DomainAxis& domain, int axis) {
  const std::string name = of_axis("shift", axis) + number("%.6g", domain.shift) + " given";
  require(std::isfinite(domain.shift), name + "; it is a length, and finite");
  if (domain.shift == 0) return;
  const AxisClass kind = classify(domain.boundary);
  require(kind == AxisClass::unbounded || kind == AxisClass::periodic,
          name + ", and the axis is " + to_string(domain.boundary) +
              "; only axes that are unbounded at both ends or periodic have displaced points, give 0");
  require(!domain.is_differenced(), name + " for an axis with widths, which is not transformed; give 0");
}

}  // namespace

void check(const DomainAxis& domain, int axis) {
  check(domain.boundary, axis);
  require(domain.cells >= 1,
          of_axis("cells", axis) + std::to_string(domain.cells) + " given; at least 1 cell is needed");
  require(domain.cells >= 2 || domain.centring == Centring::cell || domain.boundary != Boundary(End::odd),
          of_axis("cells", axis) +
              "1 given; odd ends on nodes need at least 2 cells, because the solution is zero on "
              "both end points");
  require(std::isfinite(domain.length) && domain.length > 0,
          of_axis("length", axis) + std::to_string(domain.length) + " given; it must be positive and finite");
  check_shift(domain, axis);
  if (domain.is_differenced()) return check_widths(domain, axis);
  if (domain.is_chebyshev()) check_chebyshev(domain, axis);
}

bool is_shifted(const std::vector<DomainAxis>& domain) {
  return std::any_of(domain.begin(), domain.end(), [](const DomainAxis& axis) { return axis.shift != 0; });
}

std::vector<double> coordinates(const DomainAxis& domain) {
  if (domain.is_chebyshev()) return chebyshev_points(domain.points(), 0, domain.length);
  std::vector<double> result;
  for (index_t i = 0; i < domain.points() && !domain.is_differenced(); i++) result.push_back(domain.coordinate(i));
  double edge = 0;
  for (const double width : domain.widths) {
    result.push_back(edge + width / 2);
    edge += width;
  }
  return result;
}

AxisClass classify(const Boundary& boundary) {
  if (boundary.left == End::periodic) return AxisClass::periodic;
  const int mirrors = (is_mirror(boundary.left) ? 1 : 0) + (is_mirror(boundary.right) ? 1 : 0);
  if (mirrors == 2) return AxisClass::symmetric;
  return mirrors == 1 ? AxisClass::mixed : AxisClass::unbounded;
}

bool is_convolved(const Boundary& boundary) {
  return boundary.left == End::unbounded || boundary.right == End::unbounded;
}

AxisTransform axis_transform(const DomainAxis& domain, bool complex_input) {
  const Shape shape = shape_of(domain, complex_input);
  AxisTransform result;
  result.kind = shape.kind;
  result.length = shape.length;
  result.modes = output_length(shape.kind, shape.length);
  result.points = domain.points();
  result.ends = left_out(domain);
  result.count = result.points - static_cast<index_t>(result.ends.size());
  result.first_point = !result.ends.empty() && result.ends.front().point == 0 ? 1 : 0;
  // A mirror plane on the right is the last plane of the transform, so the data ends there.
  const bool data_last = domain.boundary.left == End::unbounded && is_mirror(domain.boundary.right);
  result.pad = data_last ? result.length - result.count : 0;
  return result;
}

double wavenumber(const DomainAxis& domain, const AxisTransform& transform, index_t mode) {
  const double span = static_cast<double>(spanned_cells(domain)) * domain.spacing();
  const double unit = (is_fourier(transform.kind) ? 2 : 1) * std::numbers::pi / span;
  return unit * mode_number(transform.kind, transform.length, mode);
}

double norm_factor(const DomainAxis& domain) {
  const Shape shape = shape_of(domain, true);
  return 1 / round_trip_factor(shape.kind, shape.length);
}

index_t green_extent(const DomainAxis& domain) {
  if (classify(domain.boundary) == AxisClass::mixed) return 2 * domain.cells + 1;
  const Shape shape = shape_of(domain, false);
  return output_length(shape.kind, shape.length);
}

index_t green_index(const DomainAxis& domain, const AxisTransform& transform, index_t mode) {
  if (is_fourier(transform.kind)) return std::min(mode, transform.length - mode);
  return mode + (is_convolved(domain.boundary) ? lowest_mode(transform.kind) : 0);
}

double green_coordinate(const DomainAxis& domain, index_t entry) {
  if (is_convolved(domain.boundary)) return static_cast<double>(entry) * domain.spacing();
  return wavenumber(domain, axis_transform(domain, false), entry);
}

std::vector<int> transform_order(const std::vector<Boundary>& boundaries) {
  std::vector<int> order(boundaries.size());
  std::iota(order.rbegin(), order.rend(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return classify(boundaries[static_cast<std::size_t>(a)]) < classify(boundaries[static_cast<std::size_t>(b)]);
  });
  return order;
}

}  // namespace weft
