// The boundary table: kinds, padding, wavenumbers, and one-dimensional solves through the table by naive summation.
#include "weft/boundary.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "../error_text.hpp"
#include "weft/green.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;
using Real = long double;
using Complex = std::complex<Real>;
using Line = std::vector<Complex>;
constexpr Real pi = std::numbers::pi_v<Real>;

const Boundary ee{End::even}, oo{End::odd}, oe{End::odd, End::even}, eo{End::even, End::odd}, pp{End::periodic},
    uu{End::unbounded}, eu{End::even, End::unbounded}, ue{End::unbounded, End::even}, ou{End::odd, End::unbounded},
    uo{End::unbounded, End::odd};
const std::vector<Boundary> all_pairs{ee, oo, oe, eo, pp, uu, eu, ue, ou, uo};

DomainAxis axis_of(const Boundary& boundary, Centring centring, index_t cells, double length = 1) {
  return {cells, length, boundary, centring};
}

/// Weight of input point j in mode k of the unscaled transform of n points, as FFTW defines it.
Complex transform_entry(Kind kind, index_t n, index_t j_index, index_t k_index) {
  const auto j = static_cast<Real>(j_index);
  const auto k = static_cast<Real>(k_index);
  const auto length = static_cast<Real>(n);
  const bool end = j_index == n - 1;
  const Real sign = k_index % 2 == 0 ? 1 : -1;
  switch (kind) {
    case Kind::dct1:
      return j_index == 0 ? 1 : (end ? sign : 2 * std::cos(pi * j * k / (length - 1)));
    case Kind::dct2:
      return 2 * std::cos(pi * (j + 0.5L) * k / length);
    case Kind::dct3:
      return j_index == 0 ? 1 : 2 * std::cos(pi * j * (k + 0.5L) / length);
    case Kind::dct4:
      return 2 * std::cos(pi * (j + 0.5L) * (k + 0.5L) / length);
    case Kind::dst1:
      return 2 * std::sin(pi * (j + 1) * (k + 1) / (length + 1));
    case Kind::dst2:
      return 2 * std::sin(pi * (j + 0.5L) * (k + 1) / length);
    case Kind::dst3:
      return end ? sign : 2 * std::sin(pi * (j + 1) * (k + 0.5L) / length);
    case Kind::dst4:
      return 2 * std::sin(pi * (j + 0.5L) * (k + 0.5L) / length);
    default:
      return std::polar(Real{1}, -2 * pi * j * k / length);
  }
}

Line naive(Kind kind, const Line& in) {
  const auto n = static_cast<index_t>(in.size());
  Line out(static_cast<std::size_t>(output_length(kind, n)));
  for (std::size_t k = 0; k < out.size(); ++k) {
    for (std::size_t j = 0; j < in.size(); ++j) {
      out[k] += in[j] * transform_entry(kind, n, static_cast<index_t>(j), static_cast<index_t>(k));
    }
  }
  return out;
}

/// Unscaled backward transform to n points.
Line naive_backward(Kind kind, const Line& modes, index_t n) {
  if (!is_fourier(kind)) return naive(inverse(kind), modes);
  Line out(static_cast<std::size_t>(n));
  for (index_t j = 0; j < n; ++j) {
    for (index_t m = 0; m < static_cast<index_t>(modes.size()); ++m) {
      const Complex term = modes[static_cast<std::size_t>(m)] * std::conj(transform_entry(kind, n, j, m));
      out[static_cast<std::size_t>(j)] += static_cast<Real>(mode_weight(kind, n, m)) * term.real();
    }
  }
  return out;
}

Line load(const AxisTransform& t, const Line& points) {
  Line in(static_cast<std::size_t>(t.length));
  for (index_t i = 0; i < t.count; ++i) {
    in[static_cast<std::size_t>(t.pad + i)] = points[static_cast<std::size_t>(t.first_point + i)];
  }
  return in;
}

Line store(const AxisTransform& t, const Line& out) {
  Line points(static_cast<std::size_t>(t.points), Complex(std::numeric_limits<Real>::quiet_NaN()));
  for (index_t i = 0; i < t.count; ++i) {
    points[static_cast<std::size_t>(t.first_point + i)] = out[static_cast<std::size_t>(t.pad + i)];
  }
  for (const EndPoint& end : t.ends) points[static_cast<std::size_t>(end.point)] = end.periodic ? points[0] : 0;
  return points;
}

