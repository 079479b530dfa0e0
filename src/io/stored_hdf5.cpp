// Checks faults that HDF5 does not report: it reads zeros from external files that are too short, and arbitrary memory
// for elements that were never written if the dataset is marked as never filled.
#include "io/stored_hdf5.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "io/element.hpp"
#include "io/output.hpp"

namespace weft::io {
namespace {

Handle selection(const Extents& extents, const Box& box) {
  const std::vector<hsize_t> sizes(extents.begin(), extents.end());
  const Extents lower = box.lower(), sides = box.extents();
  const std::vector<hsize_t> start(lower.begin(), lower.end()), count(sides.begin(), sides.end());
  Handle space(H5Screate_simple(extents.dims(), sizes.data(), nullptr), H5Sclose);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  return space;
}

herr_t read_box(hid_t dataset, const Extents& extents, const Box& box, hid_t type, void* data) {
  const Handle there = selection(extents, box);
  const auto count = static_cast<hsize_t>(box.size());
  const Handle here(H5Screate_simple(1, &count, nullptr), H5Sclose);
  return H5Dread(dataset, type, here, there, H5P_DEFAULT, data);
}

// The path at which HDF5 looks for an external file.
std::string external_path(const std::string& name, const std::string& path) {
  if (name.starts_with('/')) return name;
  const char* variable = std::getenv("HDF5_EXTFILE_PREFIX");
  std::string prefix = variable == nullptr ? "" : variable;
  const std::string origin = "${ORIGIN}";
  if (prefix.starts_with(origin)) prefix = folder_of(path) + prefix.substr(origin.size());
  return prefix.empty() || prefix == "." ? name : prefix + "/" + name;
}

index_t elements_bytes(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  return static_cast<index_t>(H5Tget_size(type)) * static_cast<index_t>(H5Sget_simple_extent_npoints(space));
}

// The box of the chunk that contains the element `index`.
Box chunk_at(const Extents& index, const std::vector<hsize_t>& chunk) {
  Box box(index.dims());
  for (int axis = 0; axis < index.dims(); ++axis) {
    const auto side = static_cast<index_t>(chunk[static_cast<std::size_t>(axis)]);
    box[axis] = {index[axis] / side * side, (index[axis] / side + 1) * side};
  }
  return box;
}

// Moves to the next chunk, in C order, that intersects a box; returns false after the last one.
bool advance(Extents& index, const Box& box, const std::vector<hsize_t>& chunk) {
  for (int axis = box.dims() - 1; axis >= 0; --axis) {
    index[axis] = chunk_at(index, chunk)[axis].hi;
    if (index[axis] < box[axis].hi) return true;
    index[axis] = box[axis].lo;
  }
  return false;
}

}  // namespace

StoredDataset::StoredDataset(hid_t file, const std::string& name, const std::string& path)
    : path_(path),
      what_("dataset " + quoted(name) + " of " + quoted(path)),
      dataset_(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose),
      creation_(dataset_.valid() ? H5Dget_create_plist(dataset_) : hid_t{-1}, H5Pclose) {
  if (!creation_.valid()) refuse("(HDF5: " + hdf5_reason() + ")");
  check_layout();
  check_filters();
  check_fill_value();
}

void StoredDataset::refuse(const std::string& reason) const {
  refuse_file(what_ + " cannot be read: " + reason + "; write or copy the file again");
}

void StoredDataset::check_layout() const {
  switch (H5Pget_layout(creation_)) {
    case H5D_VIRTUAL:
      refuse_file(what_ +
                  " is virtual: its elements lie in other files, which may change or be missing; store the elements "
                  "themselves, as in h5py: out[\"u\"] = file[\"u\"][...]");
    case H5D_CONTIGUOUS: {
      const int files = H5Pget_external_count(creation_);
      files > 0 ? check_external(files) : check_contiguous();
      break;
    }
    case H5D_COMPACT:
      check_size();
      break;
    default:
      break;
  }
}

// HDF5 would read beyond the end of its buffer.
void StoredDataset::check_size() const {
  if (H5Dget_storage_size(dataset_) < static_cast<hsize_t>(elements_bytes(dataset_)))
    refuse("the file has no room for all of its elements");
}

void StoredDataset::check_filters() const {
  for (int i = 0; i < H5Pget_nfilters(creation_); ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    std::array<char, 64> name{};
    const H5Z_filter_t filter = H5Pget_filter2(creation_, static_cast<unsigned>(i), &flags, &values, nullptr,
                                               name.size() - 1, name.data(), nullptr);
    if (filter >= 0 && H5Zfilter_avail(filter) > 0) continue;
    const std::string text = name[0] == '\0' ? "" : quoted(name.data()) + ", ";
    refuse_file(what_ + " is packed by a filter that this HDF5 does not have (" + text + "number " +
                std::to_string(filter) +
                "); pack it with deflate (compression=\"gzip\" in h5py), or let HDF5_PLUGIN_PATH name the folder of "
                "the filter");
  }
}

void StoredDataset::check_contiguous() const {
  const haddr_t first = H5Dget_offset(dataset_);
  if (first == HADDR_UNDEF) return;  // nothing has been written
  const auto size = static_cast<haddr_t>(readable_size(path_)), bytes = static_cast<haddr_t>(elements_bytes(dataset_));
  check_size();
  if (first <= size && bytes <= size - first) return;
  refuse("its " + std::to_string(bytes) + " bytes lie at byte " + std::to_string(first) + " of a file of " +
         std::to_string(size));
}

// Each external file is read from an offset on, up to its size; the last one may be unlimited.
void StoredDataset::check_external(int files) const {
  auto left = static_cast<hsize_t>(elements_bytes(dataset_));
  for (int i = 0; i < files && left > 0; ++i) {
    std::vector<char> name(4096);
    off_t first = 0;
    hsize_t capacity = 0;
    if (H5Pget_external(creation_, static_cast<unsigned>(i), name.size() - 1, name.data(), &first, &capacity) < 0)
      refuse("(HDF5: " + hdf5_reason() + ")");
    const std::string path = external_path(name.data(), path_);
    const hsize_t bytes = std::min(left, capacity);
    const long long size = readable_size(path);
    if (first < 0 || first > size || bytes > static_cast<hsize_t>(size - first)) {
      refuse(std::to_string(bytes) + " of its bytes should lie at byte " + std::to_string(first) + " of the file " +
             quoted(path) + ", which has " + std::to_string(size));
    }
    left -= bytes;
  }
  if (left > 0) refuse("its external files have no room for all of its elements");
}

void StoredDataset::check_chunks() const {
  if (H5Pget_layout(creation_) != H5D_CHUNKED) return;
  const Handle space(H5Dget_space(dataset_), H5Sclose);
  const auto dims = static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space)));
  std::vector<hsize_t> chunk(dims), sizes(dims), most(dims);
  hsize_t stored = 0, possible = 1;
  if (H5Pget_chunk(creation_, static_cast<int>(dims), chunk.data()) != static_cast<int>(dims) ||
      H5Sget_simple_extent_dims(space, sizes.data(), most.data()) < 0 ||
      H5Dget_num_chunks(dataset_, space, &stored) < 0)
    refuse("(HDF5: " + hdf5_reason() + ")");
  for (std::size_t axis = 0; axis < dims; ++axis) {
    if (chunk[axis] == 0 || (most[axis] != H5S_UNLIMITED && chunk[axis] > most[axis]))
      refuse("its chunks have " + std::to_string(chunk[axis]) + " points along axis " + std::to_string(axis));
    possible *= (sizes[axis] + chunk[axis] - 1) / chunk[axis];
  }
  if (stored > possible) {
    refuse("it has " + std::to_string(stored) + " chunks, and " + std::to_string(possible) +
           " of the sides that they should have make up all of it");
  }
}

