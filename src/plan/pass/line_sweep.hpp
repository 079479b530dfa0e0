// A sweep over lines, the one loop that touches memory: for each batch of L lines along an axis, it loads a lane block
// from any ranges, transforms it, and stores it to any ranges. The two ends determine padding, truncation, packing and
// unpacking; a symbol can be multiplied between a transform and its inverse. What all batches have in common, above all
// their route from memory to memory, is decided once, when the sweep is prepared.
#pragma once

#include <span>
#include <vector>

#include "plan/pass/line_way.hpp"
#include "plan/pass/mode_operation.hpp"

namespace weft {

template <class Real>
class LineSweep {
 public:
  LineSweep() = default;
  /// Moving invalidates the preparation: a sweep points into itself, and must be prepared again.
  LineSweep(LineSweep&&) noexcept : LineSweep() {}
  LineSweep& operator=(LineSweep&&) = delete;

  struct Options {
    Real scale = 1;             ///< factor of the results
    bool check_finite = false;  ///< sets PassWorkspace::non_finite if real data that are loaded are not finite
    bool alone = false;         ///< no other thread has batches of these lines
  };
  /// Prepares a transform of the lines from one end to the other: points to modes or back. Allocates nothing if the
  /// sweep has been prepared for as many ranges before.
  void prepare(const LinePass<Real>& pass, Direction direction, const LineEnd<Real>& from, const LineEnd<Real>& to,
               const LineRanges& lines, const PassWorkspace<Real>& workspace, const Options& options);
  /// Prepares transforms from points to modes and back to points, for convolve() and combine(). A null end omits the
  /// transform on its side.
  void prepare_forward_and_backward(const LinePass<Real>& pass, const LineEnd<Real>* from, const LineEnd<Real>* to,
                                    const LineRanges& lines, const PassWorkspace<Real>& workspace, Real scale);

  /// The number of sets of up to L lines.
  index_t batches() const { return rows_.batches(); }
  /// Loads, transforms and stores batches first .. last - 1.
  void run(index_t first, index_t last);
  /// Loads batches first .. last - 1, transforms them forward, applies the symbol, transforms backward, and stores.
  void convolve(const LineSymbol<Real>& symbol, index_t first, index_t last);
  /// Runs batches first .. last - 1 of all components of a field together, with a sweep for each component: transforms
  /// `from` forward, mixes the modes by an operation, and transforms the results backward to `to`. The passes differ in
  /// their transforms only.
  static void combine(std::span<LineSweep> from, std::span<LineSweep> to, const ModeOperation<Real>& operation,
                      index_t first, index_t last);

 private:
  void start(const LineWay<Real>& way, const LineRanges& lines, RowRest rest = RowRest::gathered);

  /// Calls body(LineBatch) for batches first .. last - 1; it returns the number of sets of the row that it has done.
  template <class Body>
  void for_each_batch(index_t first, index_t last, const Body& body);
  Real* transform(const LineWay<Real>& way, const LineBatch& batch) const {
    return way.transform(batch, way.workspace->in.data(), way.workspace->out.data());
  }
  void convolve_at_once(const LineSymbol<Real>& symbol, const LineBatch& batch) const;

  LineRows rows_;
  LineSet sets_[2];
  LineMoves<Real> load_, store_;
  PointTable<Real> from_points_, to_points_;
  LineWay<Real> way_, way_back_;  // the forward and the backward transform; a single transform is way_
};

}  // namespace weft
