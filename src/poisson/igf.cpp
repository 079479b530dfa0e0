// The kernel igf: integrated Green's function, the mean of the free-space kernel over the cell around each offset
// (Qiang, Lidia, Ryne and Limborg-Deprey 2006), for any spacings and any wavenumber.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "poisson/far_means.hpp"
#include "poisson/kernels.hpp"
#include "poisson/special.hpp"
#include "poisson/stretched_integral.hpp"

namespace weft {

namespace {

using std::numbers::pi;

/// Nodes of a rule for cells away from the origin; 10 at a distance of 3 widths.
constexpr int fewest_nodes = 2, most_nodes = 10;

/// A cell of the convolved axes, extended to three axes by widths of 0.
struct Cell {
  std::array<double, 3> centre{}, width{};
};

/// Mean over a cell of div(x phi(|x|)) by Gauss's theorem: products of distances from the origin to the faces with the
/// integrals of phi over them. Exact with a singularity inside, and loses |centre|/width in digits.
template <class Function>
double mean_by_flux(const Cell& cell, int dimension, const Function& phi) {
  double sum = 0, volume = 1;
  for (int a = 0; a < dimension; a++) {
    const auto normal = static_cast<std::size_t>(a), y = static_cast<std::size_t>((a + 1) % dimension),
               z = static_cast<std::size_t>((a + 2) % dimension);
    const auto low = [&](std::size_t axis) { return cell.centre[axis] - cell.width[axis] / 2; };
    const auto high = [&](std::size_t axis) { return cell.centre[axis] + cell.width[axis] / 2; };
    const auto flux = [&](double distance) {
      if (distance == 0) return 0.0;  // a face through the origin, where phi is singular
      return distance * stretched_integral(std::abs(distance), low(y), high(y), [&](double at_y) {
               const double r = std::hypot(distance, at_y);
               if (dimension == 2) return phi(r);
               return stretched_integral(r, low(z), high(z), [&](double at_z) { return phi(std::hypot(r, at_z)); });
             });
    };
    sum += flux(high(normal)) - flux(low(normal));
    volume *= cell.width[normal];
  }
  return sum / volume;
}

/// Mean over a cell of f(|x|) by a product of Gauss-Legendre rules.
template <class Function>
double mean_by_points(const Cell& cell, int dimension, const Quadrature& rule, const Function& f) {
  const std::size_t nodes = rule.nodes.size(), last = dimension == 3 ? nodes : 1;
  std::array<std::array<double, most_nodes>, 3> squares{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(dimension); a++)
    for (std::size_t i = 0; i < nodes; i++)
      squares[a][i] = std::pow(cell.centre[a] + cell.width[a] / 2 * rule.nodes[i], 2);
  double sum = 0;
  for (std::size_t i = 0; i < nodes; i++) {
    for (std::size_t j = 0; j < nodes; j++) {
      const double plane = squares[0][i] + squares[1][j];
      std::array<double, most_nodes> values;
      for (std::size_t l = 0; l < last; l++) values[l] = f(std::sqrt(plane + squares[2][l]));
      double line = dimension == 3 ? 0 : 2 * values[0];
      if (dimension == 3)
        for (std::size_t l = 0; l < last; l++) line += rule.weights[l] * values[l];
      sum += rule.weights[i] * rule.weights[j] * line;
    }
  }
  return sum / 8;
}

class Igf final : public GreenKernel {
 public:
  explicit Igf(const KernelInput& input)
      : axes_(input.axes), dimension_(input.dimension()), screening_(input.screening) {
    for (const GreenAxis& axis : axes_)
      if (axis.convolved) widest_ = std::max(widest_, axis.spacing);
    for (int nodes = fewest_nodes; nodes <= most_nodes; nodes++) rules_.push_back(gauss_legendre(nodes));
  }

  void sample(const GreenGrid& grid, double* values, int threads) const override {
    if (dimension_ == 3 && screening_ <= 0) return sample_in_space(grid, values, threads);
    const index_t count = grid.size();
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256) if (threads > 1 && count > 1024)
    for (index_t i = 0; i < count; i++) values[i] = mean_at(grid, i);
  }

