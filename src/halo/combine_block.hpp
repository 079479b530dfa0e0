// Adds blocks to others, or copies them with the opposite sign, for halos.
#pragma once

#include "exchange/block_copy.hpp"
#include "weft/element.hpp"

namespace weft {

/// to = from, to = -from, to += from, to -= from.
enum class Combine { copy, negate, add, subtract };

/// Combines `extents` elements of two blocks that do not overlap.
void combine_block(Combine operation, const ByteArray<const char>& from, const ByteArray<char>& to,
                   const Extents& extents, Element element, int threads);

}  // namespace weft
