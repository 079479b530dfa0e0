// Loads factors of modes into lane blocks.
#include "plan/line_symbol.hpp"

#include <algorithm>
#include <array>

namespace weft {

namespace {

// Where the factors of each line begin.
template <class Real>
std::array<const Real*, LineSet::most> places_of(const LineSymbol<Real>& symbol, const LineModes& modes,
                                                 const LineSet& set, int lanes) {
  std::array<const Real*, LineSet::most> lines{};
  for (int l = 0; l < lanes; l++) {
    const auto which = static_cast<std::size_t>(set.neighbours || l >= set.used ? 0 : l);
    const Real*& line = lines[static_cast<std::size_t>(l)];
    line = symbol.data;
    for (int a = 0; a < set.index[which].dims(); a++) {
      if (a == modes.axis) continue;
      const index_t moved = set.index[which][a] + (set.neighbours && a == modes.inner ? l : 0);
      line += symbol.offsets[static_cast<std::size_t>(a)][static_cast<std::size_t>(moved)];
    }
  }
  return lines;
}

}  // namespace

template <class Real>
void load_factors(const LaneKernels<Real>& kernels, const LineSymbol<Real>& symbol, const LineModes& modes,
                  const LineSet& set, Real* factor) {
  const auto at = places_of(symbol, modes, set, kernels.lanes);
  const Real* const* lines = at.data();
  const int lanes = kernels.lanes;
  bool adjacent = true;
  for (int l = 1; l < lanes; l++) adjacent = adjacent && lines[l] == lines[0] + l * symbol.width;
  // The next batch most often has the neighbours of these factors.
  const index_t ahead = adjacent ? lanes * symbol.width : 0;
  if (symbol.step != LineSymbol<Real>::no_step) {
    // Loads only read.
    auto* const* points = const_cast<Real* const*>(lines);  // NOLINT
    return kernels.load({points, 0, modes.count, symbol.step, symbol.width, lanes, adjacent, false, ahead}, factor);
  }
  const std::vector<index_t>& along = symbol.offsets[static_cast<std::size_t>(modes.axis)];
  for (index_t m = 0; m < modes.count; m++) {
    const index_t offset = along[static_cast<std::size_t>(modes.first + m)];
    Real* to = factor + m * lanes;
    if (adjacent) {
      __builtin_prefetch(lines[0] + offset + ahead);
      std::copy_n(lines[0] + offset, lanes, to);
    } else {
      for (int l = 0; l < lanes; l++) to[l] = lines[l][offset];
    }
  }
}

template void load_factors<double>(const LaneKernels<double>&, const LineSymbol<double>&, const LineModes&,
                                   const LineSet&, double*);
template void load_factors<float>(const LaneKernels<float>&, const LineSymbol<float>&, const LineModes&, const LineSet&,
                                  float*);

}  // namespace weft
