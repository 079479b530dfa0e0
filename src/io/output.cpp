// Writes a file under another name, flushes it and renames it, so that it appears complete or not at all.
#include "io/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "io/paths.hpp"

namespace weft::io {
namespace {

[[noreturn]] void refuse_output(const std::string& path, const std::string& reason) {
  refuse_file("the output " + quoted(path) + " cannot be written: " + reason +
              "; give a folder that exists, is writable and has room");
}

// Repeats a call that a signal has interrupted. The call returns a negative number if it fails.
template <class Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

int opened(const std::string& path, int flags) {
  const int number = uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
  if (number < 0) refuse_output(path, system_reason());
  return number;
}

// A file descriptor that is closed at the end.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(opened(path, flags)) {}
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// Writes all bytes at this offset of the file. One system call may write fewer (never more than 2 GiB).
void write_all(int number, const char* data, index_t bytes, index_t offset, const std::string& path) {
  while (bytes > 0) {
    const ssize_t written =
        uninterrupted([&] { return ::pwrite(number, data, static_cast<std::size_t>(bytes), offset); });
    if (written < 0) refuse_output(path, system_reason());
    data += written;
    bytes -= written;
    offset += written;
  }
}

void check_free_space(const std::string& path, index_t bytes) {
  const std::string folder = folder_of(path);
  struct statvfs volume {};
  if (::statvfs(folder.c_str(), &volume) != 0) {
    refuse_output(path, "the folder " + quoted(folder) + ": " + system_reason());
  }
  // Compared as floating-point numbers, so that no product of a file system's counts overflows.
  const double free_bytes = static_cast<double>(volume.f_bavail) * static_cast<double>(volume.f_frsize);
  if (static_cast<double>(bytes) > free_bytes) {
    refuse_output(path, "it needs " + std::to_string(bytes) + " bytes and its disk has " +
                            std::to_string(static_cast<index_t>(free_bytes)) + " left");
  }
}

// The file has the mode of the file that it will replace from the beginning, so that it is never readable by others if
// the old file is not. The owner can read it while it is written, because HDF5 does.
void make_part(const std::string& part, const std::string& path) {
  const Descriptor file(part, O_WRONLY | O_CREAT | O_TRUNC);
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && ::fchmod(file.number(), (status.st_mode & 0777U) | 0600U) != 0)
    refuse_output(path, system_reason());
}

void publish(const std::string& part, const std::string& path) {
  BlockFile(part).flush();
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && ::chmod(part.c_str(), status.st_mode & 0777U) != 0)
    refuse_output(path, system_reason());
  if (std::rename(part.c_str(), path.c_str()) != 0) refuse_output(path, system_reason());
  // The new name must survive a power failure, too.
  flush_folder(folder_of(path));
}

}  // namespace

bool is_protected(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  // The superuser may write to all files, but does not want to overwrite protected ones either.
  return (status.st_mode & 0222U) == 0 || ::access(path.c_str(), W_OK) != 0;
}

void check_replaceable(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  if (!S_ISREG(status.st_mode)) refuse_output(path, "it exists and is not a file");
  if (!is_protected(path)) return;
  const char digits[] = {'0', static_cast<char>('0' + (status.st_mode >> 6U & 7U)),
                         static_cast<char>('0' + (status.st_mode >> 3U & 7U)),
                         static_cast<char>('0' + (status.st_mode & 7U)), '\0'};
  refuse_file("the output " + quoted(path) + " exists and is write-protected (mode " + std::string(digits) +
              "); give another name, or make it writable with chmod u+w");
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Some network file systems cannot flush a folder, and a writable folder need not be readable. The file is already in
// place, so such failures are ignored.
void flush_folder(const std::string& folder) {
  const int number = uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (number < 0) return;
  uninterrupted([&] { return ::fsync(number); });
  ::close(number);
}

std::string begin_part(const Comm& comm, const std::string& path, index_t bytes) {
  std::string part;
  comm.together([&] {
    part = path + part_suffix;
    if (comm.rank() != 0) return;
    check_replaceable(path);
    check_free_space(path, bytes);
    make_part(part, path);
  });
  return part;
}

void publish_part(const Comm& comm, const std::string& part, const std::string& path) {
  comm.together([&] {
    if (comm.rank() == 0) publish(part, path);
  });
}

void drop_part(const Comm& comm, const std::string& part) {
  if (comm.rank() == 0) ::unlink(part.c_str());
  comm.barrier();
}

void write_text_whole(const Comm& comm, const std::string& path, const std::string& text) {
  write_whole(comm, path, static_cast<index_t>(text.size()), [&](const std::string& part) {
    comm.together([&] {
      if (comm.rank() == 0) write_text(part, text);
    });
  });
}

void write_text(const std::string& path, const std::string& text) {
  const Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  write_all(file.number(), text.data(), static_cast<index_t>(text.size()), 0, path);
}

#if defined(__linux__)
void reserve(const std::string& path, index_t bytes) {
  const Descriptor file(path, O_WRONLY);
  if (uninterrupted([&] { return ::fallocate(file.number(), 0, 0, bytes); }) == 0) return;
  // This file system cannot reserve space; writing will detect a full disk.
  if (errno != EOPNOTSUPP && errno != ENOSYS) refuse_output(path, system_reason());
}
#else
void reserve(const std::string&, index_t) {}  // this system cannot reserve space
#endif

// Open for writing only: a network file system then never writes back whole pages with stale bytes of other ranks.
BlockFile::BlockFile(const std::string& path) : path_(path), number_(opened(path, O_WRONLY)) {}

BlockFile::~BlockFile() { ::close(number_); }

void BlockFile::write(index_t offset, const Extents& global, const Box& box, const void* data, index_t element_bytes) {
  const char* next = static_cast<const char*>(data);
  for_each_run(global, box, global.product(), [&](index_t first, index_t count) {
    write_all(number_, next, count * element_bytes, offset + first * element_bytes, path_);
    next += count * element_bytes;
  });
}

void BlockFile::flush() {
  if (uninterrupted([&] { return ::fsync(number_); }) != 0) refuse_output(path_, system_reason());
}

}  // namespace weft::io
