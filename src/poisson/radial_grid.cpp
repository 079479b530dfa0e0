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

RadialGrid::Lengths RadialGrid::sorted(const std::vector<double>& squares) {
  Lengths lengths{squares, {}};
  std::vector<double>& distinct = lengths.distinct;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  lengths.which.reserve(squares.size());
  for (const double square : squares)
    lengths.which.push_back(
        static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), square) - distinct.begin()));
  for (double& value : distinct) value = std::sqrt(value);
  return lengths;
}

RadialGrid::Lengths RadialGrid::on_lattice(const GreenGrid& grid, const std::vector<GreenAxis>& axes) {
  double h = 0;
  std::vector<std::uint32_t> squares{0};
  for (std::size_t a = 0; a < axes.size(); a++) {
    if (!axes[a].convolved) continue;
    h = axes[a].spacing;
    std::vector<std::uint32_t> longer;
    longer.reserve(squares.size() * grid.coordinates[a].size());
    for (const std::uint32_t square : squares)
      for (const double x : grid.coordinates[a]) {
        const auto j = static_cast<std::uint32_t>(std::lround(x / h));
        longer.push_back(square + j * j);
      }
    squares = std::move(longer);
  }
  Lengths lengths{{}, std::move(squares)};
  std::vector<std::uint32_t> place(*std::max_element(lengths.which.begin(), lengths.which.end()) + 1, 0);
  for (const std::uint32_t square : lengths.which) place[square] = 1;
  for (std::size_t square = 0; square < place.size(); square++) {
    if (place[square] == 0) continue;
    place[square] = static_cast<std::uint32_t>(lengths.distinct.size());
    lengths.distinct.push_back(h * std::sqrt(static_cast<double>(square)));
  }
  for (std::uint32_t& which : lengths.which) which = place[which];
  return lengths;
}

namespace {

// Whether all offsets are multiples of one spacing, to rounding, whose squares fit in 32 bits.
bool is_lattice(const GreenGrid& grid, const std::vector<GreenAxis>& axes) {
  double h = 0, squares = 0;
  for (std::size_t a = 0; a < axes.size(); a++) {
    if (!axes[a].convolved) continue;
    if (h > 0 && std::abs(axes[a].spacing - h) > 1e-14 * h) return false;
    h = axes[a].spacing;
    double farthest = 0;
    for (const double x : grid.coordinates[a]) {
      if (std::abs(x / h - std::round(x / h)) > 1e-14 * (1 + x / h)) return false;
      farthest = std::max(farthest, x / h);
    }
    squares += farthest * farthest;
  }
  return h > 0 && squares < 4e9;
}

}  // namespace

RadialGrid::RadialGrid(const GreenGrid& grid, const std::vector<GreenAxis>& axes, double screening)
    : grid_(grid),
      axes_(axes),
      distances_(is_lattice(grid, axes) ? on_lattice(grid, axes) : sorted(squares_of(grid, axes, true, 0))),
      wavenumbers_(sorted(squares_of(grid, axes, false, screening * screening))) {}

void RadialGrid::spread(const std::vector<double>& table, double* values) const {
  const std::size_t row = distances_.distinct.size();
  for_each_place(grid_, axes_, [&](std::size_t i, std::size_t place, std::size_t mode) {
    values[i] = table[wavenumbers_.which[mode] * row + distances_.which[place]];
  });
}

}  // namespace weft
