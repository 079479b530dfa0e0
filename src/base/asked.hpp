// Environment variables that switch something on.
#pragma once

#include <cstdlib>

namespace weft {

/// Whether a variable is set and is neither empty nor 0.
inline bool is_asked(const char* variable) {
  const char* wanted = std::getenv(variable);
  return wanted != nullptr && *wanted != '\0' && *wanted != '0';
}

}  // namespace weft
