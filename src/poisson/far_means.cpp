// Derivatives of 1/r, weighted by the moments of a cell.
#include "poisson/far_means.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

constexpr int most_degree = 2 * FarMeans::most_orders, size = most_degree + 1;

/// The relative error allowed.
constexpr double tolerance = 2e-17;

/// The least r for which a series of so many orders has an error of at most `tolerance`.
double least_distance(int orders) { return std::pow(tolerance, -1.0 / (2 * orders + 2)); }

/// A polynomial in x, y, z: the factor of each product of powers.
class Polynomial {
 public:
  double& operator()(int i, int j, int k) { return factors_[index(i, j, k)]; }
  double operator()(int i, int j, int k) const { return factors_[index(i, j, k)]; }

  /// For this polynomial p, the derivative of p / r^(2 degree + 1) along an axis, times r^(2 degree + 3).
  Polynomial derivative(std::size_t axis, int degree) const {
    Polynomial result;
    for (int i = 0; i <= degree; i++) {
      for (int j = 0; j <= degree - i; j++) {
        std::array<int, 3> powers{i, j, degree - i - j};
        const double factor = (*this)(i, j, degree - i - j);
        if (factor == 0) continue;
        const int own = powers[axis]--;
        for (std::size_t a = 0; own > 0 && a < 3; a++) {
          powers[a] += 2;
          result.at(powers) += own * factor;
          powers[a] -= 2;
        }
        powers[axis] = own + 1;
        result.at(powers) -= (2 * degree + 1) * factor;
      }
    }
    return result;
  }

 private:
  static std::size_t index(int i, int j, int k) {
    const int place = (i * size + j) * size + k;
    return static_cast<std::size_t>(place);
  }
  double& at(const std::array<int, 3>& powers) { return (*this)(powers[0], powers[1], powers[2]); }

  std::vector<double> factors_ = std::vector<double>(size * size * size, 0.0);
};

/// The mean of x^n / n! over a cell of this width, centred at 0.
double moment(double width, int n) { return std::pow(width / 2, n) / std::tgamma(n + 2); }

}  // namespace

FarMeans::FarMeans(const std::array<double, 3>& widths)
    : unit_(std::hypot(widths[0], widths[1], widths[2]) / 2), nearest_(unit_ * least_distance(most_orders)) {
  const auto weight = [&](std::size_t axis, int n) { return moment(widths[axis] / unit_, n); };
  Polynomial along_x;
  along_x(0, 0, 0) = 1;
  for (int a = 0; a <= most_degree; a += 2) {
    Polynomial along_y = along_x;
    for (int b = 0; a + b <= most_degree; b += 2) {
      Polynomial along_z = along_y;
      for (int c = 0; a + b + c <= most_degree; c += 2) {
        const int degree = a + b + c;
        Factors& sum = polynomials_[static_cast<std::size_t>(degree / 2)];
        const double product = weight(0, a) * weight(1, b) * weight(2, c);
        for (int i = 0; i <= degree; i += 2)
          for (int j = 0; i + j <= degree; j += 2)
            sum[static_cast<std::size_t>(i / 2)][static_cast<std::size_t>(j / 2)] +=
                product * along_z(i, j, degree - i - j);
        if (degree < most_degree) along_z = along_z.derivative(2, degree).derivative(2, degree + 1);
      }
      if (a + b < most_degree) along_y = along_y.derivative(1, a + b).derivative(1, a + b + 1);
    }
    if (a < most_degree) along_x = along_x.derivative(0, a).derivative(0, a + 1);
  }
}

template <int Orders>
void FarMeans::line_of(double x2, double y2, std::span<const double> z, double* means) const {
  double factors[Orders + 1][Orders + 1] = {};  // [order][power of z^2]
  for (int m = 1; m <= Orders; m++) {
    const Factors& own = polynomials_[static_cast<std::size_t>(m)];
    double x_power = 1;
    for (int i = 0; i <= m; i++, x_power *= x2) {
      double power = x_power;
      for (int j = 0; i + j <= m; j++, power *= y2)
        factors[m][m - i - j] += power * own[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  const double scale = 1 / unit_;
  const std::size_t count = z.size();
#pragma omp simd
  for (std::size_t i = 0; i < count; i++) {
    const double z2 = (z[i] * scale) * (z[i] * scale), inverse = 1 / (x2 + y2 + z2), square = inverse * inverse;
    double sum = 0;
#pragma GCC unroll 8
    for (int m = Orders; m > 0; m--) {
      double order = factors[m][m];
#pragma GCC unroll 8
      for (int k = m - 1; k >= 0; k--) order = order * z2 + factors[m][k];
      sum = (sum + order) * square;
    }
    means[i] = scale * std::sqrt(inverse) * (1 + sum);
  }
}

void FarMeans::line(double x, double y, std::span<const double> z, double* means) const {
  const double x2 = x * x / (unit_ * unit_), y2 = y * y / (unit_ * unit_), nearest = std::sqrt(x2 + y2);
  if (nearest >= least_distance(3)) return line_of<3>(x2, y2, z, means);
  if (nearest >= least_distance(4)) return line_of<4>(x2, y2, z, means);
  if (nearest >= least_distance(5)) return line_of<5>(x2, y2, z, means);
  line_of<most_orders>(x2, y2, z, means);
}

}  // namespace weft
