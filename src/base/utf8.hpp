// File names are bytes, texts are UTF-8: a check for UTF-8, and a text for messages with escapes for all other bytes.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// Bytes of the first character, 1 to 4; 0 if it is not UTF-8 (cut off, overlong, a surrogate, above U+10FFFF).
std::size_t utf8_character(std::string_view text);

/// Whether the whole text is UTF-8.
bool is_utf8(std::string_view text);

/// The text with \xHH in place of every byte that belongs to no character.
std::string printable(std::string_view text);

}  // namespace weft
