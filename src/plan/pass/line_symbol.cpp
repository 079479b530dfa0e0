// Finds the factors of the modes of lines, or loads them into lane blocks.
#include "plan/pass/line_symbol.hpp"

#include <algorithm>
#include <array>

namespace weft {

namespace {

// The address of the factors of a line: for mode 0 or, if modes are a constant step apart, for its first mode. The
// offset along `without` is left out.
template <class Real>
const Real* factor_address(const LineSymbol<Real>& symbol, const LineModes& modes, const Extents& index, int without) {
  const Real* line = symbol.data + (symbol.step != LineSymbol<Real>::no_step ? modes.first * symbol.step : 0);
  for (int a = 0; a < index.dims(); a++)
    if (a != modes.axis && a != without)
      line += symbol.offsets[static_cast<std::size_t>(a)][static_cast<std::size_t>(index[a])];
  return line;
}

// The addresses of each line of a set; those of lanes without a line are those of the first.
template <class Real>
std::array<const Real*, LineSet::most> factor_addresses(const LineSymbol<Real>& symbol, const LineModes& modes,
                                                        const LineSet& set, int lanes) {
  std::array<const Real*, LineSet::most> lines{};
  if (set.neighbours) {
    const Real* others = factor_address(symbol, modes, set.index[0], modes.inner);
    const index_t* inner = symbol.offsets[static_cast<std::size_t>(modes.inner)].data() + set.index[0][modes.inner];
    for (int l = 0; l < lanes; l++) lines[static_cast<std::size_t>(l)] = others + inner[l];
    return lines;
  }
  for (int l = 0; l < lanes; l++)
    lines[static_cast<std::size_t>(l)] =
        l < set.used ? factor_address(symbol, modes, set.index[static_cast<std::size_t>(l)], -1) : lines[0];
  return lines;
}

template <class Real>
bool are_neighbours(const std::array<const Real*, LineSet::most>& lines, int lanes, int width) {
  for (int l = 1; l < lanes; l++)
    if (lines[static_cast<std::size_t>(l)] != lines[0] + index_t{l} * width) return false;
  return true;
}

// Whether entry m belongs to the m-th mode, for all entries. It does not in sine transforms of vector fields, which
// begin with the symbol's mode 1.
template <class Real>
bool begins_with_entries(const LineSymbol<Real>& symbol, const LineModes& modes) {
  return symbol.entries > 0 && modes.first == 0;
}

template <class Real>
void load_entries(const LaneKernels<Real>& kernels, const Real* const* lines, index_t entries, Real* factor) {
  // Loads only read.
  auto* const* points = const_cast<Real* const*>(lines);  // NOLINT
  kernels.load({.lines = points, .count = entries, .step = 1, .used = kernels.lanes}, factor);
}

// Loads the factors of the modes of L lines into a lane block.
template <class Real>
void load_factors(const LaneKernels<Real>& kernels, const LineSymbol<Real>& symbol, const LineModes& modes,
                  const std::array<const Real*, LineSet::most>& lines, Real* factor) {
  const int lanes = kernels.lanes;
  if (symbol.step != LineSymbol<Real>::no_step) {
    // Loads only read.
    auto* const* points = const_cast<Real* const*>(lines.data());  // NOLINT
    return kernels.load(
        {.lines = points, .count = modes.count, .step = symbol.step, .width = symbol.width, .used = lanes}, factor);
  }
  const index_t* along = symbol.offsets[static_cast<std::size_t>(modes.axis)].data() + modes.first;
  for (index_t m = 0; m < modes.count; m++)
    for (int l = 0; l < lanes; l++) factor[m * lanes + l] = lines[static_cast<std::size_t>(l)][along[m]];
}

}  // namespace

template <class Real>
LineFactors<Real> line_factors(const LaneKernels<Real>& kernels, const LineSymbol<Real>& symbol, const LineModes& modes,
                               const LineSet& set, const RowPosition& row, Real* factor) {
  const auto lines = factor_addresses(symbol, modes, set, kernels.lanes);
  const index_t lanes = kernels.lanes;
  if (begins_with_entries(symbol, modes)) {
    load_entries(kernels, lines.data(), symbol.entries, factor);
    return {.data = factor, .offsets = symbol.offsets[static_cast<std::size_t>(modes.axis)].data(), .step = lanes};
  }
  if (!are_neighbours(lines, kernels.lanes, symbol.width)) {
    load_factors(kernels, symbol, modes, lines, factor);
    return {.data = factor, .step = lanes * symbol.width, .width = symbol.width};
  }
  const bool steps = symbol.step != LineSymbol<Real>::no_step;
  const index_t* along = steps ? nullptr : symbol.offsets[static_cast<std::size_t>(modes.axis)].data() + modes.first;
  const bool known = row.after == 0 && row.following != nullptr && row.following->neighbours;
  const index_t distance = known ? factor_addresses(symbol, modes, *row.following, kernels.lanes)[0] - lines[0] : 0;
  const PrefetchRange prefetch = prefetch_range<Real>(row, modes.count, lanes * symbol.width, distance);
  return {lines[0], along, steps ? symbol.step : 1, symbol.width, symbol.width == 2, prefetch};
}

template LineFactors<double> line_factors<double>(const LaneKernels<double>&, const LineSymbol<double>&,
                                                  const LineModes&, const LineSet&, const RowPosition&, double*);
template LineFactors<float> line_factors<float>(const LaneKernels<float>&, const LineSymbol<float>&, const LineModes&,
                                                const LineSet&, const RowPosition&, float*);

}  // namespace weft
