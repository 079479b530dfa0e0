// The metadata of a checkpoint, read on one rank with serial HDF5. Its checksums cover all of it.
#include <algorithm>

#include "io/checkpoint_arguments.hpp"
#include "io/checkpoint_file.hpp"
#include "io/checksum.hpp"
#include "io/element.hpp"

namespace weft::io {
namespace {

[[noreturn]] void damaged(const std::string& path) {
  const std::string reason = hdf5_reason();
  refuse_file("the checkpoint " + quoted(path) + " is damaged (HDF5: " + reason + "); take another one");
}

Handle opened(hid_t id, Handle::Close close, const std::string& path) {
  if (id < 0) damaged(path);
  return {id, close};
}

// The text without the padding that the file adds to it.
std::string read_text(hid_t attribute, hid_t type, const std::string& path) {
  if (H5Tis_variable_str(type) != 0) damaged(path);
  std::string text(H5Tget_size(type) + 1, '\0');
  if (H5Aread(attribute, type, text.data()) < 0) damaged(path);
  return text.c_str();
}

template <class Number>
Number read_number(hid_t attribute, hid_t type, const std::string& path) {
  const Handle space = opened(H5Aget_space(attribute), H5Sclose, path);
  Number number{};
  if (H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, type, &number) < 0) damaged(path);
  return number;
}

Value read_value(hid_t attribute, const std::string& path) {
  const Handle type = opened(H5Aget_type(attribute), H5Tclose, path);
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      return read_text(attribute, type, path);
    case H5T_INTEGER:
      return read_number<std::int64_t>(attribute, H5T_NATIVE_INT64, path);
    default:
      return read_number<double>(attribute, H5T_NATIVE_DOUBLE, path);
  }
}

herr_t add_attribute_name(hid_t /*object*/, const char* name, const H5A_info_t* /*info*/, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

// Attributes are visited by name: for access by index HDF5 makes a table of all of them first.
Values read_values(hid_t file, const std::string& path) {
  std::vector<std::string> names;
  if (H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add_attribute_name, &names) < 0) damaged(path);
  Values values;
  for (const std::string& name : names) {
    const Handle attribute = opened(H5Aopen(file, name.c_str(), H5P_DEFAULT), H5Aclose, path);
    values[name] = read_value(attribute, path);
  }
  return values;
}

void check_version(Values& values, const std::string& path) {
  const auto found = values.find(checkpoint_attribute);
  const auto* version = found == values.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  if (version == nullptr) {
    refuse_file(quoted(path) + " is not a checkpoint: it has no attribute " + checkpoint_attribute +
                "; give one, or read it as a plain file");
  }
  if (*version != checkpoint_version) {
    refuse_file("the checkpoint " + quoted(path) + " is of version " + std::to_string(*version) +
                ", and this library knows " + std::to_string(checkpoint_version) +
                "; read it with the one that wrote it");
  }
  std::erase_if(values, [](const auto& item) { return item.first.rfind(reserved_prefix, 0) == 0; });
}

Sums read_sums(hid_t dataset, const Extents& extents, const std::string& path) {
  Sums sums = no_sums(extents);
  const Handle list = opened(H5Aopen(dataset, sums_attribute.c_str(), H5P_DEFAULT), H5Aclose, path);
  const Handle planes = opened(H5Aopen(dataset, sum_planes_attribute.c_str(), H5P_DEFAULT), H5Aclose, path);
  const Handle space = opened(H5Aget_space(list), H5Sclose, path);
  if (read_number<std::int64_t>(planes, H5T_NATIVE_INT64, path) != sums.planes) damaged(path);
  if (H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(sums.values.size())) damaged(path);
  if (H5Aread(list, H5T_NATIVE_UINT64, sums.values.data()) < 0) damaged(path);
  return sums;
}

// A killed writer leaves such a file, whose elements would be read as zeros.
void check_written(hid_t dataset, const std::string& what) {
  H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
  if (H5Dget_space_status(dataset, &status) < 0) refuse_file(what + " cannot be read: " + hdf5_reason());
  if (status == H5D_SPACE_STATUS_NOT_ALLOCATED) refuse_file(what + " was never written; take another file");
}

void read_field(hid_t file, const std::string& name, CheckpointFacts& facts, const std::string& path) {
  const std::string what = "dataset " + quoted(name) + " of " + quoted(path);
  const Handle dataset = opened(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, path);
  const Handle type = opened(H5Dget_type(dataset), H5Tclose, path);
  const std::optional<Element> element = element_of_type(type);
  if (!element) refuse_file(what + " has elements that no checkpoint has; take another file");
  const Extents extents = extents_of_dataset(dataset, what);
  if (extents.product() == 0) refuse_file(what + " has no elements; take another file");
  check_written(dataset, what);
  facts.contents.fields.push_back({name, extents, *element});
  facts.sums.push_back(read_sums(dataset, extents, path));
}

herr_t add_name(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

CheckpointFacts inspect_checkpoint(const std::string& path) {
  require_format(path, Format::hdf5);
  readable_size(path);
  const QuietHdf5 quiet;
  const Handle file = open_hdf5(path, Locking::shared);
  CheckpointFacts facts;
  facts.contents.values = read_values(file, path);
  check_version(facts.contents.values, path);
  std::vector<std::string> names;
  if (H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names) < 0) damaged(path);
  for (const std::string& name : names) read_field(file, name, facts, path);
  return facts;
}

}  // namespace weft::io
