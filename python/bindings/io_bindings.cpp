// weft._core: files.
#include "file_types.hpp"
#include "io/shared_folder.hpp"

namespace weft::python {

namespace {

std::vector<index_t> file_shape(std::uintptr_t comm, const FileName& path, const std::string& dataset) {
  return without_gil(file_lock(), [&] { return list_of(file_extents(Comm(communicator(comm)), path, dataset)); });
}

std::pair<std::vector<index_t>, bool> array_in_file(std::uintptr_t comm, const FileName& path,
                                                    const std::string& dataset) {
  const FileArray array = without_gil(file_lock(), [&] { return file_array(Comm(communicator(comm)), path, dataset); });
  return {list_of(array.extents), array.complex};
}

void read(std::uintptr_t comm, const FileName& path, const std::string& dataset, const std::vector<index_t>& shape,
          const Ranges& box, const Array& out) {
  with_element(element_of_array(out), [&](auto number) {
    without_gil(file_lock(), [&] {
      read_block(Comm(communicator(comm)), path, dataset, extents_from(shape), box_from(box),
                 static_cast<decltype(number)*>(out.data()));
    });
  });
}

// Writes views for ParaView where these are possible.
void write_fields(std::uintptr_t comm, const FileName& path, const nb::dict& fields, const std::vector<index_t>& shape,
                  const Ranges& box, const std::vector<std::vector<double>>& coordinates, const nb::dict& attributes,
                  int compression) {
  FileNotes notes;
  notes.coordinates = coordinates;
  notes.compression = compression;
  for (const auto& [name, value] : attributes)
    notes.attributes.emplace_back(nb::cast<std::string>(name), nb::cast<Value>(value));
  std::vector<std::pair<std::string, ConstArray>> arrays;
  for (const auto& [name, array] : fields)
    arrays.emplace_back(nb::cast<std::string>(name), nb::cast<ConstArray>(array));
  const Element element = arrays.empty() ? Element::float64 : element_of_array(arrays.front().second);
  notes.view = !is_complex(element) && shape.size() <= 3;
  with_element(element, [&](auto number) {
    const auto blocks = blocks_of<decltype(number)>(arrays);
    without_gil(file_lock(),
                [&] { write_hdf5(Comm(communicator(comm)), path, extents_from(shape), box_from(box), blocks, notes); });
  });
}

void write_one(std::uintptr_t comm, const FileName& path, const ConstArray& array, const std::vector<index_t>& shape,
               const Ranges& box) {
  with_element(element_of_array(array), [&](auto number) {
    without_gil(file_lock(), [&] {
      write_npy(Comm(communicator(comm)), path, extents_from(shape), box_from(box),
                static_cast<const decltype(number)*>(array.data()));
    });
  });
}

void describe(std::uintptr_t comm, const FileName& path, const FileName& hdf5, const std::vector<index_t>& shape,
              const std::vector<double>& first, const std::vector<double>& spacing,
              const std::vector<std::string>& names) {
  without_gil(file_lock(), [&] {
    write_xdmf(Comm(communicator(comm)), path, hdf5, UniformMesh{extents_from(shape), first, spacing}, names);
  });
}

void describe_rectilinear(std::uintptr_t comm, const FileName& path, const FileName& hdf5,
                          const std::vector<std::vector<double>>& coordinates, const std::vector<std::string>& names) {
  without_gil(file_lock(),
              [&] { write_xdmf(Comm(communicator(comm)), path, hdf5, RectilinearMesh{coordinates}, names); });
}

void require_shared(std::uintptr_t comm, const FileName& folder) {
  io::require_shared_folder(Comm(communicator(comm)), folder);
}

}  // namespace

void bind_io(nb::module_& module) {
  module.def("file_shape", &file_shape, nb::arg("comm_address"), nb::arg("path"), nb::arg("dataset"));
  module.def("file_array", &array_in_file, nb::arg("comm_address"), nb::arg("path"), nb::arg("dataset"));
  module.def("read_block", &read, nb::arg("comm_address"), nb::arg("path"), nb::arg("dataset"), nb::arg("shape"),
             nb::arg("box"), nb::arg("out"));
  module.def("write_fields", &write_fields, nb::arg("comm_address"), nb::arg("path"), nb::arg("fields"),
             nb::arg("shape"), nb::arg("box"), nb::arg("coordinates"), nb::arg("attributes"),
             nb::arg("compression") = 0);
  module.def("require_shared_folder", &require_shared, nb::arg("comm_address"), nb::arg("folder"));
  module.def("write_npy", &write_one, nb::arg("comm_address"), nb::arg("path"), nb::arg("array"), nb::arg("shape"),
             nb::arg("box"));
  module.def("write_xdmf", &describe, nb::arg("comm_address"), nb::arg("path"), nb::arg("hdf5"), nb::arg("shape"),
             nb::arg("first"), nb::arg("spacing"), nb::arg("names"));
  module.def("write_rectilinear_xdmf", &describe_rectilinear, nb::arg("comm_address"), nb::arg("path"), nb::arg("hdf5"),
             nb::arg("coordinates"), nb::arg("names"));
}

}  // namespace weft::python
