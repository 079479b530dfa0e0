// Files that appear whole or not at all, and the raw elements that all ranks write into one of them.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>

#include "io/blocks.hpp"
#include "weft/comm.hpp"

namespace weft::io {

/// Runs `work`, which is collective and writes the file named in its argument (PATH.part); then flushes that file to
/// the disk and renames it. Where anything fails the .part is removed and every rank throws the same Error. `work`
/// must throw on every rank alike. A file that is larger than the free room is refused before anything is written.
void write_whole(const Comm& comm, const std::string& path, index_t bytes,
                 const std::function<void(const std::string& part)>& work);

/// Makes or replaces a file. One rank; throws Error(Fault::file).
void write_text(const std::string& path, const std::string& text);

/// Gives an existing file this size with all its blocks on the disk, so that a full disk or a used-up quota shows here
/// and not in the middle of collective writing. One rank; throws Error(Fault::file).
void reserve(const std::string& path, index_t bytes);

/// A file that every rank of a communicator writes parts of, by MPI-IO. Constructor, write and close are collective and
/// throw on every rank alike.
class SharedFile {
 public:
  SharedFile(const Comm& comm, const std::string& path);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  /// Yields the elements of a piece of this rank's block, C-ordered.
  template <class T>
  using Fill = std::function<const T*(const Box& piece)>;

  /// Writes this rank's block of the C-ordered array whose first element lies at byte `offset`.
  template <class T>
  void write(index_t offset, const Extents& global, const Box& mine, const Fill<T>& fill);

  /// Puts everything on the disk.
  void close();

 private:
  void check(int code, const std::string& what) const;

  const Comm& comm_;
  std::string path_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace weft::io
