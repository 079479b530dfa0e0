// What a solve sends, and what it would send if it were done otherwise.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/schedule.hpp"
#include "weft/boundary.hpp"

namespace weft {

/// Another way to do the same: an order of axes, the place of the exchange, a grid.
struct Choice {
  std::string name;
  index_t bytes = 0;  ///< that all ranks together send in one solve
};

/// The way of `input`, with its grid, first. Then the best of the other orders, the other place of a slab's exchange,
/// and other grids, those that send least first. Pure arithmetic.
std::vector<Choice> choices_of(const std::vector<DomainAxis>& domain, const ScheduleInput& input,
                               std::size_t bytes_per_real);

/// These as a line of explain().
std::string to_text(const std::vector<Choice>& choices);

}  // namespace weft
