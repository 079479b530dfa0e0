// Exact solutions that are products of one smooth function per axis.
#include "mpi/exact_solutions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "mpi/exact_theory.hpp"

namespace weft::exact {

namespace {

using std::numbers::pi;
using Point = std::array<double, 3>;

/// One factor of a product solution: value and second derivative, and what the error theory needs of its spectrum.
struct Block {
  std::function<double(double)> value;
  std::function<double(double)> second;
  std::array<double, 3> moments{};      ///< sums (integrals) of |amplitude| |wavenumber|^(0, 2, 4)
  double mean = 0;                      ///< amplitude of the constant mode of a spectral axis
  std::function<double(double)> alias;  ///< bound on the error of u per unit of the other factors, at spacing h
};

/// sum_ab weight_a <k_a^2 k_b^2>, with the amplitudes of all axes.
double weighted_fourth_moment(const std::vector<Block>& blocks, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      double product = weights[a];
      for (std::size_t c = 0; c < blocks.size(); ++c) {
        product *= blocks[c].moments[a == b && c == a ? 2 : (c == a || c == b ? 1 : 0)];
      }
      sum += product;
    }
  }
  return sum;
}

Block gaussian_block(const Boundary& boundary, double length) {
  const double w = gaussian_width * length;
  const auto list = sources(boundary, length, 0.5);
  Block block;
  block.value = Remembered([=](double x) {
    double sum = 0;
    for (const Source& s : list) sum += s.sign * std::exp(-std::pow((x - s.centre) / w, 2) / 2);
    return sum;
  });
  block.second = Remembered([=](double x) {
    double sum = 0;
    for (const Source& s : list) {
      const double t = std::pow((x - s.centre) / w, 2);
      sum += s.sign * (t - 1) * std::exp(-t / 2);
    }
    return sum / (w * w);
  });
  block.moments = {1, 1 / (w * w), 3 / std::pow(w, 4)};
  // Near the first alias f has (2 pi/h)^2 times the amplitude of u.
  block.alias = [=](double h) { return gaussian_alias(w, length, h) * std::pow(2 * pi / h, 2); };
  return block;
}

/// The spectral factors and their second derivatives in t = pi x/L, or t = 2 pi x/L + 0.3 along a periodic axis.
double spectral_value(const Boundary& boundary, double t) {
  if (classify(boundary) == AxisClass::periodic) return std::exp(std::sin(t));
  const double e = std::exp(std::cos(t));
  if (is_half_mode(boundary)) return (boundary.left == End::odd ? std::sin(t / 2) : std::cos(t / 2)) * e;
  return boundary.left == End::even ? e : std::sin(t) * e;
}

double spectral_second(const Boundary& boundary, double t) {
  const double s = std::sin(t);
  const double c = std::cos(t);
  if (classify(boundary) == AxisClass::periodic) return (c * c - s) * std::exp(s);
  const double e = std::exp(c);
  if (is_half_mode(boundary)) {
    const double half = s * s - c - 0.25;
    const double sine = std::sin(t / 2);
    const double cosine = std::cos(t / 2);
    return (boundary.left == End::odd ? sine * half - cosine * s : cosine * half + sine * s) * e;
  }
  return boundary.left == End::even ? (s * s - c) * e : s * (s * s - 3 * c - 1) * e;
}

/// Amplitudes of the waves of wavenumber (n + raise) of the factor, raise = 0 with a constant mode, 1/2 for
/// half-integer modes, 1 for odd ends, from exp(cos t) = I_0(1) + 2 sum_n I_n(1) cos(n t). Beyond n = 30 they are below
/// 1e-40.
std::array<double, 31> spectral_amplitudes(const Boundary& boundary) {
  std::array<double, 31> amplitude{};
  for (std::size_t i = 0; i < amplitude.size(); ++i) {
    const auto n = static_cast<double>(i);
    const double here = std::cyl_bessel_i(n, 1.0);
    const double next = std::cyl_bessel_i(n + 1, 1.0);
    if (has_constant_mode(boundary)) {
      amplitude[i] = (i == 0 ? 1 : 2) * here;
    } else if (is_half_mode(boundary)) {
      amplitude[i] = boundary.left == End::odd ? here - next : here + next;
    } else {
      amplitude[i] = 2 * (n + 1) * next;
    }
  }
  return amplitude;
}

