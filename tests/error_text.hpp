// What a call throws, as text, for tests of error messages.
#pragma once

#include <algorithm>
#include <string>

#include "weft/error.hpp"

namespace weft::testing {

/// The text of the Error that `call` throws, or "no error".
template <class Call>
std::string error_text(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The text in one line: each line break and the indent of the next line become one space.
inline std::string unwrapped(const std::string& text) {
  std::string line;
  for (const char character : text) {
    const char next = character == '\n' ? ' ' : character;
    if (next != ' ' || line.empty() || line.back() != ' ') line += next;
  }
  return line;
}

/// True when `text` contains every one of `parts`, wherever its lines are broken.
template <class... Parts>
bool mentions(const std::string& text, const Parts&... parts) {
  const std::string line = unwrapped(text);
  return ((line.find(parts) != std::string::npos) && ...);
}

/// The number of bytes of the longest line.
inline std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0, width = 0;
  for (const char character : text) {
    width = character == '\n' ? 0 : width + 1;
    widest = std::max(widest, width);
  }
  return widest;
}

}  // namespace weft::testing
