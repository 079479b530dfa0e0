// What a padded solve needs besides FFTW: the axes with their images, and the kernel chat2 (include/weft/green.hpp) for
// every mode of the padded array. Written without Weft, so that it also is a check on it.
#pragma once

#include <fftw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace padded {

constexpr double pi = 3.14159265358979323846;

/// Which point of the data an entry of the padded array repeats; sign 0: none, it is zero.
struct Image {
  std::ptrdiff_t point = 0;
  int sign = 0;
};

/// An axis of N cells, with what the padded array holds along it.
struct Axis {
  Axis() = default;
  Axis(std::ptrdiff_t cells, double length, const std::string& left, const std::string& right, bool nodes)
      : convolved(left == "unbounded" || right == "unbounded"), spacing(length / static_cast<double>(cells)) {
    const int lower = mirror(left), upper = mirror(right);
    const bool periodic = left == "periodic";
    points = nodes ? cells + 1 : cells;
    mirrored = lower != 0 || upper != 0;
    period = periodic ? cells : lower == upper ? 2 * cells : 4 * cells;
    plain = std::min(points, period);
    images.resize(static_cast<std::size_t>(period));
    // A node on an odd plane counts as zero.
    const std::ptrdiff_t first = nodes && lower < 0 ? 1 : 0, last = nodes && upper < 0 ? cells - 1 : plain - 1;
    struct Entry {
      std::ptrdiff_t place;
      Image image;
    };
    std::vector<Entry> entries;
    for (std::ptrdiff_t j = first; j <= last; ++j) entries.push_back({j, {j, 1}});
    const auto reflect = [&](int sign, std::ptrdiff_t sum) {
      if (sign == 0) return;
      for (std::size_t i = 0, count = entries.size(); i < count; ++i)
        entries.push_back({sum - entries[i].place, {entries[i].image.point, sign * entries[i].image.sign}});
    };
    const std::ptrdiff_t shift = nodes ? 0 : 1;
    reflect(upper, 2 * cells - shift);
    reflect(lower, -shift);
    for (const Entry& entry : entries)
      images[static_cast<std::size_t>((entry.place % period + period) % period)] = entry.image;
  }

  /// Entries of a kernel, which is even.
  std::ptrdiff_t half() const { return period / 2 + 1; }
  /// An offset along a convolved axis, else a wavenumber.
  double coordinate(std::ptrdiff_t entry) const {
    const double steps = static_cast<double>(entry);
    return convolved ? steps * spacing : 2 * pi * steps / (static_cast<double>(period) * spacing);
  }

  bool convolved = false;
  bool mirrored = false;
  double spacing = 1;
  std::ptrdiff_t points = 1;
  std::ptrdiff_t period = 1;  ///< entries of the padded array
  std::ptrdiff_t plain = 1;   ///< points that the padded array holds as they are, from its first entry
  std::vector<Image> images;

 private:
  static int mirror(const std::string& end) { return end == "even" ? 1 : end == "odd" ? -1 : 0; }
};

using Axes = std::array<Axis, 3>;

/// The kernel at a distance over the convolved axes and a wavenumber over the others.
class Chat2 {
 public:
  explicit Chat2(const Axes& axes) {
    std::vector<double> spacing;
    for (const Axis& axis : axes) {
      if (axis.convolved) spacing.push_back(axis.spacing);
    }
    for (const double h : spacing) volume_ *= h;
    dims_ = static_cast<int>(spacing.size());
    if (dims_ == 3) origin_ = -0.5 * std::pow(3 * volume_ / (4 * pi), 2.0 / 3.0) / volume_;
    if (dims_ == 2) origin_ = log_mean(spacing[0], spacing[1]);
  }

  double volume() const { return volume_; }

  double at(double r, double k) const {
    if (dims_ == 3) return r > 0 ? -1 / (4 * pi * r) : origin_;
    if (dims_ == 2) return k > 0 ? screened_plane(r, k) : r > 0 ? std::log(r) / (2 * pi) : origin_;
    if (dims_ == 1) return k > 0 ? -std::exp(-k * r) / (2 * k) : r / 2;
    return k > 0 ? -1 / (k * k) : 0;
  }

