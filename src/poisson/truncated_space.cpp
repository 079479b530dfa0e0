// The kernel `truncated` at displaced points: in space, with the waves that the grid carries.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "poisson/kernels.hpp"
#include "poisson/radial_grid.hpp"
#include "poisson/special.hpp"
#include "poisson/width_sums.hpp"

namespace weft {

namespace {

using std::numbers::pi;

/// (1/(2 pi)) int_-K^K exp(-q^2 t + i q x) dq, K = pi/h: the Gaussian of width t with the waves along one axis. With a
/// = K t^(1/2) and b = x/(2 t^(1/2)) it is exp(-b^2) Re erf(a + i b) / (2 (pi t)^(1/2)).
double waves_of_gaussian(double h, double t, double x) {
  const double a = pi / h * std::sqrt(t), b = x / (2 * std::sqrt(t)), scale = 2 * std::sqrt(pi * t);
  if (a * a > vanishing_exponent) return std::exp(-b * b) / scale;
  const std::complex<double> beyond = std::polar(1.0, pi * x / h) * faddeeva(b, a);
  return (std::exp(-b * b) - std::exp(-a * a) * beyond.real()) / scale;
}

/// The free-space kernel with all wavenumbers up to pi/h along each convolved axis and none above: an integral over
/// widths of Gaussians, each of which is a product over the axes,
///   G(x; k) = -int_0^inf exp(-k^2 t) prod w(x_i; t) dt.
/// The first panel ends where the shortest wave has decayed; panels in ln(t) follow. For k = 0, one panel in t^(-1/2)
/// covers the widths at which Gaussians are wider than the largest distance. There the integral diverges for d = 1 and
/// d = 2, so the integrand at distance 0 or l is subtracted, whose integral is known:
///   |x|/2 = -int (exp(-x^2/(4 t)) - 1)/(4 pi t)^(1/2) dt,
///   ln(r/l)/(2 pi) = -int (exp(-r^2/(4 t)) - exp(-l^2/(4 t)))/(4 pi t) dt.
/// Nodes depend on the problem alone, not on the points sampled.
class TruncatedSpace final : public GreenKernel {
 public:
  explicit TruncatedSpace(const KernelInput& input) : axes_(input.axes), screening_(input.screening) {
    double shortest = std::numeric_limits<double>::infinity();
    for (const GreenAxis& axis : axes_) {
      if (!axis.convolved) continue;
      spacing_.push_back(axis.spacing);
      shortest = std::min(shortest, axis.spacing);
      farthest_ = std::max(farthest_, static_cast<double>(axis.farthest) * axis.spacing + std::abs(axis.shift));
    }
    const double widest = *std::max_element(spacing_.begin(), spacing_.end());
    const double wide = std::max(4 * farthest_ * farthest_, vanishing_exponent * widest * widest / (pi * pi));
    panels_ = WidthPanels(std::pow(2 * shortest / pi, 2), wide, static_cast<int>(spacing_.size()));
  }

  void sample(const GreenGrid& grid, double* values, int threads) const override {
    if (grid.size() == 0) return;
    const std::vector<double> k2 = squares_of(grid, axes_, false, screening_ * screening_);
    const Widths start = panel_up_to(panels_.first()), others = panels_.widths(k2);
    Widths all = start;
    all.append(others);
    const WidthSums sums(grid, axes_, all, [this](std::size_t axis, double t, double x) {
      return waves_of_gaussian(spacing_[axis], t, x);
    });
    const double subtracted = known_part();
    const std::vector<index_t> places = mode_places(grid, axes_);
    for (std::size_t mode = 0; mode < k2.size(); mode++) {
      std::vector<double> weights;
      for (std::size_t i = 0; i < start.size(); i++)
        weights.push_back(start.weight[i] * std::exp(-k2[mode] * start.t[i]));
      const std::vector<double> rest = panels_.weights(k2[mode], others);
      weights.insert(weights.end(), rest.begin(), rest.end());
      const double known = k2[mode] > 0 ? 0 : subtracted;
      double* at = values + places[mode];
#pragma omp parallel for num_threads(threads) if (threads > 1 && sums.lines() > 16)
      for (index_t i = 0; i < sums.lines(); i++) {
        const WidthSums::Line line = sums.line(i);
        std::vector<double> row(sums.count(), 0);
        sums.add(line, weights, row);
        for (std::size_t m = 0; m < row.size(); m++)
          at[line.first + static_cast<index_t>(m) * sums.step()] = known - row[m];
      }
    }
  }

 private:
  /// The known part of the differences for k = 0: up to last() in closed form, beyond it by the nodes.
  double known_part() const {
    const std::size_t dimension = spacing_.size();
    if (dimension == 3) return 0;
    const double last = panels_.last(), square = farthest_ * farthest_;
    const Widths rest = panels_.rest();
    double sum = dimension == 1 ? std::sqrt(last / pi)
                                : (exponential_integral(square / (4 * last)) / 2 + std::log(farthest_)) / (2 * pi);
    for (std::size_t i = 0; i < rest.size(); i++) {
      const double t = rest.t[i];
      sum +=
          rest.weight[i] * (dimension == 1 ? 1 / (2 * std::sqrt(pi * t)) : std::exp(-square / (4 * t)) / (4 * pi * t));
    }
    return sum;
  }

  std::vector<GreenAxis> axes_;
  std::vector<double> spacing_;  ///< of the convolved axes
  double screening_;
  double farthest_ = 0;  ///< l
  WidthPanels panels_;   ///< after the first panel, which is in t
};

}  // namespace

std::unique_ptr<GreenKernel> make_truncated_space(const KernelInput& input) {
  return std::make_unique<TruncatedSpace>(input);
}

}  // namespace weft
