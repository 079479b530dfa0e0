// Finds the distinct distances and wavenumbers of a block and spreads values over it.
#include "poisson/radial_grid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

RadialGrid::Lengths RadialGrid::sorted(const GreenGrid& grid, const std::vector<GreenAxis>& axes, bool convolved,
                                       double first) {
  const std::vector<double> squares = squares_of(grid, axes, convolved, first);
  Lengths lengths{squares, {}, {}};
  std::vector<double>& distinct = lengths.distinct;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  lengths.which.reserve(squares.size());
  for (const double square : squares)
    lengths.which.push_back(
        static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), square) - distinct.begin()));
  for (double& value : distinct) value = std::sqrt(value);
  auto stride = static_cast<std::uint32_t>(squares.size());
  for (std::size_t a = 0; a < axes.size(); a++) {
    const std::size_t size = grid.coordinates[a].size();
    std::vector<std::uint32_t>& terms = lengths.terms.emplace_back(size, 0);
    if (axes[a].convolved != convolved) continue;
    stride /= static_cast<std::uint32_t>(size);
    for (std::size_t i = 0; i < size; i++) terms[i] = static_cast<std::uint32_t>(i) * stride;
  }
  return lengths;
}

namespace {

// A set of whole numbers, one bit for each.
class NumberSet {
 public:
  explicit NumberSet(std::size_t largest) : words_(largest / 64 + 1, 0) {}
  void insert(std::size_t n) { words_[n / 64] |= std::uint64_t{1} << n % 64; }
  bool has(std::size_t n) const { return (words_[n / 64] >> n % 64 & 1) != 0; }
  // Inserts every number of `other`, plus `shift`.
  void insert_shifted(const NumberSet& other, std::size_t shift) {
    const std::size_t words = shift / 64, part = shift % 64;
    for (std::size_t i = 0; i < other.words_.size(); i++) {
      if (i + words < words_.size()) words_[i + words] |= other.words_[i] << part;
      if (part > 0 && i + words + 1 < words_.size()) words_[i + words + 1] |= other.words_[i] >> (64 - part);
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace

RadialGrid::Lengths RadialGrid::on_lattice(const GreenGrid& grid, const std::vector<GreenAxis>& axes) {
  double h = 0;
  Lengths lengths;
  std::size_t largest = 0;
  for (std::size_t a = 0; a < axes.size(); a++) {
    std::vector<std::uint32_t>& terms = lengths.terms.emplace_back(grid.coordinates[a].size(), 0);
    if (!axes[a].convolved) continue;
    h = axes[a].spacing;
    for (std::size_t i = 0; i < terms.size(); i++) {
      const auto j = static_cast<std::uint32_t>(std::lround(grid.coordinates[a][i] / h));
      terms[i] = j * j;
    }
    largest += *std::max_element(terms.begin(), terms.end());
  }
  NumberSet sums(0);
  sums.insert(0);
  for (const std::vector<std::uint32_t>& terms : lengths.terms) {
    NumberSet longer(largest);
    for (const std::uint32_t term : terms) longer.insert_shifted(sums, term);
    sums = std::move(longer);
  }
  lengths.which.assign(largest + 1, 0);
  for (std::size_t square = 0; square <= largest; square++) {
    if (!sums.has(square)) continue;
    lengths.which[square] = static_cast<std::uint32_t>(lengths.distinct.size());
    lengths.distinct.push_back(h * std::sqrt(static_cast<double>(square)));
  }
  return lengths;
}

bool RadialGrid::is_lattice(const GreenGrid& grid, const std::vector<GreenAxis>& axes) {
  double h = 0, squares = 0;
  for (std::size_t a = 0; a < axes.size(); a++) {
    if (!axes[a].convolved) continue;
    if (axes[a].shift != 0) return false;  // far points would have long tables
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

RadialGrid::RadialGrid(const GreenGrid& grid, const std::vector<GreenAxis>& axes, double screening)
    : grid_(grid),
      distances_(is_lattice(grid, axes) ? on_lattice(grid, axes) : sorted(grid, axes, true, 0)),
      wavenumbers_(sorted(grid, axes, false, screening * screening)) {}

// Lines that lie along a convolved axis have one wavenumber, others have one distance.
void RadialGrid::spread(const std::vector<double>& table, double* values, int threads) const {
  const std::size_t row = distances_.distinct.size(), last = grid_.coordinates.size() - 1,
                    points = grid_.coordinates[last].size();
  const std::uint32_t *terms = distances_.terms[last].data(), *mode_terms = wavenumbers_.terms[last].data();
  const bool one_wavenumber =
      std::all_of(mode_terms, mode_terms + points, [](std::uint32_t term) { return term == 0; });
  const auto lines = grid_.size() / static_cast<index_t>(points);
#pragma omp parallel for num_threads(threads) if (threads > 1)
  for (index_t line = 0; line < lines; line++) {
    std::size_t place = 0, mode = 0;
    auto rest = static_cast<std::size_t>(line);
    for (std::size_t a = last; a-- > 0; rest /= grid_.coordinates[a].size()) {
      const std::size_t index = rest % grid_.coordinates[a].size();
      place += distances_.terms[a][index];
      mode += wavenumbers_.terms[a][index];
    }
    double* out = values + static_cast<std::size_t>(line) * points;
    const std::uint32_t *distance = distances_.which.data() + place, *wavenumber = wavenumbers_.which.data() + mode;
    if (one_wavenumber) {
      const double* known = table.data() + *wavenumber * row;
      for (std::size_t i = 0; i < points; i++) out[i] = known[distance[terms[i]]];
    } else {
      const double* known = table.data() + *distance;
      for (std::size_t i = 0; i < points; i++) out[i] = known[wavenumber[mode_terms[i]] * row];
    }
  }
}

}  // namespace weft
