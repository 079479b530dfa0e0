// Environment variables that ask for something.
#pragma once

#include <cstdlib>

namespace weft {

/// Whether a variable is set to anything but nothing or 0.
inline bool is_asked(const char* variable) {
  const char* wanted = std::getenv(variable);
  return wanted != nullptr && *wanted != '\0' && *wanted != '0';
}

}  // namespace weft
