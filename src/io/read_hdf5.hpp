// Reads blocks of the datasets of a file, each rank independently.
#pragma once

#include <functional>
#include <string>

#include "io/hdf5_tools.hpp"
#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/element.hpp"

namespace weft::io {

/// An array in a file, and the element type for reading it. The members refer to objects of the caller.
struct StoredArray {
  const std::string& name;
  const Extents& extents;
  Element element;
};

/// A file that all ranks have open. Rank 0 has checked that it exists and has the arrays. All members are collective
/// and throw Error(Fault::file) on every rank alike. Elements that were never written have the fill value of their
/// dataset; a byte beyond the end of the file is an error. `path` has to outlive this object.
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
