// Conversions between Python's arguments and the library's types, for all binding files.
#pragma once

#include <mpi.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "file_name.hpp"
#include "unlocked.hpp"
#include "weft/weft.hpp"

namespace weft::python {

namespace nb = nanobind;

/// A C-contiguous array in main memory; the Python side has checked its shape and type on every rank.
using Array = nb::ndarray<nb::c_contig, nb::device::cpu>;
/// An Array for input, which may be read-only.
using ConstArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using Ranges = std::vector<std::pair<index_t, index_t>>;

/// The communicator behind mpi4py's MPI._addressof(comm).
inline MPI_Comm communicator(std::uintptr_t address) {
#if defined(WEFT_RUNTIME_MPI)
  return runtime_mpi::comm_at(reinterpret_cast<const void*>(address));
#else
  return *reinterpret_cast<const MPI_Comm*>(address);
#endif
}

Extents extents_from(const std::vector<index_t>& values);
Box box_from(const Ranges& ranges);
Ranges ranges_of(const Box& box);
std::vector<index_t> list_of(const Extents& extents);
/// A str from a text of the library, which may name files: bytes that are not UTF-8 become \xHH.
nb::object text_from(const std::string& text);
/// A new float64 array of one axis.
nb::object float_array(const std::vector<double>& values);
/// Two functions that set members from entries of a dict, directly and through a parser of names. A missing entry does
/// not change its member.
inline auto option_readers(const nb::dict& given) {
  const auto take = [&given](const char* name, auto& member) {
    if (given.contains(name)) member = nb::cast<std::remove_reference_t<decltype(member)>>(given[name]);
  };
  const auto parse = [&given](const char* name, auto& member, auto parser) {
    if (given.contains(name)) member = parser(nb::cast<std::string>(given[name]));
  };
  return std::pair(take, parse);
}
/// The options of a plan from a dict: members of PlanOptions by name. Missing ones keep their defaults. Python has
/// checked the types.
PlanOptions options_from(const nb::dict& given);
/// A PoissonProblem from its members by name; Python has checked the types.
PoissonProblem problem_from(const nb::dict& given);
/// Calls `work` with a value of type float or double, according to `dtype`.
template <class Work>
auto with_real(const std::string& dtype, const Work& work) {
  return dtype == "float32" ? work(float{}) : work(double{});
}

/// The text of explain(), which may measure.
template <class Any>
std::string explained(const Any& any) {
  return without_gil(any.lock(), [&] { return any.visit([](const auto& planned) { return planned.explain(); }); });
}

/// Binds the facts that scalar and vector solvers have in common; `Any` holds a solver of either precision, and has
/// visit() and lock().
template <class Any>
void bind_facts(nb::class_<Any>& solver) {
  const auto get = [](const auto& member) { return [member](const Any& any) { return any.visit(member); }; };
  solver.def_prop_ro("local_box", get([](const auto& p) { return ranges_of(p.box()); }))
      .def_prop_ro("workspace_bytes", get([](const auto& p) { return p.workspace_bytes(); }))
      .def_prop_ro("bytes_sent", get([](const auto& p) { return p.bytes_sent(); }))
      .def_prop_ro("strategy", get([](const auto& p) { return p.strategy(); }))
      .def_prop_ro("threads", get([](const auto& p) { return p.threads(); }))
      .def_prop_ro("setup_seconds", get([](const auto& p) { return p.setup_seconds(); }))
      .def("explain", &explained<Any>)
      .def("points", [](const Any& any, int axis) {
        return any.visit([axis](const auto& p) { return float_array(p.points(axis)); });
      });
}

void bind_plan(nb::module_& module);
void bind_tune(nb::module_& module);
void bind_redistribution(nb::module_& module);
void bind_poisson(nb::module_& module);
void bind_vector_poisson(nb::module_& module);
void bind_variable_poisson(nb::module_& module);
void bind_sums(nb::module_& module);
void bind_chebyshev(nb::module_& module);
void bind_halo(nb::module_& module);
void bind_particles(nb::module_& module);
void bind_io(nb::module_& module);
void bind_checkpoint(nb::module_& module);
void bind_bench(nb::module_& module);
void bind_tensor(nb::module_& module);
void bind_model(nb::module_& module);

}  // namespace weft::python
