// The size of the caches that the processors of this node share.
#pragma once

#include "weft/types.hpp"

namespace weft {

/// Bytes of the last level of the caches of all processors of this node, as the system tells; 0: it does not. (sysconf
/// tells what the processor has, virtual machines less.)
index_t last_cache_bytes();

}  // namespace weft
