// Replaces malloc and its relatives by functions that count, and leave the work to those of glibc; malloc can be made
// to fail.
#include "memory/allocations.hpp"

#include <malloc.h>

#include <atomic>
#include <cerrno>

// NOLINTBEGIN: these names are glibc's, and those of the functions that they replace.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);
}

namespace {

std::atomic<std::ptrdiff_t> now{0}, most{0}, others_left{-1};

bool fails() { return others_left.load() >= 0 && others_left.fetch_sub(1) == 0; }

void* counted(void* memory) {
  const auto bytes = static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  const std::ptrdiff_t total = now.fetch_add(bytes) + bytes;
  for (std::ptrdiff_t seen = most.load(); seen < total && !most.compare_exchange_weak(seen, total);) {
  }
  return memory;
}

void forget(void* memory) { now.fetch_sub(static_cast<std::ptrdiff_t>(malloc_usable_size(memory))); }

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) { return fails() ? nullptr : counted(__libc_malloc(bytes)); }
void* calloc(std::size_t count, std::size_t bytes) { return counted(__libc_calloc(count, bytes)); }
void* memalign(std::size_t alignment, std::size_t bytes) { return counted(__libc_memalign(alignment, bytes)); }
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  *memory = memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  forget(memory);
  __libc_free(memory);
}
void* realloc(void* memory, std::size_t bytes) {
  forget(memory);
  void* moved = __libc_realloc(memory, bytes);
  if (moved == nullptr && bytes > 0) return counted(memory), nullptr;
  return counted(moved);
}

}  // extern "C"
// NOLINTEND

namespace weft::testing {

bool fail_allocation_after(std::ptrdiff_t others) { return others_left.exchange(others) >= 0; }
std::ptrdiff_t allocated_bytes() { return now.load(); }
std::ptrdiff_t largest_allocated_bytes() { return most.exchange(now.load()); }

}  // namespace weft::testing
