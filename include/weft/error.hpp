// The one exception type of the library, and the collective check that makes every rank throw the same one.
#pragma once

#include <stdexcept>
#include <string>

namespace weft {

/// What kind of thing went wrong: decides the exit status of the command line and the exception type in Python.
enum class Fault {
  argument,  ///< a value that the caller gave is not allowed
  file,      ///< a file is missing, damaged, of another shape, or cannot be written
  resource,  ///< the machine has too little of something (shared memory, ...)
  internal   ///< a fault of the library itself
};

/// Thrown on every rank of the communicator alike, before any work is done. The text names the argument, what was
/// given, what is allowed and how to mend it.
class Error : public std::runtime_error {
 public:
  Error(Fault fault, const std::string& text) : std::runtime_error(text), fault_(fault) {}
  Fault fault() const { return fault_; }

 private:
  Fault fault_;
};

/// Throws Error(Fault::argument, text) unless the condition holds. Always on, in Release too.
inline void require(bool condition, const std::string& text) {
  if (!condition) throw Error(Fault::argument, text);
}

}  // namespace weft
