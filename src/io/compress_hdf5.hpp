// Compressed datasets: each rank packs its share of the chunks, rank 0 puts them into the file.
#pragma once

#include <string>

#include "io/layout_hdf5.hpp"
#include "weft/comm.hpp"

namespace weft::io {

/// Extents of a chunk of an array: whole rows, then whole planes, as far as 1 MiB goes (the chunk cache of HDF5).
Extents chunk_extents(const PlannedDataset& dataset);

/// Chunks per axis that an array is covered by.
Extents chunk_grid(const Extents& extents, const Extents& chunk);

/// Sets chunks and filters in the creation properties of a dataset. Throws Error(Fault::file) on behalf of `path`.
void set_chunks(hid_t properties, const Extents& chunk, int compression, const std::string& path);

/// The part of an array that a rank packs: whole chunks, cut along the axis that has most of them. May be empty.
Box chunk_share(const PlannedDataset& dataset, int ranks, int rank);

/// Writes the elements of a compressed dataset, which the file `path` has already, from the contiguous array of each
/// rank's block `mine`; the blocks tile the array. Collective. Throws Error on every rank alike.
void write_compressed(const Comm& comm, const std::string& path, const PlannedDataset& dataset, const Box& mine,
                      const void* data);

}  // namespace weft::io
