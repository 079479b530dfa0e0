// Warnings of a process.
#pragma once

#include <string>

namespace weft {

/// Prints "weft: warning: TEXT" to the error output, the first time that the process is told this text.
void warn_once(const std::string& text);

}  // namespace weft
