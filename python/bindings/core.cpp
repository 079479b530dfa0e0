// The module weft._core: errors, facts about the build, and the conversions of common.hpp.
#include <omp.h>

#include <cstdlib>
#include <map>
#include <thread>

#include "base/buffer.hpp"
#include "base/unfinished.hpp"
#include "base/utf8.hpp"
#include "common.hpp"
#include "transform/chosen_kernels.hpp"
#include "transform/engine/engines.hpp"
#include "transform/kind_table.hpp"
#include "weft/memory.hpp"

namespace weft::python {

Extents extents_from(const std::vector<index_t>& values) {
  require(values.size() <= static_cast<std::size_t>(max_dims),
          "shape: " + std::to_string(values.size()) + " axes were given; an array has 1 to 6");
  Extents extents;
  for (const index_t value : values) extents.push_back(value);
  return extents;
}

Box box_from(const Ranges& ranges) {
  Box box(static_cast<int>(ranges.size()));
  for (int axis = 0; axis < box.dims(); axis++) {
    const auto& [lo, hi] = ranges[static_cast<std::size_t>(axis)];
    box[axis] = {lo, hi};
  }
  return box;
}

Ranges ranges_of(const Box& box) {
  Ranges ranges;
  for (int axis = 0; axis < box.dims(); axis++) ranges.emplace_back(box[axis].lo, box[axis].hi);
  return ranges;
}

std::vector<index_t> list_of(const Extents& extents) { return {extents.begin(), extents.end()}; }

nb::object text_from(const std::string& text) {
  const std::string valid = printable(text);
  return nb::str(valid.c_str(), valid.size());
}

nb::object float_array(const std::vector<double>& values) {
  auto* copy = new std::vector<double>(values);
  const nb::capsule owner(copy, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<1>>(copy->data(), {copy->size()}, owner));
}

PlanOptions options_from(const nb::dict& given) {
  PlanOptions options;
#define WEFT_TAKE(name) \
  if (given.contains(#name)) options.name = nb::cast<decltype(options.name)>(given[#name]);
#define WEFT_PARSE(name) \
  if (given.contains(#name)) options.name = parse_##name(nb::cast<std::string>(given[#name]));
  WEFT_NAMED_OPTIONS(WEFT_PARSE)
  WEFT_NUMBER_OPTIONS(WEFT_TAKE)
  WEFT_LIST_OPTIONS(WEFT_TAKE)
#undef WEFT_TAKE
#undef WEFT_PARSE
  if (given.contains("tuning")) options.tuning = nb::cast<FileName>(given["tuning"]);
  if (given.contains("workspace") && !given["workspace"].is_none())
    options.workspace = nb::cast<std::shared_ptr<Workspace>>(given["workspace"]);
  return options;
}

namespace {

// Null if MPI allows calls of several threads at once.
CallLock lock_of_mpi() {
  static const CallLock lock = std::make_shared<std::recursive_mutex>();
  int level = MPI_THREAD_SINGLE;
  const bool several = MPI_Query_thread(&level) == MPI_SUCCESS && level >= MPI_THREAD_MULTIPLE;
  return several ? nullptr : lock;
}

}  // namespace

CallLock call_lock(const std::shared_ptr<Workspace>& workspace) {
  if (CallLock lock = lock_of_mpi(); lock != nullptr) return lock;
  if (workspace == nullptr) return std::make_shared<std::recursive_mutex>();
  // Guarded by the GIL. A lock that exists belongs to this workspace, since its plans keep both.
  static std::map<const Workspace*, std::weak_ptr<std::recursive_mutex>> of_workspaces;
  std::erase_if(of_workspaces, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<std::recursive_mutex>& known = of_workspaces[workspace.get()];
  CallLock lock = known.lock();
  if (lock == nullptr) known = lock = std::make_shared<std::recursive_mutex>();
  return lock;
}

CallLock file_lock() {
  if (CallLock of_mpi = lock_of_mpi(); of_mpi != nullptr) return of_mpi;
  static const CallLock lock = std::make_shared<std::recursive_mutex>();
  return lock;
}

namespace {

std::string mpi_library() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  return text;
}

nb::dict info() {
  nb::dict facts;
  facts["fftw"] = fftw_version();
  facts["hdf5"] = hdf5_version();
  facts["lane engine"] = std::string(lane_kernels<double>().isa) + ", " + std::to_string(lane_kernels<double>().lanes) +
                         " doubles or " + std::to_string(lane_kernels<float>().lanes) + " floats at once";
  facts["simd available"] = nb::cast(available_simd());
  facts["cores"] = std::thread::hardware_concurrency();
  facts["openmp threads"] = omp_get_max_threads();
  facts["features"] = nb::cast(std::vector<std::string>{"float", "double", "openmp", "hdf5", "npy", "xdmf"});
  std::vector<std::string> strategies;
  for (const Strategy strategy : all_strategies()) strategies.push_back(to_string(strategy));
  facts["strategies"] = nb::cast(strategies);
  return facts;
}

// The rows of the table of kinds, by name.
nb::dict kinds() {
  nb::dict result;
  const auto ends = [](MirrorEnds mirror) {
    std::vector<int> indices;
    if (mirror.first) indices.push_back(0);
    if (mirror.last) indices.push_back(-1);
    return nb::tuple(nb::cast(indices));
  };
  for (const Kind kind : all_kinds()) {
    const KindRow& row = row_of(kind);
    nb::dict facts;
    facts["inverse"] = to_string(row.inverse);
    facts["period_factor"] = row.period_factor;
    facts["period_shift"] = row.period_shift;
    facts["mirror_points"] = ends(row.points);
    facts["mirror_modes"] = ends(row.modes);
    facts["fftw"] = row.fftw;
    result[row.name] = facts;
  }
  return result;
}

// Bytes in the library's own kind of memory; numpy's start 16 bytes off a cache line and cannot be streamed to.
nb::object aligned_bytes(std::size_t count) {
  auto* memory = static_cast<std::uint8_t*>(allocate_aligned(count));
  const nb::capsule owner(memory, [](void* p) noexcept { free_aligned(p); });
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(memory, {count}, owner));
}

// The exception class of each fault. They are made once and live as long as the process.
struct Exceptions {
  PyObject *argument = nullptr, *file = nullptr, *resource = nullptr;
};

Exceptions& exceptions() {
  static Exceptions instance;
  return instance;
}

PyObject* exception_for(Fault fault) {
  switch (fault) {
    case Fault::argument:
      return exceptions().argument;
    case Fault::file:
      return exceptions().file;
    case Fault::resource:
      return exceptions().resource;
    default:
      return PyExc_RuntimeError;
  }
}

// Python has checked that the user's memory is contiguous and writeable.
void bind_workspace(nb::module_& module) {
  nb::class_<Workspace>(module, "Workspace")
      .def(nb::init<>())
      .def(
          "__init__",
          [](Workspace* self, const Array& memory) {
            new (self) Workspace(memory.data(), static_cast<index_t>(memory.nbytes()));
          },
          nb::arg("memory"), nb::keep_alive<1, 2>())
      // Equal on all ranks, since plans compare the texts of their arguments although sizes may differ.
      .def("__repr__", [](const Workspace&) { return "Workspace()"; })
      .def_prop_ro("nbytes", &Workspace::bytes);
}

void bind_errors(nb::module_& module) {
  exceptions().argument = PyErr_NewExceptionWithDoc(
      "weft.Error", "An argument is not allowed; raised on every rank alike.", PyExc_ValueError, nullptr);
  exceptions().file =
      PyErr_NewExceptionWithDoc("weft.FileError", "A file is missing, damaged, of another shape, or cannot be written.",
                                exceptions().argument, nullptr);
  exceptions().resource = PyErr_NewExceptionWithDoc("weft.ResourceError", "The machine has too little of something.",
                                                    exceptions().argument, nullptr);
  module.attr("Error") = nb::handle(exceptions().argument);
  module.attr("FileError") = nb::handle(exceptions().file);
  module.attr("ResourceError") = nb::handle(exceptions().resource);
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Error& error) {
      // Texts from files need not be UTF-8, and an error must not lose its text for that.
      PyErr_SetObject(exception_for(error.fault()), text_from(error.what()).ptr());
    } catch (const std::bad_alloc&) {
      PyErr_SetString(exceptions().resource, "memory: there is not enough; give smaller arrays or use more ranks");
    }
  });
}

}  // namespace

}  // namespace weft::python

