// Couplings of cells, and the line in which a constant is free.
#include "poisson/difference_lines.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/number.hpp"
#include "poisson/compact_rows.hpp"
#include "poisson/end_values.hpp"
#include "poisson/mean.hpp"
#include "weft/error.hpp"

namespace weft {

void check_order(const DomainAxis& domain, int axis) {
  require(domain.order == 2 || domain.order == 4,
          "order: " + std::to_string(domain.order) + " given; differences are of order 2 or 4");
  if (domain.order == 2) return;
  const std::vector<double> weights = cell_weights(domain);
  const auto bad = std::find_if(weights.begin(), weights.end(), [](double weight) { return weight <= 0; });
  if (bad == weights.end()) return;
  throw Error(Fault::argument, "order: 4 given for widths of axis " + std::to_string(axis) +
                                   " that change too abruptly: cell " + std::to_string(bad - weights.begin()) +
                                   " would count " + number("%.3g", *bad) +
                                   " mean widths in integrals; let neighbours differ by less, or use order 2");
}

namespace {

// Couplings of cells, in units of their mean width; 0 beyond even ends. Compact rows have the values at walls instead.
std::vector<double> couplings_of(const DomainAxis& axis) {
  if (axis.order == 4) {
    std::vector<double> inverse = cell_distances(axis);
    for (double& distance : inverse) distance = 1 / distance;
    return inverse;
  }
  const double unit = axis.spacing();
  const std::vector<double>& widths = axis.widths;
  const auto beyond = [&](End end, double width, double robin) {
    return end == End::odd ? unit / (width / 2 + robin) : 0;
  };
  std::vector<double> couplings{beyond(axis.boundary.left, widths.front(), axis.robin[0])};
  for (std::size_t j = 1; j < widths.size(); j++) couplings.push_back(2 * unit / (widths[j - 1] + widths[j]));
  couplings.push_back(beyond(axis.boundary.right, widths.back(), axis.robin[1]));
  if (axis.boundary.left == End::periodic)
    couplings.front() = couplings.back() = 2 * unit / (widths.front() + widths.back());
  return couplings;
}

template <class Real>
LaneWall<Real> rounded(const LaneWall<double>& wall) {
  LaneWall<Real> result{};
  const auto round = [](const auto& from, auto& to) {
    std::transform(std::begin(from), std::end(from), std::begin(to),
                   [](double value) { return static_cast<Real>(value); });
  };
  round(wall.pivot, result.pivot);
  round(wall.excess, result.excess);
  round(wall.given, result.given);
  round(wall.moved, result.moved);
  round(wall.inner, result.inner);
  return result;
}

}  // namespace

template <class Real>
DifferenceLines<Real>::DifferenceLines(const SymbolInput& input, int rank)
    : LineSystems<Real>(
          input, rank, solved_axis_of(input).spacing(),
          {wall_factor(solved_axis_of(input), Side::left), wall_factor(solved_axis_of(input), Side::right)}),
      has_constant_(has_constant_mode(input.domain) && input.screening == 0) {
  const DomainAxis& axis = solved_axis_of(input);
  cyclic_ = axis.boundary.left == End::periodic;
  couplings_ = rounded<Real>(couplings_of(axis));
  weights_ = widths_ = rounded<Real>(cell_weights(axis));
  if (axis.order == 4) take_compact(axis);
}

template <class Real>
void DifferenceLines<Real>::take_compact(const DomainAxis& axis) {
  const CompactWeights weights = compact_weights(axis);
  before_ = rounded<Real>(weights.before);
  middle_ = rounded<Real>(weights.middle);
  after_ = rounded<Real>(weights.after);
  std::vector<double> sums = weights.middle;
  for (std::size_t j = 0; j < sums.size(); j++) sums[j] += weights.before[j] + weights.after[j];
  widths_ = rounded<Real>(sums);
  compact_ = {before_.data(),
              middle_.data(),
              after_.data(),
              {rounded<Real>(weights.walls[0]), rounded<Real>(weights.walls[1])}};
}

// Removes the mean from a line in which a constant is free: that of f and, in compact rows, of the given end values.
template <class Real>
void DifferenceLines<Real>::take_mean_out(const ModeLines<Real>& lines, int lane, const std::array<Values, 2>* given,
                                          Real* block) const {
  const index_t lanes = lane_kernels<Real>().lanes, element = lines.width * lanes;
  const double all = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (int part = 0; part < lines.width; part++) {
    const index_t place = part * lanes + lane;
    Real* values = block + place;
    double sum = 0;
    for (std::size_t j = 0; j < weights_.size(); j++)
      sum += double{weights_[j]} * double{values[static_cast<index_t>(j) * element]};
    if (given != nullptr)
      for (const Values& end : *given) sum -= double{end[static_cast<std::size_t>(place)]};
    for (std::size_t j = 0; j < weights_.size(); j++)
      values[static_cast<index_t>(j) * element] -= static_cast<Real>(sum / all);
  }
}

template <class Real>
void DifferenceLines<Real>::apply(const ModeLines<Real>& lines, Real* block) const {
  const LaneKernels<Real>& kernels = lane_kernels<Real>();
  alignas(64) std::array<Real, LineSet::most> shift{};
  alignas(64) std::array<Values, 2> given{};
  LaneDifferences<Real> systems{static_cast<index_t>(widths_.size()), couplings_.data(), widths_.data(), cyclic_,
                                is_compact() ? &compact_ : nullptr};
  for (std::size_t right = 0; right < 2 && this->has_ends(); right++) {
    this->load_ends(lines, static_cast<int>(right), given[right]);
    systems.given[right] = given[right].data();
  }
  const int used = lines.set.neighbours ? kernels.lanes : lines.set.used;
  std::array<int, LineSet::most> constant{};  // the lanes of lines in which a constant is free
  std::size_t constants = 0;
  for (int lane = 0; lane < kernels.lanes; lane++) {
    const double value = this->shift_of(lines, lane);
    shift[static_cast<std::size_t>(lane)] = static_cast<Real>(value);
    if (has_constant_ && value == 0 && lane < used) constant[constants++] = lane;
  }
  for (std::size_t i = 0; i < constants; i++) take_mean_out(lines, constant[i], &given, block);
  kernels.solve_differences(systems, shift.data(), lines.width, block, {lines.factors, lines.scratch});
  for (std::size_t i = 0; i < constants; i++) take_mean_out(lines, constant[i], nullptr, block);
}

template <class Real>
index_t DifferenceLines<Real>::bytes() const {
  std::size_t reals = 0;
  for (const auto* list : {&couplings_, &widths_, &weights_, &before_, &middle_, &after_}) reals += list->size();
  return LineSystems<Real>::bytes() + static_cast<index_t>(reals * sizeof(Real));
}

template <class Real>
std::string DifferenceLines<Real>::text() const {
  return std::string(cyclic_ ? "cyclic" : "tridiagonal") + " systems of " + std::to_string(widths_.size()) +
         " cells along axis " + std::to_string(this->axis()) + ", of order " + (is_compact() ? "4" : "2") +
         ", one for each mode, solved inside the last pass";
}

template class DifferenceLines<double>;
template class DifferenceLines<float>;

}  // namespace weft
