// Files that appear whole or not at all, and the raw elements that every rank writes into one of them.
#pragma once

#include <string>

#include "base/unfinished.hpp"
#include "io/blocks.hpp"
#include "weft/comm.hpp"

namespace weft::io {

/// What a file that is being written has behind its name.
inline constexpr char part_suffix[] = ".part";

/// The parts of write_whole. begin_part makes the empty file that it yields the name of; drop_part returns when the
/// file is gone on all ranks, so that none reports the failure, and perhaps tries again, before.
std::string begin_part(const Comm& comm, const std::string& path, index_t bytes);
void publish_part(const Comm& comm, const std::string& part, const std::string& path);
void drop_part(const Comm& comm, const std::string& part);

/// Runs `work`, which is collective and writes the file named in its argument (PATH.part); then flushes that file to
/// the disk and renames it; it has the mode of the file that it replaces. Where anything fails the .part is removed and
/// every rank throws the same Error. `work` must throw on every rank alike. What check_replaceable refuses, and a file
/// that is larger than the free room, is refused before anything is written.
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

/// Makes or replaces a small file on one rank, as `text` has it on rank 0; whole or not at all, as write_whole.
/// Collective.
void write_text_whole(const Comm& comm, const std::string& path, const std::string& text);

/// Whether a file is there that nobody may write to, or this process may not.
bool is_protected(const std::string& path);

/// Throws Error(Fault::file) where something is in the place of a file that must not be replaced: a folder, a device, a
/// write-protected file. One rank.
void check_replaceable(const std::string& path);

/// The folder of a file: "." where the path names none.
std::string folder_of(const std::string& path);

/// Puts the names in a folder on the disk; without effect where the file system cannot.
void flush_folder(const std::string& folder);

/// Makes or replaces a file. One rank; throws Error(Fault::file).
void write_text(const std::string& path, const std::string& text);

/// Gives an existing file this size with all its blocks on the disk, so that a full disk or a used-up quota shows here
/// and not in the middle of collective writing. One rank; throws Error(Fault::file).
void reserve(const std::string& path, index_t bytes);

/// An existing file in which one rank writes the elements of its blocks. Ranks do this side by side, each for itself:
/// MPI's collective writing would move the same bytes, but with some libraries (Open MPI's OMPIO) the other ranks wait
/// for ever when writing fails on one. Everything throws Error(Fault::file).
class BlockFile {
 public:
  explicit BlockFile(const std::string& path);
  ~BlockFile();
  BlockFile(const BlockFile&) = delete;
  BlockFile& operator=(const BlockFile&) = delete;

  /// Writes a box of the C-ordered array whose first element lies at byte `offset` of the file, from a contiguous
  /// C-ordered array of elements of that many bytes.
  void write(index_t offset, const Extents& global, const Box& box, const void* data, index_t element_bytes);

  /// Puts everything on the disk.
  void flush();

 private:
  std::string path_;
  int number_;
};

}  // namespace weft::io
