// A whole HDF5 file with the elements of all ranks: what fields and checkpoints are written with.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/layout_hdf5.hpp"
#include "weft/comm.hpp"

namespace weft::io {

/// Where this rank's elements of a dataset are: in a contiguous array, or to be made piece by piece.
struct Source {
  Box mine;
  const void* data = nullptr;
  /// Fills a contiguous array with the elements of a part of `mine`; used where there is no `data`.
  std::function<void(const Box& piece, void* elements)> make;
};

/// Throws Error on every rank alike unless the boxes of all ranks, which lie within the array, tile it. Collective.
void check_tiling(const Comm& comm, const Extents& extents, const Box& mine);

/// Throws Error unless the level is 0 to 9.
void check_compression(int level);

/// Throws Error(Fault::argument) unless a name can be that of an attribute of a file.
void check_attribute(const std::string& name, const Value& value);

/// Writes the file whole or not at all; sources[i] is this rank's part of file.datasets[i]. Collective.
void write_hdf5_file(const Comm& comm, const std::string& path, const PlannedFile& file,
                     const std::vector<Source>& sources);

}  // namespace weft::io
