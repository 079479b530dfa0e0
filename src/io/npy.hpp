// NumPy's .npy format: its header, read and written, and blocks read from it.
#pragma once

#include <string>

#include "weft/box.hpp"
#include "weft/element.hpp"

namespace weft::io {

/// The contents of the header of a .npy file.
struct NpyHeader {
  Extents extents;
  char kind = 'f';          ///< f floating point, i integer, c complex
  int bytes = 8;            ///< of one element
  bool swapped = false;     ///< the byte order is not this machine's
  index_t data_offset = 0;  ///< offset of the first element in the file
};

/// Parses the text of a header, a Python dictionary, without data_offset. Texts that numpy.save would not write are
/// refused. `path` is for messages. Throws Error(Fault::file).
NpyHeader parse_npy_header(const std::string& text, const std::string& path);

/// Reads and checks the header and the length of the file. Throws Error(Fault::file).
NpyHeader inspect_npy(const std::string& path);

/// The header of a C-ordered array with the number formats of this machine.
std::string npy_header(const Extents& extents, Element element);

/// Reads a block of an array of the extents `expected` into a contiguous array. Throws Error(Fault::file), also if
/// complex numbers are requested as real ones, or real numbers as complex ones.
template <class T>
void read_npy(const std::string& path, const Extents& expected, const Box& mine, T* data);

}  // namespace weft::io
