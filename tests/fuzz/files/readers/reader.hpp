// What the fuzzers of readers share: a text is read, or refused with an Error that says something; all else is a fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "weft/error.hpp"

namespace weft::fuzz {

inline void check(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

/// Whether read(text) reads. Any other exception than Error ends the program.
template <class Read>
bool reads(const Read& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    check(std::string(error.what()).size() > 10, "an error without a message");
    return false;
  }
}

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace weft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
