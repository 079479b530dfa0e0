// How many elements a message may have.
#pragma once

#include "weft/types.hpp"

namespace weft {

/// The smaller one of the given limit and the environment variable WEFT_MESSAGE_LIMIT, with which whole test suites run
/// with small messages. Throws Error if the variable is not a whole number from 1 to 2^31-1.
index_t message_limit(index_t asked);

}  // namespace weft
