// How a dataset of an HDF5 file is stored, and blocks read from it on one rank.
#pragma once

#include <string>

#include "io/hdf5_tools.hpp"
#include "weft/box.hpp"
#include "weft/element.hpp"

namespace weft::io {

/// A dataset whose elements can be read: they lie in this file or in external ones, these are as long as it takes, and
/// there are the filters that unpack them. What was never written has the dataset's fill value. One rank.
class StoredDataset {
 public:
  /// Throws Error(Fault::file) that names file and dataset and says what cannot be read. `path` is that of `file`; it
  /// has to live as long as this.
  StoredDataset(hid_t file, const std::string& name, const std::string& path);

  /// Throws Error(Fault::file) where chunks cannot have the sides that the file says: what they were packed with is
  /// then less, and HDF5 would read on behind what it unpacks. Takes a time that grows with the number of chunks.
  void check_chunks() const;

  /// Reads a box, which is not empty, of the array of these extents into a contiguous array of elements of that type.
  /// Throws Error(Fault::file), which also names the chunk where the fault lies in one.
  void read(const Extents& extents, const Box& box, Element element, void* data) const;

 private:
  void check_layout() const;
  void check_filters() const;
  void check_size() const;
  void check_contiguous() const;
  void check_external(int files) const;
  bool all_written() const;
  void check_fill_value();
  void fill(hid_t type, index_t count, void* data) const;
  [[noreturn]] void refuse_box(const Extents& extents, const Box& box, hid_t type, void* data) const;
  [[noreturn]] void refuse(const std::string& reason) const;

  const std::string& path_;
  std::string what_;  ///< for messages
  Handle dataset_, creation_;
  bool fill_first_ = false;  ///< HDF5 itself would leave alone what was never written
};

}  // namespace weft::io
