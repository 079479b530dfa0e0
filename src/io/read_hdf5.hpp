// Blocks of the datasets of a file read by all ranks, through HDF5 and MPI-IO.
#pragma once

#include <functional>
#include <string>

#include "io/hdf5_tools.hpp"
#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/element.hpp"

namespace weft::io {

/// An array in a file, and the element type that it is read as.
struct StoredArray {
  std::string name;
  Extents extents;
  Element element;
};

/// A file that all ranks have open; rank 0 has looked at it and knows that it is there and has the arrays. Everything
/// is collective and throws Error(Fault::file) on every rank alike.
class SharedFile {
 public:
  SharedFile(const Comm& comm, const std::string& path);

  /// Reads this rank's block of an array into a contiguous one.
  void read(const StoredArray& array, const Box& mine, void* data) const;

  /// The same a piece at a time: calls use(piece, elements) for pieces of bounded size that make up the block, in
  /// order.
  void read_pieces(const StoredArray& array, const Box& mine,
                   const std::function<void(const Box& piece, const void* data)>& use) const;

 private:
  Handle open(const std::string& name) const;
  void agree(const std::string& reason) const;

  QuietHdf5 quiet_;
  Comm comm_;
  std::string path_;
  // Closed in the reverse order: the file last.
  Handle file_, transfer_;
};

}  // namespace weft::io
