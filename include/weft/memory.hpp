// Memory that vector stores like: cache-line aligned, in huge pages where it is large.
#pragma once

#include <cstddef>
#include <vector>

namespace weft {

/// Aligned to 64 bytes, or to 2 MB with advice to use huge pages from that size on. Throws std::bad_alloc.
void* allocate_aligned(std::size_t bytes);
void free_aligned(void* memory) noexcept;

/// Standard allocator over allocate_aligned.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class Other>
  AlignedAllocator(const AlignedAllocator<Other>&) {}  // NOLINT: implicit by the allocator requirements
  T* allocate(std::size_t count) { return static_cast<T*>(allocate_aligned(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) noexcept { free_aligned(memory); }
  template <class Other>
  bool operator==(const AlignedAllocator<Other>&) const {
    return true;
  }
};

/// A std::vector in such memory.
template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace weft
