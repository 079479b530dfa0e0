// Compressed datasets: each rank packs its share of the chunks, and rank 0 writes them to the file.
#pragma once

#include <string>

#include "io/layout_hdf5.hpp"
#include "weft/comm.hpp"

namespace weft::io {

/// Extents of a chunk of an array: whole rows, then whole planes, as far as 1 MiB goes (the chunk cache of HDF5).
Extents chunk_extents(const PlannedDataset& dataset);

/// The number of chunks per axis that cover an array.
Extents chunk_grid(const Extents& extents, const Extents& chunk);

/// Sets chunks and filters in the creation properties of a dataset. Throws Error(Fault::file) on behalf of `path`.
void set_chunks(hid_t properties, const Extents& chunk, int compression, const std::string& path);

/// The part of an array that a rank packs: whole chunks, cut along the axis with the most chunks. It may be empty.
Box chunk_share(const PlannedDataset& dataset, int ranks, int rank);

/// Writes the elements of a compressed dataset, which exists in the file `path`, from the contiguous array of each
/// rank's block `mine`. The blocks tile the array. Collective. Throws Error on every rank alike.
void write_compressed(const Comm& comm, const std::string& path, const PlannedDataset& dataset, const Box& mine,
                      const void* data);

}  // namespace weft::io
