// Texts for the operating system, which ends them at the first character of code 0.
#pragma once

#include <string>

#include "weft/error.hpp"

namespace weft {

/// Throws Error(Fault::argument), which names the argument, if a text has a character of code 0: "a\0b.h5" would name
/// another file, "a".
inline void require_plain(const std::string& argument, const std::string& text) {
  const std::size_t place = text.find('\0');
  if (place == std::string::npos) return;
  throw Error(Fault::argument, argument + ": the text \"" + text.substr(0, place) +
                                   "\" continues after a character of code 0"
                                   ", where the system takes it to end; omit that character");
}

}  // namespace weft
