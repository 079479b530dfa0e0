// Tables of the functions of one axis, and their products along lines.
#include "poisson/width_sums.hpp"

#include <algorithm>
#include <cmath>

#include "poisson/special.hpp"

namespace weft {

namespace {

const Quadrature& panel_rule() {
  static const Quadrature rule = gauss_legendre(panel_nodes);
  return rule;
}

}  // namespace

void Widths::append(const Widths& more) {
  t.insert(t.end(), more.t.begin(), more.t.end());
  weight.insert(weight.end(), more.weight.begin(), more.weight.end());
}

Widths panels_from(double first, int count) {
  Widths widths;
  for (int panel = 0; panel < count; panel++) {
    for (std::size_t i = 0; i < panel_rule().nodes.size(); i++) {
      const double u = panel_length * (panel + (1 + panel_rule().nodes[i]) / 2);
      widths.t.push_back(first * std::exp(u));
      widths.weight.push_back(panel_length / 2 * panel_rule().weights[i] * widths.t.back());
    }
  }
  return widths;
}

Widths panel_up_to(double last) {
  Widths widths;
  for (std::size_t i = 0; i < panel_rule().nodes.size(); i++) {
    widths.t.push_back(last / 2 * (1 + panel_rule().nodes[i]));
    widths.weight.push_back(last / 2 * panel_rule().weights[i]);
  }
  return widths;
}

WidthPanels::WidthPanels(double first, double wide, int axes)
    : first_(first), near_(static_cast<int>(std::ceil(std::log(wide / first) / panel_length))), axes_(axes) {}

double WidthPanels::last() const { return first_ * std::exp(panel_length * near_); }

// A panel in v, t = v^-2.
Widths WidthPanels::rest() const {
  const double last_v = 1 / std::sqrt(last());
  Widths widths;
  for (std::size_t i = 0; i < panel_rule().nodes.size(); i++) {
    const double v = last_v / 2 * (1 + panel_rule().nodes[i]);
    widths.t.push_back(1 / (v * v));
    widths.weight.push_back(panel_rule().weights[i] * last_v / v * widths.t.back());  // last_v / 2 dv 2 / v^3
  }
  return widths;
}

// Panels up to the t where exp(-k^2 t) vanishes. With three axes the integrand also falls off as t^(-1/2) beyond the
// box: exp(-40) = 4e-18.
int WidthPanels::panels_for(double k2) const {
  if (k2 <= 0) return near_;
  const double wanted = std::max(std::log((vanishing_exponent + 2) / k2 / first_) / panel_length, 0.0);
  const int count = static_cast<int>(std::ceil(wanted));
  return axes_ == 3 ? std::min(count, near_ + static_cast<int>(80 / panel_length)) : count;
}

Widths WidthPanels::widths(const std::vector<double>& k2) const {
  int most = 0;
  for (const double square : k2) most = std::max(most, panels_for(square));
  Widths widths = panels_from(first_, most);
  widths.append(rest());
  return widths;
}

std::vector<double> WidthPanels::weights(double k2, const Widths& widths) const {
  std::vector<double> weights(widths.size(), 0);
  const auto first_nodes = static_cast<std::size_t>(panel_nodes) * static_cast<std::size_t>(panels_for(k2));
  for (std::size_t i = 0; i < first_nodes; i++) weights[i] = widths.weight[i] * std::exp(-k2 * widths.t[i]);
  if (k2 <= 0)
    for (std::size_t i = widths.size() - panel_nodes; i < widths.size(); i++) weights[i] = widths.weight[i];
  return weights;
}

WidthSums::WidthSums(const GreenGrid& grid, const std::vector<GreenAxis>& axes, const Widths& widths,
                     const Function& f) {
  index_t stride = grid.size();
  for (std::size_t axis = 0; axis < axes.size(); axis++) {
    const std::vector<double>& coordinates = grid.coordinates[axis];
    stride /= static_cast<index_t>(coordinates.size());
    if (!axes[axis].convolved) continue;
    const std::size_t which = counts_.size();
    if (which > 0) lines_ *= static_cast<index_t>(counts_.back());
    counts_.push_back(coordinates.size());
    stride_.push_back(stride);
    std::vector<double>& table = tables_.emplace_back();
    table.reserve(widths.size() * coordinates.size());
    for (const double t : widths.t)
      for (const double x : coordinates) table.push_back(f(which, t, x));
  }
}

WidthSums::Line WidthSums::line(index_t i) const {
  const std::size_t last = counts_.size() - 1;
  Line line{std::vector<std::size_t>(last), 0};
  for (std::size_t axis = last; axis-- > 0;) {
    const auto count = static_cast<index_t>(counts_[axis]);
    line.at[axis] = static_cast<std::size_t>(i % count);
    line.first += i % count * stride_[axis];
    i /= count;
  }
  return line;
}

void WidthSums::add(const Line& line, const std::vector<double>& weights, std::vector<double>& sums) const {
  const std::size_t last = counts_.size() - 1, count = counts_[last];
  for (std::size_t i = 0; i < weights.size(); i++) {
    double factor = weights[i];
    for (std::size_t axis = 0; axis < last; axis++) factor *= tables_[axis][i * counts_[axis] + line.at[axis]];
    if (factor == 0) continue;
    const double* table = tables_[last].data() + i * count;
    for (std::size_t m = 0; m < count; m++) sums[m] += factor * table[m];
  }
}

std::vector<index_t> mode_places(const GreenGrid& grid, const std::vector<GreenAxis>& axes) {
  std::vector<index_t> places{0};
  index_t stride = grid.size();
  for (std::size_t axis = 0; axis < axes.size(); axis++) {
    const auto count = static_cast<index_t>(grid.coordinates[axis].size());
    stride /= count;
    if (axes[axis].convolved) continue;
    std::vector<index_t> longer;
    for (const index_t place : places)
      for (index_t i = 0; i < count; i++) longer.push_back(place + i * stride);
    places = std::move(longer);
  }
  return places;
}

}  // namespace weft