/// Entries of the Green's function of this axis, transformed if it is convolved. k: wavenumber of other axes.
Line green_line(const DomainAxis& axis, double k) {
  const bool convolved = is_convolved(axis.boundary);
  const auto kernel = make_kernel("chat2", {{convolved, axis.spacing()}, {false, 1}});
  Line values;
  for (index_t entry = 0; entry < green_extent(axis); ++entry) {
    values.emplace_back(kernel->value(std::array{green_coordinate(axis, entry), k}));
  }
  return convolved ? naive(Kind::dct1, values) : values;
}

Line solve(const DomainAxis& axis, const Line& rhs, double k, bool complex_input) {
  const AxisTransform t = axis_transform(axis, complex_input);
  const Line green = green_line(axis, k);
  Line modes = naive(t.kind, load(t, rhs));
  EXPECT_EQ(static_cast<index_t>(modes.size()), t.modes);
  const Real scale = norm_factor(axis) * (is_convolved(axis.boundary) ? axis.spacing() : 1);
  for (index_t m = 0; m < t.modes; ++m) {
    modes[static_cast<std::size_t>(m)] *= scale * green.at(static_cast<std::size_t>(green_index(axis, t, m)));
  }
  return store(t, naive_backward(t.kind, modes, t.length));
}

/// Right-hand side without any symmetry; points that are ignored hold a value that would show.
Line rough_data(const AxisTransform& t) {
  Line data(static_cast<std::size_t>(t.points), 1e6L);
  for (index_t i = 0; i < t.count; ++i) {
    const auto x = static_cast<Real>(i);
    data[static_cast<std::size_t>(t.first_point + i)] = std::sin(3 * x * x + 1) + 0.3L * x;
  }
  return data;
}

/// Reflects the position in h from the left end; returns the sign and the mirrored position for a mixed axis.
std::pair<Real, Real> image(const DomainAxis& axis, Real x) {
  const bool left = axis.boundary.left != End::unbounded;
  const End mirror = left ? axis.boundary.left : axis.boundary.right;
  return {mirror == End::even ? 1 : -1, left ? -x : 2 * static_cast<Real>(axis.length) - x};
}

/// The same solution by summing over sources and images, without any transform.
Line convolve(const DomainAxis& axis, const Line& rhs, double k) {
  const AxisTransform t = axis_transform(axis, false);
  const Real h = axis.spacing();
  const auto kernel = make_kernel("chat2", {{true, axis.spacing()}, {false, 1}});
  const auto green = [&](Real r) { return static_cast<Real>(kernel->value(std::array{static_cast<double>(r), k})); };
  Line u(rhs.size());
  for (index_t i = 0; i < t.points; ++i) {
    for (index_t j = t.first_point; j < t.first_point + t.count; ++j) {
      const Real x = axis.coordinate(i);
      const Real source = axis.coordinate(j);
      Real sum = green(x - source);
      if (classify(axis.boundary) == AxisClass::mixed) {
        const auto [sign, mirrored] = image(axis, source);
        if (std::abs(mirrored - source) > h / 4) sum += sign * green(x - mirrored);  // not on the plane itself
      }
      u[static_cast<std::size_t>(i)] += h * sum * rhs[static_cast<std::size_t>(j)];
    }
  }
  return u;
}

void expect_near(const Line& a, const Line& b, Real tolerance, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_LE(std::abs(a[i] - b[i]), tolerance) << what << " point " << i << " " << a[i] << " " << b[i];
  }
}

struct Row {
  Boundary boundary;
  Centring centring;
  Kind kind;
  index_t length, first_point, count, pad, modes;
  double first_mode;  ///< wavenumber of stored mode 0 times length / pi
  double norm;        ///< 1 / norm_factor
  index_t extent;
};