bool StoredDataset::all_written() const {
  H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
  if (H5Dget_space_status(dataset_, &status) < 0) refuse("(HDF5: " + hdf5_reason() + ")");
  return status == H5D_SPACE_STATUS_ALLOCATED;
}

void StoredDataset::check_fill_value() {
  // External files contain all elements.
  if (H5Pget_external_count(creation_) > 0) return;
  H5D_fill_value_t value = H5D_FILL_VALUE_ERROR;
  H5D_fill_time_t time = H5D_FILL_TIME_ERROR;
  if (H5Pfill_value_defined(creation_, &value) < 0 || H5Pget_fill_time(creation_, &time) < 0)
    refuse("(HDF5: " + hdf5_reason() + ")");
  if (value == H5D_FILL_VALUE_UNDEFINED && !all_written())
    refuse("parts of it were never written, and it has no fill value");
  if (value == H5D_FILL_VALUE_UNDEFINED || time != H5D_FILL_TIME_NEVER) return;
  // Counting the chunks of a large dataset takes longer than filling a block.
  fill_first_ = H5Pget_layout(creation_) == H5D_CHUNKED || !all_written();
}

void StoredDataset::fill(hid_t type, index_t count, void* data) const {
  std::array<char, 16> value{};
  if (H5Pget_fill_value(creation_, type, value.data()) < 0) refuse("its fill value (HDF5: " + hdf5_reason() + ")");
  const std::size_t size = H5Tget_size(type);
  auto* next = static_cast<char*>(data);
  for (index_t i = 0; i < count; ++i, next += size) std::memcpy(next, value.data(), size);
}

void StoredDataset::read(const Extents& extents, const Box& box, Element element, void* data) const {
  const Handle type = hdf5_type(element);
  if (fill_first_) fill(type, box.size(), data);
  if (read_box(dataset_, extents, box, type, data) < 0) refuse_box(extents, box, type, data);
}

// Reading the chunks one by one finds the faulty one.
void StoredDataset::refuse_box(const Extents& extents, const Box& box, hid_t type, void* data) const {
  const std::string reason = "(HDF5: " + hdf5_reason() + ")";
  std::vector<hsize_t> chunk(static_cast<std::size_t>(box.dims()));
  if (H5Pget_layout(creation_) != H5D_CHUNKED || H5Pget_chunk(creation_, box.dims(), chunk.data()) != box.dims())
    refuse(reason);
  Extents index = box.lower();
  do {
    const Box chunk_box = chunk_at(index, chunk), part = intersect(chunk_box, box);
    if (read_box(dataset_, extents, part, type, data) >= 0) continue;
    const std::string why = "(HDF5: " + hdf5_reason() + ")";
    const Extents lower = chunk_box.lower();
    const std::vector<hsize_t> first(lower.begin(), lower.end());
    haddr_t place = HADDR_UNDEF;
    hsize_t bytes = 0;
    unsigned mask = 0;
    H5Dget_chunk_info_by_coord(dataset_, first.data(), &mask, &place, &bytes);
    const std::string where = place == HADDR_UNDEF
                                  ? ""
                                  : ", " + std::to_string(bytes) + " bytes at byte " + std::to_string(place) +
                                        " of a file of " + std::to_string(readable_size(path_)) + ",";
    refuse("its chunk " + to_string(chunk_box) + where + " is damaged " + why);
  } while (advance(index, box, chunk));
  refuse(reason);
}

}  // namespace weft::io
