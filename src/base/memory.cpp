// Aligned allocation with advice to use huge pages.
#include "weft/memory.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "base/buffer.hpp"

namespace weft {

void* allocate_aligned(std::size_t bytes) {
  constexpr std::size_t cache_line = cache_line_bytes, huge_page = huge_page_bytes;
  const std::size_t alignment = bytes >= huge_page ? huge_page : cache_line;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded > 0 ? rounded : cache_line);
  if (memory == nullptr) throw std::bad_alloc();
  // Advice only: where the system refuses, the memory works just as well with small pages.
  if (alignment == huge_page) (void)madvise(memory, rounded, MADV_HUGEPAGE);
  return memory;
}

void free_aligned(void* memory) noexcept { std::free(memory); }

}  // namespace weft
