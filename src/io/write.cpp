// Fields to HDF5 and .npy: one rank makes the header, all ranks write their blocks into it.
#include <algorithm>
#include <set>

#include "io/blocks.hpp"
#include "io/layout_hdf5.hpp"
#include "io/npy.hpp"
#include "io/output.hpp"
#include "io/paths.hpp"
#include "weft/io.hpp"

namespace weft {
namespace {

using io::PlannedDataset;

// More than HDF5 uses: superblock, groups and heaps of an almost empty file take about 4 KiB, a dataset 0.5 KiB.
constexpr std::size_t skeleton_base_bytes = 16384, dataset_header_bytes = 1024;

// Holds for all ranks together, and is asked when each block is known to lie within the array.
void check_tiling(const Comm& comm, const Extents& extents, const Box& mine) {
  const index_t held = comm.sum(mine.size());
  require(held == extents.product() && held > 0, "the blocks of all ranks hold " + std::to_string(held) +
                                                     " points and the array has " + to_string(extents) +
                                                     "; give blocks that tile an array of at least one point");
}

template <class Real>
void check_fields(const Extents& extents, const Box& mine, const std::vector<NamedBlock<Real>>& fields) {
  require(!fields.empty(), "there are no fields to write; give at least one");
  const std::vector<std::string> taken = io::coordinate_names(extents.dims());
  std::set<std::string> names(taken.begin(), taken.end());
  names.insert("view");
  for (const NamedBlock<Real>& field : fields) {
    const bool plain = !field.name.empty() && field.name != "." && field.name.find('/') == std::string::npos;
    require(plain && names.insert(field.name).second,
            "the field name " + io::quoted(field.name) +
                " is empty, has a slash, is given twice or is a coordinate's; give each field its own name");
    require(mine.empty() || field.data != nullptr, "field " + io::quoted(field.name) + " has no data");
  }
}

void check_notes(const Extents& extents, const FileNotes& notes) {
  require(!notes.view || extents.dims() <= 3, "notes.view is for arrays of at most 3 axes, and this one has " +
                                                  std::to_string(extents.dims()) + "; set it to false");
  const auto axes = static_cast<int>(notes.coordinates.size());
  bool fits = axes == 0 || axes == extents.dims();
  for (int axis = 0; fits && axis < axes; ++axis) {
    fits = static_cast<index_t>(notes.coordinates[static_cast<std::size_t>(axis)].size()) == extents[axis];
  }
  require(fits, "notes.coordinates do not fit an array of " + to_string(extents) +
                    "; give one array per axis, with one value per point of it");
}

// Extents of a field as ParaView sees it: three axes, the last one first.
Extents view_extents(const Extents& extents) {
  Extents result(3, 1);
  for (int axis = 0; axis < extents.dims(); ++axis) result[2 - axis] = extents[axis];
  return result;
}

Box view_box(const Box& box) {
  Box result(Extents{1, 1, 1});
  for (int axis = 0; axis < box.dims(); ++axis) result[2 - axis] = box[axis];
  return result;
}

// out[z][y][x] = in[x][y][z] for the piece [z][y][x] of a block, in tiles that stay in the cache.
template <class Real>
void transpose(const Real* in, const Box& block, const Box& piece, float* out) {
  constexpr index_t tile = 16;
  const Extents to = c_strides(piece.extents());
  const index_t step_y = block[0].size(), step_x = block[1].size() * step_y;
  for (index_t y = piece[1].lo; y < piece[1].hi; ++y) {
    const Real* from = in + (y - block[1].lo) * step_y;
    for (index_t z0 = piece[0].lo; z0 < piece[0].hi; z0 += tile) {
      for (index_t x = piece[2].lo; x < piece[2].hi; ++x) {
        for (index_t z = z0; z < std::min(z0 + tile, piece[0].hi); ++z) {
          out[(z - piece[0].lo) * to[0] + (y - piece[1].lo) * to[1] + x - piece[2].lo] =
              static_cast<float>(from[(x - block[2].lo) * step_x + z - block[0].lo]);
        }
      }
    }
  }
}

template <class Real>
void write_view(io::BlockFile& file, index_t offset, const Extents& extents, const Box& mine, const Real* data) {
  const Box block = view_box(mine);
  std::vector<float> buffer;
  for (const Box& piece : io::pieces(block)) {
    buffer.resize(static_cast<std::size_t>(piece.size()));
    transpose(data, block, piece, buffer.data());
    file.write(offset, view_extents(extents), piece, buffer.data());
  }
}

template <class Real>
std::vector<PlannedDataset> plan_datasets(const Extents& extents, const std::vector<NamedBlock<Real>>& fields,
                                          bool view) {
  std::vector<PlannedDataset> plan;
  plan.reserve(2 * fields.size());
  for (const auto& field : fields) plan.push_back({field.name, extents, static_cast<int>(sizeof(Real))});
  if (!view) return plan;
  for (const auto& field : fields) plan.push_back({"view/" + field.name, view_extents(extents), 4});
  return plan;
}

// What the ranks must agree on, as text.
template <class Real>
std::string call_of(const std::string& path, const Extents& extents, const std::vector<NamedBlock<Real>>& fields,
                    bool view) {
  std::string text = io::quoted(path) + " " + to_string(extents);
  for (const NamedBlock<Real>& field : fields) text += " " + io::quoted(field.name);
  return text + (view ? " with view" : " without view");
}

// Everything that HDF5 writes by itself.
index_t skeleton_bytes(const std::vector<PlannedDataset>& plan, const FileNotes& notes) {
  std::size_t bytes = skeleton_base_bytes;
  for (const auto& [name, value] : notes.attributes) bytes += 2 * (name.size() + value.size());
  for (const PlannedDataset& dataset : plan) bytes += dataset_header_bytes + 2 * dataset.name.size();
  for (const auto& values : notes.coordinates) bytes += dataset_header_bytes + values.size() * sizeof(double);
  return static_cast<index_t>(bytes);
}

index_t element_bytes(const std::vector<PlannedDataset>& plan) {
  index_t bytes = 0;
  for (const PlannedDataset& dataset : plan) bytes += dataset.extents.product() * dataset.bytes;
  return bytes;
}

// HDF5 1.10 cannot let go of a file whose last bytes it fails to write: the process would crash at its end. So the
// room is taken before HDF5 gets to see the file, with real bytes for its own part where nothing can be reserved.
std::vector<index_t> make_skeleton(const std::string& part, const std::vector<PlannedDataset>& plan,
                                   const FileNotes& notes) {
  const index_t own = skeleton_bytes(plan, notes);
  io::write_text(part, std::string(static_cast<std::size_t>(own), '\0'));
  io::reserve(part, own + element_bytes(plan));
  std::vector<index_t> offsets = io::make_hdf5(part, plan, notes);
  io::reserve(part, static_cast<index_t>(io::readable_size(part)));
  return offsets;
}

}  // namespace

template <class Real>
void write_hdf5(const Comm& comm, const std::string& path, const Extents& extents, const Box& mine,
                const std::vector<NamedBlock<Real>>& fields, const FileNotes& notes) {
  comm.require_same("the file, extents and fields", call_of(path, extents, fields, notes.view));
  comm.together([&] {
    io::require_format(path, io::Format::hdf5);
    io::check_block(extents, mine);
    check_fields(extents, mine, fields);
    check_notes(extents, notes);
  });
  check_tiling(comm, extents, mine);
  const std::vector<PlannedDataset> plan = plan_datasets(extents, fields, notes.view);
  const index_t bytes = skeleton_bytes(plan, notes) + element_bytes(plan);
  io::write_whole(comm, path, bytes, [&](const std::string& part) {
    std::vector<index_t> offsets(plan.size());
    comm.together([&] {
      if (comm.rank() == 0) offsets = make_skeleton(part, plan, notes);
    });
    MPI_Bcast(offsets.data(), static_cast<int>(offsets.size()), MPI_INT64_T, 0, comm.handle());
    comm.together([&] {
      io::BlockFile file(part);
      for (std::size_t i = 0; i < fields.size(); ++i) {
        file.write(offsets[i], extents, mine, fields[i].data);
        if (notes.view) write_view(file, offsets[fields.size() + i], extents, mine, fields[i].data);
      }
      file.flush();
    });
  });
}

template <class Real>
void write_npy(const Comm& comm, const std::string& path, const Extents& extents, const Box& mine, const Real* data) {
  comm.require_same("the file and extents", io::quoted(path) + " " + to_string(extents));
  comm.together([&] {
    io::require_format(path, io::Format::npy);
    io::check_block(extents, mine);
    require(mine.empty() || data != nullptr, "the field has no data");
  });
  check_tiling(comm, extents, mine);
  const std::string header = io::npy_header(extents, static_cast<int>(sizeof(Real)));
  const auto offset = static_cast<index_t>(header.size());
  const index_t bytes = offset + extents.product() * static_cast<index_t>(sizeof(Real));
  io::write_whole(comm, path, bytes, [&](const std::string& part) {
    comm.together([&] {
      if (comm.rank() != 0) return;
      io::write_text(part, header);
      io::reserve(part, bytes);
    });
    comm.together([&] {
      io::BlockFile file(part);
      file.write(offset, extents, mine, data);
      file.flush();
    });
  });
}

template void write_hdf5<float>(const Comm&, const std::string&, const Extents&, const Box&,
                                const std::vector<NamedBlock<float>>&, const FileNotes&);
template void write_hdf5<double>(const Comm&, const std::string&, const Extents&, const Box&,
                                 const std::vector<NamedBlock<double>>&, const FileNotes&);
template void write_npy<float>(const Comm&, const std::string&, const Extents&, const Box&, const float*);
template void write_npy<double>(const Comm&, const std::string&, const Extents&, const Box&, const double*);

}  // namespace weft