// The table for N = 4 cells.
TEST(Boundary, TableOfTransforms) {
  const auto cell = Centring::cell;
  const auto node = Centring::node;
  const std::vector<Row> rows{
      {ee, cell, Kind::dct2, 4, 0, 4, 0, 4, 0, 8, 4},    {oo, cell, Kind::dst2, 4, 0, 4, 0, 4, 1, 8, 4},
      {oe, cell, Kind::dst4, 4, 0, 4, 0, 4, 0.5, 8, 4},  {eo, cell, Kind::dct4, 4, 0, 4, 0, 4, 0.5, 8, 4},
      {ee, node, Kind::dct1, 5, 0, 5, 0, 5, 0, 8, 5},    {oo, node, Kind::dst1, 3, 1, 3, 0, 3, 1, 8, 3},
      {oe, node, Kind::dst3, 4, 1, 4, 0, 4, 0.5, 8, 4},  {eo, node, Kind::dct3, 4, 0, 4, 0, 4, 0.5, 8, 4},
      {pp, cell, Kind::r2c, 4, 0, 4, 0, 3, 0, 4, 3},     {pp, node, Kind::r2c, 4, 0, 4, 0, 3, 0, 4, 3},
      {eu, cell, Kind::dct2, 8, 0, 4, 0, 8, 0, 16, 9},   {ue, cell, Kind::dct2, 8, 0, 4, 4, 8, 0, 16, 9},
      {ou, cell, Kind::dst2, 8, 0, 4, 0, 8, 0.5, 16, 9}, {uo, cell, Kind::dst2, 8, 0, 4, 4, 8, 0.5, 16, 9},
      {eu, node, Kind::dct1, 9, 0, 5, 0, 9, 0, 16, 9},   {ue, node, Kind::dct1, 9, 0, 5, 4, 9, 0, 16, 9},
      {ou, node, Kind::dst1, 7, 1, 4, 0, 7, 0.5, 16, 9}, {uo, node, Kind::dst1, 7, 0, 4, 3, 7, 0.5, 16, 9},
      {uu, cell, Kind::r2c, 8, 0, 4, 0, 5, 0, 8, 5},     {uu, node, Kind::r2c, 8, 0, 5, 0, 5, 0, 8, 5}};
  for (const Row& row : rows) {
    const DomainAxis axis = axis_of(row.boundary, row.centring, 4, 2.5);
    const AxisTransform t = axis_transform(axis, false);
    SCOPED_TRACE(to_string(row.boundary) + " " + to_string(row.centring));
    EXPECT_EQ(t.kind, row.kind);
    EXPECT_EQ(t.points, row.centring == cell ? 4 : 5);
    EXPECT_EQ(t.length, row.length);
    EXPECT_EQ(t.first_point, row.first_point);
    EXPECT_EQ(t.count, row.count);
    EXPECT_EQ(t.pad, row.pad);
    EXPECT_EQ(t.modes, row.modes);
    EXPECT_DOUBLE_EQ(wavenumber(axis, t, 0), row.first_mode * std::numbers::pi / 2.5);
    EXPECT_DOUBLE_EQ(1 / norm_factor(axis), row.norm);
    EXPECT_EQ(green_extent(axis), row.extent);
  }
}

TEST(Boundary, PointsOutsideTheTransform) {
  const auto ends = [](const Boundary& b, Centring c) { return axis_transform(axis_of(b, c, 6), false).ends; };
  using Ends = std::vector<EndPoint>;
  for (const Boundary& boundary : all_pairs) EXPECT_EQ(ends(boundary, Centring::cell), Ends{});
  EXPECT_EQ(ends(pp, Centring::node), (Ends{{6, true}}));
  EXPECT_EQ(ends(oo, Centring::node), (Ends{{0, false}, {6, false}}));
  EXPECT_EQ(ends(oe, Centring::node), (Ends{{0, false}}));
  EXPECT_EQ(ends(eo, Centring::node), (Ends{{6, false}}));
  EXPECT_EQ(ends(ou, Centring::node), (Ends{{0, false}}));
  EXPECT_EQ(ends(uo, Centring::node), (Ends{{6, false}}));
  for (const Boundary& boundary : {ee, uu, eu, ue}) EXPECT_EQ(ends(boundary, Centring::node), Ends{});
}

