// How a dataset of an HDF5 file is stored, and blocks read from it on one rank.
#pragma once

#include <string>

#include "io/hdf5_tools.hpp"
#include "weft/box.hpp"
#include "weft/element.hpp"

namespace weft::io {

/// A dataset whose elements can be read: they lie in this file or in external files of sufficient length, and the
/// filters for unpacking exist. Elements that were never written have the dataset's fill value. One rank.
class StoredDataset {
 public:
  /// Throws Error(Fault::file) that names the file and the dataset and says what cannot be read. `path` is the path of
  /// `file` and has to outlive this object.
  StoredDataset(hid_t file, const std::string& name, const std::string& path);

  /// Throws Error(Fault::file) if chunks cannot have the sides that the file gives: they were then packed with smaller
  /// sides, and HDF5 would read beyond the unpacked bytes. The time grows with the number of chunks.
  void check_chunks() const;

  /// Reads a box, which is not empty, of the array of these extents into a contiguous array of elements of that type.
  /// Throws Error(Fault::file), which also names the chunk if the fault lies in one.
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
  bool fill_first_ = false;  ///< fill blocks here, since HDF5 does not fill elements that were never written
};

}  // namespace weft::io
