// The size of the caches that the processors of this node share.
#pragma once

#include "weft/types.hpp"

namespace weft {

/// Bytes of the last cache level of all processors of this node as the system reports them; 0: not reported. (sysconf
/// reports the cache of the whole processor, while a virtual machine may have less.)
index_t last_cache_bytes();

}  // namespace weft
