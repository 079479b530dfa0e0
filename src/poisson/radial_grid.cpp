// Finds the distinct distances and wavenumbers of a block and spreads values over it.
#include "poisson/radial_grid.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

std::vector<double> squares_of(const GreenGrid& grid, const std::vector<GreenAxis>& axes, bool convolved,
                               double first) {
  std::vector<double> squares{first};
  for (std::size_t a = 0; a < axes.size(); a++) {
    if (axes[a].convolved != convolved) continue;
    std::vector<double> longer;
    longer.reserve(squares.size() * grid.coordinates[a].size());
    for (const double square : squares)
      for (const double x : grid.coordinates[a]) longer.push_back(square + x * x);
    squares = std::move(longer);
  }
  return squares;
}

RadialGrid::Lengths::Lengths(const std::vector<double>& squares) : distinct(squares) {
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  which.reserve(squares.size());
  for (const double square : squares)
    which.push_back(
        static_cast<std::size_t>(std::upper_bound(distinct.begin(), distinct.end(), square) - distinct.begin() - 1));
  for (double& value : distinct) value = std::sqrt(value);
}

RadialGrid::RadialGrid(const GreenGrid& grid, const std::vector<GreenAxis>& axes, double screening)
    : grid_(grid),
      axes_(axes),
      distances_(squares_of(grid, axes, true, 0)),
      wavenumbers_(squares_of(grid, axes, false, screening * screening)) {}

void RadialGrid::spread(const std::vector<double>& table, double* values) const {
  const std::size_t row = distances_.distinct.size();
  for_each_place(grid_, axes_, [&](std::size_t i, std::size_t place, std::size_t mode) {
    values[i] = table[wavenumbers_.which[mode] * row + distances_.which[place]];
  });
}

}  // namespace weft
