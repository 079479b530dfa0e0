// Arrays of Fortran: their type, shape and strides, and checks of them.
#pragma once

#include <ISO_Fortran_binding.h>

#include <initializer_list>
#include <string>

#include "c_api/plan_handle.hpp"

namespace weft::c_api {

// The required form of an array of Fortran. Extents and strides are in C's order, the last axis first.
struct Wanted {
  Extents extents;
  bool is_complex = false;
  std::size_t real_bytes = 8;
};

inline std::string shape_text(const Extents& c_extents) {
  std::string text;
  for (int axis = c_extents.dims() - 1; axis >= 0; axis--)
    text += (text.empty() ? "" : ", ") + std::to_string(c_extents[axis]);
  return "(" + text + ")";
}

inline std::string type_text(bool is_complex, std::size_t real_bytes) {
  return std::string(is_complex ? "complex" : "real") + "(real" + (real_bytes == 4 ? "32" : "64") + ")";
}

// Empty for a type that is neither real nor complex, of 4 or 8 bytes.
inline std::string type_of(const CFI_cdesc_t& array) {
  if (array.type == CFI_type_float) return type_text(false, 4);
  if (array.type == CFI_type_double) return type_text(false, 8);
  if (array.type == CFI_type_float_Complex) return type_text(true, 4);
  return array.type == CFI_type_double_Complex ? type_text(true, 8) : "";
}

inline Extents extents_of(const char* name, const CFI_cdesc_t& array) {
  weft::require(array.rank >= 1 && array.rank <= weft::max_dims,
                std::string(name) + ": its rank is " + std::to_string(array.rank) + "; give an array of rank 1 to 6");
  Extents extents(array.rank);
  for (int axis = 0; axis < array.rank; axis++) extents[array.rank - 1 - axis] = array.dim[axis].extent;
  return extents;
}

// In elements. Neighbours along the first axis of Fortran lie side by side, rows and planes one after the other.
inline Extents strides_of(const char* name, const CFI_cdesc_t& array) {
  const Extents extents = extents_of(name, array);
  if (extents.product() == 0) return c_strides(extents);
  const auto bytes = static_cast<index_t>(array.elem_len);
  Extents strides(array.rank);
  index_t least = bytes;
  for (int axis = 0; axis < array.rank; axis++) {
    const auto& dim = array.dim[axis];
    const bool single = dim.extent == 1;
    const index_t step = single ? least : dim.sm;
    weft::require(step % bytes == 0 && (axis == 0 ? step == bytes : step >= least),
                  std::string(name) +
                      ": it is a section with gaps along its first axis, or in another order; pass a "
                      "copy in the order of the elements");
    strides[array.rank - 1 - axis] = step / bytes;
    least = step * dim.extent;
  }
  return strides;
}

inline void check_type(const char* name, const CFI_cdesc_t& array, const std::string& wanted) {
  const std::string given = type_of(array);
  weft::require(given == wanted, std::string(name) + ": its type is " + (given.empty() ? "another one" : given) +
                                     ", this object works on " + wanted + " here");
}

inline void check(const char* name, const CFI_cdesc_t& array, const Wanted& wanted) {
  const Extents given = extents_of(name, array);
  weft::require(given == wanted.extents, std::string(name) + ": its shape is " + shape_text(given) +
                                             ", this rank needs " + shape_text(wanted.extents));
  check_type(name, array, type_text(wanted.is_complex, wanted.real_bytes));
  (void)strides_of(name, array);
}

template <class Any>
std::size_t real_bytes(const Any& any) {
  return any.visit([]<template <class> class Of, class Real>(const Of<Real>&) { return sizeof(Real); });
}

// The points of an object that works on real numbers.
template <class Any>
Wanted points_wanted(const Any& any) {
  return {any.visit([](const auto& of) { return of.box().extents(); }), false, real_bytes(any)};
}

inline Wanted side_of_plan(const weft_plan& plan, int side) {
  const bool is_complex =
      plan.visit([&](const auto& p) { return side == WEFT_PHYSICAL ? p.physical_complex() : p.spectral_complex(); });
  return {box_of(plan, side).extents(), is_complex, real_bytes(plan)};
}

// Reports an error that the Fortran side of any rank has found in its texts or lists, on all ranks.
inline int fault(MPI_Comm comm, const char* text) noexcept {
  return guarded([&] { weft::Comm(comm).together([&] { weft::require(*text == '\0', text); }); });
}

// Runs checks on all ranks together, then the work, which is a function of the C interface.
template <class Any, class Check, class Work>
int checked(const char* name, Any* handle, const Check& check_all, const Work& work) noexcept {
  const int code = guarded([&] {
    Any& any = object(name, handle);
    any.comm.together([&] { check_all(any); });
  });
  return code == WEFT_SUCCESS ? work() : code;
}

// Solvers and operators take whole arrays.
inline void check_whole(const char* name, const CFI_cdesc_t& array, const Wanted& wanted) {
  check(name, array, wanted);
  weft::require(strides_of(name, array) == c_strides(wanted.extents),
                std::string(name) + ": it is a section with gaps; pass a whole array or a contiguous copy");
}

struct NamedArray {
  const char* name;
  const CFI_cdesc_t* array;  // null: omitted
};

// Checks whole arrays of this rank's points and what else is to be checked, on all ranks together, then calls
// work(number of points).
template <class Any, class Check, class Work>
int on_points(const char* name, Any* handle, std::initializer_list<NamedArray> arrays, const Check& check_more,
              const Work& work) {
  index_t count = 0;
  return checked(
      name, handle,
      [&](const Any& any) {
        const Wanted points = points_wanted(any);
        for (const NamedArray& each : arrays)
          if (each.array != nullptr) check_whole(each.name, *each.array, points);
        check_more(any);
        count = points.extents.product();
      },
      [&] { return work(count); });
}
template <class Any, class Work>
int on_points(const char* name, Any* handle, std::initializer_list<NamedArray> arrays, const Work& work) {
  return on_points(
      name, handle, arrays, [](const Any&) {}, work);
}

// Components are the last axis of Fortran, the first one of C, and so are the fields of a batch.
inline Extents with_components(const Extents& points, index_t components) {
  Extents extents{components};
  for (const index_t n : points) extents.push_back(n);
  return extents;
}

}  // namespace weft::c_api
