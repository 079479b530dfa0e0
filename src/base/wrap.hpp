// Texts of several lines within the width of a page.
#pragma once

#include <string>

namespace weft {

/// The most columns of a line of explain().
constexpr std::size_t page_width = 100;

/// The text with every line of more than page_width bytes broken at spaces, if possible after a comma or a semicolon.
/// The rest of a line is indented to its text when the line begins with a label ("  pass      axis 0 ..."), else by
/// four columns more than the line. A word that does not fit is not broken.
std::string wrapped(const std::string& text);

}  // namespace weft
