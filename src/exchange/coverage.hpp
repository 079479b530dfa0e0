// Whether boxes of ranks cover what is wanted, and just once. Pure arithmetic.
#pragma once

#include <optional>
#include <vector>

#include "weft/box.hpp"
#include "weft/comm.hpp"

namespace weft {

/// The box of every rank. Collective; all have as many axes.
std::vector<Box> gather_boxes(const Comm& comm, const Box& mine);

/// The first box of `others` but the one at `except` that shares elements with `box`; -1 where there is none.
int overlapping(const Box& box, const std::vector<Box>& others, int except);

/// A part of `wanted` that no box of `owned` has; nothing where all of it is there. The boxes of `owned` do not
/// overlap.
std::optional<Box> missing(const Box& wanted, const std::vector<Box>& owned);

/// Throws Error, named after the argument `name`, unless a box has 1 to 6 axes and no range that ends before it begins.
void check_box(const std::string& name, const Box& box);

}  // namespace weft
