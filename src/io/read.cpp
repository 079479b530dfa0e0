// Blocks read from files: looked at by rank 0 so that every rank refuses alike, read by all.
#include <algorithm>

#include "io/blocks.hpp"
#include "io/hdf5_tools.hpp"
#include "io/npy.hpp"
#include "io/paths.hpp"
#include "weft/io.hpp"

namespace weft {
namespace {

using io::Handle;

template <class Real>
hid_t memory_type() {
  return sizeof(Real) == 8 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
}

Extents inspect(const std::string& path, const std::string& dataset) {
  const io::Format format = io::format_of(path);
  io::readable_size(path);
  if (format == io::Format::hdf5) return io::inspect_hdf5(path, dataset);
  if (!dataset.empty()) {
    io::refuse_file("the dataset " + io::quoted(dataset) + " of " + io::quoted(path) +
                    " was asked for, and a .npy file holds one array without a name; leave the dataset out");
  }
  return io::inspect_npy(path).extents;
}

void check_shape(const std::string& path, const std::string& dataset, const Extents& extents, const Extents& expected) {
  if (extents == expected) return;
  const std::string what = dataset.empty() ? "" : "dataset " + io::quoted(dataset) + " of ";
  io::refuse_file(what + io::quoted(path) + " has the shape " + to_string(extents) + ", expected is " +
                  to_string(expected) + "; give a file of that shape");
}

Extents broadcast(const Comm& comm, const Extents& extents) {
  int dims = extents.dims();
  MPI_Bcast(&dims, 1, MPI_INT, 0, comm.handle());
  Extents result = comm.rank() == 0 ? extents : Extents(dims);
  MPI_Bcast(result.begin(), dims, MPI_INT64_T, 0, comm.handle());
  return result;
}

Handle select(const Extents& extents, const Box& piece) {
  std::vector<hsize_t> sizes(extents.begin(), extents.end()), start, count;
  Handle space(H5Screate_simple(extents.dims(), sizes.data(), nullptr), H5Sclose);
  if (piece.empty()) {
    H5Sselect_none(space);
    return space;
  }
  const Extents lower = piece.lower(), sides = piece.extents();
  start.assign(lower.begin(), lower.end());
  count.assign(sides.begin(), sides.end());
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  return space;
}

// Empty, or HDF5's reason, asked for before other calls clear it.
template <class Real>
std::string read_piece(hid_t dataset, hid_t transfer, const Extents& extents, const Box& piece, Real* data) {
  const Handle there = select(extents, piece);
  const auto count = static_cast<hsize_t>(piece.size());
  // A rank without data takes part with nothing selected; HDF5 wants a place of at least one element all the same.
  const hsize_t room = std::max<hsize_t>(count, 1);
  const Handle here(H5Screate_simple(1, &room, nullptr), H5Sclose);
  if (count == 0) H5Sselect_none(here);
  Real unused{};
  const herr_t status = H5Dread(dataset, memory_type<Real>(), here, there, transfer, count == 0 ? &unused : data);
  return status < 0 ? io::hdf5_reason() : std::string();
}

// Every rank makes the same calls whatever fails, and the ranks agree after each step: none is left waiting.
void agree(const Comm& comm, const std::string& reason, const std::string& path) {
  comm.together([&] {
    if (!reason.empty())
      io::refuse_file(io::quoted(path) + " cannot be read (HDF5: " + reason + "); write or copy it again");
  });
}

template <class Real>
void read_hdf5(const Comm& comm, const std::string& path, const std::string& name, const Extents& extents,
               const Box& mine, Real* data) {
  const io::QuietHdf5 quiet;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  io::read_together(access, transfer, comm.handle());
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  agree(comm, file.valid() ? "" : io::hdf5_reason(), path);
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  agree(comm, dataset.valid() ? "" : io::hdf5_reason(), path);

  std::vector<Box> blocks = io::pieces(mine);
  const auto rounds = static_cast<std::size_t>(comm.max(static_cast<index_t>(blocks.size())));
  blocks.resize(rounds, Box(extents.dims()));
  for (const Box& piece : blocks) {
    agree(comm, read_piece(dataset, transfer, extents, piece, data), path);
    data += piece.size();
  }
}

}  // namespace

Extents file_extents(const Comm& comm, const std::string& path, const std::string& dataset) {
  comm.require_same("the file and dataset", io::quoted(path) + " " + io::quoted(dataset));
  Extents extents;
  comm.together([&] {
    if (comm.rank() == 0) extents = inspect(path, dataset);
  });
  return broadcast(comm, extents);
}

template <class Real>
void read_block(const Comm& comm, const std::string& path, const std::string& dataset, const Extents& expected,
                const Box& mine, Real* data) {
  comm.require_same("the file, dataset and expected extents",
                    io::quoted(path) + " " + io::quoted(dataset) + " " + to_string(expected));
  comm.together([&] {
    io::check_block(expected, mine);
    if (comm.rank() == 0) {
      check_shape(path, dataset, inspect(path, dataset), expected);
    } else {
      // A disk that not all nodes share would leave the others waiting in a collective call.
      io::readable_size(path);
    }
  });
  if (io::format_of(path) == io::Format::hdf5) {
    read_hdf5(comm, path, dataset, expected, mine, data);
  } else {
    comm.together([&] { io::read_npy(path, mine, data); });
  }
}

template void read_block<float>(const Comm&, const std::string&, const std::string&, const Extents&, const Box&,
                                float*);
template void read_block<double>(const Comm&, const std::string&, const std::string&, const Extents&, const Box&,
                                 double*);

}  // namespace weft
