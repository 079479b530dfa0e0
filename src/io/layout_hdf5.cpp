// The skeleton of an output file, made by one rank with serial HDF5. The elements themselves are then written by MPI-IO
// straight to their place: HDF5's own collective writing would move the same bytes, but its collective metadata
// handling does not survive a rank on which writing fails.
#include "io/layout_hdf5.hpp"

#include "io/hdf5_tools.hpp"
#include "io/paths.hpp"

namespace weft::io {
namespace {

[[noreturn]] void fail(const std::string& path) {
  const std::string reason = hdf5_reason();
  refuse_file("the output " + quoted(path) + " cannot be written (HDF5: " + reason +
              "); give a folder that exists, is writable and has room");
}

Handle checked(hid_t id, Handle::Close close, const std::string& path) {
  if (id < 0) fail(path);
  return {id, close};
}

void check(herr_t status, const std::string& path) {
  if (status < 0) fail(path);
}

// Room at once and no fill values: every element will be written.
Handle creation(const std::string& path) {
  Handle properties = checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path);
  check(H5Pset_layout(properties, H5D_CONTIGUOUS), path);
  check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY), path);
  check(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER), path);
  return properties;
}

Handle make_dataset(hid_t file, const PlannedDataset& planned, const std::string& path) {
  const std::vector<hsize_t> sizes(planned.extents.begin(), planned.extents.end());
  const Handle space = checked(H5Screate_simple(planned.extents.dims(), sizes.data(), nullptr), H5Sclose, path);
  const Handle properties = creation(path);
  const Handle links = checked(H5Pcreate(H5P_LINK_CREATE), H5Pclose, path);
  check(H5Pset_create_intermediate_group(links, 1), path);
  const hid_t type = planned.bytes == 8 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
  return checked(H5Dcreate2(file, planned.name.c_str(), type, space, links, properties, H5P_DEFAULT), H5Dclose, path);
}

void write_coordinates(hid_t file, const FileNotes& notes, const std::string& path) {
  const std::vector<std::string> names = coordinate_names(static_cast<int>(notes.coordinates.size()));
  for (std::size_t axis = 0; axis < names.size(); ++axis) {
    const std::vector<double>& values = notes.coordinates[axis];
    const Handle dataset = make_dataset(file, {names[axis], {static_cast<index_t>(values.size())}, 8}, path);
    check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path);
  }
}

void write_attributes(hid_t file, const FileNotes& notes, const std::string& path) {
  const Handle type = checked(H5Tcopy(H5T_C_S1), H5Tclose, path);
  check(H5Tset_size(type, H5T_VARIABLE), path);
  check(H5Tset_cset(type, H5T_CSET_UTF8), path);
  const Handle space = checked(H5Screate(H5S_SCALAR), H5Sclose, path);
  for (const auto& [name, value] : notes.attributes) {
    const Handle attribute =
        checked(H5Acreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, path);
    const char* text = value.c_str();
    check(H5Awrite(attribute, type, static_cast<const void*>(&text)), path);
  }
}

}  // namespace

std::vector<std::string> coordinate_names(int dims) {
  static const std::vector<std::string> letters = {"x", "y", "z"};
  if (dims <= 3) return {letters.begin(), letters.begin() + dims};
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(dims));
  for (int axis = 0; axis < dims; ++axis) names.push_back("x" + std::to_string(axis));
  return names;
}

std::vector<index_t> make_hdf5(const std::string& path, const std::vector<PlannedDataset>& datasets,
                               const FileNotes& notes) {
  const QuietHdf5 quiet;
  const Handle access = checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path);
  // Some parallel file systems have no locks; nobody else knows this file yet.
  check(H5Pset_file_locking(access, false, true), path);
  Handle file = checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, path);
  write_attributes(file, notes, path);
  write_coordinates(file, notes, path);
  std::vector<index_t> offsets;
  for (const PlannedDataset& planned : datasets) {
    const Handle dataset = make_dataset(file, planned, path);
    const haddr_t offset = H5Dget_offset(dataset);
    if (offset == HADDR_UNDEF) fail(path);
    offsets.push_back(static_cast<index_t>(offset));
  }
  if (!file.close()) fail(path);
  return offsets;
}

}  // namespace weft::io
