// Memory that grows without moving: addresses are reserved for all memory of the machine, and pages come with use.
#include "weft/workspace.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "base/buffer.hpp"
#include "weft/error.hpp"

namespace weft {

Workspace::Workspace() {
  const index_t most = round_up(std::max(physical_memory(), huge_page_bytes), huge_page_bytes);
  // A limit on addresses (ulimit -v) may allow less than the machine has.
  for (reserved_ = most; reserved_ >= huge_page_bytes; reserved_ = round_up(reserved_ / 2, huge_page_bytes)) {
    void* addresses = mmap(nullptr, static_cast<std::size_t>(reserved_), PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (addresses != MAP_FAILED) {
      data_ = static_cast<char*>(addresses);
      return;
    }
    if (reserved_ == huge_page_bytes) break;
  }
  throw Error(Fault::resource, "workspace: the system grants no addresses for memory; raise the limit (ulimit -v)");
}

Workspace::Workspace(void* memory, index_t bytes) {
  require(bytes >= 0 && (memory != nullptr || bytes == 0), "workspace: " + std::to_string(bytes) + " bytes at " +
                                                               (memory == nullptr ? "a null pointer" : "an address") +
                                                               "; give memory and the number of its bytes");
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const index_t skipped = static_cast<index_t>((cache_line_bytes - begin % cache_line_bytes) % cache_line_bytes);
  data_ = static_cast<char*>(memory) + std::min(skipped, bytes);
  bytes_ = std::max<index_t>(bytes - skipped, 0);
}

Workspace::~Workspace() {
  if (reserved_ > 0) (void)munmap(data_, static_cast<std::size_t>(reserved_));
}

bool Workspace::grow(index_t bytes) {
  if (bytes <= bytes_) return true;
  const index_t wanted = round_up(bytes, index_t{sysconf(_SC_PAGESIZE)});
  if (wanted > reserved_) return false;
  if (mprotect(data_, static_cast<std::size_t>(wanted), PROT_READ | PROT_WRITE) != 0) return false;
  if (wanted >= huge_page_bytes) advise_huge_pages(data_, wanted);
  bytes_ = wanted;
  return true;
}

}  // namespace weft
