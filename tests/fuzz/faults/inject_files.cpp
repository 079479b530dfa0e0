// Preloaded (LD_PRELOAD) into the ranks of a fault test: calls that write to files of one folder fail as the system
// lets them fail, do a part of their work, or end the process.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "inject.hpp"

namespace weft::inject {

namespace {

// What happens to a call, beside an error number, which is positive.
constexpr int short_write = -1;  ///< half of the bytes are written, and that is what the caller is told
constexpr int killed = -2;       ///< the process ends before the call
constexpr int killed_half = -3;  ///< half of the bytes are written, and the process ends

Trigger calls;
char folder[PATH_MAX] = "";
int outcome = 0;

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// Paths are told by how they begin; relative ones from the working folder.
bool watched(const char* path) {
  if (!calls.armed() || path == nullptr) return false;
  char whole[PATH_MAX];
  if (path[0] != '/') {
    if (getcwd(whole, sizeof whole) == nullptr) return false;
    const std::size_t length = std::strlen(whole);
    std::snprintf(whole + length, sizeof whole - length, "/%s", path);
    path = whole;
  }
  const std::size_t length = std::strlen(folder);
  return length > 0 && std::strncmp(path, folder, length) == 0;
}

bool watched(int file) {
  if (!calls.armed()) return false;
  char link[64], path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  return watched(path);
}

enum class Call { open, make, write, flush, reserve, resize, rename };

// A disk that is full refuses what needs room, a folder that is not ours what makes names; the rest may happen to all.
// HDF5 does not call ftruncate again that a signal interrupted, which local file systems do not let happen.
bool can_fail(Call call) {
  switch (outcome) {
    case ENOSPC:
      return call == Call::make || call == Call::write || call == Call::reserve || call == Call::resize;
    case EACCES:
      return call == Call::open || call == Call::make || call == Call::rename;
    case EINTR:
      return call == Call::write || call == Call::flush || call == Call::reserve;
    case short_write:
    case killed_half:
      return call == Call::write;
    default:
      return true;
  }
}

// Whether the call fails, with errno set; it may not come back.
bool fails(Call call) {
  if (!can_fail(call) || !calls.fails()) return false;
  note_place();
  if (outcome == killed) kill(getpid(), SIGKILL);
  errno = outcome > 0 ? outcome : 0;
  return true;
}

// What a write is told when it fails: -1, or the bytes of a part; `write_some` writes so many of them.
template <class Write>
ssize_t written(int file, std::size_t bytes, const Write& write_some) {
  if (!watched(file) || (bytes < 2 && outcome < 0) || !fails(Call::write)) return write_some(bytes);
  if (outcome > 0) return -1;
  const ssize_t part = write_some(bytes / 2);
  if (outcome == killed_half) kill(getpid(), SIGKILL);
  return part;
}

template <class Path>
int opened(const char* name, Path path, int flags, mode_t mode) {
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_DIRECTORY) != 0;
  if (writes && watched(path) && fails((flags & O_CREAT) != 0 ? Call::make : Call::open)) return -1;
  return next<int (*)(Path, int, ...)>(name)(path, flags, mode);
}

mode_t mode_in(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(arguments, unsigned)) : 0;
}

}  // namespace

}  // namespace weft::inject

using namespace weft::inject;

/// Calls for files whose path begins with `begin` fail: the one of number `first` (from 1) and `many` - 1 that follow.
/// `how` is an error number, -1 for a write of half of the bytes, -2 for SIGKILL before the call, -3 after half of it.
WEFT_INJECT_EXPORT void weft_inject_files(long first, long many, int how, const char* begin) {
  forget_place("");
  std::snprintf(folder, sizeof folder, "%s", begin);
  outcome = how;
  calls.arm(first, many);
}
/// Ends that; how many have failed.
WEFT_INJECT_EXPORT int weft_inject_files_end() { return calls.disarm(); }
/// How many have been counted.
WEFT_INJECT_EXPORT long weft_inject_files_seen() { return calls.seen(); }

