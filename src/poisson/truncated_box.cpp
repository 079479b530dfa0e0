// Transforms of Gaussians over the axes of a box, and their sums over the widths that make up the kernel.
#include "poisson/truncated_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "poisson/radial_grid.hpp"
#include "poisson/special.hpp"

namespace weft {

namespace {

using std::numbers::pi;

constexpr int nodes = 20;           // of a panel
constexpr double panel_length = 2;  // in ln(t)
constexpr double vanishing = 38;    // exp(-38) = 3e-17

double reach(const GreenAxis& axis) { return static_cast<double>(axis.farthest) * axis.spacing; }

// E(m; t) with a = D/(2 t^(1/2)): exp(-b^2) Re erf(a + i b), b = pi m/(2 a), whose product 2 a b is a multiple of pi.
double gaussian_transform(index_t m, double a) {
  if (m == 0) return std::erf(a);
  const double b = pi * static_cast<double>(m) / (2 * a), gaussian = std::exp(-b * b);
  if (a * a > vanishing) return gaussian;
  return gaussian - (m % 2 == 0 ? 1 : -1) * std::exp(-a * a) * faddeeva_real(b, a);
}

// int_0^t exp(-q t) dt
double closed_part(double q, double t) { return q > 0 ? -std::expm1(-q * t) / q : t; }

const Quadrature& panel_rule() {
  static const Quadrature rule = gauss_legendre(nodes);
  return rule;
}

}  // namespace

TruncatedBox::TruncatedBox(std::vector<GreenAxis> axes, double screening)
    : axes_(std::move(axes)), screening_(screening) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const GreenAxis& axis : axes_) {
    if (!axis.convolved) continue;
    convolved_.push_back(axis);
    shortest = std::min(shortest, reach(axis));
    longest_ = std::max(longest_, reach(axis));
  }
  first_ = shortest * shortest / (4 * vanishing);
  near_ = static_cast<int>(std::ceil(std::log(4 * longest_ * longest_ / first_) / panel_length));
}

TruncatedBox::Widths TruncatedBox::panels(int count) const {
  Widths widths;
  for (int panel = 0; panel < count; panel++) {
    for (std::size_t i = 0; i < panel_rule().nodes.size(); i++) {
      const double u = panel_length * (panel + (1 + panel_rule().nodes[i]) / 2);
      widths.t.push_back(first_ * std::exp(u));
      widths.weight.push_back(panel_length / 2 * panel_rule().weights[i] * widths.t.back());
    }
  }
  return widths;
}

// t = v^-2 from near_ panels to infinity.
TruncatedBox::Widths TruncatedBox::rest() const {
  const double last = 1 / std::sqrt(first_ * std::exp(panel_length * near_));
  Widths widths;
  for (std::size_t i = 0; i < panel_rule().nodes.size(); i++) {
    const double v = last / 2 * (1 + panel_rule().nodes[i]);
    widths.t.push_back(1 / (v * v));
    widths.weight.push_back(panel_rule().weights[i] * last / v * widths.t.back());  // last / 2 dv 2 / v^3
  }
  return widths;
}

// Until exp(-k^2 t) vanishes. With three axes the integrand also falls off as t^(-1/2) beyond the box: exp(-40) =
// 4e-18.
int TruncatedBox::panels_for(double k2) const {
  if (k2 <= 0) return near_;
  const double wanted = std::max(std::log((vanishing + 2) / k2 / first_) / panel_length, 0.0);
  const int count = static_cast<int>(std::ceil(wanted));
  return convolved_.size() == 3 ? std::min(count, near_ + static_cast<int>(80 / panel_length)) : count;
}

TruncatedBox::Block TruncatedBox::block_of(const GreenGrid& grid, const Widths& widths) const {
  Block block;
  index_t stride = grid.size();
  for (std::size_t axis = 0; axis < axes_.size(); axis++) {
    const std::vector<double>& wavenumbers = grid.coordinates[axis];
    const auto modes = static_cast<index_t>(wavenumbers.size());
    stride /= modes;
    if (!axes_[axis].convolved) continue;
    const double extent = reach(axes_[axis]);
    block.stride.push_back(stride);
    block.squares.emplace_back();
    for (const double s : wavenumbers) block.squares.back().push_back(s * s);
    std::vector<double>& transforms = block.transforms.emplace_back();
    transforms.reserve(widths.size() * wavenumbers.size());
    for (const double t : widths.t)
      for (const double s : wavenumbers)
        transforms.push_back(gaussian_transform(std::llround(s * extent / pi), extent / (2 * std::sqrt(t))));
    if (block.squares.size() < convolved_.size()) block.lines *= modes;
  }
  return block;
}

