// The exception type of the library, and the collective check that makes every rank throw the same Error.
#pragma once

#include <concepts>
#include <stdexcept>
#include <string>

namespace weft {

/// The kind of an error. It determines the exit status of the command line and the exception type in Python.
enum class Fault {
  argument,  ///< an argument is not allowed
  file,      ///< a file is missing, damaged, of another shape, or cannot be written
  resource,  ///< the machine has too little of something (shared memory, ...)
  internal   ///< a fault of the library itself
};

/// The error that every rank of the communicator throws before any work is done. The text names the argument, what was
/// given, what is allowed and how to correct it.
class Error : public std::runtime_error {
 public:
  Error(Fault fault, const std::string& text) : std::runtime_error(text), fault_(fault) {}
  Fault fault() const { return fault_; }

 private:
  Fault fault_;
};

/// Throws Error(Fault::argument, text) unless the condition holds, also in Release builds.
inline void require(bool condition, const std::string& text) {
  if (!condition) throw Error(Fault::argument, text);
}
/// The same for conditions of every call, in which no text must be made: text() makes it.
template <std::invocable Text>
void require(bool condition, const Text& text) {
  if (!condition) throw Error(Fault::argument, text());
}

}  // namespace weft