Block spectral_block(const Boundary& boundary, double length) {
  const bool periodic = classify(boundary) == AxisClass::periodic;
  const double unit = (periodic ? 2 : 1) * pi / length;
  const double phase = periodic ? 0.3 : 0;
  const double raise = has_constant_mode(boundary) ? 0 : (is_half_mode(boundary) ? 0.5 : 1);
  const auto amplitude = spectral_amplitudes(boundary);
  Block block;
  block.value = Remembered([=](double x) { return spectral_value(boundary, unit * x + phase); });
  block.second = Remembered([=](double x) { return unit * unit * spectral_second(boundary, unit * x + phase); });
  for (std::size_t n = 0; n < amplitude.size(); ++n) {
    const double w = unit * (static_cast<double>(n) + raise);
    for (std::size_t p = 0; p < 3; ++p) block.moments[p] += amplitude[n] * std::pow(w, 2.0 * static_cast<double>(p));
  }
  block.mean = has_constant_mode(boundary) ? amplitude[0] : 0;
  // A mode w beyond pi/h is taken for w' = |w - 2 pi n/h|: u_h has (w/w')^2 times its amplitude at most, u has it at w.
  block.alias = [=](double h) {
    double sum = 0;
    for (std::size_t n = 0; n < amplitude.size(); ++n) {
      const double w = unit * (static_cast<double>(n) + raise);
      if (w * h < pi * (1 - 1e-9)) continue;
      const double seen = std::max(std::abs(std::remainder(w, 2 * pi / h)), unit / 4);
      sum += amplitude[n] * (1 + std::pow(w / seen, 2));
    }
    return sum;
  };
  return block;
}

double product_value(const std::vector<Block>& blocks, const Point& x) {
  double product = 1;
  for (std::size_t a = 0; a < blocks.size(); ++a) product *= blocks[a].value(x[a]);
  return product;
}

/// Values and second derivatives of all factors at a point.
struct Jets {
  Point value{1, 1, 1};
  Point second{};
};

Jets jets_at(const std::vector<Block>& blocks, const Point& x) {
  Jets jets;
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    jets.value[a] = blocks[a].value(x[a]);
    jets.second[a] = blocks[a].second(x[a]);
  }
  return jets;
}

/// The same of the factors averaged over the spectral axes: constants, zero where there is no constant mode.
Jets averaged(const std::vector<Block>& blocks, const std::vector<Boundary>& boundaries, Jets jets) {
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    if (is_convolved(boundaries[a])) continue;
    jets.value[a] = blocks[a].mean;
    jets.second[a] = 0;
  }
  return jets;
}

double laplacian(const Jets& f) {
  return f.second[0] * f.value[1] * f.value[2] + f.value[0] * f.second[1] * f.value[2] +
         f.value[0] * f.value[1] * f.second[2];
}

/// Smallest wavenumber but zero that the spectral axes can have.
double smallest_wavenumber(const std::vector<Boundary>& boundaries, const std::vector<double>& lengths) {
  double smallest = 1e300;
  for (std::size_t a = 0; a < boundaries.size(); ++a) {
    if (!is_convolved(boundaries[a])) smallest = std::min(smallest, pi / (2 * lengths[a]));
  }
  return smallest;
}

/// Images lie 7 widths or more from the domain. There the kernel is smooth on the scale of h, the lattice sum over an
/// image is spectrally accurate, and only its aliases count.
double product_remainder(const std::vector<Block>& blocks, const std::vector<Boundary>& boundaries, double smallest,
                         double h) {
  const int d = count_convolved(boundaries);
  std::vector<double> weights;
  weights.reserve(boundaries.size());
  for (const Boundary& boundary : boundaries) {
    weights.push_back(d == 0 ? 0 : (is_convolved(boundary) ? theta_bound : wavenumber_bound(d, smallest * h)));
  }
  double bound = std::pow(h, 4) * weighted_fourth_moment(blocks, weights);
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    double others = count_images(boundaries);
    for (std::size_t c = 0; c < blocks.size(); ++c) others *= c == a ? 1 : blocks[c].moments[0];
    bound += blocks[a].alias(h) * others;
  }
  return bound;
}

}  // namespace

ExactCase broad_band(const std::vector<Boundary>& boundaries, const std::vector<double>& lengths) {
  std::vector<Block> blocks;
  blocks.reserve(boundaries.size());
  double mean = 1;
  for (std::size_t a = 0; a < boundaries.size(); ++a) {
    const bool convolved = is_convolved(boundaries[a]);
    blocks.push_back((convolved ? gaussian_block : spectral_block)(boundaries[a], lengths[a]));
    mean *= convolved ? 0 : blocks.back().mean;
  }
  const int d = count_convolved(boundaries);
  const bool all_convolved = d == static_cast<int>(boundaries.size());
  const double leading = chat2_leading(d, all_convolved);
  const double zero_mode_excess = chat2_leading(d, true) - leading;
  const double smallest = smallest_wavenumber(boundaries, lengths);
  ExactCase result;
  result.rhs = [=](double x, double y, double z) { return laplacian(jets_at(blocks, {x, y, z})); };
  result.solution = [=](double x, double y, double z) { return product_value(blocks, {x, y, z}) - mean; };
  result.leading = [=](double x, double y, double z) {
    const Jets jets = jets_at(blocks, {x, y, z});
    return leading * laplacian(jets) + zero_mode_excess * laplacian(averaged(blocks, boundaries, jets));
  };
  result.remainder = [=](double h) { return product_remainder(blocks, boundaries, smallest, h); };
  return result;
}

}  // namespace weft::exact
