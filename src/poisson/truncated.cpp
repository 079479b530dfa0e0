// The kernel `truncated`: the free-space kernel up to the largest distance in the problem and 0 beyond, by its
// transform (Vico, Greengard and Ferrando, J. Comput. Phys. 323, 2016). In long boxes it is cut at the faces instead.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "poisson/kernels.hpp"
#include "poisson/radial_grid.hpp"
#include "poisson/special.hpp"
#include "poisson/truncated_box.hpp"
#include "transform/fast_length.hpp"

namespace weft {

namespace {

using std::numbers::pi;

/// The largest number of modes that the kernel is sampled at, over the solver's: it is 2.6 for cubes, 7 for a box four
/// times as long as thick. Beyond this ratio a cut at the faces takes less time and memory than one at a radius.
constexpr double most_modes = 8;

/// The terms of the transform that depend on the wavenumber s along the convolved axes.
struct Radial {
  double s2, unscreened;  // s^2; the transform for k = 0
  double even, odd;       // cos(sR), sin(sR)/s; J0(sR), s J1(sR); cos(sR), 0 for d = 3, 2, 1
};

/// The terms of the transform that depend on the wavenumber k > 0 along the other axes.
struct Screen {
  double k2, centre;  // k^2; the transform for s = 0
  double even, odd;   // e^-kR, k e^-kR; kR K1(kR), -R K0(kR); e^-kR, 0 for d = 3, 2, 1
};

/// With R the largest distance between a point and a source or its image, and d convolved axes, the transform is
///   -(1 - even(k) even(s) - odd(k) odd(s)) / (s^2 + k^2)
/// for s > 0 and k > 0. Along a single axis s is a multiple of pi/R, so that the sine vanishes.
class Truncated final : public GreenKernel {
 public:
  explicit Truncated(const KernelInput& input)
      : axes_(input.axes), screening_(input.screening), dimension_(input.dimension()) {
    double square = 0;
    for (const GreenAxis& axis : axes_) square += axis.convolved ? reach(axis) * reach(axis) : 0;
    radius_ = std::sqrt(square);
    double modes = 1;
    for (const GreenAxis& axis : axes_)
      if (axis.convolved) modes *= half_period(axis) / static_cast<double>(axis.farthest);
    if (dimension_ > 1 && modes > most_modes) box_.emplace(axes_, screening_);
  }

  // Along a single axis R = D, so a half period of D is enough.
  std::vector<index_t> half_periods() const override {
    std::vector<index_t> result;
    for (const GreenAxis& axis : axes_) {
      if (!axis.convolved)
        result.push_back(0);
      else if (dimension_ == 1 || box_)
        result.push_back(axis.farthest);
      else
        result.push_back(fast_length(std::max(axis.farthest, static_cast<index_t>(std::ceil(half_period(axis))))));
    }
    return result;
  }

  // The costly functions depend on s or on k alone, and are evaluated once for each.
  void sample(const GreenGrid& grid, double* values, int threads) const override {
    if (grid.size() == 0) return;
    if (box_) return box_->sample(grid, values, threads);
    const std::vector<GreenAxis> modes = axes_of_modes();
    if (dimension_ > 0 && RadialGrid::is_lattice(grid, modes)) return sample_lattice(grid, modes, values, threads);
    const std::vector<double> k2 = squares_of(grid, axes_, false, screening_ * screening_);
    std::vector<Screen> screens(k2.size());
    std::transform(k2.begin(), k2.end(), screens.begin(), [this](double square) { return screen(square); });
    if (dimension_ == 3) return sample_in_space(grid, screens.front(), values, threads);
    const std::vector<double> s2 = squares_of(grid, axes_, true, 0);
    std::vector<Radial> radial(s2.size());
    std::transform(s2.begin(), s2.end(), radial.begin(), [this](double square) { return radial_part(square); });
    for_each_place(grid, axes_, [&](std::size_t i, std::size_t place, std::size_t mode) {
      values[i] = value_at(radial[place], screens[mode]);
    });
  }

 private:
  // The axes with the spacing of modes in place of the spacing of points.
  std::vector<GreenAxis> axes_of_modes() const {
    const std::vector<index_t> half = half_periods();
    std::vector<GreenAxis> result = axes_;
    for (std::size_t a = 0; a < result.size(); a++)
      if (result[a].convolved) result[a].spacing = pi / (static_cast<double>(half[a]) * axes_[a].spacing);
    return result;
  }

