// Turns transforms, order and process grid into the list of steps of a plan. Pure arithmetic: no MPI, no memory.
#pragma once

#include <vector>

#include "exchange/exchange_plan.hpp"
#include "weft/kind.hpp"
#include "weft/layout.hpp"

namespace weft {

/// One sweep over memory: the transforms of one local axis, or of two that are fused plane by plane.
struct PassPlan {
  std::vector<int> axes;  ///< in forward order
  Layout before, after;   ///< physical and spectral side of the pass
  int width_before = 1, width_after = 1;
};

/// The axis along which adjacent lines of one axis of a pass are transformed side by side: the other axis of a plane,
/// else the innermost axis other than `axis`; -1 if there is none.
int neighbour_axis(const PassPlan& pass, int axis);

/// The input for a schedule.
struct ScheduleInput {
  std::vector<AxisTransform> axes;  ///< one per array axis
  std::vector<int> order;           ///< the axes that have a pass, in forward order: those that a transform changes
  std::vector<int> batch_axes;      ///< `none` axes that are never cut
  int width = 1;                    ///< reals per element of the physical array
  ProcessGrid grid;
  Scheme scheme = Scheme::even;
  index_t plane_reals = 0;  ///< two passes are fused where a plane between them has at most this many reals
  int chunks = 1;           ///< parts that exchanges are cut into
  /// The second axis of the order grows by its transform: a slab is exchanged after the first axis, and the last two
  /// are fused, so that the grown data exist only in blocks of a few lines. If a second process axis cuts the last
  /// axis, its exchange is the larger one, and its ranks are consecutive.
  bool padded = false;
  int node_ranks = 0;  ///< ranks in a row that share a node; 0: all of them
  /// If axis 0 counts the components of a field with different transforms: the transforms of each component, which
  /// agree in points, modes and in whether they make data complex. `axes` are those of any component. If axis 0 is
  /// longer, it counts several fields, one after the other.
  std::vector<std::vector<AxisTransform>> components{};
};

/// Passes 0 .. n-1; between pass i and i+1 lies exchanges[i], or a local array where both axes are local already
/// (then process_axis is -1). Forward is this list, backward the reversed list of inverted steps.
struct Schedule {
  std::vector<AxisTransform> axes;
  std::vector<std::vector<AxisTransform>> components;  ///< as in ScheduleInput
  std::vector<PassPlan> passes;
  std::vector<ExchangePlan> exchanges;
  Layout physical, spectral;
  int width_physical = 1, width_spectral = 1;
};

/// Throws Error if the grid has more dimensions than there are axes to cut.
Schedule make_schedule(const ScheduleInput& input);

/// The axis along which a slab cuts the modes, whatever the grid of `input`.
int slab_of_modes(ScheduleInput input);

/// Axes that may be cut, in the order in which they become local: those with a pass first, others last, no batch axes.
/// A single point without a pass is among the first, since to cut it leaves all data on one rank.
std::vector<int> cutting_sequence(const ScheduleInput& input);

/// The process grid for a number of ranks: a slab if that leaves no rank without data, else the two-dimensional grid
/// whose largest box is smallest, or, for padded data, a balanced grid that sends the fewest bytes. `none` axes, whose
/// cuts cost no exchange, are cut if the largest box is then at most a quarter larger than in a grid with an exchange.
ProcessGrid choose_grid(const ScheduleInput& input, int ranks);

}  // namespace weft
