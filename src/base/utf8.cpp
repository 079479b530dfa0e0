// The encoding by its definition (RFC 3629).
#include "base/utf8.hpp"

#include <array>

namespace weft {

namespace {

// For each number of bytes: the leading byte, and the smallest character that needs so many bytes.
struct Form {
  unsigned mask, lead, least;
};
constexpr std::array<Form, 4> forms{{{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}}};

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

}  // namespace

std::size_t utf8_character(std::string_view text) {
  for (std::size_t more = 0; more < forms.size() && more < text.size(); more++) {
    const Form& form = forms[more];
    if ((byte_at(text, 0) & form.mask) != form.lead) continue;
    unsigned character = byte_at(text, 0) & ~form.mask;
    for (std::size_t i = 1; i <= more; i++) {
      if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
      character = character << 6 | (byte_at(text, i) & 0x3f);
    }
    const bool surrogate = character >= 0xd800 && character < 0xe000;
    return character < form.least || surrogate || character > 0x10ffff ? 0 : more + 1;
  }
  return 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = utf8_character(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = utf8_character(text);
    if (bytes == 0) {
      const unsigned byte = byte_at(text, 0);
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 0xf]};
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return result;
}

}  // namespace weft