NB_MODULE(_core, module) {
  module.doc() = "The compiled part of Weft; use the package weft.";
  // A program that ends with an exception still has plans in the frames of its traceback. Users need not know of these
  // leaks, nor read about them below the traceback.
  nanobind::set_leak_warnings(std::getenv("WEFT_LEAKS") != nullptr);
  weft::python::bind_errors(module);
  weft::python::bind_workspace(module);
#if defined(WEFT_RUNTIME_MPI)
  module.def(
      "use_mpi", [](const std::string& library) { weft::runtime_mpi::use_library(library.c_str()); },
      nanobind::arg("library"), "Takes the table of MPI that a library of a wheel fills.");
#endif
  module.def("mpi_library", &weft::python::mpi_library, "Name and version of the MPI library that Weft has loaded.");
  module.def("info", &weft::python::info, "Versions and features of the libraries in use.");
  module.def("kinds", &weft::python::kinds, "The properties of each transform kind, by its name.");
  module.def("available_memory", &weft::available_memory, "Bytes of memory that this machine has left.");
  module.def("aligned_bytes", &weft::python::aligned_bytes, nanobind::arg("count"),
             "An uninitialised uint8 array that begins on a cache line, in huge pages where it is large.");
  module.def("end_on_interrupt", &weft::end_on_interrupt, nanobind::arg("seconds"),
             "SIGINT ends the process, also while C++ works: at the latest this many seconds later.");
  weft::python::bind_plan(module);
  weft::python::bind_tune(module);
  weft::python::bind_redistribution(module);
  weft::python::bind_halo(module);
  weft::python::bind_particles(module);
  weft::python::bind_poisson(module);
  weft::python::bind_vector_poisson(module);
  weft::python::bind_variable_poisson(module);
  weft::python::bind_sums(module);
  weft::python::bind_chebyshev(module);
  weft::python::bind_io(module);
  weft::python::bind_checkpoint(module);
  weft::python::bind_bench(module);
  weft::python::bind_tensor(module);
  weft::python::bind_model(module);
}
