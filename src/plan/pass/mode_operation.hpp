// Operations on the modes of whole lines, which mix the modes of a line or of several components of a field.
#pragma once

#include <span>

#include "plan/pass/line_rows.hpp"
#include "transform/chosen_kernels.hpp"
#include "weft/types.hpp"

namespace weft {

/// The modes of one component on L lines as a lane block: stored modes first .. first + count - 1 of the line.
template <class Real>
struct ModeBlock {
  Real* data;
  index_t first, count;
};

/// A set of lines, with room for the factors of their modes and, with several components or without a transform, for
/// one more block.
template <class Real>
struct ModeLines {
  const LineSet& set;
  RowPosition row;  ///< of the set, and the set that follows
  int axis;         ///< the axis of the lines
  int inner;        ///< the axis along which lines are neighbours
  int width;        ///< reals per mode
  Real* factors;
  Real* scratch;
};

/// Computes the modes of some components from those of others.
template <class Real>
class ModeOperation {
 public:
  virtual ~ModeOperation() = default;
  /// Axis 0 counts components; the indices of the other axes give the lines. May overwrite `in`. Several threads call
  /// it at once.
  virtual void apply(const ModeLines<Real>& lines, std::span<const ModeBlock<Real>> in,
                     std::span<const ModeBlock<Real>> out) const = 0;
};

/// Computes the modes of lines from those in a block, instead of multiplying each by a factor.
template <class Real>
class LineOperation {
 public:
  virtual ~LineOperation() = default;
  /// `block` holds all modes of the lines. Several threads call it at once.
  virtual void apply(const ModeLines<Real>& lines, Real* block) const = 0;
};

/// Adds to the products of modes and their factors.
template <class Real>
class ModeAddition {
 public:
  virtual ~ModeAddition() = default;
  /// Multiplies the modes in a block by `factors`, unless that is null, and adds to them: in one sweep, because
  /// products wait for memory. Several threads call it at once.
  virtual void apply(const ModeLines<Real>& lines, const LineFactors<Real>* factors, Real* block) const = 0;
};

/// Changes points that have been loaded, before they are transformed.
template <class Real>
class PointOperation {
 public:
  virtual ~PointOperation() = default;
  /// Whether it changes lines of a set along `axis`; `inner` is the axis along which they are neighbours.
  virtual bool concerns(const LineSet& set, int axis, int inner) const = 0;
  /// `block` holds all points of the lines that are transformed. Several threads call it at once.
  virtual void apply(const LineSet& set, int axis, int inner, Real* block) const = 0;
};

}  // namespace weft
