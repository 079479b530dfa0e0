// Creates, maps and frees the shared memory of a node.
#include "base/node_memory.hpp"

#include <sys/mman.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/buffer.hpp"
#include "base/shared_file.hpp"

namespace weft {

index_t free_shared_memory() {
  struct statvfs info {};
  if (statvfs("/dev/shm", &info) != 0) return 0;
  return static_cast<index_t>(info.f_bavail) * static_cast<index_t>(info.f_frsize);
}

NodeMemory::NodeMemory(const Comm& comm, index_t my_bytes) : comm_(comm), bytes_(round_up(my_bytes, cache_line_bytes)) {
  offsets_.push_back(0);
  for (const index_t bytes : comm.all_gather(bytes_)) offsets_.push_back(offsets_.back() + bytes);
  offsets_.back() = std::max(offsets_.back(), cache_line_bytes);
  if (comm.size() > 1) {
    share();
  } else {
    comm.together([&] {
      const auto size = static_cast<std::size_t>(total());
      memory_ = static_cast<char*>(std::memset(allocate_aligned(size), 0, size));
    });
  }
}

void NodeMemory::share() {
  NamedFile shared;
  comm_.together([&] {
    if (comm_.rank() == 0) shared.create(total());
  });
  const std::string name = comm_.broadcast(shared.name(), 0);
  try {
    comm_.together([&] {
      const SharedFile file(name, 0);
      if (!file.ok()) refuse_memory("shm_open", total(), errno);
      map(file.get());
    });
  } catch (...) {
    // Another rank may have failed; the memory of this one would stay reserved for ever.
    release();
    throw;
  }
}

// Every rank reserves its own part, so that the pages lie in the memory of its core (NUMA).
void NodeMemory::map(int file) {
  const index_t first = offsets_[static_cast<std::size_t>(comm_.rank())];
  const int reserved = reserve_memory(file, first, bytes_);
  if (reserved != 0) refuse_memory("posix_fallocate", total(), reserved);
  void* mapped = mmap(nullptr, static_cast<std::size_t>(total()), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) refuse_memory("mmap", total(), errno);
  memory_ = static_cast<char*>(mapped);
  advise_huge_pages(memory_, total());
}

NodeMemory::~NodeMemory() { release(); }

void NodeMemory::release() {
  if (memory_ == nullptr) return;
  if (comm_.size() > 1) {
    (void)munmap(memory_, static_cast<std::size_t>(total()));
  } else {
    free_aligned(memory_);
  }
}

void NodeMemory::synchronise() const {
  if (comm_.size() == 1) return;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  comm_.barrier();
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace weft
