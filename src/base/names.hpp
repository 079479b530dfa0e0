// Names of the values of an enumeration, in both directions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/error.hpp"

namespace weft {

template <class Enum>
using Names = std::vector<std::pair<Enum, const char*>>;

template <class Enum>
std::string name_of(const Names<Enum>& names, Enum value) {
  for (const auto& [candidate, name] : names)
    if (candidate == value) return name;
  return "?";
}

/// The value of a name. Throws Error that names the argument and lists the allowed names.
template <class Enum>
Enum parse(const Names<Enum>& names, const std::string& argument, const std::string& text) {
  std::string allowed;
  for (const auto& [value, name] : names) {
    if (text == name) return value;
    allowed += (allowed.empty() ? "" : ", ") + std::string(name);
  }
  throw Error(Fault::argument, argument + ": unknown value '" + text + "'; use one of " + allowed);
}

}  // namespace weft
