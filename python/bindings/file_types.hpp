// Conversions for all bindings of files: element types of numpy arrays, values, and named blocks.
#pragma once

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <complex>

#include "common.hpp"

namespace weft::python {

/// The element type of an array, which Python has checked to be one of the four.
template <class AnyArray>
Element element_of_array(const AnyArray& array) {
  const auto type = array.dtype();
  if (type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Complex))
    return type.bits == 64 ? Element::complex64 : Element::complex128;
  return type.bits == 32 ? Element::float32 : Element::float64;
}

/// Calls work(number) with a number of that type.
template <class Work>
void with_element(Element element, const Work& work) {
  switch (element) {
    case Element::float32:
      return work(float{});
    case Element::float64:
      return work(double{});
    case Element::complex64:
      return work(std::complex<float>{});
    case Element::complex128:
      return work(std::complex<double>{});
  }
}

/// Arrays by name, all with elements of type T.
template <class T>
std::vector<NamedBlock<T>> blocks_of(const std::vector<std::pair<std::string, ConstArray>>& arrays) {
  std::vector<NamedBlock<T>> blocks;
  for (const auto& [name, array] : arrays) blocks.push_back({name, static_cast<const T*>(array.data())});
  return blocks;
}

}  // namespace weft::python
