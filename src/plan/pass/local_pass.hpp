// What a rank does between two exchanges: the interface through which a pipeline runs the transforms of its local box.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "plan/pass/line_sweep.hpp"
#include "plan/schedule/schedule.hpp"

namespace weft {

/// Lines selected by ranges of indices along some axes: those of a part of either side, and of a component.
struct LineSelection {
  struct AxisRange {
    int axis;
    Range range;
  };
  std::array<AxisRange, 3> of{};
  std::size_t count = 0;

  void add(int axis, const Range& range) { of[count++] = {axis, range}; }
  void add_component(std::size_t c) { add(0, {static_cast<index_t>(c), static_cast<index_t>(c) + 1}); }
  /// The lines of `all` that are in every range.
  LineRanges within(LineRanges all) const {
    for (std::size_t i = 0; i < count; i++) {
      index_t &begin = all.begin[of[i].axis], &end = all.end[of[i].axis];
      begin = std::max(begin, of[i].range.lo);
      end = std::max(begin, std::min(end, of[i].range.hi));
    }
    return all;
  }
};

/// The transforms along one or two axes of a local box, from one array, or the buffers of an exchange, to another.
template <class Real>
class LocalPass {
 public:
  /// The work space of a thread: lane blocks, and a plane between two axes.
  struct Workspace {
    PassWorkspace<Real> blocks;
    Buffer<Real> plane;
    LineSweep<Real> sweep{};
    RepeatedPasses<Real> repeated{};
  };
  using Workspaces = std::vector<Workspace>;

  /// Source and destination of a run, and the part of the data to be done. Two axes meet in a plane of the thread, or
  /// in `middle`, an array of the box in which they work plane by plane.
  struct PassData {
    const SegmentedView<Real>&from, &to;
    LocalArray<Real> middle{};
    LineSelection only{};                          ///< lines whose index is in every range
    const std::function<void()>* now_and_then{};   ///< called by the first thread between batches; may be null
    bool check_finite = false;                     ///< see LineSweep::Options
    const PointOperation<Real>* loaded = nullptr;  ///< changes points after they are loaded, forward; may be null
  };

  /// The work space of combine() per thread, for the components of the fields on both sides.
  struct FieldWorkspace {
    FieldWorkspace(Workspaces before, Workspaces after)
        : from(std::move(before)), to(std::move(after)), from_sweeps(from.size()), to_sweeps(to.size()) {}
    Workspaces from, to;
    std::vector<LineSweep<Real>> from_sweeps, to_sweeps;
  };

  virtual ~LocalPass() = default;
  virtual const PassPlan& plan() const = 0;
  /// Reals of the blocks and the plane of a workspace, and the most points or modes of a line.
  virtual index_t block_reals() const = 0;
  virtual index_t most_points() const = 0;
  virtual index_t plane_reals() const = 0;

  virtual void run(Direction direction, const PassData& data, Real scale, Workspaces& workspaces) const = 0;
  /// From the physical side through the symbol of the last axis back to the physical side, times `scale`.
  virtual void convolve(const LineSymbol<Real>& symbol, const PassData& data, Real scale,
                        Workspaces& workspaces) const = 0;
  /// The last passes of two pipelines whose axis 0 counts the components of fields: forward through this one, an
  /// operation that mixes the modes of all components, backward through `back`. `data` are on the physical sides.
  virtual void combine(const LocalPass& back, const ModeOperation<Real>& operation, const PassData& data, Real scale,
                       std::vector<FieldWorkspace>& workspaces) const = 0;

  virtual std::string describe() const = 0;
  virtual index_t batches() const = 0;
  virtual double flops() const = 0;
  /// Bytes loaded and stored by this rank in one run.
  virtual double bytes() const = 0;
};

}  // namespace weft
