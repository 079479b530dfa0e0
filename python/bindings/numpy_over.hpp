// numpy arrays over in-place fields.
#pragma once

#include <memory>
#include <vector>

#include "common.hpp"
#include "plan/run/in_place.hpp"

namespace weft::python {

/// A numpy array over a view, which keeps the memory alive.
template <class T, class Real>
nb::object numpy_over(const FieldView<T>& view, const std::shared_ptr<const InPlaceMemory<Real>>& memory) {
  using Memory = std::shared_ptr<const InPlaceMemory<Real>>;
  const nb::capsule owner(new Memory(memory), [](void* p) noexcept { delete static_cast<Memory*>(p); });
  const Extents extents = view.box().extents();
  const std::vector<std::size_t> shape(extents.begin(), extents.end());
  return nb::cast(nb::ndarray<nb::numpy, T>(view.data(), shape.size(), shape.data(), owner, view.strides().begin()));
}

}  // namespace weft::python