// The forward value of mode k is sum_j c_j f_j cos|sin(w_k x_j), x_j the coordinate in the padded domain, with c_j = 1
// on node planes and 2 elsewhere. Long double sums of at most 10 terms of size 2: 1e-13 covers the double wavenumbers.
TEST(Boundary, ForwardSumsAreWavesAtTheTabulatedWavenumbers) {
  for (const Boundary& boundary : all_pairs) {
    for (const Centring centring : {Centring::cell, Centring::node}) {
      const DomainAxis axis = axis_of(boundary, centring, 5, 1.7);
      const AxisTransform t = axis_transform(axis, false);
      if (is_fourier(t.kind)) continue;
      SCOPED_TRACE(to_string(boundary) + " " + to_string(centring));
      const bool data_last = classify(boundary) == AxisClass::mixed && boundary.left == End::unbounded;
      const double span = axis.length * (is_convolved(boundary) ? 2 : 1);
      const bool cosine = t.kind >= Kind::dct1 && t.kind <= Kind::dct4;
      for (index_t j = 0; j < t.count; ++j) {
        const double x = axis.coordinate(t.first_point + j) + (data_last ? axis.length : 0);
        const bool plane = x < 1e-9 || x > span - 1e-9;
        for (index_t m = 0; m < t.modes; ++m) {
          const double w = wavenumber(axis, t, m);
          const double wave = (plane ? 1 : 2) * (cosine ? std::cos(w * x) : std::sin(w * x));
          const auto entry = transform_entry(t.kind, t.length, t.pad + j, m);
          EXPECT_NEAR(static_cast<double>(entry.real()), wave, 1e-13) << "point " << j << " mode " << m;
        }
      }
    }
  }
}

TEST(Boundary, FourierWavenumbersAreSigned) {
  const DomainAxis periodic = axis_of(pp, Centring::cell, 5, 2);
  const AxisTransform t = axis_transform(periodic, true);
  EXPECT_EQ(t.kind, Kind::c2c);
  EXPECT_EQ(t.modes, 5);
  for (index_t m = 0; m < 5; ++m) {
    EXPECT_DOUBLE_EQ(wavenumber(periodic, t, m), std::numbers::pi * static_cast<double>(m < 3 ? m : m - 5));
    EXPECT_EQ(green_index(periodic, t, m), m < 3 ? m : 5 - m);
  }
  const DomainAxis unbounded = axis_of(uu, Centring::node, 3, 2);
  const AxisTransform u = axis_transform(unbounded, true);
  EXPECT_EQ(u.modes, 6);
  EXPECT_DOUBLE_EQ(wavenumber(unbounded, u, 5), -std::numbers::pi / 2);
  EXPECT_EQ(green_index(unbounded, u, 5), 1);
  EXPECT_EQ(green_index(unbounded, u, 3), 3);
}

// Every stored mode must meet the entry of its own wavenumber, w = pi entry / (2 L) for mixed and pi entry / L for
// unbounded axes, and the entry itself for the others.
TEST(Boundary, GreenEntriesHaveTheWavenumberOfTheirModes) {
  for (const Boundary& boundary : all_pairs) {
    for (const Centring centring : {Centring::cell, Centring::node}) {
      for (const bool complex_input : {false, true}) {
        const DomainAxis axis = axis_of(boundary, centring, 4, 1.3);
        const AxisTransform t = axis_transform(axis, complex_input);
        const double unit = std::numbers::pi / axis.length / (classify(boundary) == AxisClass::mixed ? 2 : 1);
        for (index_t m = 0; m < t.modes; ++m) {
          const index_t entry = green_index(axis, t, m);
          ASSERT_LT(entry, green_extent(axis));
          const double w = is_convolved(boundary) ? unit * static_cast<double>(entry) : green_coordinate(axis, entry);
          EXPECT_NEAR(std::abs(wavenumber(axis, t, m)), w, 1e-13) << to_string(boundary) << " mode " << m;
        }
      }
    }
  }
}

// Free-space and semi-unbounded problems through padding, transform, folded Green's function and back must equal the
// sum over sources and images. Sums of at most 20 terms of size 1e1 in long double; the double kernel values, equal in
// both up to the rounding of r, leave 1e-14 each.
TEST(Boundary, ConvolvedAxesEqualDirectSums) {
  for (const Boundary& boundary : {uu, eu, ue, ou, uo}) {
    for (const Centring centring : {Centring::cell, Centring::node}) {
      for (const index_t cells : {1, 2, 3, 4, 7}) {
        const DomainAxis axis = axis_of(boundary, centring, cells, 1.7);
        const Line rhs = rough_data(axis_transform(axis, false));
        for (const double k : {0.0, 0.7, 9.0}) {
          const auto what = to_string(boundary) + " " + to_string(centring) + " N=" + std::to_string(cells);
          expect_near(solve(axis, rhs, k, false), convolve(axis, rhs, k), 1e-12L, what);
          if (boundary == uu) expect_near(solve(axis, rhs, k, true), convolve(axis, rhs, k), 1e-12L, what);
        }
      }
    }
  }
}