std::vector<double> TruncatedBox::weights_for(double k2, const Widths& widths) const {
  std::vector<double> weights(widths.size(), 0);
  const auto panel_nodes = static_cast<std::size_t>(nodes) * static_cast<std::size_t>(panels_for(k2));
  for (std::size_t i = 0; i < panel_nodes; i++) weights[i] = widths.weight[i] * std::exp(-k2 * widths.t[i]);
  if (k2 <= 0)
    for (std::size_t i = widths.size() - nodes; i < widths.size(); i++) weights[i] = widths.weight[i];
  return weights;
}

void TruncatedBox::sample_line(const Block& block, index_t line, double k2, const std::vector<double>& weights,
                               double* values) const {
  const std::size_t last = convolved_.size() - 1, modes = block.squares[last].size();
  std::vector<std::size_t> at(last);
  double square = k2;
  for (std::size_t axis = last; axis-- > 0;) {
    const auto count = static_cast<index_t>(block.squares[axis].size());
    at[axis] = static_cast<std::size_t>(line % count);
    square += block.squares[axis][at[axis]];
    values += line % count * block.stride[axis];
    line /= count;
  }
  std::vector<double> sums(modes);
  for (std::size_t m = 0; m < modes; m++) sums[m] = closed_part(square + block.squares[last][m], first_);
  for (std::size_t i = 0; i < weights.size(); i++) {
    double factor = weights[i];
    for (std::size_t axis = 0; axis < last; axis++)
      factor *= block.transforms[axis][i * block.squares[axis].size() + at[axis]];
    if (factor == 0) continue;
    const double* transforms = block.transforms[last].data() + i * modes;
    for (std::size_t m = 0; m < modes; m++) sums[m] += factor * transforms[m];
  }
  for (std::size_t m = 0; m < modes; m++) values[static_cast<index_t>(m) * block.stride[last]] = -sums[m];
  if (last == 1 && square <= 0 && block.squares[last][0] <= 0) values[0] = logarithmic_mean();
}

// The transform for all wavenumbers 0 in the plane, where the integral over t diverges. With the area A of the box and
// any length l (Frullani's integral),
//   ln(r/l)/(2 pi) = -int_0^inf (exp(-r^2/(4 t)) - exp(-l^2/(4 t))) / (4 pi t) dt.
double TruncatedBox::logarithmic_mean() const {
  const double area = 4 * reach(convolved_[0]) * reach(convolved_[1]);
  const auto both = [&](double t) {
    return std::erf(reach(convolved_[0]) / (2 * std::sqrt(t))) * std::erf(reach(convolved_[1]) / (2 * std::sqrt(t)));
  };
  double sum = first_;
  const Widths near = panels(near_), far = rest();
  for (std::size_t i = 0; i < near.size(); i++) sum += near.weight[i] * both(near.t[i]);
  for (std::size_t i = 0; i < far.size(); i++) {
    const double t = far.t[i];
    sum += far.weight[i] * (both(t) - area / (4 * pi * t) * std::exp(-longest_ * longest_ / (4 * t)));
  }
  const double last = first_ * std::exp(panel_length * near_);
  sum -= area / (4 * pi) * exponential_integral(longest_ * longest_ / (4 * last));
  return area * std::log(longest_) / (2 * pi) - sum;
}

void TruncatedBox::sample(const GreenGrid& grid, double* values, int threads) const {
  if (grid.size() == 0) return;
  const std::vector<double> k2 = squares_of(grid, axes_, false, screening_ * screening_);
  int most = 0;
  for (const double square : k2) most = std::max(most, panels_for(square));
  Widths widths = panels(most), far = rest();
  widths.t.insert(widths.t.end(), far.t.begin(), far.t.end());
  widths.weight.insert(widths.weight.end(), far.weight.begin(), far.weight.end());
  const Block block = block_of(grid, widths);
  for (std::size_t mode = 0; mode < k2.size(); mode++) {
    double* at = values;
    auto rest_of_mode = static_cast<index_t>(mode), stride = index_t{1};
    for (std::size_t axis = axes_.size(); axis-- > 0;) {
      const auto count = static_cast<index_t>(grid.coordinates[axis].size());
      if (!axes_[axis].convolved) {
        at += rest_of_mode % count * stride;
        rest_of_mode /= count;
      }
      stride *= count;
    }
    const std::vector<double> weights = weights_for(k2[mode], widths);
#pragma omp parallel for num_threads(threads) if (threads > 1 && block.lines > 16)
    for (index_t line = 0; line < block.lines; line++) sample_line(block, line, k2[mode], weights, at);
  }
}

}  // namespace weft
