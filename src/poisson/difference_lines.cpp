// Couplings of cells, squares of wavenumbers, and the line in which a constant is free.
#include "poisson/difference_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/number.hpp"
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

void check_differences(const std::vector<DomainAxis>& domain, const PoissonProblem& problem) {
  const auto count =
      std::count_if(domain.begin(), domain.end(), [](const DomainAxis& axis) { return axis.is_differenced(); });
  if (count == 0) {
    require(problem.robin == std::array<double, 2>{},
            "robin: given without widths; it belongs to the ends of a finite-difference axis, give the widths of its "
            "cells, or leave it at 0");
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
}

namespace {

// Of cells in units of their mean width; 0 beyond even ends.
std::vector<double> couplings_of(const DomainAxis& axis) {
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
std::vector<Real> rounded(const std::vector<double>& values, double factor) {
  std::vector<Real> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(static_cast<Real>(value * factor));
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
  couplings_ = rounded<Real>(couplings_of(axis), 1);
  widths_ = rounded<Real>(axis.widths, 1 / unit);
  scale_ = unit * unit;
  for (int a = 0; a < modes.dims(); a++) {
    const DomainAxis& along = input.domain[static_cast<std::size_t>(a)];
    scale_ *= norm_factor(along);
    squares_.push_back(
        a == axis_ ? std::vector<double>()
                   : squares_of(along, input.schedule.axes[static_cast<std::size_t>(a)], modes[a], input.kernel, unit));
  }
  symbol_.operation = this;
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
void DifferenceLines<Real>::take_mean_out(const ModeLines<Real>& lines, int lane, Real* block) const {
  const index_t lanes = lane_kernels<Real>().lanes, element = lines.width * lanes;
  const double all = std::accumulate(widths_.begin(), widths_.end(), 0.0);
  for (int part = 0; part < lines.width; part++) {
    Real* values = block + part * lanes + lane;
    double sum = 0;
    for (std::size_t j = 0; j < widths_.size(); j++)
      sum += double{widths_[j]} * double{values[static_cast<index_t>(j) * element]};
    for (std::size_t j = 0; j < widths_.size(); j++)
      values[static_cast<index_t>(j) * element] -= static_cast<Real>(sum / all);
  }
}

template <class Real>
void DifferenceLines<Real>::apply(const ModeLines<Real>& lines, Real* block) const {
  const LaneKernels<Real>& kernels = lane_kernels<Real>();
  alignas(64) std::array<Real, LineSet::most> shift{};
  const int used = lines.set.neighbours ? kernels.lanes : lines.set.used;
  std::array<int, LineSet::most> constant{};  // the lanes of lines in which a constant is free
  std::size_t constants = 0;
  for (int lane = 0; lane < kernels.lanes; lane++) {
    const double value = shift_of(lines, lane);
    shift[static_cast<std::size_t>(lane)] = static_cast<Real>(value);
    if (has_constant_ && value == 0 && lane < used) constant[constants++] = lane;
  }
  for (std::size_t i = 0; i < constants; i++) take_mean_out(lines, constant[i], block);
  kernels.solve_differences({static_cast<index_t>(widths_.size()), couplings_.data(), widths_.data(), cyclic_},
                            shift.data(), lines.width, block, {lines.factors, lines.scratch});
  for (std::size_t i = 0; i < constants; i++) take_mean_out(lines, constant[i], block);
}

template <class Real>
index_t DifferenceLines<Real>::bytes() const {
  std::size_t bytes = (couplings_.size() + widths_.size()) * sizeof(Real);
  for (const auto& axis : squares_) bytes += axis.size() * sizeof(double);
  return static_cast<index_t>(bytes);
}

template <class Real>
std::string DifferenceLines<Real>::text() const {
  return std::string(cyclic_ ? "cyclic" : "tridiagonal") + " systems of " + std::to_string(widths_.size()) +
         " cells along axis " + std::to_string(axis_) + ", one for each mode, solved inside the last pass";
}

template class DifferenceLines<double>;
template class DifferenceLines<float>;

}  // namespace weft
