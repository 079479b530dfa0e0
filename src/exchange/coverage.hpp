// Checks that boxes of ranks cover a wanted box exactly once. Pure arithmetic.
#pragma once

#include <optional>
#include <vector>

#include "weft/box.hpp"
#include "weft/comm.hpp"

namespace weft {

/// The box of every rank. All boxes have the same number of axes. Collective.
std::vector<Box> gather_boxes(const Comm& comm, const Box& mine);

/// The index of the first box of `others`, except for `except`, that shares elements with `box`; -1 if there is none.
int overlapping(const Box& box, const std::vector<Box>& others, int except);

/// A part of `wanted` that no box of `owned` contains, or nothing if `wanted` is covered. The boxes of `owned` do not
/// overlap.
std::optional<Box> missing(const Box& wanted, const std::vector<Box>& owned);

/// Throws Error, which names the argument `name`, unless a box has 1 to 6 axes and no range that ends before it begins.
void check_box(const std::string& name, const Box& box);

}  // namespace weft
