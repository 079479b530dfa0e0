// Shares the evaluation of the distinct distances and wavenumbers of a block between threads.
#include "poisson/radial_kernel.hpp"

#include <algorithm>

#include "poisson/radial_grid.hpp"

namespace weft {

RadialKernel::RadialKernel(const KernelInput& input) : axes_(input.axes), screening_(input.screening) {}

void RadialKernel::sample(const GreenGrid& grid, double* values, int threads) const {
  if (grid.size() == 0) return;
  const RadialGrid radial(grid, axes_, screening_);
  const std::span<const double> r(radial.distances()), k(radial.wavenumbers());
  const std::size_t row = r.size();
  std::vector<double> table(row * k.size());
  // Pieces of rows, so that threads share the work of a single wavenumber too.
  constexpr std::size_t piece = 256;
  const std::size_t pieces = (row + piece - 1) / piece, tasks = pieces * k.size();
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1 && table.size() > 4 * piece)
  for (std::size_t task = 0; task < tasks; task++) {
    const std::size_t which = task / pieces, first = task % pieces * piece, count = std::min(piece, row - first);
    tabulate(r.subspan(first, count), k[which], table.data() + which * row + first);
  }
  radial.spread(table, values);
}

}  // namespace weft
