// The skeleton of an output file: HDF5's metadata, and where the elements of each dataset belong.
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

/// A dataset to come, in this machine's numbers.
struct PlannedDataset {
  std::string name;
  Extents extents;
  Element element = Element::float64;
  int compression = 0;  ///< 0: contiguous; 1 to 9: chunks, shuffled and deflated
  Sums sums;
};

/// Everything that a new file has beside its elements.
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

/// Bytes that the elements take as they are.
index_t element_bytes(const PlannedDataset& dataset);

/// More than HDF5 takes for all that it writes by itself.
index_t skeleton_bytes(const PlannedFile& file);

/// Makes the file with room for the datasets. Yields the byte offset of the first element of each contiguous one:
/// whoever writes there needs no HDF5; -1 for others. One rank; throws Error(Fault::file).
std::vector<index_t> make_skeleton(const std::string& path, const PlannedFile& file);

}  // namespace weft::io
