// The skeleton of an output file, made by one rank with serial HDF5. Each rank then writes its elements directly to
// their offsets. HDF5's own collective writing would move the same bytes, but its collective handling of metadata does
// not survive a failed write on one rank.
#include "io/layout_hdf5.hpp"

#include "io/compress_hdf5.hpp"
#include "io/element.hpp"
#include "io/output.hpp"

namespace weft::io {
namespace {

// More than HDF5 uses: superblock, groups and heaps of an almost empty file take about 4 KiB, a dataset 0.5 KiB, an
// attribute 0.1 KiB. Chunks are reckoned with when they are written.
constexpr std::size_t base_bytes = 16384, dataset_bytes = 1024, attribute_bytes = 256;

void write_attribute(hid_t object, const std::string& name, hid_t type, hid_t space, const void* value,
                     const std::string& path) {
  const Handle attribute =
      checked_handle(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, path);
  done(H5Awrite(attribute, type, value), path);
}

// Texts have fixed lengths, because texts of variable length lie in a heap without checksums.
void write_text_attribute(hid_t object, const std::string& name, const std::string& text, bool fixed,
                          const std::string& path) {
  const Handle type = checked_handle(H5Tcopy(H5T_C_S1), H5Tclose, path);
  done(H5Tset_size(type, fixed ? text.size() + 1 : H5T_VARIABLE), path);
  done(H5Tset_cset(type, H5T_CSET_UTF8), path);
  const Handle space = checked_handle(H5Screate(H5S_SCALAR), H5Sclose, path);
  const char* characters = text.c_str();
  write_attribute(object, name, type, space, fixed ? static_cast<const void*>(characters) : &characters, path);
}

void write_value(hid_t object, const std::string& name, const Value& value, bool fixed, const std::string& path) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    write_text_attribute(object, name, *text, fixed, path);
    return;
  }
  const auto* integer = std::get_if<std::int64_t>(&value);
  const void* number = integer != nullptr ? static_cast<const void*>(integer) : std::get_if<double>(&value);
  const Handle space = checked_handle(H5Screate(H5S_SCALAR), H5Sclose, path);
  write_attribute(object, name, integer != nullptr ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, space, number, path);
}

void write_sums(hid_t dataset, const Sums& sums, const std::string& path) {
  if (sums.values.empty()) return;
  const hsize_t count = sums.values.size();
  const Handle space = checked_handle(H5Screate_simple(1, &count, nullptr), H5Sclose, path);
  write_attribute(dataset, sums_attribute, H5T_NATIVE_UINT64, space, sums.values.data(), path);
  write_value(dataset, sum_planes_attribute, sums.planes, true, path);
}

// No fill values, since every element will be written. Contiguous datasets are allocated at once.
Handle creation(const PlannedDataset& planned, const std::string& path) {
  Handle properties = checked_handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path);
  done(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER), path);
  if (planned.compression > 0) {
    set_chunks(properties, chunk_extents(planned), planned.compression, path);
    return properties;
  }
  done(H5Pset_layout(properties, H5D_CONTIGUOUS), path);
  done(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY), path);
  return properties;
}

Handle make_dataset(hid_t file, const PlannedDataset& planned, const std::string& path) {
  const std::vector<hsize_t> sizes(planned.extents.begin(), planned.extents.end());
  const Handle space = checked_handle(H5Screate_simple(planned.extents.dims(), sizes.data(), nullptr), H5Sclose, path);
  const Handle properties = creation(planned, path);
  const Handle links = checked_handle(H5Pcreate(H5P_LINK_CREATE), H5Pclose, path);
  done(H5Pset_create_intermediate_group(links, 1), path);
  const Handle type = hdf5_type(planned.element);
  Handle dataset = checked_handle(H5Dcreate2(file, planned.name.c_str(), type, space, links, properties, H5P_DEFAULT),
                                  H5Dclose, path);
  write_sums(dataset, planned.sums, path);
  return dataset;
}

void write_coordinates(hid_t file, const std::vector<std::vector<double>>& coordinates, const std::string& path) {
  const std::vector<std::string> names = coordinate_names(static_cast<int>(coordinates.size()));
  for (std::size_t axis = 0; axis < names.size(); ++axis) {
    const std::vector<double>& values = coordinates[axis];
    const PlannedDataset planned{names[axis], {static_cast<index_t>(values.size())}, Element::float64, 0, {}};
    const Handle dataset = make_dataset(file, planned, path);
    done(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path);
  }
}

index_t offset_of(hid_t dataset, const PlannedDataset& planned, const std::string& path) {
  if (planned.compression > 0) return -1;
  const haddr_t offset = H5Dget_offset(dataset);
  if (offset == HADDR_UNDEF) refuse_hdf5_output(path);
  return static_cast<index_t>(offset);
}

Handle create_file(const std::string& path, bool checked) {
  const Handle access = checked_handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path);
  // Some parallel file systems have no locks, and no other program knows this file yet.
  done(H5Pset_file_locking(access, false, true), path);
  if (checked) done(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110), path);
  return checked_handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, path);
}

std::vector<index_t> make_hdf5(const std::string& path, const PlannedFile& planned) {
  const QuietHdf5 quiet;
  Handle file = create_file(path, planned.checked);
  for (const auto& [name, value] : planned.attributes) write_value(file, name, value, planned.checked, path);
  write_coordinates(file, planned.coordinates, path);
  std::vector<index_t> offsets;
  for (const PlannedDataset& dataset : planned.datasets) {
    offsets.push_back(offset_of(make_dataset(file, dataset, path), dataset, path));
  }
  if (!file.close()) refuse_hdf5_output(path);
  return offsets;
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

index_t element_bytes(const PlannedDataset& dataset) { return dataset.extents.product() * bytes_of(dataset.element); }

index_t skeleton_bytes(const PlannedFile& file) {
  std::size_t bytes = base_bytes;
  for (const auto& [name, value] : file.attributes) {
    const auto* text = std::get_if<std::string>(&value);
    bytes += attribute_bytes + 2 * (name.size() + (text == nullptr ? 0 : text->size()));
  }
  for (const PlannedDataset& dataset : file.datasets) {
    bytes += dataset_bytes + 2 * dataset.name.size() + 16 * dataset.sums.values.size();
  }
  for (const auto& values : file.coordinates) bytes += dataset_bytes + values.size() * sizeof(double);
  return static_cast<index_t>(bytes);
}

// HDF5 1.10 cannot close a file whose last bytes it fails to write: the process would crash at its end. So the space is
// reserved before HDF5 opens the file. If the file system cannot reserve space, bytes are written for HDF5's own part.
std::vector<index_t> make_skeleton(const std::string& path, const PlannedFile& file) {
  const index_t own = skeleton_bytes(file);
  index_t elements = 0;
  for (const PlannedDataset& dataset : file.datasets) elements += dataset.compression > 0 ? 0 : element_bytes(dataset);
  write_text(path, std::string(static_cast<std::size_t>(own), '\0'));
  reserve(path, own + elements);
  std::vector<index_t> offsets = make_hdf5(path, file);
  reserve(path, static_cast<index_t>(readable_size(path)));
  return offsets;
}

}  // namespace weft::io
