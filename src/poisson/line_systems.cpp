// Squares of the wavenumbers of other axes, end values, and checks of problems with such an axis.
#include "poisson/line_systems.hpp"

#include <algorithm>
#include <cmath>

#include "base/number.hpp"
#include "poisson/chebyshev_lines.hpp"
#include "poisson/compact_rows.hpp"
#include "poisson/difference_lines.hpp"
#include "poisson/kernel_modes.hpp"
#include "poisson/lattice_symbol.hpp"
#include "weft/chebyshev.hpp"
#include "weft/error.hpp"

namespace weft {

int solved_axis(const std::vector<DomainAxis>& domain) {
  const auto found =
      std::find_if(domain.begin(), domain.end(), [](const DomainAxis& axis) { return axis.is_solved_along(); });
  return found == domain.end() ? -1 : static_cast<int>(found - domain.begin());
}

const DomainAxis& solved_axis_of(const SymbolInput& input) {
  return input.domain[static_cast<std::size_t>(solved_axis(input.domain))];
}

namespace {

constexpr std::array<const char*, 4> exact_kernels{"chat2", "truncated", "igf", "hej0"};
constexpr std::array<const char*, 4> difference_kernels{"lgf2", "lgf4", "lgf6", "lgf8"};

bool is_one_of(const std::array<const char*, 4>& names, const Kernel& kernel) {
  return !kernel.is_users() && std::find(names.begin(), names.end(), kernel.name) != names.end();
}

// Throws Error if a problem without an axis that is solved along has options of such an axis.
void check_without(const PoissonProblem& problem) {
  require(problem.robin == std::array<double, 2>{},
          "robin: given without widths; it belongs to the ends of a finite-difference axis or of one with Chebyshev "
          "points: give the widths of its cells, or the centring chebyshev, or omit it");
  require(
      problem.order == 2,
      "order: " + std::to_string(problem.order) +
          " given without widths; it belongs to a finite-difference axis: give the widths of its cells, or omit it");
}

void check_count(const std::vector<DomainAxis>& domain) {
  const auto differenced =
      std::count_if(domain.begin(), domain.end(), [](const DomainAxis& axis) { return axis.is_differenced(); });
  const auto all =
      std::count_if(domain.begin(), domain.end(), [](const DomainAxis& axis) { return axis.is_solved_along(); });
  if (all == 1) return;
  if (differenced == all)
    throw Error(Fault::argument, "widths: given for " + std::to_string(all) +
                                     " axes; one axis may have cells of its own widths, the others are transformed");
  throw Error(Fault::argument, "centring: " + std::to_string(all) +
                                   " axes have Chebyshev points or widths; one axis may, the others are transformed");
}

}  // namespace

void check_solved_axis(const std::vector<DomainAxis>& domain, const PoissonProblem& problem) {
  const int axis = solved_axis(domain);
  if (axis < 0) return check_without(problem);
  check_count(domain);
  const DomainAxis& along = domain[static_cast<std::size_t>(axis)];
  const std::string beside =
      along.is_differenced() ? " given with an axis with widths" : " given with an axis with Chebyshev points";
  for (std::size_t a = 0; a < domain.size(); a++)
    require(!is_convolved(domain[a].boundary), "boundary of axis " + std::to_string(a) + ": " +
                                                   to_string(domain[a].boundary) + beside +
                                                   "; the other axes then need periodic, even or odd ends");
  require(problem.power == 1, "power: " + number("%.6g", problem.power) + beside +
                                  ", along which systems of equations are solved; leave power = 1, or transform all "
                                  "axes: no widths, and the centring cell or node");
  check_kernel(problem.kernel);
  check_screening(problem.screening);
  require(is_one_of(exact_kernels, problem.kernel) || is_one_of(difference_kernels, problem.kernel),
          "kernel: " + problem.kernel.name + beside +
              "; use chat2, truncated, igf or hej0, which are exact along the other axes, or lgf2 to lgf8, which have "
              "differences there");
  if (along.is_differenced()) return check_order(along, axis);
  require(problem.order == 2, "order: " + std::to_string(problem.order) + beside +
                                  "; Chebyshev polynomials have no order of differences: omit it");
}

std::vector<double> solved_weights(const DomainAxis& axis) {
  if (axis.is_differenced()) return cell_weights(axis);
  return chebyshev_weights(axis.points(), 0, static_cast<double>(axis.cells));
}

namespace {

// The symbol of minus the second derivative along a transformed axis (the second difference for lattice kernels), times
// unit^2.
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

}  // namespace

template <class Real>
LineSystems<Real>::LineSystems(const SymbolInput& input, int rank, double unit,
                               const std::array<double, 2>& end_factors)
    : axis_(solved_axis(input.domain)),
      scale_(unit * unit),
      screening_(std::pow(input.screening * unit, 2)),
      end_factors_(end_factors) {
  const Box modes = input.schedule.spectral.box(rank);
  for (int a = 0; a < modes.dims(); a++) {
    const DomainAxis& along = input.domain[static_cast<std::size_t>(a)];
    scale_ *= norm_factor(along);
    squares_.push_back(
        a == axis_ ? std::vector<double>()
                   : squares_of(along, input.schedule.axes[static_cast<std::size_t>(a)], modes[a], input.kernel, unit));
  }
  symbol_.operation = this;
}

template <class Real>
index_t LineSystems<Real>::bytes() const {
  std::size_t numbers = 0;
  for (const auto& axis : squares_) numbers += axis.size();
  return static_cast<index_t>(numbers * sizeof(double));
}

template <class Real>
double LineSystems<Real>::shift_of(const ModeLines<Real>& lines, int lane) const {
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
void LineSystems<Real>::load_ends(const ModeLines<Real>& lines, int right, Values& values) const {
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

template <class Real>
std::unique_ptr<LineSystems<Real>> make_line_systems(const SymbolInput& input, int rank) {
  if (solved_axis_of(input).is_chebyshev()) return std::make_unique<ChebyshevLines<Real>>(input, rank);
  return std::make_unique<DifferenceLines<Real>>(input, rank);
}

template class LineSystems<double>;
template class LineSystems<float>;
template std::unique_ptr<LineSystems<double>> make_line_systems(const SymbolInput&, int);
template std::unique_ptr<LineSystems<float>> make_line_systems(const SymbolInput&, int);

}  // namespace weft
