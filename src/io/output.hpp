// Files that appear complete or not at all, and raw elements that every rank writes into one of them.
#pragma once

#include <string>

#include "base/unfinished.hpp"
#include "io/blocks.hpp"
#include "weft/comm.hpp"

namespace weft::io {

/// The suffix of the name of an unfinished file.
inline constexpr char part_suffix[] = ".part";

/// The parts of write_whole. begin_part creates the empty file and returns its name. drop_part returns after the file
/// has been removed, so that no rank reports the failure, and perhaps tries again, before that.
std::string begin_part(const Comm& comm, const std::string& path, index_t bytes);
void publish_part(const Comm& comm, const std::string& part, const std::string& path);
void drop_part(const Comm& comm, const std::string& part);

/// Runs `work`, which is collective and writes the file named in its argument (PATH.part), then flushes that file to
/// the disk and renames it. The file has the mode of the file that it replaces. If anything fails, the .part is removed
/// and every rank throws the same Error. `work` must throw on every rank alike. Paths that check_replaceable refuses,
/// and files larger than the free space, are refused before anything is written.
template <class Work>
void write_whole(const Comm& comm, const std::string& path, index_t bytes, const Work& work) {
  const Unfinished unfinished(comm.rank() == 0 ? path + part_suffix : std::string());
  const std::string part = begin_part(comm, path, bytes);
  try {
    work(part);
    publish_part(comm, part, path);
  } catch (...) {
    drop_part(comm, part);
    throw;
  }
}

/// Writes the `text` of rank 0 as a small file, which appears complete or not at all, as with write_whole. Collective.
void write_text_whole(const Comm& comm, const std::string& path, const std::string& text);

/// Whether a file exists that is write-protected, for all users or for this process.
bool is_protected(const std::string& path);

/// Throws Error(Fault::file) if the path is that of something that must not be replaced: a folder, a device, a
/// write-protected file. One rank.
void check_replaceable(const std::string& path);

/// The folder of a file, "." if the path has none.
std::string folder_of(const std::string& path);

/// Flushes the names in a folder to the disk, if the file system can.
void flush_folder(const std::string& folder);

/// Creates or replaces a file. One rank; throws Error(Fault::file).
void write_text(const std::string& path, const std::string& text);

/// Sets the size of an existing file and allocates all its blocks on the disk, so that a full disk or an exhausted
/// quota is detected here and not in the middle of collective writing. One rank; throws Error(Fault::file).
void reserve(const std::string& path, index_t bytes);

/// An existing file into which one rank writes the elements of its blocks. Ranks write concurrently and independently:
/// MPI's collective writing would move the same bytes, but with some libraries (Open MPI's OMPIO) the other ranks wait
/// for ever if writing fails on one. All members throw Error(Fault::file).
class BlockFile {
 public:
  explicit BlockFile(const std::string& path);
  ~BlockFile();
  BlockFile(const BlockFile&) = delete;
  BlockFile& operator=(const BlockFile&) = delete;

  /// Writes a box of the C-ordered array whose first element lies at byte `offset` of the file, from a contiguous
  /// C-ordered array of elements of that many bytes.
  void write(index_t offset, const Extents& global, const Box& box, const void* data, index_t element_bytes);

  /// Flushes all written bytes to the disk.
  void flush();

 private:
  std::string path_;
  int number_;
};

}  // namespace weft::io
