// Reading by MPI-IO: every rank makes the same calls whatever fails, and the ranks agree after each of them.
#include "io/read_hdf5.hpp"

#include <algorithm>
#include <vector>

#include "io/blocks.hpp"
#include "io/element.hpp"
#include "io/paths.hpp"

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

// None is left waiting: all ranks learn of the failure of one.
void agree(const Comm& comm, const std::string& reason, const std::string& path) {
  comm.together([&] {
    if (!reason.empty()) refuse_file(quoted(path) + " cannot be read (HDF5: " + reason + "); write or copy it again");
  });
}

/// A dataset that all ranks have open.
class SharedDataset {
 public:
  SharedDataset(const Comm& comm, const std::string& path, const std::string& name, Element element,
                const Extents& extents)
      : comm_(comm), path_(path), extents_(extents), type_(hdf5_type(element)) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_mpio(access, comm.handle(), MPI_INFO_NULL);
    file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
    agree(comm, file_.valid() ? "" : hdf5_reason(), path);
    dataset_ = Handle(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    agree(comm, dataset_.valid() ? "" : hdf5_reason(), path);
    transfer_ = Handle(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
    H5Pset_dxpl_mpio(transfer_, H5FD_MPIO_COLLECTIVE);
  }

  void read(const Box& piece, void* data) const { agree(comm_, read_piece(piece, data), path_); }

 private:
  // Empty, or HDF5's reason, asked for before other calls clear it.
  std::string read_piece(const Box& piece, void* data) const {
    const Handle there = select(extents_, piece);
    const auto count = static_cast<hsize_t>(piece.size());
    // A rank without data takes part with nothing selected; HDF5 wants a place of at least one element all the same.
    const hsize_t room = std::max<hsize_t>(count, 1);
    const Handle here(H5Screate_simple(1, &room, nullptr), H5Sclose);
    if (count == 0) H5Sselect_none(here);
    std::complex<double> unused{};
    const herr_t status = H5Dread(dataset_, type_, here, there, transfer_, count == 0 ? &unused : data);
    return status < 0 ? hdf5_reason() : std::string();
  }

  QuietHdf5 quiet_;
  const Comm& comm_;
  const std::string& path_;
  Extents extents_;
  // Closed in the reverse order: the file last.
  Handle type_, file_, dataset_, transfer_;
};

// As many pieces on every rank: those without so many get empty ones.
std::vector<Box> rounds(const Comm& comm, const Box& mine) {
  std::vector<Box> blocks = pieces(mine);
  blocks.resize(static_cast<std::size_t>(comm.max(static_cast<index_t>(blocks.size()))), Box(mine.dims()));
  return blocks;
}

}  // namespace

void read_hdf5(const Comm& comm, const std::string& path, const std::string& dataset, Element element,
               const Extents& extents, const Box& mine, void* data) {
  const SharedDataset source(comm, path, dataset, element, extents);
  auto* next = static_cast<char*>(data);
  for (const Box& piece : rounds(comm, mine)) {
    source.read(piece, next);
    next += piece.size() * bytes_of(element);
  }
}

void read_hdf5_pieces(const Comm& comm, const std::string& path, const std::string& dataset, Element element,
                      const Extents& extents, const Box& mine,
                      const std::function<void(const Box& piece, const void* data)>& use) {
  const SharedDataset source(comm, path, dataset, element, extents);
  std::vector<char> buffer;
  comm.together(
      [&] { buffer.resize(static_cast<std::size_t>(std::min(mine.size(), piece_elements) * bytes_of(element))); });
  for (const Box& piece : rounds(comm, mine)) {
    source.read(piece, buffer.data());
    if (!piece.empty()) use(piece, buffer.data());
  }
}

}  // namespace weft::io