 private:
  // Means far from the origin are computed for a line at a time, a hundred times as fast as point by point.
  void sample_in_space(const GreenGrid& grid, double* values, int threads) const {
    const FarMeans far({axes_[0].spacing, axes_[1].spacing, axes_[2].spacing});
    const std::vector<double>&x = grid.coordinates[0], &y = grid.coordinates[1], &z = grid.coordinates[2];
    const std::size_t lines = x.size() * y.size();
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16) if (threads > 1 && lines > 64)
    for (std::size_t line = 0; line < lines; line++) {
      const double at_x = x[line / y.size()], at_y = y[line % y.size()];
      double* means = values + line * z.size();
      far.line(at_x, at_y, z, means);
      for (std::size_t i = 0; i < z.size(); i++)
        means[i] = far.serves(at_x, at_y, z[i]) ? -means[i] / (4 * pi)
                                                : mean_at(grid, static_cast<index_t>(line * z.size() + i));
    }
  }

  double mean_at(const GreenGrid& grid, index_t i) const {
    Cell cell;
    double square = screening_ * screening_;
    std::size_t place = static_cast<std::size_t>(dimension_);
    for (std::size_t a = axes_.size(); a-- > 0;) {
      const auto size = static_cast<index_t>(grid.coordinates[a].size());
      const double x = grid.coordinates[a][static_cast<std::size_t>(i % size)];
      i /= size;
      if (axes_[a].convolved) {
        cell.centre[--place] = x;
        cell.width[place] = axes_[a].spacing;
      } else {
        square += x * x;
      }
    }
    return mean(cell, std::sqrt(square));
  }

  double mean(const Cell& cell, double k) const {
    switch (dimension_) {
      case 3:
        if (k <= 0)
          return mean_of(
              cell, [](double r) { return -1 / (8 * pi * r); }, [](double r) { return -1 / (4 * pi * r); });
        return mean_of(
            cell, [k](double r) { return -mean_exp(k * r) / (4 * pi * r); },
            [k](double r) { return -std::exp(-k * r) / (4 * pi * r); });
      case 2:
        if (k <= 0)
          return mean_of(
              cell, [](double r) { return (std::log(r) - 0.5) / (4 * pi); },
              [](double r) { return std::log(r) / (2 * pi); });
        return mean_of(
            cell, [k](double r) { return -mean_k0(k * r) / (2 * pi); },
            [k](double r) { return -bessel_k0(k * r) / (2 * pi); });
      case 1:
        return line(cell.centre[0], cell.width[0], k);
      default:
        return k > 0 ? -1 / (k * k) : 0;
    }
  }

  /// The mean of a kernel f; phi(r) = int_0^1 f(r t) t^(d-1) dt, whose product with the position has the divergence f.
  ///
  /// At R widths from the origin, the branch points of f along one axis are 4 R half widths away from the middle, less
  /// the extent of the cell along the others: a rule of n nodes has an error of about (4 (R - 1))^(-2 n), here 1e-17.
  template <class Phi, class Function>
  double mean_of(const Cell& cell, const Phi& phi, const Function& f) const {
    const double reach = std::hypot(cell.centre[0], cell.centre[1], cell.centre[2]) / widest_;
    if (reach < 3) return mean_by_flux(cell, dimension_, phi);
    const int nodes =
        std::clamp(static_cast<int>(std::ceil(39 / (2 * std::log(4 * (reach - 1))))), fewest_nodes, most_nodes);
    return mean_by_points(cell, dimension_, rules_[static_cast<std::size_t>(nodes - fewest_nodes)], f);
  }

  /// The mean of |x|/2 or -exp(-k |x|)/(2 k) around x >= 0, whether the origin is inside the cell or not.
  static double line(double x, double h, double k) {
    if (k <= 0) return x < h / 2 ? (x * x / h + h / 4) / 2 : x / 2;
    if (x < h / 2) return (std::expm1(-k * (h / 2 - x)) + std::expm1(-k * (h / 2 + x))) / (2 * k * k * h);
    return std::exp(-k * (x - h / 2)) * std::expm1(-k * h) / (2 * k * k * h);
  }

  std::vector<GreenAxis> axes_;
  int dimension_;
  double screening_;
  double widest_ = 0;
  std::vector<Quadrature> rules_;
};

}  // namespace

std::unique_ptr<GreenKernel> make_igf(const KernelInput& input) { return std::make_unique<Igf>(input); }

}  // namespace weft
