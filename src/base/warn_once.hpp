// Warnings of a process.
#pragma once

#include <string>

namespace weft {

/// Prints "weft: warning: TEXT" to the error output when the process gets this text for the first time.
void warn_once(const std::string& text);

}  // namespace weft
