// The common parts of all opaque handles: a class in either precision, its communicator, and its texts.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "c_api/structs.hpp"
#include "weft/comm.hpp"

namespace weft::c_api {

/// An object of the library in double or single precision.
template <template <class> class Of>
struct Handle {
  Comm comm;
  std::variant<Of<double>, Of<float>> of;
  mutable std::string explanation = {}, strategy = {};  // texts that callers hold

  template <class Work>
  auto visit(const Work& work) {
    return std::visit(work, of);
  }
  template <class Work>
  auto visit(const Work& work) const {
    return std::visit(work, of);
  }
};

/// Collective. `arguments` are the arguments after the communicator.
template <template <class> class Of, class... Arguments>
Handle<Of> make_handle(MPI_Comm user, const Comm& comm, bool single, const Arguments&... arguments) {
  comm.require_same("precision", single ? "float" : "double");
  if (single) return {comm, Of<float>(user, arguments...)};
  return {comm, Of<double>(user, arguments...)};
}

/// The object of a handle. Throws Error for NULL, on this rank alone: without an object there is no communicator.
template <class Any>
Any& object(const char* name, Any* handle) {
  return pointee(name, handle, "make the object with its _create function, and use it before _destroy");
}

/// Throws Error unless a local array has as many elements as this rank owns.
inline void check_array(const char* name, const void* data, index_t given, index_t wanted) {
  require(given == wanted, std::string(name) + ": the local array has " + std::to_string(given) +
                               " elements, this rank needs " + std::to_string(wanted));
  require(data != nullptr || wanted == 0,
          std::string(name) + ": NULL was given; give the local array of " + std::to_string(wanted) + " elements");
}

/// The text that `get` returns for an object. The object keeps it.
template <class Any>
int explain(const char* name, const Any* handle, const char** text) noexcept {
  return guarded([&] {
    const char*& result = output_of("text", text);
    const Any& any = object(name, handle);
    any.explanation = any.visit([](const auto& of) { return of.explain(); });
    result = any.explanation.c_str();
  });
}

/// Sets the members of weft_facts that an object has.
template <class Any>
int facts_of(const char* name, const Any* handle, weft_facts* to) noexcept {
  return guarded([&] {
    const Any& any = object(name, handle);
    weft_facts facts{};
    any.visit([&](const auto& of) {
      if constexpr (requires { of.strategy(); }) facts.strategy = (any.strategy = of.strategy()).c_str();
      if constexpr (requires { of.chunks(); }) facts.chunks = of.chunks();
      if constexpr (requires { of.setup_seconds(); }) facts.setup_seconds = of.setup_seconds();
      if constexpr (requires { of.grid(); }) {
        facts.grid_dims = static_cast<int>(of.grid().size());
        std::ranges::copy(of.grid(), facts.grid);
      }
      facts.threads = of.threads();
      facts.workspace_bytes = of.workspace_bytes();
      facts.bytes_sent = of.bytes_sent();
    });
    write_sized("facts", &output_of("facts", to), &facts, sizeof facts);
  });
}

/// One number per index of this rank's part along an axis.
template <class Any, class Get>
int list(const char* name, const Any* handle, double* values, int64_t count, const Get& get) noexcept {
  return guarded([&] {
    const std::vector<double> numbers = object(name, handle).visit(get);
    check_array("values", values, count, static_cast<index_t>(numbers.size()));
    std::ranges::copy(numbers, values);
  });
}

}  // namespace weft::c_api
