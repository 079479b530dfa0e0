// The common parts of plans and tensor transforms: two sides, and transforms between them.
#pragma once

#include "c_api/handle.hpp"

namespace weft::c_api {

/// Throws Error unless it is WEFT_PHYSICAL or WEFT_SPECTRAL.
inline bool is_physical(int side) {
  require(side == WEFT_PHYSICAL || side == WEFT_SPECTRAL,
          "side: " + std::to_string(side) + " was given; give WEFT_PHYSICAL or WEFT_SPECTRAL");
  return side == WEFT_PHYSICAL;
}
/// The side of the input or of the output of a transform in a direction.
inline int side_of(Direction direction, bool input) {
  return (direction == Direction::forward) == input ? WEFT_PHYSICAL : WEFT_SPECTRAL;
}

template <class Any>
Box box_of(const Any& any, int side) {
  const bool physical = is_physical(side);
  return any.visit([&](const auto& of) { return physical ? of.physical_box() : of.spectral_box(); });
}

template <class Any>
int box(const char* name, const Any* handle, int side, weft_box* to) noexcept {
  return guarded([&] { output_of("box", to) = c_box(box_of(object(name, handle), side)); });
}

template <class Any>
int count(const char* name, const Any* handle, int side, int64_t* elements, int* is_complex) noexcept {
  return guarded([&] {
    const Any& any = object(name, handle);
    const bool physical = is_physical(side);
    output_of("count", elements) = box_of(any, side).size();
    output_of("is_complex", is_complex) =
        any.visit([&](const auto& of) { return physical ? of.physical_complex() : of.spectral_complex(); }) ? 1 : 0;
  });
}

/// Transforms contiguous arrays, whose sizes are checked on every rank alike.
template <class Any>
int transform(const char* name, Any* handle, Direction direction, const void* in, int64_t in_count, void* out,
              int64_t out_count) noexcept {
  return guarded([&] {
    Any& any = object(name, handle);
    any.comm.together([&] {
      check_array("in", in, in_count, box_of(any, side_of(direction, true)).size());
      check_array("out", out, out_count, box_of(any, side_of(direction, false)).size());
    });
    any.visit([&]<template <class> class Of, class Real>(Of<Real>& of) {
      const auto* from = static_cast<const Real*>(in);
      auto* to = static_cast<Real*>(out);
      direction == Direction::forward ? of.forward(from, to) : of.backward(from, to);
    });
  });
}

}  // namespace weft::c_api
