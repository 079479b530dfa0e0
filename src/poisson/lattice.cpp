// The lattice kernels: which Green's function is sampled for 0, 1, 2 and 3 convolved axes.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/number.hpp"
#include "poisson/kernels.hpp"
#include "poisson/lattice_line.hpp"
#include "poisson/lattice_near.hpp"
#include "poisson/lattice_plane.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// The strides of some axes in a block, their spacings, and the entries along each of them.
struct AxisSamples {
  std::vector<index_t> stride;
  std::vector<double> spacing;
  std::vector<std::vector<double>> coordinates;

  index_t count() const {
    index_t product = 1;
    for (const auto& axis : coordinates) product *= static_cast<index_t>(axis.size());
    return product;
  }
  /// Returns the position of a point of the product, in C order, and sets its coordinates.
  index_t find(index_t point, SymbolPoint& x) const {
    index_t offset = 0;
    for (std::size_t a = stride.size(); a-- > 0;) {
      const auto size = static_cast<index_t>(coordinates[a].size());
      x[a] = coordinates[a][static_cast<std::size_t>(point % size)];
      offset += point % size * stride[a];
      point /= size;
    }
    return offset;
  }
};

class Lattice final : public GreenKernel {
 public:
  explicit Lattice(const KernelInput& input)
      : axes_(input.axes), symbol_(lattice_symbol(input.kernel.name)), dimension_(input.dimension()) {
    spacing_ = any_spacings() ? own_spacing() : input.common_spacing();
    input.refuse_screening();
    for (std::size_t a = 0; a < axes_.size(); a++) {
      if (!axes_[a].convolved) continue;
      require_whole_cells(input.kernel.name, a);
      farthest_ = std::max(farthest_, axes_[a].farthest + std::lround(std::abs(axes_[a].shift) / spacing_));
    }
    if (dimension_ > 1) space_ = &lattice_space(symbol_, dimension_);
  }

  void sample(const GreenGrid& grid, double* values, int threads) const override {
    if (grid.size() == 0) return;
    AxisSamples convolved, spectral;
    find_samples(grid, convolved, spectral);
    const index_t modes = spectral.count();
    if (dimension_ == 3) {
      sample_space(convolved, values, threads);
      return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1 && modes > 1)
    for (index_t mode = 0; mode < modes; ++mode) {
      SymbolPoint y{};
      double* at = values + spectral.find(mode, y);
      for (std::size_t a = 0; a < spectral.spacing.size(); ++a)
        y[a] = 4 * std::pow(std::sin(y[a] * spectral.spacing[a] / 2), 2);
      const std::vector<double> part = any_spacings() ? sample_separable(convolved, spectral, y)  //
                                                      : sample_mode(convolved, y);
      SymbolPoint unused{};
      for (std::size_t i = 0; i < part.size(); ++i) at[convolved.find(static_cast<index_t>(i), unused)] = part[i];
    }
  }

 private:
  // Refuses shifts that are too far as well: lines of cells up to the farthest one are kept in memory.
  void require_whole_cells(const std::string& kernel, std::size_t a) const {
    constexpr double most = 1e6;
    const auto [cells, rest] = cell_shift(axes_[a]);
    const std::string given = "shift of axis " + std::to_string(a) + ": " + number("%.6g", axes_[a].shift) +
                              " given, " + number("%.6g", axes_[a].shift / spacing_) + " cells; kernel " + kernel;
    require(rest == 0, given + " is defined at lattice points only; give whole cells (" +
                           number("%.6g", cells * spacing_) +
                           " is nearest), or use truncated, chat2, igf, or hej0 to "
                           "hej10");
    require(std::abs(cells) <= most, given + " allows at most " + number("%.0e", most) +
                                         " cells; use truncated, chat2, igf, or hej0 to hej10 for points so far away");
  }

