// TOML files as the library keeps them.
#include "base/toml_text.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>

#include "base/plain_text.hpp"

namespace weft::toml_text {

std::string text_of(const std::string& value) {
  std::string text = "\"";
  for (const char letter : value) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
  }
  return text + "\"";
}

std::string text_of(double value) {
  char text[64];
  const auto end = std::to_chars(std::begin(text), std::end(text), value, std::chars_format::scientific).ptr;
  return {std::begin(text), end};
}

void Source::damaged(index_t line, const std::string& what) const {
  throw Error(Fault::file, argument + ": the file \"" + path + "\" is damaged at line " + std::to_string(line) + ": " +
                               what + "; " + remedy);
}

std::vector<Reader> Reader::tables(const char* key) const {
  std::vector<Reader> found;
  if (!has(key)) return found;
  const toml::array* array = node(key).as_array();
  if (array == nullptr || !array->is_homogeneous<toml::table>()) refuse(key, "is not a list of tables");
  for (const toml::node& entry : *array) found.push_back({*entry.as_table(), source_});
  return found;
}

void Reader::allow(const std::vector<std::string>& keys) const {
  std::string allowed;
  for (const std::string& key : keys) allowed += (allowed.empty() ? "" : ", ") + key;
  for (const auto& [key, value] : table_)
    if (std::find(keys.begin(), keys.end(), std::string(key.str())) == keys.end())
      source_.damaged(static_cast<index_t>(value.source().begin.line),
                      std::string(key.str()) + " is not known here; known are " + allowed);
}

index_t Reader::count(const char* key, index_t least) const {
  const auto number = value<index_t>(key);
  if (number < least || number >= index_t{1} << 31)
    refuse(key, "is " + std::to_string(number) + ", not " + std::to_string(least) + " or more");
  return number;
}

namespace {

// The number, or NaN if the value is not a number.
double number_in(const toml::node& node) { return node.value<double>().value_or(std::nan("")); }

}  // namespace

double Reader::number(const char* key, double least) const {
  const double number = number_in(node(key));
  if (!std::isfinite(number) || number < least) refuse(key, "is not a finite number of at least " + text_of(least));
  return number;
}

std::vector<double> Reader::numbers(const char* key) const {
  const toml::array* array = node(key).as_array();
  if (array == nullptr) refuse(key, "is not a list");
  std::vector<double> values;
  for (const toml::node& entry : *array) {
    values.push_back(number_in(entry));
    if (!std::isfinite(values.back()) || values.back() < 0)
      refuse(key, "has an entry that is not a number of at least 0");
  }
  return values;
}

std::string file_text(const std::string& argument, const std::string& path, const std::string& advice) {
  require_plain(argument, path);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  // Read in pieces: a stream that is written to does not report that it lacks memory, and the text would be cut.
  char piece[4096];
  while (file.read(piece, sizeof piece), file.gcount() > 0) text.append(piece, static_cast<std::size_t>(file.gcount()));
  if (!file.eof() || (text.empty() && errno != 0))
    throw Error(Fault::file, argument + ": the file \"" + path +
                                 "\" cannot be read: " + std::generic_category().message(errno) + "; " + advice);
  return text;
}

namespace {

// The number of equal quotation marks at this place.
std::size_t quotes_at(const std::string& text, std::size_t at) {
  const std::size_t after = text.find_first_not_of(text[at], at);
  return std::min(after, text.size()) - at;
}

// The end of the string that begins here. A string of a single line ends with the line at the latest.
std::size_t after_string(const std::string& text, std::size_t at) {
  const char quote = text[at];
  const std::size_t quotes = quotes_at(text, at);
  if (quotes == 2) return at + 2;
  const bool lines = quotes >= 3;
  at += lines ? 3 : 1;
  while (at < text.size() && (lines || text[at] != '\n')) {
    if (text[at] == quote) {
      if (!lines) return at + 1;
      // Up to two quotation marks may precede the three that end the string.
      if (const std::size_t found = quotes_at(text, at); found >= 3) return at + std::min<std::size_t>(found, 5);
    }
    at += quote == '"' && text[at] == '\\' ? 2 : 1;
  }
  return std::min(at, text.size());
}

// toml++ 3.3 tests whether a character beyond ASCII is a blank by a function that is undefined for most of them. Only
// strings and comments may contain such characters, so all others are refused before parsing.
void check_plain(const std::string& text, const Source& source) {
  index_t line = 1;
  const std::string mark = "\xEF\xBB\xBF";
  for (std::size_t at = text.starts_with(mark) ? mark.size() : 0; at < text.size();) {
    const std::size_t from = at;
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (text[at] == '"' || text[at] == '\'') {
      at = after_string(text, at);
    } else {
      if (static_cast<unsigned char>(text[at]) > '~')
        source.damaged(line, "a character that is not ASCII stands outside of quotation marks and comments");
      at++;
    }
    line += std::count(text.begin() + static_cast<std::ptrdiff_t>(from), text.begin() + static_cast<std::ptrdiff_t>(at),
                       '\n');
  }
}

}  // namespace

void read(const std::string& text, const Source& source, const std::function<void(const Reader&)>& work) {
  check_plain(text, source);
  try {
    const toml::table table = toml::parse(text, source.path);
    work(Reader(table, source));
  } catch (const toml::parse_error& error) {
    source.damaged(static_cast<index_t>(error.source().begin.line), std::string(error.description()));
  }
}

}  // namespace weft::toml_text
