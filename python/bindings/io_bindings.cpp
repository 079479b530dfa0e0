// weft._core: files.
#include "common.hpp"

namespace weft::python {

namespace {

template <class AnyArray>
bool is_float(const AnyArray& array) {
  return array.dtype() == nb::dtype<float>();
}

std::vector<index_t> file_shape(std::uintptr_t comm, const std::string& path, const std::string& dataset) {
  return list_of(file_extents(Comm(communicator(comm)), path, dataset));
}

void read(std::uintptr_t comm, const std::string& path, const std::string& dataset, const std::vector<index_t>& shape,
          const Ranges& box, const Array& out) {
  with_real(is_float(out) ? "float32" : "float64", [&](auto real) {
    read_block(Comm(communicator(comm)), path, dataset, extents_from(shape), box_from(box),
               static_cast<decltype(real)*>(out.data()));
  });
}

void write_fields(std::uintptr_t comm, const std::string& path, const nb::dict& fields,
                  const std::vector<index_t>& shape, const Ranges& box,
                  const std::vector<std::vector<double>>& coordinates, const nb::dict& attributes) {
  FileNotes notes;
  notes.coordinates = coordinates;
  for (const auto& [name, text] : attributes)
    notes.attributes.emplace_back(nb::cast<std::string>(name), nb::cast<std::string>(text));
  std::vector<std::pair<std::string, ConstArray>> arrays;
  for (const auto& [name, array] : fields)
    arrays.emplace_back(nb::cast<std::string>(name), nb::cast<ConstArray>(array));
  const bool single = !arrays.empty() && is_float(arrays.front().second);
  with_real(single ? "float32" : "float64", [&](auto real) {
    using Real = decltype(real);
    std::vector<NamedBlock<Real>> blocks;
    for (const auto& [name, array] : arrays) blocks.push_back({name, static_cast<const Real*>(array.data())});
    write_hdf5(Comm(communicator(comm)), path, extents_from(shape), box_from(box), blocks, notes);
  });
}

void write_one(std::uintptr_t comm, const std::string& path, const ConstArray& array, const std::vector<index_t>& shape,
               const Ranges& box) {
  with_real(is_float(array) ? "float32" : "float64", [&](auto real) {
    write_npy(Comm(communicator(comm)), path, extents_from(shape), box_from(box),
              static_cast<const decltype(real)*>(array.data()));
  });
}

void describe(std::uintptr_t comm, const std::string& path, const std::string& hdf5, const std::vector<index_t>& shape,
              const std::vector<double>& first, const std::vector<double>& spacing,
              const std::vector<std::string>& names) {
  write_xdmf(Comm(communicator(comm)), path, hdf5, {extents_from(shape), first, spacing}, names);
}

}  // namespace

void bind_io(nb::module_& module) {
  module.def("file_shape", &file_shape, nb::arg("comm_address"), nb::arg("path"), nb::arg("dataset"));
  module.def("read_block", &read, nb::arg("comm_address"), nb::arg("path"), nb::arg("dataset"), nb::arg("shape"),
             nb::arg("box"), nb::arg("out"));
  module.def("write_fields", &write_fields, nb::arg("comm_address"), nb::arg("path"), nb::arg("fields"),
             nb::arg("shape"), nb::arg("box"), nb::arg("coordinates"), nb::arg("attributes"));
  module.def("write_npy", &write_one, nb::arg("comm_address"), nb::arg("path"), nb::arg("array"), nb::arg("shape"),
             nb::arg("box"));
  module.def("write_xdmf", &describe, nb::arg("comm_address"), nb::arg("path"), nb::arg("hdf5"), nb::arg("shape"),
             nb::arg("first"), nb::arg("spacing"), nb::arg("names"));
}

}  // namespace weft::python
