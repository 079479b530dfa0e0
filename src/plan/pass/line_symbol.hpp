// What the modes of lines are multiplied by.
#pragma once

#include <vector>

#include "plan/pass/line_prefetch.hpp"
#include "plan/pass/mode_operation.hpp"
#include "transform/chosen_kernels.hpp"

namespace weft {

/// Real or complex factors of every mode of every line, read through index tables so that folded (symmetric) arrays
/// need no copy: the factor of mode m on line i (an index per axis) is at data + sum over axes of offsets[axis][index].
template <class Real>
struct LineSymbol {
  static constexpr index_t no_step = -1;

  const Real* data = nullptr;
  std::vector<std::vector<index_t>> offsets;
  int width = 1;           ///< reals per factor
  index_t step = no_step;  ///< reals from one mode of a line to the next, where that is always the same
  /// Where it is not 0: the real factors of a line are so many entries, one behind the other; offsets of its modes say
  /// which. Entry m is that of mode m while there are any.
  index_t entries = 0;
  const LineOperation<Real>* operation = nullptr;  ///< takes the place of factors where it is not null
};

/// Modes of lines along an axis, whose neighbours lie along `inner`.
struct LineModes {
  int axis, inner;
  index_t first, count;  ///< as indices of the symbol
};

/// Loads the factors of the modes of L lines as a lane block.
template <class Real>
void load_factors(const LaneKernels<Real>& kernels, const LineSymbol<Real>& symbol, const LineModes& modes,
                  const LineSet& set, Real* factor);

/// The factors of the modes of L lines where they are, if those of neighbouring lines are neighbours in memory; else
/// loaded to `factor`. `row` says what lines come next.
template <class Real>
LineFactors<Real> line_factors(const LaneKernels<Real>& kernels, const LineSymbol<Real>& symbol, const LineModes& modes,
                               const LineSet& set, const RowPosition& row, Real* factor);

}  // namespace weft
