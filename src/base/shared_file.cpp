// Creates and opens files of shared memory.
#include "base/shared_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <random>
#include <string_view>

#include "weft/error.hpp"

namespace weft {

void refuse_memory(const std::string& step, index_t bytes, int reason) {
  throw Error(Fault::resource, "strategy: " + std::to_string((bytes + (1 << 20) - 1) >> 20) +
                                   " MB of the node's shared memory (/dev/shm) could not be allocated: " + step + ": " +
                                   std::strerror(reason) + "; use strategy 'alltoallv', or give the node more");
}

SharedFile::SharedFile(const std::string& name, int flags) : file_(shm_open(name.c_str(), O_RDWR | flags, 0600)) {}

SharedFile::~SharedFile() {
  if (file_ >= 0) (void)close(file_);
}

namespace {

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

}  // namespace

NamedFile::~NamedFile() {
  if (!name_.empty()) (void)shm_unlink(name_.c_str());
}

void NamedFile::create(index_t bytes) {
  remove_remains();
  std::random_device random;
  const std::string wanted = "/" + std::string(prefix) + std::to_string(getpid()) + "-" + std::to_string(random());
  file_.emplace(wanted, O_CREAT | O_EXCL);
  if (!file_->ok()) refuse_memory("shm_open", bytes, errno);
  name_ = wanted;
  (void)flock(file_->get(), LOCK_SH | LOCK_NB);
  int code = ftruncate(file_->get(), bytes);
  while (code != 0 && errno == EINTR) code = ftruncate(file_->get(), bytes);
  if (code != 0) refuse_memory("ftruncate", bytes, errno);
}

// Signals are blocked meanwhile: older kernels give up a reservation at any signal, and with the frequent signals of a
// profiler or timer no attempt would ever finish.
int reserve_memory([[maybe_unused]] int file, [[maybe_unused]] index_t first, [[maybe_unused]] index_t bytes) {
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

}  // namespace weft
