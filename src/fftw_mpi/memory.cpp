// Allocates whole pages for fftw_malloc, remembers them, and moves them to shared memory.
#include "fftw_mpi/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>

#include "base/asked.hpp"
#include "base/buffer.hpp"

namespace weft::fftw_mpi {

namespace {

// All allocations by their addresses.
struct Known {
  std::mutex lock;
  std::map<const char*, Allocation> by_address;
};

// Programs free arrays until they end, so it is never destroyed.
Known& known() {
  static Known& result = *new Known;
  return result;
}

char* map_private(index_t bytes) {
  void* mapped =
      mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<char*>(mapped);
}

void unmap(char* begin, index_t bytes) {
  if (bytes > 0) (void)munmap(begin, static_cast<std::size_t>(bytes));
}

// Memory that begins where a huge page may, if it is as large as one.
char* map_aligned(index_t bytes) {
  if (bytes < huge_page_bytes) return map_private(bytes);
  char* wide = map_private(bytes + huge_page_bytes);
  if (wide == nullptr) return nullptr;
  const auto over = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(wide) % huge_page_bytes);
  const index_t skipped = over == 0 ? 0 : huge_page_bytes - over;
  unmap(wide, skipped);
  unmap(wide + skipped + bytes, huge_page_bytes - skipped);
  advise_huge_pages(wide + skipped, bytes);
  return wide + skipped;
}

// The allocation that contains an address, or the end. The caller holds the lock.
auto containing(Known& all, const char* address) {
  auto next = all.by_address.upper_bound(address);
  if (next == all.by_address.begin()) return all.by_address.end();
  const auto found = std::prev(next);
  return address < found->first + found->second.bytes ? found : all.by_address.end();
}

}  // namespace

PagesFile::~PagesFile() {
  if (begin != nullptr) unmap(begin, bytes);
}

bool may_share() {
  static const bool result = !is_asked("WEFT_FFTW_PRIVATE");
  return result;
}

void* allocate(std::size_t bytes) noexcept {
  constexpr std::size_t most = std::size_t{1} << 62;
  if (!may_share() || bytes < least_own_bytes || bytes > most) return nullptr;
  const index_t rounded = round_up(static_cast<index_t>(bytes), sysconf(_SC_PAGESIZE));
  char* memory = map_aligned(rounded);
  if (memory == nullptr) return nullptr;
  try {
    const std::lock_guard<std::mutex> guard(known().lock);
    known().by_address[memory] = {memory, rounded, nullptr};
  } catch (...) {
    unmap(memory, rounded);
    return nullptr;
  }
  return memory;
}

bool release(void* memory) noexcept {
  Known& all = known();
  const std::lock_guard<std::mutex> guard(all.lock);
  const auto found = all.by_address.find(static_cast<const char*>(memory));
  if (found == all.by_address.end()) return false;
  unmap(found->second.begin, found->second.bytes);
  all.by_address.erase(found);
  return true;
}

std::optional<Allocation> allocation_of(const void* begin, index_t bytes) {
  Known& all = known();
  const std::lock_guard<std::mutex> guard(all.lock);
  const auto* first = static_cast<const char*>(begin);
  const auto found = containing(all, first);
  if (found == all.by_address.end() || bytes > found->first + found->second.bytes - first) return {};
  return found->second;
}

bool move_to_file(const Allocation& allocation, int file, const File& pages) {
  const auto bytes = static_cast<std::size_t>(allocation.bytes);
  void* view = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (view == MAP_FAILED) return false;
  std::memcpy(view, allocation.begin, bytes);
  (void)munmap(view, bytes);
  if (mmap(allocation.begin, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
    return false;
  advise_huge_pages(allocation.begin, allocation.bytes);
  const std::lock_guard<std::mutex> guard(known().lock);
  known().by_address[allocation.begin].file = pages;
  return true;
}

}  // namespace weft::fftw_mpi
