// Converts exceptions to codes and texts: no exception of the library leaves the C interface.
#pragma once

#include <string>

#include "weft.h"
#include "weft/error.hpp"

namespace weft::c_api {

/// Stores the current exception as the last error of this thread and returns its code. Call it in a catch block.
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

/// The object of a handle or an address. Throws Error that names the argument if it is NULL.
template <class Value>
Value& pointee(const char* name, Value* pointer, const char* advice) {
  require(pointer != nullptr, std::string(name) + ": NULL was given; " + advice);
  return *pointer;
}
/// The place for a result.
template <class Value>
Value& output_of(const char* name, Value* pointer) {
  return pointee(name, pointer, "give the address of a variable for the result");
}

/// Frees the object of a handle.
template <class Handle>
int destroy(const char* name, Handle** handle) noexcept {
  return guarded([&] {
    pointee(name, handle, "give the address of the handle");
    delete *handle;
    *handle = nullptr;
  });
}

}  // namespace weft::c_api