  void sample_lattice(const GreenGrid& grid, const std::vector<GreenAxis>& modes, double* values, int threads) const {
    const RadialGrid pairs(grid, modes, screening_);
    const std::vector<double>&s = pairs.distances(), &k = pairs.wavenumbers();
    std::vector<Radial> radial(s.size());
    std::transform(s.begin(), s.end(), radial.begin(), [this](double length) { return radial_part(length * length); });
    std::vector<double> table;
    table.reserve(s.size() * k.size());
    for (const double wavenumber : k) {
      const Screen mode = screen(wavenumber * wavenumber);
      for (const Radial& at : radial) table.push_back(value_at(at, mode));
    }
    pairs.spread(table, values, threads);
  }

  void sample_in_space(const GreenGrid& grid, const Screen& mode, double* values, int threads) const {
    const std::vector<double>&x = grid.coordinates[0], &y = grid.coordinates[1], &z = grid.coordinates[2];
    const std::size_t lines = x.size() * y.size();
#pragma omp parallel for num_threads(threads) if (threads > 1 && lines > 64)
    for (std::size_t line = 0; line < lines; line++) {
      const double at_x = x[line / y.size()], at_y = y[line % y.size()], square = at_x * at_x + at_y * at_y;
      for (std::size_t i = 0; i < z.size(); i++)
        values[line * z.size() + i] = value_at(radial_part(square + z[i] * z[i]), mode);
    }
  }

  static double reach(const GreenAxis& axis) { return static_cast<double>(axis.farthest) * axis.spacing; }

  // The half period (R + D) / 2, in spacings, keeps the images of the truncated kernel away from offsets up to D. A
  // little less, so that a whole number with a rounding error is not rounded up.
  double half_period(const GreenAxis& axis) const { return (radius_ + reach(axis)) / (2 * axis.spacing) * (1 - 1e-12); }

  static double value_at(const Radial& at, const Screen& mode) {
    if (mode.k2 <= 0) return at.unscreened;
    if (at.s2 <= 0) return mode.centre;
    return -(1 - mode.even * at.even - mode.odd * at.odd) / (at.s2 + mode.k2);
  }

  Radial radial_part(double s2) const {
    const double s = std::sqrt(s2), t = s * radius_;
    if (s2 <= 0) return {0, centre(), 0, 0};
    if (dimension_ == 3) {
      const double sine = std::sin(t / 2), twice = 2 * sine * sine;
      return {s2, -twice / s2, 1 - twice, 2 * sine * std::cos(t / 2) / s};
    }
    if (dimension_ == 2) {
      const double even = j0(t), odd = s * j1(t);
      return {s2, (radius_ * std::log(radius_) * odd - (1 - even)) / s2, even, odd};
    }
    const double even = std::lround(t / pi) % 2 == 0 ? 1 : -1;
    return {s2, -(1 - even) / s2, even, 0};
  }

  /// The transform for s = 0 and k = 0.
  double centre() const {
    const double square = radius_ * radius_;
    if (dimension_ == 2) return square * (std::log(radius_) / 2 - 0.25);
    return dimension_ == 3 ? -square / 2 : square / 2;
  }

  // Exponentials and Bessel functions underflow to 0 for large kR. For s = 0 and small kR the general formula would
  // lose digits.
  Screen screen(double k2) const {
    if (k2 <= 0) return {0, 0, 0, 0};
    const double k = std::sqrt(k2), t = k * radius_, decay = std::exp(-t);
    switch (dimension_) {
      case 3:
        return {k2, -radius_ * radius_ * mean_exp(t), decay, k * decay};
      case 2:
        return {k2, -radius_ * radius_ * mean_k0(t), t * bessel_k1(t), -radius_ * bessel_k0(t)};
      case 1:
        return {k2, std::expm1(-t) / k2, decay, 0};
      default:
        return {k2, -1 / k2, 0, 0};
    }
  }

  std::vector<GreenAxis> axes_;
  double screening_;
  int dimension_;
  double radius_;  ///< R; 0 for d = 0

  std::optional<TruncatedBox> box_;  ///< used if a cut at R would cost too much
};

}  // namespace

std::unique_ptr<GreenKernel> make_truncated(const KernelInput& input) {
  if (is_shifted(input.axes) && input.dimension() > 0) return make_truncated_space(input);
  return std::make_unique<Truncated>(input);
}

}  // namespace weft
