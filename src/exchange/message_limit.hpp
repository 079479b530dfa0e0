// How many elements a message may have.
#pragma once

#include "weft/types.hpp"

namespace weft {

/// The limit that was asked for, or what the environment variable WEFT_MESSAGE_LIMIT says if that is less: whole test
/// suites run with small messages by it. Throws Error where it is no whole number from 1 to 2^31-1.
index_t message_limit(index_t asked);

}  // namespace weft
