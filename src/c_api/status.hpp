// Exceptions to codes and texts: nothing thrown by the library leaves the C interface.
#pragma once

#include <string>

#include "weft.h"
#include "weft/error.hpp"

namespace weft::c_api {

/// Notes the exception in flight as the last error of this thread and gives its code; for use in a catch block.
int failure() noexcept;

/// Runs the body of a C function.
template <class Work>
int guarded(const Work& work) noexcept {
  try {
    work();
    return WEFT_SUCCESS;
  } catch (...) {
    return failure();
  }
}

/// What a handle or an address points to. Throws Error that names the argument where it is NULL.
template <class Value>
Value& pointee(const char* name, Value* pointer, const char* mend) {
  require(pointer != nullptr, std::string(name) + ": NULL was given; " + mend);
  return *pointer;
}
/// The place that a result goes to.
template <class Value>
Value& output_of(const char* name, Value* pointer) {
  return pointee(name, pointer, "give the address of a variable for the result");
}

/// Frees what a handle stands for.
template <class Handle>
int destroy(const char* name, Handle** handle) noexcept {
  return guarded([&] {
    pointee(name, handle, "give the address of the handle");
    delete *handle;
    *handle = nullptr;
  });
}

}  // namespace weft::c_api
