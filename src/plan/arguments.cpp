// Checks of options and process grids.
#include "plan/arguments.hpp"

#include <algorithm>

#include "base/buffer.hpp"
#include "base/number.hpp"
#include "exchange/message_limit.hpp"
#include "exchange/sharing.hpp"
#include "exchange/strategy.hpp"
#include "plan/run/border.hpp"
#include "transform/chosen_kernels.hpp"
#include "transform/engine/line_engine.hpp"
#include "transform/simd/processor.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

template <class Number>
std::string list(const std::vector<Number>& values, const char* between, const char* nothing) {
  std::string text;
  for (const Number value : values) text += (text.empty() ? "" : between) + std::to_string(value);
  return text.empty() ? nothing : text;
}

std::string grid_text(const std::vector<int>& grid) { return list(grid, " x ", "auto"); }

std::string text_of(bool flag) { return flag ? "yes" : "no"; }
std::string text_of(index_t number) { return std::to_string(number); }
std::string text_of(int number) { return std::to_string(number); }
template <class Number>
std::string text_of(const std::vector<Number>& values) {
  return list(values, " x ", "none");
}
std::string text_of(EngineChoice choice) { return engine_name(choice); }  // after the environment variable
template <class Choice>
std::string text_of(Choice choice) {
  return to_string(choice);
}

// Ranks may have different numbers of threads.
std::string to_text(PlanOptions options) {
  options.threads = 0;
  options.message_limit = message_limit(options.message_limit);
  std::string text = "tuning '" + options.tuning + "'";
#define WEFT_ADD(name) text += ", " #name " " + text_of(options.name);
  WEFT_NAMED_OPTIONS(WEFT_ADD)
  WEFT_NUMBER_OPTIONS(WEFT_ADD)
  WEFT_LIST_OPTIONS(WEFT_ADD)
#undef WEFT_ADD
  return text;
}

}  // namespace

// Environment variables override some options, and may be wrong on a single rank.
void require_same_options(const Comm& comm, const PlanOptions& options) {
  std::string text;
  comm.together([&] {
    text = to_text(options);
    check_engine(options.engine);  // and WEFT_SIMD
  });
  comm.require_same("options", text);
}

void check_options(const PlanOptions& options, int ranks) {
  check_options(redistribution_options(options));
  require(options.chunks >= 0, "chunks: " + std::to_string(options.chunks) +
                                   " is not allowed; give 1 or more, or 0 for the planner's choice");
  require(options.wire == Wire::same || row_of(options.strategy).packs_messages(),
          "wire: 'single' needs a strategy that packs its messages, '" + to_string(options.strategy) +
              "' sends arrays as they are; give another strategy, such as 'alltoallv'");
  if (options.grid.empty()) return;
  constexpr index_t cap = index_t{1} << 31;  // times another entry still fits
  index_t product = 1;
  for (const int entry : options.grid) {
    require(entry >= 1, "grid: " + grid_text(options.grid) + " has an entry below 1; every entry is a number of ranks");
    product = std::min(product * entry, cap);
  }
  require(product == ranks, "grid: the product of " + grid_text(options.grid) + " is " +
                                (product == cap ? "at least " : "") + std::to_string(product) + ", but there are " +
                                std::to_string(ranks) +
                                " ranks; give a grid whose product is the number of ranks, or none");
}

void check_total(const char* name, const Extents& counts) {
  constexpr index_t most = index_t{1} << 56;
  index_t total = 1;
  for (const index_t count : counts) {
    require(count <= most / total,
            std::string(name) + ": " + to_string(counts) +
                " is too large: the bytes of such an array cannot be counted in 64 bits; give at "
                "most 2^56 in all");
    total *= std::max(count, index_t{1});
  }
}

namespace {

void check_line_memory(const PassPlan& pass, const std::vector<AxisTransform>& transforms, int lane_bytes) {
  const double memory = static_cast<double>(physical_memory());
  int width = pass.width_before;
  for (const int axis : pass.axes) {
    const AxisTransform& transform = transforms[static_cast<std::size_t>(axis)];
    const LineSpec spec{transform.kind, Direction::forward, transform.length, width};
    const double bytes = 2.0 * lane_bytes * static_cast<double>(block_reals_per_lane(spec));
    if (bytes > memory)
      throw Error(Fault::resource, "axis " + std::to_string(axis) + ": lines of " + std::to_string(transform.length) +
                                       " points take " + number("%.3g GB", bytes * 1e-9) +
                                       " of workspace per thread, but this machine has " +
                                       number("%.3g GB", memory * 1e-9) + " of memory; give fewer points along it");
    if (is_fourier(transform.kind)) width = 2;
  }
}

}  // namespace

void check_line_memory(const Schedule& schedule, int lane_bytes) {
  for (const PassPlan& pass : schedule.passes) check_line_memory(pass, schedule.axes, lane_bytes);
}

void check_absent_ranks(int ranks) {
  require(ranks >= 1 && ranks <= most_absent_ranks,
          "ranks: " + std::to_string(ranks) + " is not possible; give 1 to " + std::to_string(most_absent_ranks));
}

int checked_node_ranks(const Comm& comm, const PlanOptions& options) {
  comm.together([&] { check_options(options, comm.size()); });
  return static_cast<int>(comm.max(index_t{node_within(comm, options.node_ranks).size()}));
}

int ranks_of(const PlanOptions& options, int size) {
  require(options.ranks >= 0 && options.ranks <= size, "ranks: " + std::to_string(options.ranks) +
                                                           " is not allowed; give 1 to " + std::to_string(size) +
                                                           " (the ranks of the communicator), or 0 for all");
  return options.ranks > 0 ? options.ranks : size;
}

void check_boxes(const PlanOptions& options, const PlanBoxes& boxes, int size) {
  const bool natural = options.output == Output::natural;
  require(!natural || boxes.spectral.dims() == 0,
          "output: 'natural' says how modes are distributed, and so do the boxes; give one of them");
  if (!options.in_place) return;
  const char* advice = "; make the plan without in_place";
  require(options.output == Output::transposed,
          "output: '" + to_string(options.output) + "' is not possible in place" + advice);
  require(ranks_of(options, size) == size, std::string("ranks: all ranks transform in place") + advice);
  require(boxes.physical.dims() == 0 && boxes.spectral.dims() == 0,
          std::string("boxes: arrays of users are not possible in place") + advice);
}

void refuse_distribution(const PlanOptions& options) {
  require(options.output == Output::transposed,
          "output: a solver leaves no modes, '" + to_string(options.output) + "' has no meaning; omit it");
  require(options.ranks == 0, "ranks: all ranks of its communicator solve; give the solver a smaller communicator");
}

ProcessGrid grid_for(const ScheduleInput& input, const PlanOptions& options, int ranks) {
  return options.grid.empty() ? choose_grid(input, ranks) : ProcessGrid(options.grid);
}

index_t fusible_plane_reals(std::size_t bytes_per_real) {
  // Measured times of fused over separate passes: 0.88 for a plane of a quarter of the second-level cache, 0.93 for a
  // plane that fills it, 1.0 for a plane of twice its size.
  const index_t level2 = std::max(second_cache_bytes(), index_t{1} << 20);
  return 2 * level2 / static_cast<index_t>(bytes_per_real);
}

}  // namespace weft
