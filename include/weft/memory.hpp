// Memory for fast vector stores: aligned to cache lines, and in huge pages if it is large.
#pragma once

#include <cstddef>
#include <vector>

namespace weft {

/// Memory aligned to 64 bytes, or from 2 MB on aligned to 2 MB with advice to use huge pages. Throws std::bad_alloc.
void* allocate_aligned(std::size_t bytes);
void free_aligned(void* memory) noexcept;

/// A standard allocator that uses allocate_aligned.
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

/// A std::vector in aligned memory.
template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace weft
