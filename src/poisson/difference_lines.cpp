// Couplings of cells, squares of wavenumbers, and the line in which a constant is free.
#include "poisson/difference_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/number.hpp"
#include "poisson/compact_rows.hpp"
#include "poisson/end_values.hpp"
#include "poisson/kernel_modes.hpp"
#include "poisson/lattice_symbol.hpp"
#include "poisson/mean.hpp"
#include "weft/error.hpp"

namespace weft {

int difference_axis(const std::vector<DomainAxis>& domain) {
  const auto found =
      std::find_if(domain.begin(), domain.end(), [](const DomainAxis& axis) { return axis.is_differenced(); });
  return found == domain.end() ? -1 : static_cast<int>(found - domain.begin());
}

namespace {

constexpr std::array<const char*, 4> exact_kernels{"chat2", "truncated", "igf", "hej0"};
constexpr std::array<const char*, 4> difference_kernels{"lgf2", "lgf4", "lgf6", "lgf8"};

bool is_one_of(const std::array<const char*, 4>& names, const Kernel& kernel) {
  return !kernel.is_users() && std::find(names.begin(), names.end(), kernel.name) != names.end();
}

}  // namespace

namespace {

void check_order(const std::vector<DomainAxis>& domain) {
  const int axis = difference_axis(domain);
  const DomainAxis& along = domain[static_cast<std::size_t>(axis)];
  require(along.order == 2 || along.order == 4,
          "order: " + std::to_string(along.order) + " given; differences are of order 2 or 4");
  if (along.order == 2) return;
  const std::vector<double> weights = cell_weights(along);
  const auto bad = std::find_if(weights.begin(), weights.end(), [](double weight) { return weight <= 0; });
  if (bad == weights.end()) return;
  throw Error(Fault::argument, "order: 4 given for widths of axis " + std::to_string(axis) +
                                   " that change too abruptly: cell " + std::to_string(bad - weights.begin()) +
                                   " would count " + number("%.3g", *bad) +
                                   " mean widths in integrals; let neighbours differ by less, or use order 2");
}

}  // namespace

void check_differences(const std::vector<DomainAxis>& domain, const PoissonProblem& problem) {
  const auto count =
      std::count_if(domain.begin(), domain.end(), [](const DomainAxis& axis) { return axis.is_differenced(); });
  if (count == 0) {
    require(problem.robin == std::array<double, 2>{},
            "robin: given without widths; it belongs to the ends of a finite-difference axis, give the widths of its "
            "cells, or leave it at 0");
    require(problem.order == 2,
            "order: " + std::to_string(problem.order) +
                " given without widths; it is that of a finite-difference axis, give the widths of its cells, or leave "
                "it at 2");
    return;
  }
  require(count == 1, "widths: given for " + std::to_string(count) +
                          " axes; one axis may have cells of its own widths, the others are transformed");
  for (std::size_t a = 0; a < domain.size(); a++)
    require(!is_convolved(domain[a].boundary),
            "boundary of axis " + std::to_string(a) + ": " + to_string(domain[a].boundary) +
                " given beside an axis with widths; the other axes have periodic, even or odd ends then");
  require(problem.power == 1, "power: " + number("%.6g", problem.power) +
                                  " given beside an axis with widths, along which systems of equations are solved; "
                                  "leave power = 1, or give the axis equal cells and no widths");
  check_kernel(problem.kernel);
  check_screening(problem.screening);
  require(is_one_of(exact_kernels, problem.kernel) || is_one_of(difference_kernels, problem.kernel),
          "kernel: " + problem.kernel.name +
              " given beside an axis with widths; use chat2, truncated, igf or hej0, which are exact along the other "
              "axes, or lgf2 to lgf8, which have differences there");
  check_order(domain);
}

namespace {

// Of cells in units of their mean width; 0 beyond even ends. Compact rows know the values at walls.
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

// Minus the second derivative along a transformed axis, of differences where the kernel has them, times unit^2.
std::vector<double> squares_of(const DomainAxis& axis, const AxisTransform& transform, const Range& modes,
                               const Kernel& kernel, double unit) {
  std::vector<double> squares;
  const double h = axis.spacing();
  for (index_t mode = modes.lo; mode < modes.hi; mode++) {
    const double k = wavenumber(axis, transform, mode);
    const double y = 4 * std::pow(std::sin(k * h / 2), 2);
    const double root =
        is_one_of(difference_kernels, kernel) ? std::sqrt(lattice_symbol(kernel.name).along_axis(y)) / h : k;
    squares.push_back(std::pow(root * unit, 2));
  }
  return squares;
}

template <class Real>
std::vector<Real> rounded(const std::vector<double>& values) {
  std::vector<Real> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(static_cast<Real>(value));
  return result;
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
    : axis_(difference_axis(input.domain)), has_constant_(has_constant_mode(input.domain) && input.screening == 0) {
  const DomainAxis& axis = input.domain[static_cast<std::size_t>(axis_)];
  const Box modes = input.schedule.spectral.box(rank);
  const double unit = axis.spacing();
  cyclic_ = axis.boundary.left == End::periodic;
  screening_ = std::pow(input.screening * unit, 2);
  couplings_ = rounded<Real>(couplings_of(axis));
  weights_ = widths_ = rounded<Real>(cell_weights(axis));
  if (axis.order == 4) take_compact(axis);
  scale_ = unit * unit;
  for (int a = 0; a < modes.dims(); a++) {
    const DomainAxis& along = input.domain[static_cast<std::size_t>(a)];
    scale_ *= norm_factor(along);
    squares_.push_back(
        a == axis_ ? std::vector<double>()
                   : squares_of(along, input.schedule.axes[static_cast<std::size_t>(a)], modes[a], input.kernel, unit));
  }
  for (const Side side : {Side::left, Side::right}) end_factors_[side == Side::left ? 0 : 1] = row_factor(axis, side);
  symbol_.operation = this;
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

// The squared wavenumber of the other axes, and the screening, of one of the lines.
template <class Real>
double DifferenceLines<Real>::shift_of(const ModeLines<Real>& lines, int lane) const {
  const LineSet& set = lines.set;
  const int batch_axes = set.index.front().dims() - static_cast<int>(squares_.size());
  const auto which = static_cast<std::size_t>(set.neighbours || lane >= set.used ? 0 : lane);
  double shift = screening_;
  for (int a = batch_axes; a < set.index[which].dims(); a++) {
    if (a - batch_axes == axis_) continue;
    const index_t moved = set.index[which][a] + (set.neighbours && a == lines.inner ? lane : 0);
    shift += squares_[static_cast<std::size_t>(a - batch_axes)][static_cast<std::size_t>(moved)];
  }
  return shift;
}

template <class Real>
void DifferenceLines<Real>::load_ends(const ModeLines<Real>& lines, int right, Values& values) const {
  const LineSet& set = lines.set;
  const index_t lanes = lane_kernels<Real>().lanes;
  const auto factor = static_cast<Real>(end_factors_[static_cast<std::size_t>(right)]);
  for (int lane = 0; lane < lanes; lane++) {
    Extents index = set.index[static_cast<std::size_t>(set.neighbours || lane >= set.used ? 0 : lane)];
    if (set.neighbours) index[lines.inner] += lane;
    const Real* mode = ends_->at(right, index);
    for (int part = 0; part < lines.width; part++)
      values[static_cast<std::size_t>(part * lanes + lane)] = factor * mode[part];
  }
}

// The mean of what has to have none: compact rows have what is given at the ends beside f.
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
  const int element = lines.width * kernels.lanes;
  for (int right = 0; right < 2 && ends_ != nullptr; right++) {
    Values& values = given[static_cast<std::size_t>(right)];
    load_ends(lines, right, values);
    systems.given[right] = values.data();
    Real* beside = block + (right == 0 ? 0 : systems.cells - 1) * element;
    for (int i = 0; i < element && !is_compact(); i++) beside[i] -= values[static_cast<std::size_t>(i)];
  }
  const int used = lines.set.neighbours ? kernels.lanes : lines.set.used;
  std::array<int, LineSet::most> constant{};  // the lanes of lines in which a constant is free
  std::size_t constants = 0;
  for (int lane = 0; lane < kernels.lanes; lane++) {
    const double value = shift_of(lines, lane);
    shift[static_cast<std::size_t>(lane)] = static_cast<Real>(value);
    if (has_constant_ && value == 0 && lane < used) constant[constants++] = lane;
  }
  for (std::size_t i = 0; i < constants; i++) take_mean_out(lines, constant[i], is_compact() ? &given : nullptr, block);
  kernels.solve_differences(systems, shift.data(), lines.width, block, {lines.factors, lines.scratch});
  for (std::size_t i = 0; i < constants; i++) take_mean_out(lines, constant[i], nullptr, block);
}

template <class Real>
index_t DifferenceLines<Real>::bytes() const {
  std::size_t reals = 0;
  for (const auto* list : {&couplings_, &widths_, &weights_, &before_, &middle_, &after_}) reals += list->size();
  std::size_t bytes = reals * sizeof(Real);
  for (const auto& axis : squares_) bytes += axis.size() * sizeof(double);
  return static_cast<index_t>(bytes);
}

template <class Real>
std::string DifferenceLines<Real>::text() const {
  return std::string(cyclic_ ? "cyclic" : "tridiagonal") + " systems of " + std::to_string(widths_.size()) +
         " cells along axis " + std::to_string(axis_) + ", of order " + (is_compact() ? "4" : "2") +
         ", one for each mode, solved inside the last pass";
}

template class DifferenceLines<double>;
template class DifferenceLines<float>;

}  // namespace weft
