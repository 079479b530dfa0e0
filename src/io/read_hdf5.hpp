// Blocks of the datasets of a file, read by each rank for itself.
#pragma once

#include <functional>
#include <string>

#include "io/hdf5_tools.hpp"
#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/element.hpp"

namespace weft::io {

/// An array in a file, and the element type that it is read as. Refers to what the caller has.
struct StoredArray {
  const std::string& name;
  const Extents& extents;
  Element element;
};

/// A file that all ranks have open; rank 0 has looked at it and knows that it is there and has the arrays. Everything
/// is collective and throws Error(Fault::file) on every rank alike. Elements that were never written have the fill
/// value of their dataset; a byte that the file does not have is an error. `path` has to live as long as this.
class SharedFile {
 public:
  SharedFile(const Comm& comm, const std::string& path);

  /// Reads this rank's block of an array into a contiguous one.
  void read(const StoredArray& array, const Box& mine, void* data) const;

  /// Reads the block piece by piece: calls use(piece, elements), which must not communicate, for pieces of bounded size
  /// that make up the block, in order.
  void read_pieces(const StoredArray& array, const Box& mine,
                   const std::function<void(const Box& piece, const void* data)>& use) const;

 private:
  void check_length() const;

  QuietHdf5 quiet_;
  Comm comm_;
  const std::string& path_;
  long long bytes_ = 0;
  Handle file_;
};

}  // namespace weft::io
