// Files of memory that processes of a node share. A file has a name only until all of them have opened it.
#pragma once

#include <optional>
#include <string>

#include "weft/types.hpp"

namespace weft {

/// Throws Error (Fault::resource): so many bytes of shared memory could not be allocated at this step. `reason`: errno.
[[noreturn]] void refuse_memory(const std::string& step, index_t bytes, int reason);

/// An open file of shared memory.
class SharedFile {
 public:
  SharedFile(const std::string& name, int flags);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  bool ok() const { return file_ >= 0; }
  int get() const { return file_; }

 private:
  int file_;
};

/// A new file and its name, which does not outlive this object unless the process is killed. What a killed process has
/// left is removed by the next one that creates a file.
class NamedFile {
 public:
  NamedFile() = default;
  ~NamedFile();
  NamedFile(const NamedFile&) = delete;
  NamedFile& operator=(const NamedFile&) = delete;
  /// Throws Error if there is no shared memory. Its bytes are not reserved yet.
  void create(index_t bytes);
  /// For SharedFile in another process; empty before create().
  const std::string& name() const { return name_; }
  int get() const { return file_->get(); }

 private:
  std::string name_;
  std::optional<SharedFile> file_;  // locked as long as the name exists
};

/// Reserves bytes of a file, since memory that is only promised ends in SIGBUS. Returns 0, or a reason of errno.
int reserve_memory(int file, index_t first, index_t bytes);

}  // namespace weft
