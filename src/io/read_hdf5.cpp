// Reading by MPI-IO: every rank makes the same calls whatever fails, and the ranks agree after each of them.
#include "io/read_hdf5.hpp"

#include <algorithm>
#include <vector>

#include "io/blocks.hpp"
#include "io/element.hpp"

namespace weft::io {
namespace {

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
std::string read_piece(hid_t dataset, hid_t transfer, const StoredArray& array, const Box& piece, void* data) {
  const Handle type = hdf5_type(array.element), there = select(array.extents, piece);
  const auto count = static_cast<hsize_t>(piece.size());
  // A rank without data takes part with nothing selected; HDF5 wants a place of at least one element all the same.
  const hsize_t room = std::max<hsize_t>(count, 1);
  const Handle here(H5Screate_simple(1, &room, nullptr), H5Sclose);
  if (count == 0) H5Sselect_none(here);
  std::complex<double> unused{};
  const herr_t status = H5Dread(dataset, type, here, there, transfer, count == 0 ? &unused : data);
  return status < 0 ? hdf5_reason() : std::string();
}

// As many pieces on every rank: those without so many get empty ones.
std::vector<Box> rounds(const Comm& comm, const Box& mine) {
  std::vector<Box> blocks = pieces(mine);
  blocks.resize(static_cast<std::size_t>(comm.max(static_cast<index_t>(blocks.size()))), Box(mine.dims()));
  return blocks;
}

}  // namespace

SharedFile::SharedFile(const Comm& comm, const std::string& path)
    : comm_(comm), path_(path), transfer_(H5Pcreate(H5P_DATASET_XFER), H5Pclose) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  read_together(access, transfer_, comm.handle());
  file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  agree(file_.valid() ? "" : hdf5_reason());
}

// None is left waiting: all ranks learn of the failure of one.
void SharedFile::agree(const std::string& reason) const {
  comm_.together([&] {
    if (!reason.empty()) refuse_file(quoted(path_) + " cannot be read (HDF5: " + reason + "); write or copy it again");
  });
}

Handle SharedFile::open(const std::string& name) const {
  Handle dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  agree(dataset.valid() ? "" : hdf5_reason());
  return dataset;
}

void SharedFile::read(const StoredArray& array, const Box& mine, void* data) const {
  const Handle dataset = open(array.name);
  auto* next = static_cast<char*>(data);
  for (const Box& piece : rounds(comm_, mine)) {
    agree(read_piece(dataset, transfer_, array, piece, next));
    next += piece.size() * bytes_of(array.element);
  }
}

void SharedFile::read_pieces(const StoredArray& array, const Box& mine,
                             const std::function<void(const Box& piece, const void* data)>& use) const {
  const Handle dataset = open(array.name);
  std::vector<char> buffer;
  const index_t most = std::min(mine.size(), piece_elements) * bytes_of(array.element);
  comm_.together([&] { buffer.resize(static_cast<std::size_t>(most)); });
  for (const Box& piece : rounds(comm_, mine)) {
    agree(read_piece(dataset, transfer_, array, piece, buffer.data()));
    if (!piece.empty()) use(piece, buffer.data());
  }
}

}  // namespace weft::io
