// Checks of options and process grids.
#include "plan/arguments.hpp"

#include <unistd.h>

#include <algorithm>

#include "transform/line_engine.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

std::string list(const std::vector<int>& values) {
  std::string text;
  for (const int value : values) text += (text.empty() ? "" : " x ") + std::to_string(value);
  return text.empty() ? "auto" : text;
}

}  // namespace

std::string to_text(const PlanOptions& o) {
  return "grid " + list(o.grid) + ", strategy " + to_string(o.strategy) + ", norm " + to_string(o.norm) + ", effort " +
         to_string(o.effort) + ", engine " + engine_name(o.engine) + ", in_place " + (o.in_place ? "yes" : "no") +
         ", scheme " + std::to_string(static_cast<int>(o.scheme)) + ", message_limit " +
         std::to_string(o.message_limit) + ", shared_memory_limit " + std::to_string(o.shared_memory_limit);
}

void check_options(const PlanOptions& options, int ranks) {
  require(options.threads >= 0 && options.threads <= 4096,
          "threads: " + std::to_string(options.threads) + " is not allowed; give 1 to 4096, or 0 for the default");
  require(options.message_limit >= 1 && options.message_limit < (index_t{1} << 31),
          "message_limit: " + std::to_string(options.message_limit) + " is not allowed; give 1 to 2^31-1 elements");
  if (options.grid.empty()) return;
  constexpr index_t cap = index_t{1} << 31;  // times another entry still fits
  index_t product = 1;
  for (const int entry : options.grid) {
    require(entry >= 1, "grid: " + list(options.grid) + " has an entry below 1; every entry is a number of ranks");
    product = std::min(product * entry, cap);
  }
  require(product == ranks, "grid: the product of " + list(options.grid) + " is " +
                                (product == cap ? "at least " : "") + std::to_string(product) + ", but there are " +
                                std::to_string(ranks) +
                                " ranks; give a grid whose product is the number of ranks, or none");
}

ProcessGrid grid_for(const ScheduleInput& input, const PlanOptions& options, int ranks) {
  return options.grid.empty() ? choose_grid(input, ranks) : ProcessGrid(options.grid);
}

index_t fusible_plane_reals(std::size_t bytes_per_real) {
  // Measured, time fused over not fused: 0.88 for a plane of a quarter of the second-level cache, 0.93 for one that
  // fills it, 1.0 for twice that.
  const long level2 = std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 1L << 20);
  return 2 * level2 / static_cast<index_t>(bytes_per_real);
}

}  // namespace weft
