// What a call throws, as text, for tests of error messages.
#pragma once

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

/// True when `text` contains every one of `parts`.
template <class... Parts>
bool mentions(const std::string& text, const Parts&... parts) {
  return ((text.find(parts) != std::string::npos) && ...);
}

}  // namespace weft::testing
