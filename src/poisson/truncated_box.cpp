// Transforms of Gaussians over the axes of a box, and their sums over the widths, which are the kernel.
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

double reach(const GreenAxis& axis) { return static_cast<double>(axis.farthest) * axis.spacing; }

// E(m; t) with a = D/(2 t^(1/2)): exp(-b^2) Re erf(a + i b), b = pi m/(2 a), whose product 2 a b is a multiple of pi.
double gaussian_transform(index_t m, double a) {
  if (m == 0) return std::erf(a);
  const double b = pi * static_cast<double>(m) / (2 * a), gaussian = std::exp(-b * b);
  if (a * a > vanishing_exponent) return gaussian;
  return gaussian - (m % 2 == 0 ? 1 : -1) * std::exp(-a * a) * faddeeva(b, a).real();
}

// int_0^t exp(-q t) dt
double closed_part(double q, double t) { return q > 0 ? -std::expm1(-q * t) / q : t; }

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
  panels_ = WidthPanels(shortest * shortest / (4 * vanishing_exponent), 4 * longest_ * longest_,
                        static_cast<int>(convolved_.size()));
}

void TruncatedBox::sample_line(const Block& block, index_t i, double k2, const std::vector<double>& weights,
                               double* values) const {
  const WidthSums::Line line = block.sums.line(i);
  const std::vector<double>& last = block.squares.back();
  double square = k2;
  for (std::size_t axis = line.at.size(); axis-- > 0;) square += block.squares[axis][line.at[axis]];
  std::vector<double> sums(last.size());
  for (std::size_t m = 0; m < last.size(); m++) sums[m] = closed_part(square + last[m], panels_.first());
  block.sums.add(line, weights, sums);
  values += line.first;
  for (std::size_t m = 0; m < last.size(); m++) values[static_cast<index_t>(m) * block.sums.step()] = -sums[m];
  if (convolved_.size() == 2 && square <= 0 && last[0] <= 0) values[0] = logarithmic_mean();
}

// The transform for all wavenumbers 0 in the plane, where the integral over t diverges. With the area A of the box and
// any length l (Frullani's integral),
//   ln(r/l)/(2 pi) = -int_0^inf (exp(-r^2/(4 t)) - exp(-l^2/(4 t))) / (4 pi t) dt.
double TruncatedBox::logarithmic_mean() const {
  const double area = 4 * reach(convolved_[0]) * reach(convolved_[1]);
  const auto both = [&](double t) {
    return std::erf(reach(convolved_[0]) / (2 * std::sqrt(t))) * std::erf(reach(convolved_[1]) / (2 * std::sqrt(t)));
  };
  double sum = panels_.first();
  const Widths near = panels_.near(), far = panels_.rest();
  for (std::size_t i = 0; i < near.size(); i++) sum += near.weight[i] * both(near.t[i]);
  for (std::size_t i = 0; i < far.size(); i++) {
    const double t = far.t[i];
    sum += far.weight[i] * (both(t) - area / (4 * pi * t) * std::exp(-longest_ * longest_ / (4 * t)));
  }
  sum -= area / (4 * pi) * exponential_integral(longest_ * longest_ / (4 * panels_.last()));
  return area * std::log(longest_) / (2 * pi) - sum;
}

void TruncatedBox::sample(const GreenGrid& grid, double* values, int threads) const {
  if (grid.size() == 0) return;
  const std::vector<double> k2 = squares_of(grid, axes_, false, screening_ * screening_);
  const Widths widths = panels_.widths(k2);
  const auto transform = [this](std::size_t axis, double t, double s) {
    const double extent = reach(convolved_[axis]);
    return gaussian_transform(std::llround(s * extent / pi), extent / (2 * std::sqrt(t)));
  };
  Block block{{}, WidthSums(grid, axes_, widths, transform)};
  for (std::size_t axis = 0; axis < axes_.size(); axis++) {
    if (!axes_[axis].convolved) continue;
    block.squares.emplace_back();
    for (const double s : grid.coordinates[axis]) block.squares.back().push_back(s * s);
  }
  const std::vector<index_t> places = mode_places(grid, axes_);
  for (std::size_t mode = 0; mode < k2.size(); mode++) {
    double* at = values + places[mode];
    const std::vector<double> weights = panels_.weights(k2[mode], widths);
#pragma omp parallel for num_threads(threads) if (threads > 1 && block.sums.lines() > 16)
    for (index_t line = 0; line < block.sums.lines(); line++) sample_line(block, line, k2[mode], weights, at);
  }
}

}  // namespace weft