/// An eigenfunction of a symmetric or periodic axis with its wavenumber.
struct Wave {
  Boundary boundary;
  bool cosine;
  double wavenumber;
};

// An eigenfunction of wavenumber w is divided by -(w^2 + k^2), exactly; planes of odd ends come out as zeros and the
// last periodic node as a copy, which the eigenfunction has as well.
TEST(Boundary, SymmetricAndPeriodicAxesDivideEigenfunctions) {
  const double length = 1.7;
  const double unit = std::numbers::pi / length;
  for (const Wave& wave : {Wave{ee, true, 2 * unit}, Wave{oo, false, 2 * unit}, Wave{oe, false, 1.5 * unit},
                           Wave{eo, true, 1.5 * unit}, Wave{pp, true, 4 * unit}, Wave{pp, false, 2 * unit}}) {
    for (const Centring centring : {Centring::cell, Centring::node}) {
      for (const index_t cells : {5, 6}) {
        const DomainAxis axis = axis_of(wave.boundary, centring, cells, length);
        const double k = 0.7;
        Line rhs, expected;
        for (index_t j = 0; j < axis.points(); ++j) {
          const double t = wave.wavenumber * axis.coordinate(j);
          rhs.emplace_back(wave.cosine ? std::cos(t) : std::sin(t));
          expected.push_back(rhs.back() / static_cast<Real>(-wave.wavenumber * wave.wavenumber - k * k));
        }
        const auto what = to_string(wave.boundary) + " " + to_string(centring) + " N=" + std::to_string(cells);
        expect_near(solve(axis, rhs, k, false), expected, 1e-14L, what);
        if (wave.boundary == pp) expect_near(solve(axis, rhs, k, true), expected, 1e-14L, what);
      }
    }
  }
}

TEST(Boundary, ClassesAndOrder) {
  EXPECT_EQ(classify(oe), AxisClass::symmetric);
  EXPECT_EQ(classify(ue), AxisClass::mixed);
  EXPECT_EQ(classify(pp), AxisClass::periodic);
  EXPECT_EQ(classify(uu), AxisClass::unbounded);
  EXPECT_EQ(transform_order({uu, pp, oo}), (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(transform_order({ee, ou, uu}), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(transform_order({pp, eu, pp}), (std::vector<int>{2, 0, 1}));
  EXPECT_EQ(transform_order({uu, uu, uu}), (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(transform_order({uu, eo}), (std::vector<int>{1, 0}));
}

TEST(Boundary, Text) {
  for (const End end : {End::periodic, End::even, End::odd, End::unbounded}) {
    EXPECT_EQ(parse_end(to_string(end), 0), end);
  }
  EXPECT_EQ(to_string(oe), "(odd, even)");
  EXPECT_EQ(to_string(uu), "unbounded");
  EXPECT_EQ(parse_centring("cell", 0), Centring::cell);
  EXPECT_EQ(parse_centring("node", 0), Centring::node);
}

TEST(Boundary, RefusesWhatIsNotAllowed) {
  EXPECT_TRUE(mentions(error_text([] { parse_end("neumann", 1); }), "boundary", "axis 1", "neumann", "even", "odd"));
  EXPECT_TRUE(mentions(error_text([] { parse_centring("edge", 2); }), "centring", "axis 2", "edge", "cell", "node"));
  for (const Boundary& b : {Boundary{End::periodic, End::odd}, Boundary{End::unbounded, End::periodic}}) {
    EXPECT_TRUE(mentions(error_text([&] { check(b, 2); }), "axis 2", "periodic at one end only"));
  }
  EXPECT_TRUE(mentions(error_text([] { check(axis_of(pp, Centring::cell, 0), 1); }), "cells", "axis 1", "0"));
  EXPECT_TRUE(mentions(error_text([] { check(axis_of(oo, Centring::node, 1), 0); }), "cells", "axis 0", "2"));
  for (const double length : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_TRUE(mentions(error_text([&] { check(axis_of(pp, Centring::cell, 4, length), 1); }), "length", "axis 1"));
  }
  for (const Boundary& boundary : all_pairs) {
    EXPECT_NO_THROW(check(axis_of(boundary, Centring::node, 2), 0));
    EXPECT_NO_THROW(check(axis_of(boundary, Centring::cell, 1), 0));
  }
}

}  // namespace
}  // namespace weft
