// Finds the distinct distances and wavenumbers of a block and spreads the values over it.
#include "poisson/radial_kernel.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

RadialKernel::RadialKernel(const KernelInput& input) : axes_(input.axes), screening_(input.screening) {}

void RadialKernel::tabulate_all(std::span<const double> r, std::span<const double> k, double* values,
                                std::size_t stride) const {
  for (std::size_t i = 0; i < k.size(); i++) tabulate(r, k[i], values + i * stride);
}

namespace {

/// Lengths of vectors, one for every point of the product of some axes, and the distinct ones among them.
struct Lengths {
  std::vector<double> distinct;    // ascending
  std::vector<std::size_t> which;  // of each point of the product, in C order
};

/// Squares that differ by rounding stay apart: which of them are in a block depends on the number of ranks, the values
/// must not.
Lengths lengths_of(const std::vector<std::span<const double>>& axes, double first) {
  std::vector<double> squares{first * first};
  for (const auto& axis : axes) {
    std::vector<double> longer;
    longer.reserve(squares.size() * axis.size());
    for (const double square : squares)
      for (const double x : axis) longer.push_back(square + x * x);
    squares = std::move(longer);
  }
  Lengths result;
  std::vector<double>& distinct = result.distinct;
  distinct = squares;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  result.which.reserve(squares.size());
  for (const double square : squares)
    result.which.push_back(
        static_cast<std::size_t>(std::upper_bound(distinct.begin(), distinct.end(), square) - distinct.begin() - 1));
  for (double& value : distinct) value = std::sqrt(value);
  return result;
}

/// For each point of the block, in C order, the place in the product of the convolved axes and in that of the others.
template <class Body>
void for_each_place(const GreenGrid& grid, const std::vector<GreenAxis>& axes, const Body& body) {
  const std::size_t dims = axes.size();
  std::vector<std::size_t> index(dims, 0);
  const index_t count = grid.size();
  for (index_t i = 0; i < count; i++) {
    std::size_t convolved = 0, spectral = 0;
    for (std::size_t a = 0; a < dims; a++) {
      std::size_t& place = axes[a].convolved ? convolved : spectral;
      place = place * grid.coordinates[a].size() + index[a];
    }
    body(static_cast<std::size_t>(i), convolved, spectral);
    for (std::size_t a = dims; a-- > 0;) {
      if (++index[a] < grid.coordinates[a].size()) break;
      index[a] = 0;
    }
  }
}

}  // namespace

void RadialKernel::sample(const GreenGrid& grid, double* values, int threads) const {
  if (grid.size() == 0) return;
  std::vector<std::span<const double>> convolved, spectral;
  for (std::size_t a = 0; a < axes_.size(); a++)
    (axes_[a].convolved ? convolved : spectral).emplace_back(grid.coordinates[a]);
  const Lengths r = lengths_of(convolved, 0), k = lengths_of(spectral, screening_);
  const std::size_t row = r.distinct.size();
  std::vector<double> table(row * k.distinct.size());
  // Pieces of the table, so that threads share the work of a single wavenumber too.
  constexpr std::size_t distances = 256, wavenumbers = 64;
  const std::size_t pieces = (row + distances - 1) / distances, modes = k.distinct.size();
  const std::size_t tasks = pieces * ((modes + wavenumbers - 1) / wavenumbers);
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1 && table.size() > 4 * distances)
  for (std::size_t task = 0; task < tasks; task++) {
    const std::size_t mode = task / pieces * wavenumbers, first = task % pieces * distances;
    tabulate_all(std::span(r.distinct).subspan(first, std::min(distances, row - first)),
                 std::span(k.distinct).subspan(mode, std::min(wavenumbers, modes - mode)),
                 table.data() + mode * row + first, row);
  }
  for_each_place(grid, axes_, [&](std::size_t i, std::size_t at, std::size_t mode) {
    values[i] = table[k.which[mode] * row + r.which[at]];
  });
}

}  // namespace weft
