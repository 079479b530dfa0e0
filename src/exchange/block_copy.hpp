// Copies of blocks between two arrays in memory, whatever their strides.
#pragma once

#include "weft/types.hpp"

namespace weft {

/// A block somewhere in memory. Strides are in bytes, per axis, and may be negative.
template <class Byte>
struct ByteArray {
  Byte* data = nullptr;
  Extents strides;
};

struct CopyOptions {
  int threads = 1;
  bool stream = false;  ///< use streaming stores: the result is larger than a cache and not read again soon
};

/// Arrays of more bytes get streaming stores.
constexpr index_t stream_copies_from = 16 << 20;

/// Copies `extents` elements of `element_bytes` each. The two blocks do not overlap.
void copy_block(const ByteArray<const char>& from, const ByteArray<char>& to, const Extents& extents,
                index_t element_bytes, const CopyOptions& options);

}  // namespace weft
