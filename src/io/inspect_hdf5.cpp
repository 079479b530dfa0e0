// Inspects an HDF5 file on one rank: whether it is complete, its datasets, and the type of the requested one.
#include <algorithm>
#include <array>
#include <fstream>
#include <vector>

#include "io/element.hpp"
#include "io/stored_hdf5.hpp"

namespace weft::io {
namespace {

/// The innermost entry of HDF5's error stack.
struct Innermost {
  std::string text;
  hid_t what = -1;
};

herr_t take_first(unsigned depth, const H5E_error2_t* entry, void* innermost) {
  auto& result = *static_cast<Innermost*>(innermost);
  if (depth == 0) result.what = entry->min_num;
  if (result.text.empty() && entry->desc != nullptr) result.text = entry->desc;
  return 0;
}

Innermost innermost_failure() {
  Innermost failure;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &failure);
  if (failure.text.empty()) failure.text = "no reason given";
  return failure;
}

// Whether the flags of the superblock say that a program has the file open for writing, or ended without closing it.
// The superblock lies at byte 0, 512, 1024, 2048, ...; versions before 3 have no such flags.
bool has_writer_flags(const std::string& path) {
  const std::string signature("\x89HDF\r\n\x1a\n");
  std::ifstream file(path, std::ios::binary);
  std::array<char, 12> start{};
  for (std::streamoff place = 0; file.seekg(place) && file.read(start.data(), start.size());
       place = place == 0 ? 512 : 2 * place) {
    if (std::string(start.data(), signature.size()) == signature) return start[8] >= 3 && start[11] != 0;
  }
  return false;
}

// Sizes per axis as the file has them, which may be none or more axes than Extents holds.
std::vector<hsize_t> shape_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int dims = std::max(0, H5Sget_simple_extent_ndims(space));
  std::vector<hsize_t> shape(static_cast<std::size_t>(dims));
  if (dims > 0) H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

std::string shape_text(const std::vector<hsize_t>& shape) {
  std::string text;
  for (const hsize_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text.empty() ? "a single value" : text;
}

constexpr std::size_t longest_list = 20;

herr_t list_dataset(hid_t group, const char* name, const H5L_info_t* /*info*/, void* list) {
  auto& names = *static_cast<std::vector<std::string>*>(list);
  const Handle object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
  if (!object.valid() || H5Iget_type(object) != H5I_DATASET) return 0;
  names.push_back(names.size() < longest_list ? std::string(name) + " (" + shape_text(shape_of(object)) + ")" : "...");
  return names.size() > longest_list ? 1 : 0;
}

std::string datasets_of(hid_t file) {
  std::vector<std::string> names;
  H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, list_dataset, &names);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "it has no datasets" : "it has " + text;
}

std::string class_name(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      return "strings";
    case H5T_COMPOUND:
      return "compounds that are not pairs r, i of real numbers, as complex numbers are stored";
    case H5T_ENUM:
      return "an enumeration, as truth values are stored";
    case H5T_ARRAY:
      return "arrays";
    default:
      return "no numbers";
  }
}

bool complex_elements(hid_t dataset, const std::string& what) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const bool complex = is_complex_type(type);
  const H5T_class_t kind = H5Tget_class(type);
  // A damaged file may give a length beyond any machine's memory, and HDF5 would read beyond its buffer.
  const std::size_t bytes = H5Tget_size(type), most = complex ? 32 : 16;
  if (complex || kind == H5T_FLOAT || kind == H5T_INTEGER) {
    if (bytes <= most) return complex;
    refuse_file(what + " has elements of " + std::to_string(bytes) + " bytes; give numbers of at most " +
                std::to_string(most) + ", or write or copy the file again");
  }
  refuse_file(what + " holds " + class_name(type) +
              "; store real numbers (float32, float64 or integers) or complex ones");
}

}  // namespace

Handle open_hdf5(const std::string& path, Locking locking) {
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    refuse_file(quoted(path) + " is not an HDF5 file (or its beginning is damaged); give an HDF5 or .npy file");
  }
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Some parallel file systems have no locks; without this call HDF5 cannot even read there.
  H5Pset_file_locking(access, locking == Locking::shared, true);
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (file.valid()) return file;
  const Innermost failure = innermost_failure();
  if (failure.what == H5E_CANTLOCKFILE || (failure.what == H5E_CANTOPENFILE && has_writer_flags(path))) {
    throw OpenForWriting(
        quoted(path) + " is open for writing in another program, or was when that program ended (HDF5: " +
        failure.text + "); close it there, and if no program has it open clear the mark with: h5clear -s " + path);
  }
  refuse_file(quoted(path) + " is truncated or damaged (HDF5: " + failure.text + "); write or copy it again");
}

void refuse_open_for_writing(const std::string& path) {
  const QuietHdf5 quiet;
  try {
    open_hdf5(path, Locking::shared);
  } catch (const OpenForWriting&) {
    throw;
  } catch (const Error&) {
    // Other faults of the file are reported when it is read.
    return;
  }
}

std::string hdf5_reason() { return innermost_failure().text; }

void refuse_hdf5_output(const std::string& path) {
  const std::string reason = hdf5_reason();
  refuse_file("the output " + quoted(path) + " cannot be written (HDF5: " + reason +
              "); give a folder that exists, is writable and has room");
}

Extents extents_of_dataset(hid_t dataset, const std::string& what) {
  const std::vector<hsize_t> shape = shape_of(dataset);
  const bool axes = !shape.empty() && shape.size() <= static_cast<std::size_t>(max_dims);
  Extents extents(axes ? static_cast<int>(shape.size()) : 0);
  if (axes)
    std::transform(shape.begin(), shape.end(), extents.begin(), [](hsize_t n) { return static_cast<index_t>(n); });
  if (axes && fits_memory(extents)) return extents;
  refuse_file(what + " is " + shape_text(shape) + "; give an array of 1 to " + std::to_string(max_dims) +
              " axes that fits in memory");
}

namespace {

// Whether a file has an object of this name, of any kind. The groups on the path to it have to exist, too.
bool has_link(hid_t file, const std::string& name) {
  for (std::size_t end = name.find('/', 1); end != std::string::npos; end = name.find('/', end + 1))
    if (H5Lexists(file, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
  return !name.empty() && H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0;
}

Handle open_dataset(hid_t file, const std::string& name, const std::string& path) {
  Handle object(name.empty() ? hid_t{-1} : H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose);
  const std::string reason = object.valid() ? "" : hdf5_reason();
  if (object.valid() && H5Iget_type(object) == H5I_DATASET) return object;
  if (!object.valid() && has_link(file, name)) {
    refuse_file("dataset " + quoted(name) + " of " + quoted(path) + " cannot be opened (HDF5: " + reason +
                "); write or copy the file again");
  }
  refuse_file(quoted(path) + " has no dataset " + quoted(name) + "; " + datasets_of(file));
}

}  // namespace

FileArray inspect_hdf5(const std::string& path, const std::string& dataset) {
  const QuietHdf5 quiet;
  const Handle file = open_hdf5(path, Locking::shared);
  const Handle object = open_dataset(file, dataset, path);
  const std::string what = "dataset " + quoted(dataset) + " of " + quoted(path);
  const bool complex = complex_elements(object, what);
  const Extents extents = extents_of_dataset(object, what);
  const StoredDataset readable(file, dataset, path);
  readable.check_chunks();
  return {extents, complex};
}

}  // namespace weft::io
