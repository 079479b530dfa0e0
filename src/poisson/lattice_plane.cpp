// The trapezoidal rule as a product of two matrices.
#include "poisson/lattice_plane.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "poisson/lattice_line.hpp"

namespace weft {

namespace {

/// Columns that are summed at once, so that their sums stay in registers.
constexpr std::size_t panel = 8;

/// The number of intervals for points 2 pi k / intervals, k = 0 .. intervals/2. The singularities of the integrand
/// nearest to the real axis are at +- a i; the alias of index n is exp(-a (intervals - n)) = 1e-17 of g or less.
index_t interval_count(double decay, index_t farthest) {
  return 2 * static_cast<index_t>(std::ceil((static_cast<double>(farthest) + 39 / decay) / 2)) + 2;
}

/// The indices of a list that are not beyond the farthest one, and their places in the list.
struct Selection {
  std::vector<index_t> indices;
  std::vector<std::size_t> places;

  Selection(std::span<const index_t> list, index_t farthest) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] > farthest) continue;
      indices.push_back(list[i]);
      places.push_back(i);
    }
  }
};

/// cos(j t_k) for the columns, in panels: [panel][k][column within the panel], with zeros after the last column.
std::vector<double> waves(std::span<const index_t> columns, index_t intervals) {
  std::vector<double> cosine;
  for (index_t m = 0; m < intervals; ++m)
    cosine.push_back(std::cos(2 * std::numbers::pi * static_cast<double>(m) / static_cast<double>(intervals)));
  const auto nodes = static_cast<std::size_t>(intervals / 2 + 1);
  std::vector<double> result((columns.size() + panel - 1) / panel * panel * nodes);
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t k = 0; k < nodes; ++k)
      result[(j / panel * nodes + k) * panel + j % panel] =
          cosine[static_cast<std::size_t>(columns[j] * static_cast<index_t>(k) % intervals)];
  return result;
}

/// The weighted V(i, t_k) as [row][k].
std::vector<double> lines(const LatticeSymbol& symbol, double c, std::span<const index_t> rows, index_t intervals) {
  const auto nodes = static_cast<std::size_t>(intervals / 2 + 1);
  const index_t longest = *std::max_element(rows.begin(), rows.end());
  std::vector<double> line(static_cast<std::size_t>(longest) + 1), result(rows.size() * nodes);
  for (std::size_t k = 0; k < nodes; ++k) {
    const double angle = std::numbers::pi * static_cast<double>(k) / static_cast<double>(intervals);
    lattice_line(symbol, 4 * std::pow(std::sin(angle), 2), c, line);
    const double weight = (k == 0 || k + 1 == nodes ? 1.0 : 2.0) / static_cast<double>(intervals);
    for (std::size_t i = 0; i < rows.size(); ++i)
      result[i * nodes + k] = weight * line[static_cast<std::size_t>(rows[i])];
  }
  return result;
}

/// How many of a row's terms count: V(i, t) falls off with t the faster the larger i is.
std::size_t count_terms(std::span<const double> terms) {
  double largest = 0;
  for (const double term : terms) largest = std::max(largest, std::abs(term));
  std::size_t count = terms.size();
  while (count > 0 && std::abs(terms[count - 1]) < 1e-20 * largest) --count;
  return count;
}

}  // namespace

void lattice_plane(const LatticeSymbol& symbol, double c, std::span<const index_t> rows,
                   std::span<const index_t> columns, index_t farthest, double* values) {
  const double decay = lattice_decay(symbol, 0, c);
  farthest = std::min(farthest, static_cast<index_t>(std::min(lattice_negligible / decay, 1e9)));
  const Selection row(rows, farthest), column(columns, farthest);
  std::fill_n(values, rows.size() * columns.size(), 0.0);
  if (row.indices.empty() || column.indices.empty()) return;
  const index_t intervals = interval_count(decay, farthest);
  const auto nodes = static_cast<std::size_t>(intervals / 2 + 1), width = column.indices.size();
  const std::vector<double> wave = waves(column.indices, intervals), line = lines(symbol, c, row.indices, intervals);
  for (std::size_t i = 0; i < row.indices.size(); ++i) {
    const std::span<const double> terms(line.data() + i * nodes, nodes);
    const std::size_t count = count_terms(terms);
    for (std::size_t first = 0; first < width; first += panel) {
      const double* factors = wave.data() + first * nodes;
      std::array<double, panel> sum{};
      for (std::size_t k = 0; k < count; ++k)
        for (std::size_t j = 0; j < panel; ++j) sum[j] += terms[k] * factors[k * panel + j];
      for (std::size_t j = first; j < std::min(first + panel, width); ++j)
        values[row.places[i] * columns.size() + column.places[j]] = sum[j - first];
    }
  }
}

}  // namespace weft