  void find_samples(const GreenGrid& grid, AxisSamples& convolved, AxisSamples& spectral) const {
    std::vector<index_t> stride(axes_.size(), 1);
    for (std::size_t a = axes_.size() - 1; a-- > 0;)
      stride[a] = stride[a + 1] * static_cast<index_t>(grid.coordinates[a + 1].size());
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      AxisSamples& samples = axes_[a].convolved ? convolved : spectral;
      samples.stride.push_back(stride[a]);
      samples.spacing.push_back(axes_[a].spacing);
      samples.coordinates.push_back(grid.coordinates[a]);
    }
  }

  /// Whether axes may differ in spacing: their differences add up, and at most one axis is in space, so there is no
  /// table.
  bool any_spacings() const { return symbol_.separable() && dimension_ < 2; }

  double own_spacing() const {
    const auto convolved =
        std::find_if(axes_.begin(), axes_.end(), [](const GreenAxis& axis) { return axis.convolved; });
    return convolved == axes_.end() ? axes_.front().spacing : convolved->spacing;
  }

  std::vector<index_t> indices(const std::vector<double>& offsets) const {
    std::vector<index_t> result;
    result.reserve(offsets.size());
    for (const double offset : offsets) result.push_back(std::llround(offset / spacing_));
    return result;
  }

  /// G where each axis has its own spacing, in units of spacing_.
  std::vector<double> sample_separable(const AxisSamples& convolved, const AxisSamples& spectral,
                                       const SymbolPoint& y) const {
    double sum = 0;
    for (std::size_t a = 0; a < spectral.spacing.size(); ++a)
      sum += std::pow(spacing_ / spectral.spacing[a], 2) * symbol_.along_axis(y[a]);
    if (dimension_ == 0) return {sum == 0 ? 0 : -spacing_ * spacing_ / sum};
    const auto solve = [&](std::span<double> line) { separable_line(symbol_, sum, line); };
    return sample_line(indices(convolved.coordinates[0]), solve);
  }

  /// G at the points of the convolved axes, in C order, for one point y of the others.
  std::vector<double> sample_mode(const AxisSamples& convolved, const SymbolPoint& y) const {
    const bool constant = y[0] == 0 && y[1] == 0 && y[2] == 0;
    if (dimension_ == 0) return {constant ? 0 : -spacing_ * spacing_ * symbol_.q(y) / symbol_.p(y)};
    const std::vector<index_t> rows = indices(convolved.coordinates[0]);
    if (dimension_ == 1)
      return sample_line(rows, [&](std::span<double> line) { lattice_line(symbol_, y[0], y[1], line); });
    const std::vector<index_t> columns = indices(convolved.coordinates[1]);
    if (constant) return sample_plane(rows, columns);
    std::vector<double> values(rows.size() * columns.size());
    lattice_plane(symbol_, y[0], rows, columns, farthest_, values.data());
    for (double& value : values) value = -value;
    return values;
  }

  template <class Solve>
  std::vector<double> sample_line(const std::vector<index_t>& n, const Solve& solve) const {
    std::vector<double> line(static_cast<std::size_t>(*std::max_element(n.begin(), n.end())) + 1), values;
    solve(std::span<double>(line));
    values.reserve(n.size());
    for (const index_t i : n) values.push_back(-spacing_ * line[static_cast<std::size_t>(i)]);
    return values;
  }

  /// G along two axes for wavenumber 0; the constant turns ln(r/h)/(2 pi) into ln(r)/(2 pi).
  std::vector<double> sample_plane(const std::vector<index_t>& rows, const std::vector<index_t>& columns) const {
    const double constant = std::log(spacing_) / (2 * std::numbers::pi);
    std::vector<double> values;
    values.reserve(rows.size() * columns.size());
    for (const index_t i : rows)
      for (const index_t j : columns) values.push_back(constant - (*space_)(i, j, 0));
    return values;
  }

  void sample_space(const AxisSamples& convolved, double* values, int threads) const {
    const std::vector<index_t> x = indices(convolved.coordinates[0]), y = indices(convolved.coordinates[1]);
    std::vector<double> z;
    for (const index_t k : indices(convolved.coordinates[2])) z.push_back(static_cast<double>(k));
    const std::size_t lines = x.size() * y.size();
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t line = 0; line < lines; ++line) {
      double* at = values + line * z.size();
      space_->line(x[line / y.size()], y[line % y.size()], z, at);
      for (std::size_t k = 0; k < z.size(); ++k) at[k] /= -spacing_;
    }
  }

  std::vector<GreenAxis> axes_;
  const LatticeSymbol& symbol_;
  int dimension_;
  double spacing_ = 1;  ///< of a convolved axis, if there is one
  index_t farthest_ = 0;
  const LatticeSpace* space_ = nullptr;
};

}  // namespace

std::unique_ptr<GreenKernel> make_lattice(const KernelInput& input) { return std::make_unique<Lattice>(input); }

}  // namespace weft
