// NumPy's .npy format: its header, read and written, and blocks read from it.
#pragma once

#include <string>

#include "weft/box.hpp"
#include "weft/element.hpp"

namespace weft::io {

/// What the header of a .npy file says.
struct NpyHeader {
  Extents extents;
  char kind = 'f';          ///< f floating point, i integer, c complex
  int bytes = 8;            ///< of one element
  bool swapped = false;     ///< the byte order is not this machine's
  index_t data_offset = 0;  ///< where the first element lies in the file
};

/// The header from its text, a Python dictionary, without data_offset. Everything that numpy.save would not write is
/// refused; `path` is for messages. Throws Error(Fault::file).
NpyHeader parse_npy_header(const std::string& text, const std::string& path);

/// Reads and checks the header, and that the file is as long as it says. Throws Error(Fault::file).
NpyHeader inspect_npy(const std::string& path);

/// The header of a C-ordered array of this machine's numbers.
std::string npy_header(const Extents& extents, Element element);

/// Reads a block of an array of the extents `expected` into a contiguous array. Throws Error(Fault::file), also where
/// complex numbers are asked for as real ones or the other way round.
template <class T>
void read_npy(const std::string& path, const Extents& expected, const Box& mine, T* data);

}  // namespace weft::io
