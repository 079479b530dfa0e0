// The factors of the modes of lines.
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
  index_t step = no_step;  ///< reals from one mode of a line to the next, if constant
  /// If not 0, each line has this many contiguous real factors, of which the offsets of its modes select one. Entry m
  /// belongs to mode m as long as there are entries.
  index_t entries = 0;
  const LineOperation<Real>* operation = nullptr;  ///< replaces the factors unless null
  const ModeAddition<Real>* addition = nullptr;    ///< adds to the products unless null
};

/// The modes of lines along `axis`, whose neighbours lie along `inner`.
struct LineModes {
  int axis, inner;
  index_t first, count;  ///< indices in the symbol
};

/// The factors of the modes of L lines in place, if those of neighbouring lines are adjacent in memory; else loaded to
/// `factor`. `row` gives the lines that follow.
template <class Real>
LineFactors<Real> line_factors(const LaneKernels<Real>& kernels, const LineSymbol<Real>& symbol, const LineModes& modes,
                               const LineSet& set, const RowPosition& row, Real* factor);

}  // namespace weft
