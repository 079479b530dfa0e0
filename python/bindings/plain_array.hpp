// numpy arrays as the buffer protocol shows them. Checks in Python and conversions by nanobind take as long as the
// transform of a small array.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string_view>

#include "weft/types.hpp"

namespace weft::python {

namespace nb = nanobind;

/// An object that may be a numpy array. It stays alive and in place as long as this object.
class PlainArray {
 public:
  enum class Use { read, write };
  PlainArray(nb::handle object, Use use) {
    static const PyObject* const array_type = nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();
    if (reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())) != array_type) return;
    is_array_ = PyObject_GetBuffer(object.ptr(), &view_, use == Use::write ? PyBUF_RECORDS : PyBUF_RECORDS_RO) == 0;
    if (!is_array_) PyErr_Clear();
  }
  ~PlainArray() {
    if (is_array_) PyBuffer_Release(&view_);
  }
  PlainArray(const PlainArray&) = delete;
  PlainArray& operator=(const PlainArray&) = delete;

  /// Whether it is an array of this shape and type, in C order with contiguous rows; rows and planes may have padding
  /// between them.
  template <class Real>
  bool holds(const Extents& shape, bool is_complex) const {
    if (!is_array_ || view_.ndim != shape.dims() || type<Real>(is_complex) != view_.format) return false;
    if (reinterpret_cast<std::uintptr_t>(view_.buf) % alignof(Real) != 0) return false;
    Py_ssize_t inner = view_.itemsize;
    for (int axis = shape.dims() - 1; axis >= 0; axis--) {
      const Py_ssize_t size = view_.shape[axis], stride = view_.strides[axis];
      if (size != shape[axis]) return false;
      if (size <= 1) continue;
      const bool touches = stride == view_.itemsize || axis + 1 < shape.dims();
      if (stride < inner || stride % view_.itemsize != 0 || !touches) return false;
      inner = size * stride;
    }
    return true;
  }
  template <class Real>
  Real* data() const {
    return static_cast<Real*>(view_.buf);
  }
  /// In elements.
  Extents strides() const {
    Extents strides(view_.ndim);
    for (int axis = 0; axis < view_.ndim; axis++) strides[axis] = view_.strides[axis] / view_.itemsize;
    return strides;
  }

 private:
  template <class Real>
  static std::string_view type(bool is_complex) {
    if constexpr (sizeof(Real) == sizeof(double)) return is_complex ? "Zd" : "d";
    return is_complex ? "Zf" : "f";
  }

  Py_buffer view_{};
  bool is_array_ = false;
};

}  // namespace weft::python
