// File names on their way from Python to the library: bytes, as the system has them.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace weft::python {

/// A str as the bytes of a file name, as os.fsencode makes them: they need not be UTF-8.
struct FileName : std::string {};

}  // namespace weft::python

namespace nanobind::detail {

template <>
struct type_caster<weft::python::FileName> {
  NB_TYPE_CASTER(weft::python::FileName, const_name("str"))

  bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
    PyObject* bytes = PyUnicode_Check(source.ptr()) ? PyUnicode_EncodeFSDefault(source.ptr()) : nullptr;
    char* data = nullptr;
    Py_ssize_t size = 0;
    const bool fits = bytes != nullptr && PyBytes_AsStringAndSize(bytes, &data, &size) == 0;
    if (fits) value.assign(data, static_cast<std::size_t>(size));
    if (!fits) PyErr_Clear();
    Py_XDECREF(bytes);
    return fits;
  }

  static handle from_cpp(const weft::python::FileName& name, rv_policy, cleanup_list*) noexcept {
    return PyUnicode_DecodeFSDefaultAndSize(name.data(), static_cast<Py_ssize_t>(name.size()));
  }
};

}  // namespace nanobind::detail
