// Blocks of a dataset read by all ranks, through HDF5 and MPI-IO.
#pragma once

#include <functional>
#include <string>

#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/element.hpp"

namespace weft::io {

/// Reads this rank's block of a dataset of these extents, converted to `element`, into a contiguous array. Collective;
/// the file and the dataset are known to be there. Throws Error(Fault::file) on every rank alike.
void read_hdf5(const Comm& comm, const std::string& path, const std::string& dataset, Element element,
               const Extents& extents, const Box& mine, void* data);

/// The same a piece at a time: calls use(piece, elements) for pieces of bounded size that make up the block, in order.
void read_hdf5_pieces(const Comm& comm, const std::string& path, const std::string& dataset, Element element,
                      const Extents& extents, const Box& mine,
                      const std::function<void(const Box& piece, const void* data)>& use);

}  // namespace weft::io
