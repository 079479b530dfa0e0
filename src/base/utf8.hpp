// Names of files are bytes, texts are UTF-8: which bytes are both, and what stands for the others in a message.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// Bytes of the first character, 1 to 4; 0 where it is no UTF-8 (cut off, overlong, a surrogate, above U+10FFFF).
std::size_t utf8_character(std::string_view text);

/// Whether all of it is UTF-8.
bool is_utf8(std::string_view text);

/// The same text with \xHH for every byte that belongs to no character.
std::string printable(std::string_view text);

}  // namespace weft
