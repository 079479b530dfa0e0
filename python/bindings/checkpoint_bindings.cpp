// weft._core: checkpoints and time series.
#include <nanobind/stl/tuple.h>

#include "file_types.hpp"

namespace weft::python {

namespace {

/// Name, array, global shape and box of a field; Python has checked that the array has the shape of the box.
template <class AnyArray>
using FieldArguments = std::vector<std::tuple<std::string, AnyArray, std::vector<index_t>, Ranges>>;

template <class Field, class AnyArray>
std::vector<Field> fields_of(const FieldArguments<AnyArray>& given) {
  std::vector<Field> fields;
  for (const auto& [name, array, shape, box] : given)
    fields.emplace_back(name, extents_from(shape), box_from(box), element_of_array(array), array.data());
  return fields;
}

// Values, and the shape and element type of every field.
nb::tuple described(const CheckpointContents& contents) {
  nb::dict fields;
  for (const auto& field : contents.fields)
    fields[nb::cast(field.name)] =
        nb::make_tuple(nb::tuple(nb::cast(list_of(field.extents))), to_string(field.element));
  return nb::make_tuple(nb::cast(contents.values), fields);
}

nb::object described(const std::optional<FoundCheckpoint>& found) {
  if (!found) return nb::none();
  nb::list skipped;
  for (const std::string& text : found->skipped) skipped.append(text_from(text));
  return nb::make_tuple(found->step, FileName{found->path}, described(found->contents), skipped);
}

void save(std::uintptr_t comm, const FileName& path, const FieldArguments<ConstArray>& fields, const Values& values,
          int compression) {
  const std::vector<SavedField> saved = fields_of<SavedField>(fields);
  without_gil(file_lock(), [&] { save_checkpoint(Comm(communicator(comm)), path, saved, values, compression); });
}

nb::tuple load(std::uintptr_t comm, const FileName& path, const FieldArguments<Array>& fields) {
  const std::vector<LoadedField> loaded = fields_of<LoadedField>(fields);
  return described(without_gil(file_lock(), [&] { return load_checkpoint(Comm(communicator(comm)), path, loaded); }));
}

void bind_folder(nb::module_& module) {
  nb::class_<CheckpointFolder>(module, "CheckpointFolder")
      .def(
          "__init__",
          [](CheckpointFolder* self, std::uintptr_t comm, const FileName& folder, int keep, int compression) {
            without_gil(file_lock(),
                        [&] { new (self) CheckpointFolder(Comm(communicator(comm)), folder, keep, compression); });
          },
          nb::arg("comm_address"), nb::arg("folder"), nb::arg("keep"), nb::arg("compression"))
      .def(
          "save",
          [](const CheckpointFolder& folder, index_t step, const FieldArguments<ConstArray>& fields,
             const Values& values) {
            const std::vector<SavedField> saved = fields_of<SavedField>(fields);
            return FileName{without_gil(file_lock(), [&] { return folder.save(step, saved, values); })};
          },
          nb::arg("step"), nb::arg("fields"), nb::arg("values"))
      .def("steps",
           [](const CheckpointFolder& folder) { return without_gil(file_lock(), [&] { return folder.steps(); }); })
      .def(
          "path", [](const CheckpointFolder& folder, index_t step) { return FileName{folder.path(step)}; },
          nb::arg("step"))
      .def("newest",
           [](const CheckpointFolder& folder) {
             return described(without_gil(file_lock(), [&] { return folder.newest(); }));
           })
      .def("latest",
           [](const CheckpointFolder& folder) {
             return described(without_gil(file_lock(), [&] { return folder.latest(); }));
           })
      .def(
          "restore",
          [](const CheckpointFolder& folder, const FieldArguments<Array>& fields) {
            const std::vector<LoadedField> loaded = fields_of<LoadedField>(fields);
            return described(without_gil(file_lock(), [&] { return folder.restore(loaded); }));
          },
          nb::arg("fields"));
}

void append(TimeSeries& series, double time, const Ranges& box,
            const std::vector<std::pair<std::string, ConstArray>>& fields) {
  const bool single = !fields.empty() && element_of_array(fields.front().second) == Element::float32;
  with_real(single ? "float32" : "float64", [&](auto real) {
    const auto blocks = blocks_of<decltype(real)>(fields);
    without_gil(file_lock(), [&] { series.append(time, box_from(box), blocks); });
  });
}

void bind_series(nb::module_& module) {
  nb::class_<TimeSeries>(module, "TimeSeries")
      .def(
          "__init__",
          [](TimeSeries* self, std::uintptr_t comm, const FileName& path, const std::vector<index_t>& shape,
             const std::vector<double>& first, const std::vector<double>& spacing, int compression,
             std::optional<double> resume) {
            without_gil(file_lock(), [&] {
              new (self) TimeSeries(Comm(communicator(comm)), path, {extents_from(shape), first, spacing},
                                    {compression, resume});
            });
          },
          nb::arg("comm_address"), nb::arg("path"), nb::arg("shape"), nb::arg("first"), nb::arg("spacing"),
          nb::arg("compression"), nb::arg("resume").none())
      .def("append", &append, nb::arg("time"), nb::arg("box"), nb::arg("fields"))
      .def("times", &TimeSeries::times);
}

}  // namespace

void bind_checkpoint(nb::module_& module) {
  module.def("save_checkpoint", &save, nb::arg("comm_address"), nb::arg("path"), nb::arg("fields"), nb::arg("values"),
             nb::arg("compression"));
  module.def("load_checkpoint", &load, nb::arg("comm_address"), nb::arg("path"), nb::arg("fields"));
  module.def(
      "checkpoint_contents",
      [](std::uintptr_t comm, const FileName& path) {
        return described(without_gil(file_lock(), [&] { return checkpoint_contents(Comm(communicator(comm)), path); }));
      },
      nb::arg("comm_address"), nb::arg("path"));
  module.def(
      "verify_checkpoint",
      [](std::uintptr_t comm, const FileName& path) {
        return described(without_gil(file_lock(), [&] { return verify_checkpoint(Comm(communicator(comm)), path); }));
      },
      nb::arg("comm_address"), nb::arg("path"));
  bind_folder(module);
  bind_series(module);
}

}  // namespace weft::python
