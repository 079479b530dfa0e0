// The header of a .npy file: a Python dictionary in text with the keys descr, fortran_order and shape, in any order. A
// parser reads it by its grammar and does not search for words, so that a wrong header is refused and never partly
// understood.
#include <algorithm>
#include <bit>
#include <charconv>
#include <set>
#include <vector>

#include "io/npy.hpp"
#include "io/paths.hpp"

namespace weft::io {
namespace {

// Bytes of a damaged file that are not text must not get into messages.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

class HeaderText {
 public:
  HeaderText(const std::string& text, const std::string& path) : text_(text), path_(path) {}

  NpyHeader parse() {
    NpyHeader header;
    std::set<std::string> keys;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted_text();
      if (!keys.insert(key).second) damaged();
      expect(':');
      parse_value(key, header);
      if (!take(',') && next() != '}') damaged();
    }
    next();
    if (keys.size() != 3 || at_ < text_.size()) damaged();
    return header;
  }

 private:
  [[noreturn]] void damaged() const {
    refuse_file(quoted(path_) + " is not a .npy file or its header is damaged; write it with numpy.save");
  }

  // The next character that is not a blank; '\0' at the end.
  char next() {
    at_ = std::min(text_.find_first_not_of(" \n", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    const bool there = next() == wanted;
    if (there) ++at_;
    return there;
  }
  void expect(char wanted) {
    if (!take(wanted)) damaged();
  }
  bool take_word(const std::string& word) {
    next();
    const bool there = text_.compare(at_, word.size(), word) == 0;
    if (there) at_ += word.size();
    return there;
  }

  // A string without escapes, in quotes of either kind.
  std::string quoted_text() {
    const char quote = next();
    const std::size_t last = text_.find(quote, at_ + 1);
    if ((quote != '\'' && quote != '"') || last == std::string::npos) damaged();
    std::string inside = text_.substr(at_ + 1, last - at_ - 1);
    at_ = last + 1;
    return inside;
  }

  void parse_value(const std::string& key, NpyHeader& header) {
    if (key == "descr") {
      // Structured elements are a list.
      if (next() == '[') refuse_type(text_.substr(at_));
      set_type(header, quoted_text());
    } else if (key == "fortran_order") {
      if (take_word("True")) {
        refuse_file(quoted(path_) + " is in Fortran order; save it with numpy.save(path, numpy.ascontiguousarray(a))");
      }
      if (!take_word("False")) damaged();
    } else if (key == "shape") {
      header.extents = shape();
    } else {
      damaged();
    }
  }

  [[noreturn]] void refuse_type(const std::string& type) const {
    refuse_file(quoted(path_) + " has elements of type " + printable(type.substr(0, 60)) +
                "; store numbers: numpy.save(path, a.astype(\"f8\")), or f4, i4, i8, c8, c16");
  }

  void set_type(NpyHeader& header, const std::string& type) const {
    static const std::vector<std::string> known = {"f4", "f8", "i4", "i8", "c8", "c16"};
    const bool ordered = !type.empty() && (type[0] == '<' || type[0] == '>');
    if (!ordered || std::find(known.begin(), known.end(), type.substr(1)) == known.end()) refuse_type("'" + type + "'");
    header.kind = type[1];
    header.bytes = type == "<c16" || type == ">c16" ? 16 : type[2] - '0';
    header.swapped = type[0] != native_order;
  }

  // (), (5,) or (3, 4): NumPy 1 under Python 2 wrote 3L for 3.
  Extents shape() {
    const std::size_t first = at_;
    Extents extents;
    expect('(');
    while (!take(')')) {
      const index_t size = whole_number();
      if (extents.dims() == max_dims)
        refuse_shape(first, "give an array of 1 to " + std::to_string(max_dims) + " axes");
      extents.push_back(size);
      if (!take(',') && (extents.dims() == 1 || next() != ')')) damaged();
    }
    if (extents.dims() == 0) refuse_file(quoted(path_) + " holds a single value; give an array");
    if (!fits_memory(extents)) refuse_shape(first, "no memory holds so many elements; write or copy it again");
    return extents;
  }

  [[noreturn]] void refuse_shape(std::size_t first, const std::string& advice) const {
    refuse_file(quoted(path_) + " has the shape" + text_.substr(first, at_ - first) + "; " + advice);
  }

  index_t whole_number() {
    next();
    index_t value = 0;
    const char* end = text_.data() + text_.size();
    const auto parsed = std::from_chars(text_.data() + at_, end, value);
    // Python accepts 0 and 00, but not 04.
    if (parsed.ec != std::errc() || value < 0 || (value > 0 && text_[at_] == '0')) damaged();
    at_ = static_cast<std::size_t>(parsed.ptr - text_.data());
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return value;
  }

  const std::string& text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

std::string type_text(Element element) {
  return std::string(1, native_order) + (is_complex(element) ? "c" : "f") + std::to_string(bytes_of(element));
}

}  // namespace

NpyHeader parse_npy_header(const std::string& text, const std::string& path) { return HeaderText(text, path).parse(); }

std::string npy_header(const Extents& extents, Element element) {
  std::string shape;
  for (const index_t size : extents) shape += std::to_string(size) + ", ";
  // NumPy writes (5,) for one axis and (3, 4) for two.
  shape.erase(shape.size() - (extents.dims() == 1 ? 1 : 2));
  std::string text = "{'descr': '" + type_text(element) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // The elements begin at a multiple of 64 bytes; 10 bytes and the newline are in the count.
  text.append(63 - (text.size() + 10) % 64, ' ');
  text += '\n';
  const std::size_t length = text.size();
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length % 256) + static_cast<char>(length / 256) + text;
}

}  // namespace weft::io
