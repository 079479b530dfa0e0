// The skeleton of an output file: HDF5's metadata, and the offsets of the elements of each dataset.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5_tools.hpp"

namespace weft::io {

/// Checksums of a dataset: one for each `planes` indices of its first axis. No sums: none are stored.
struct Sums {
  index_t planes = 1;
  std::vector<std::uint64_t> values;
  friend bool operator==(const Sums&, const Sums&) = default;
};

/// A new dataset with the number formats of this machine.
struct PlannedDataset {
  std::string name;
  Extents extents;
  Element element = Element::float64;
  int compression = 0;  ///< 0: contiguous; 1 to 9: chunks, shuffled and deflated
  Sums sums;
};

/// All contents of a new file except for the elements.
struct PlannedFile {
  std::vector<PlannedDataset> datasets;
  std::vector<std::vector<double>> coordinates;  ///< as in FileNotes
  std::vector<std::pair<std::string, Value>> attributes;
  /// HDF5's own metadata with checksums, and texts where these cover them: for readers from HDF5 1.10 on.
  bool checked = false;
};

/// Names of the attributes that hold Sums.
inline const std::string sums_attribute = "weft_sums", sum_planes_attribute = "weft_sum_planes";

/// Names of the coordinate datasets of an array.
std::vector<std::string> coordinate_names(int dims);

/// Bytes of the elements without compression.
index_t element_bytes(const PlannedDataset& dataset);

/// An upper bound of the bytes that HDF5 writes itself.
index_t skeleton_bytes(const PlannedFile& file);

/// Creates the file with space for the datasets. Returns the byte offset of the first element of each contiguous
/// dataset, to which elements can be written without HDF5, and -1 for other datasets. One rank; throws
/// Error(Fault::file).
std::vector<index_t> make_skeleton(const std::string& path, const PlannedFile& file);

}  // namespace weft::io
