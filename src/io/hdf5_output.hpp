// Writes a complete HDF5 file with the elements of all ranks, for fields and checkpoints.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/layout_hdf5.hpp"
#include "weft/comm.hpp"

namespace weft::io {

/// The source of this rank's elements of a dataset: a contiguous array, or a function that computes them piece by
/// piece.
struct Source {
  Box mine;
  const void* data = nullptr;
  /// Fills a contiguous array with the elements of a part of `mine`; used if `data` is null.
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
