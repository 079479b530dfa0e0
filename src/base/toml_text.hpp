// TOML files of the library: written line by line, so that people can read them, and read strictly with toml++.
#pragma once

// toml++ asserts some conditions before it checks them, such as that a letter after "[" begins a key. A failed
// assertion would end the program; without assertions, clang would assume the condition and drop the check.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <charconv>
#include <functional>
#include <string>
#include <vector>

#include "weft/error.hpp"
#include "weft/types.hpp"

namespace weft::toml_text {

// --- writing -----------------------------------------------------------------------------------------------------

std::string text_of(const std::string& value);
inline std::string text_of(index_t value) { return std::to_string(value); }
inline std::string text_of(bool value) { return value ? "true" : "false"; }
/// A number in the shortest form that is read back as the same number and not as an integer.
std::string text_of(double value);
template <class T>
std::string text_of(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ", ") + text_of(value);
  return "[" + text + "]";
}

/// The line "key = value".
template <class T>
std::string line(const char* key, const T& value) {
  return std::string(key) + " = " + text_of(value) + "\n";
}

// --- reading -----------------------------------------------------------------------------------------------------

/// A file, for messages: the argument that named it, and how to make it again.
struct Source {
  std::string argument;  ///< "tuning"
  std::string path;
  std::string remedy;  ///< "make it again with weft tune --save"

  [[noreturn]] void damaged(index_t line, const std::string& what) const;
};

/// One table of a file. A missing value, or one of another type, is damage.
class Reader {
 public:
  Reader(const toml::table& table, const Source& source) : table_(table), source_(source) {}

  index_t line() const { return static_cast<index_t>(table_.source().begin.line); }
  [[noreturn]] void refuse(const char* key, const std::string& what) const {
    const toml::node* node = table_.get(key);
    source_.damaged(node == nullptr ? line() : static_cast<index_t>(node->source().begin.line),
                    std::string(key) + " " + what);
  }
  bool has(const char* key) const { return table_.get(key) != nullptr; }

  template <class T>
  T value(const char* key) const {
    return element<T>(key, node(key));
  }
  template <class T>
  std::vector<T> list(const char* key) const {
    const toml::array* array = node(key).as_array();
    if (array == nullptr) refuse(key, "is not a list");
    std::vector<T> values;
    for (const toml::node& entry : *array) values.push_back(element<T>(key, entry));
    return values;
  }
  Reader table(const char* key) const {
    const toml::table* inner = node(key).as_table();
    if (inner == nullptr) refuse(key, "is not a table");
    return {*inner, source_};
  }
  std::vector<Reader> tables(const char* key) const;
  /// Refuses keys that are not in the list, which are typing errors.
  void allow(const std::vector<std::string>& keys) const;
  index_t count(const char* key, index_t least = 1) const;
  /// A finite number of at least `least`, with or without a point.
  double number(const char* key, double least = 0) const;
  double number_or(const char* key, double otherwise) const { return has(key) ? number(key) : otherwise; }
  std::vector<double> numbers(const char* key) const;
  /// The number, or 0 if the key is missing, as in files of versions that did not know it.
  index_t count_or_0(const char* key) const { return has(key) ? count(key, 0) : 0; }

 private:
  const toml::node& node(const char* key) const {
    const toml::node* found = table_.get(key);
    if (found == nullptr) refuse(key, "is missing");
    return *found;
  }
  template <class T>
  T element(const char* key, const toml::node& from) const {
    const auto value = from.value_exact<T>();
    if (!value) refuse(key, "has a value of another type");
    return *value;
  }

  const toml::table& table_;
  const Source& source_;
};

/// The text of a file. Throws Error (Fault::file) with the reason why it cannot be read, and `advice`.
std::string file_text(const std::string& argument, const std::string& path, const std::string& advice);

/// Parses a text and calls work(reader) with its topmost table.
void read(const std::string& text, const Source& source, const std::function<void(const Reader&)>& work);

}  // namespace weft::toml_text
