// Aligned allocation with advice to use huge pages, and the amounts of memory of the machine.
#include "weft/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <new>
#include <string>

#include "base/buffer.hpp"

namespace weft {

void* allocate_aligned(std::size_t bytes) {
  constexpr std::size_t cache_line = cache_line_bytes, huge_page = huge_page_bytes;
  const std::size_t alignment = bytes >= huge_page ? huge_page : cache_line;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  // The system grants more memory than it has, and kills a process that uses it.
  constexpr std::size_t large = std::size_t{1} << 30;
  if (rounded >= large && rounded > static_cast<std::size_t>(available_memory())) throw std::bad_alloc();
  void* memory = std::aligned_alloc(alignment, rounded > 0 ? rounded : cache_line);
  if (memory == nullptr) throw std::bad_alloc();
  if (alignment == huge_page) advise_huge_pages(memory, static_cast<index_t>(rounded));
  return memory;
}

void free_aligned(void* memory) noexcept { std::free(memory); }

void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] index_t bytes) {
#if defined(MADV_HUGEPAGE)
  (void)madvise(memory, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
#endif
}

index_t physical_memory() { return index_t{sysconf(_SC_PHYS_PAGES)} * index_t{sysconf(_SC_PAGESIZE)}; }

// If the system does not report available memory, all of it counts as available.
index_t available_memory() {
  std::ifstream facts("/proc/meminfo");
  facts.exceptions(std::ios::badbit);  // a stream that lacks memory must not look like the end of the file
  std::string name, unit;
  index_t kilobytes = 0, left = 0;
  bool told = false;
  while (facts >> name >> kilobytes && std::getline(facts, unit)) {
    if (name != "MemAvailable:" && name != "SwapFree:") continue;
    told = told || name == "MemAvailable:";
    left += kilobytes * 1024;
  }
  return told ? left : physical_memory();
}

}  // namespace weft