WEFT_INJECT_EXPORT int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_in(flags, arguments);
  va_end(arguments);
  return opened("open", path, flags, mode);
}
WEFT_INJECT_EXPORT int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_in(flags, arguments);
  va_end(arguments);
  return opened("open64", path, flags, mode);
}
WEFT_INJECT_EXPORT int shm_open(const char* name, int flags, mode_t mode) {
  char path[PATH_MAX];
  std::snprintf(path, sizeof path, "/dev/shm%s", name);
  if (watched(path) && fails((flags & O_CREAT) != 0 ? Call::make : Call::open)) return -1;
  return next<int (*)(const char*, int, mode_t)>("shm_open")(name, flags, mode);
}

WEFT_INJECT_EXPORT ssize_t write(int file, const void* data, size_t bytes) {
  return written(file, bytes,
                 [=](size_t some) { return next<ssize_t (*)(int, const void*, size_t)>("write")(file, data, some); });
}
WEFT_INJECT_EXPORT ssize_t pwrite(int file, const void* data, size_t bytes, off_t offset) {
  return written(file, bytes, [=](size_t some) {
    return next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite")(file, data, some, offset);
  });
}
WEFT_INJECT_EXPORT ssize_t pwrite64(int file, const void* data, size_t bytes, off64_t offset) {
  return written(file, bytes, [=](size_t some) {
    return next<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64")(file, data, some, offset);
  });
}

WEFT_INJECT_EXPORT int fsync(int file) {
  return watched(file) && fails(Call::flush) ? -1 : next<int (*)(int)>("fsync")(file);
}
WEFT_INJECT_EXPORT int fdatasync(int file) {
  return watched(file) && fails(Call::flush) ? -1 : next<int (*)(int)>("fdatasync")(file);
}

WEFT_INJECT_EXPORT int ftruncate(int file, off_t bytes) noexcept {
  return watched(file) && fails(Call::resize) ? -1 : next<int (*)(int, off_t)>("ftruncate")(file, bytes);
}
WEFT_INJECT_EXPORT int ftruncate64(int file, off64_t bytes) noexcept {
  return watched(file) && fails(Call::resize) ? -1 : next<int (*)(int, off64_t)>("ftruncate64")(file, bytes);
}
WEFT_INJECT_EXPORT int fallocate(int file, int mode, off_t first, off_t bytes) {
  if (watched(file) && fails(Call::reserve)) return -1;
  return next<int (*)(int, int, off_t, off_t)>("fallocate")(file, mode, first, bytes);
}
WEFT_INJECT_EXPORT int fallocate64(int file, int mode, off64_t first, off64_t bytes) {
  if (watched(file) && fails(Call::reserve)) return -1;
  return next<int (*)(int, int, off64_t, off64_t)>("fallocate64")(file, mode, first, bytes);
}
// This one returns the error number.
WEFT_INJECT_EXPORT int posix_fallocate(int file, off_t first, off_t bytes) {
  if (watched(file) && fails(Call::reserve)) return errno;
  return next<int (*)(int, off_t, off_t)>("posix_fallocate")(file, first, bytes);
}
WEFT_INJECT_EXPORT int posix_fallocate64(int file, off64_t first, off64_t bytes) {
  if (watched(file) && fails(Call::reserve)) return errno;
  return next<int (*)(int, off64_t, off64_t)>("posix_fallocate64")(file, first, bytes);
}

WEFT_INJECT_EXPORT int rename(const char* from, const char* to) noexcept {
  if (watched(to) && fails(Call::rename)) return -1;
  return next<int (*)(const char*, const char*)>("rename")(from, to);
}
WEFT_INJECT_EXPORT int mkdir(const char* path, mode_t mode) noexcept {
  if (watched(path) && fails(Call::make)) return -1;
  return next<int (*)(const char*, mode_t)>("mkdir")(path, mode);
}
