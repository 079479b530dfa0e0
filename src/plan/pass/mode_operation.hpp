// Operations on the modes of whole lines, which mix those of one line or of several components of a field.
#pragma once

#include <span>

#include "plan/pass/line_set.hpp"
#include "weft/types.hpp"

namespace weft {

/// Modes of one component on L lines, as a lane block: those that are stored at first .. first + count of the line.
template <class Real>
struct ModeBlock {
  Real* data;
  index_t first, count;
};

/// Which lines these are, and room for the factors of as many modes and, where there are several components or no
/// transform, for one more block.
template <class Real>
struct ModeLines {
  const LineSet& set;
  int axis;   ///< along which the lines run
  int inner;  ///< along which neighbouring lines lie
  int width;  ///< reals per mode
  Real* factors;
  Real* scratch;
};

/// Makes the modes of some components from those of others.
template <class Real>
class ModeOperation {
 public:
  virtual ~ModeOperation() = default;
  /// Axis 0 counts components, lines are given by the indices of the other axes. `in` may be destroyed. Called by
  /// several threads at once.
  virtual void apply(const ModeLines<Real>& lines, std::span<const ModeBlock<Real>> in,
                     std::span<const ModeBlock<Real>> out) const = 0;
};

/// Makes the modes of lines from those that are there, in place of factors of each.
template <class Real>
class LineOperation {
 public:
  virtual ~LineOperation() = default;
  /// `block` holds all modes of the lines. Called by several threads at once.
  virtual void apply(const ModeLines<Real>& lines, Real* block) const = 0;
};

}  // namespace weft