 private:
  /// Mean of ln(r)/(2 pi) over a rectangle.
  static double log_mean(double a, double b) {
    const double corner = std::log(std::sqrt(a * a + b * b) / 2);
    return (corner - 1.5 + a / (2 * b) * std::atan2(b, a) + b / (2 * a) * std::atan2(a, b)) / (2 * pi);
  }

  /// -K0(k r)/(2 pi), and its mean over the disc of a cell's area at the origin, -(1 - z K1(z))/(pi z^2).
  double screened_plane(double r, double k) const {
    if (r > 0) return k * r < 700 ? -std::cyl_bessel_k(0, k * r) / (2 * pi) : 0;
    const double z = k * std::sqrt(volume_ / pi);
    return -(z > 1 ? (1 - z * std::cyl_bessel_k(1, z)) / (z * z) : small_mean(z)) / pi;
  }

  /// (1 - z K1(z))/z^2 without the difference of equal numbers, by the series of K1 (DLMF 10.31.1).
  static double small_mean(double z) {
    constexpr double euler = 0.57721566490153286;
    double sum = 0, factor = 0.5, harmonic = 0;
    for (int k = 0; k < 16; ++k) {
      const double next = harmonic + 1.0 / (k + 1);
      sum += factor * ((harmonic + next) / 2 - euler - std::log(z / 2));
      factor *= z * z / (4.0 * (k + 1) * (k + 2));
      harmonic = next;
    }
    return sum;
  }

  int dims_ = 0;
  double volume_ = 1, origin_ = 0;
};

/// Along the convolved axes: the sum over one period, by a DCT-I of the even half.
inline void transform_offsets(const Axes& axes, std::vector<double>& values) {
  std::vector<fftw_iodim64> along, across;
  std::ptrdiff_t stride = 1;
  for (std::size_t i = 3; i-- > 0; stride *= axes[i].half())
    (axes[i].convolved ? along : across).push_back({axes[i].half(), stride, stride});
  if (along.empty()) return;
  const std::vector<fftw_r2r_kind> kinds(along.size(), FFTW_REDFT00);
  const fftw_plan plan =
      fftw_plan_guru64_r2r(static_cast<int>(along.size()), along.data(), static_cast<int>(across.size()), across.data(),
                           values.data(), values.data(), kinds.data(), FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

/// By what a mode is multiplied between unscaled transforms, in the layout of FFTW's half spectrum: [PX][PY][PZ/2 + 1].
template <class Real>
std::vector<Real> transformed_kernel(const Axes& axes, int threads) {
  const Chat2 kernel(axes);
  const auto& [ax, ay, az] = axes;
  std::vector<double> octant(static_cast<std::size_t>(ax.half() * ay.half() * az.half()));
  const double scale = kernel.volume() / (static_cast<double>(ax.period) * static_cast<double>(ay.period) *
                                          static_cast<double>(az.period));
#pragma omp parallel for collapse(2) num_threads(threads)
  for (std::ptrdiff_t x = 0; x < ax.half(); ++x) {
    for (std::ptrdiff_t y = 0; y < ay.half(); ++y) {
      for (std::ptrdiff_t z = 0; z < az.half(); ++z) {
        const std::array<std::ptrdiff_t, 3> entry{x, y, z};
        double r2 = 0, k2 = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          const double place = axes[i].coordinate(entry[i]);
          (axes[i].convolved ? r2 : k2) += place * place;
        }
        octant[static_cast<std::size_t>((x * ay.half() + y) * az.half() + z)] =
            scale * kernel.at(std::sqrt(r2), std::sqrt(k2));
      }
    }
  }
  transform_offsets(axes, octant);
  std::vector<Real> modes(static_cast<std::size_t>(ax.period * ay.period * az.half()));
#pragma omp parallel for collapse(2) num_threads(threads)
  for (std::ptrdiff_t x = 0; x < ax.period; ++x) {
    for (std::ptrdiff_t y = 0; y < ay.period; ++y) {
      const std::ptrdiff_t row = std::min(x, ax.period - x) * ay.half() + std::min(y, ay.period - y);
      std::copy_n(octant.begin() + row * az.half(), az.half(), modes.begin() + (x * ay.period + y) * az.half());
    }
  }
  return modes;
}

}  // namespace padded
