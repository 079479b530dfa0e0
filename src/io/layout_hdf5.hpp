// The skeleton of an output file: HDF5's metadata, and where the elements of each dataset belong.
#pragma once

#include <string>
#include <vector>

#include "weft/io.hpp"

namespace weft::io {

/// A contiguous dataset of this machine's floating-point numbers of 4 or 8 bytes.
struct PlannedDataset {
  std::string name;
  Extents extents;
  int bytes = 8;
};

/// Names of the coordinate datasets of an array.
std::vector<std::string> coordinate_names(int dims);

/// Makes an HDF5 file with the notes and with room for the datasets. Yields the byte offset of the first element of
/// each: whoever writes there needs no HDF5. One rank; throws Error(Fault::file).
std::vector<index_t> make_hdf5(const std::string& path, const std::vector<PlannedDataset>& datasets,
                               const FileNotes& notes);

}  // namespace weft::io
