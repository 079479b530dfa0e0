// Bytes that a solve sends, and those of its alternatives.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/schedule.hpp"
#include "weft/boundary.hpp"

namespace weft {

/// One way to compute a solve: an order of axes, a place of the exchange, a grid.
struct Choice {
  std::string name;
  index_t bytes = 0;  ///< sent by all ranks together in one solve
};

/// The choice made in `input`, with its grid, comes first; then the best of the other orders, the other place of a
/// slab's exchange, and other grids, by ascending bytes. Pure arithmetic.
std::vector<Choice> choices_of(const std::vector<DomainAxis>& domain, const ScheduleInput& input,
                               std::size_t bytes_per_real);

/// Choices as a line of explain().
std::string to_text(const std::vector<Choice>& choices);

}  // namespace weft
