// Creates, maps and frees the shared memory of a node.
#include "base/node_memory.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <string_view>

#include "base/buffer.hpp"

namespace weft {

namespace {

[[noreturn]] void refuse(const std::string& step, index_t bytes, int reason) {
  throw Error(Fault::resource, "strategy: " + std::to_string((bytes + (1 << 20) - 1) >> 20) +
                                   " MB of the node's shared memory (/dev/shm) could not be had: " + step + ": " +
                                   std::strerror(reason) + "; use strategy 'alltoallv', or give the node more");
}

// An open file of shared memory.
class SharedFile {
 public:
  SharedFile(const std::string& name, int flags) : file_(shm_open(name.c_str(), O_RDWR | flags, 0600)) {}
  ~SharedFile() {
    if (file_ >= 0) (void)close(file_);
  }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  bool ok() const { return file_ >= 0; }
  int get() const { return file_; }

 private:
  int file_;
};

constexpr std::string_view prefix = "weft-";

// The process that made a file of this library; 0 for other files.
pid_t maker_of(std::string_view name) {
  if (!name.starts_with(prefix)) return 0;
  name.remove_prefix(prefix.size());
  pid_t maker = 0;
  (void)std::from_chars(name.data(), name.data() + name.size(), maker);
  return maker;
}

// Removes files whose maker was killed before it could unlink them. A living maker may be hidden in a container with
// the same /dev/shm, but it holds a lock.
void remove_remains() {
  std::error_code failed;
  std::filesystem::directory_iterator entry("/dev/shm", failed);
  for (; !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    const pid_t maker = maker_of(name);
    if (maker <= 0 || kill(maker, 0) == 0 || errno != ESRCH) continue;
    const SharedFile file("/" + name, 0);
    if (file.ok() && flock(file.get(), LOCK_EX | LOCK_NB) == 0) (void)shm_unlink(("/" + name).c_str());
  }
}

// The name of a file is needed only until every rank has opened it. It does not outlive the construction unless the
// process is killed.
struct SharedName {
  std::string name;
  std::optional<SharedFile> file;  // locked as long as the name exists
  SharedName() = default;
  SharedName(const SharedName&) = delete;
  SharedName& operator=(const SharedName&) = delete;
  ~SharedName() {
    if (!name.empty()) (void)shm_unlink(name.c_str());
  }
  void create(index_t bytes) {
    remove_remains();
    std::random_device random;
    const std::string wanted = "/" + std::string(prefix) + std::to_string(getpid()) + "-" + std::to_string(random());
    file.emplace(wanted, O_CREAT | O_EXCL);
    if (!file->ok()) refuse("shm_open", bytes, errno);
    name = wanted;
    (void)flock(file->get(), LOCK_SH | LOCK_NB);
    int code = ftruncate(file->get(), bytes);
    while (code != 0 && errno == EINTR) code = ftruncate(file->get(), bytes);
    if (code != 0) refuse("ftruncate", bytes, errno);
  }
};

// Signals are blocked meanwhile: older kernels give up a reservation at any signal, and with the frequent signals of a
// profiler or timer no attempt would ever finish.
int reserve([[maybe_unused]] int file, [[maybe_unused]] index_t first, [[maybe_unused]] index_t bytes) {
  int code = 0;
#if defined(__linux__)
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  while (bytes > 0 && (code = posix_fallocate(file, first, bytes)) == EINTR) continue;  // for example by a debugger
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
#endif
  return code;
}

}  // namespace

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
  SharedName shared;
  comm_.together([&] {
    if (comm_.rank() == 0) shared.create(total());
  });
  const std::string name = comm_.broadcast(shared.name, 0);
  try {
    comm_.together([&] {
      const SharedFile file(name, 0);
      if (!file.ok()) refuse("shm_open", total(), errno);
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
  const int reserved = reserve(file, first, bytes_);
  if (reserved != 0) refuse("posix_fallocate", total(), reserved);
  void* mapped = mmap(nullptr, static_cast<std::size_t>(total()), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) refuse("mmap", total(), errno);
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
