// Shares the evaluation of the distinct distances and wavenumbers of a block between threads.
#include "poisson/radial_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "poisson/radial_grid.hpp"

namespace weft {

namespace {

constexpr index_t most_sorted = index_t{1} << 17;  // points

}  // namespace

RadialKernel::RadialKernel(const KernelInput& input)
    : axes_(input.axes), dimension_(input.dimension()), screening_(input.screening) {}

void RadialKernel::tabulate_all(std::span<const double> r, std::span<const double> k, double* values,
                                std::size_t stride) const {
  for (std::size_t i = 0; i < k.size(); i++) tabulate(r, k[i], values + i * stride);
}

// Lengths that are not multiples of one spacing are listed and sorted, for some planes at a time to save memory.
void RadialKernel::sample(const GreenGrid& grid, double* values, int threads) const {
  if (grid.size() == 0) return;
  const auto planes = static_cast<index_t>(grid.coordinates[0].size()), points = grid.size() / planes;
  if (RadialGrid::is_lattice(grid, axes_)) return sample_block(grid, values, threads);
  const auto convolved = static_cast<std::size_t>(dimension_);
  const bool apart = convolved == 0 || (convolved == axes_.size() && is_shifted(axes_));
  const index_t most = std::max<index_t>(most_sorted / points, 1);
  for (index_t first = 0; first < planes; first += most) {
    GreenGrid block = grid;
    const auto begin = grid.coordinates[0].begin();
    block.coordinates[0].assign(begin + first, begin + std::min(first + most, planes));
    if (apart)
      sample_each(block, values + first * points, threads);
    else
      sample_block(block, values + first * points, threads);
  }
}

// Without distances a value costs less than the search for equal wavenumbers, and distances to displaced points are
// rarely equal.
void RadialKernel::sample_each(const GreenGrid& grid, double* values, int threads) const {
  const bool modes = dimension_ == 0;
  std::vector<double> lengths = squares_of(grid, axes_, !modes, modes ? screening_ * screening_ : 0);
  for (double& length : lengths) length = std::sqrt(length);
  const double none = 0;
  const index_t count = grid.size(), piece = 4096;
#pragma omp parallel for num_threads(threads) if (threads > 1 && count > piece)
  for (index_t first = 0; first < count; first += piece) {
    const std::span<const double> part(lengths.data() + first,
                                       static_cast<std::size_t>(std::min(piece, count - first)));
    if (modes)
      tabulate_all({&none, 1}, part, values + first, 1);
    else
      tabulate(part, screening_, values + first);
  }
}

void RadialKernel::sample_block(const GreenGrid& grid, double* values, int threads) const {
  const RadialGrid radial(grid, axes_, screening_);
  const std::span<const double> r(radial.distances()), k(radial.wavenumbers());
  const std::size_t row = r.size(), modes = k.size();
  std::vector<double> table(row * modes);
  // Pieces of the table, so that threads share the work of a single wavenumber too.
  constexpr std::size_t distances = 256, wavenumbers = 64;
  const std::size_t pieces = (row + distances - 1) / distances;
  const std::size_t tasks = pieces * ((modes + wavenumbers - 1) / wavenumbers);
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1 && table.size() > 4 * distances)
  for (std::size_t task = 0; task < tasks; task++) {
    const std::size_t mode = task / pieces * wavenumbers, first = task % pieces * distances;
    tabulate_all(r.subspan(first, std::min(distances, row - first)),
                 k.subspan(mode, std::min(wavenumbers, modes - mode)), table.data() + mode * row + first, row);
  }
  radial.spread(table, values, threads);
}

}  // namespace weft
