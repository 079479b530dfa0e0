// Numbers in texts.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace weft {

/// A number as printf formats it. `format` has one conversion of a double and gives at most 63 characters.
inline std::string number(const char* format, double value) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace weft
