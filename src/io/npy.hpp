// NumPy's .npy format: its header, read and written, and blocks read from it.
#pragma once

#include <string>

#include "weft/box.hpp"

namespace weft::io {

/// What the header of a .npy file says.
struct NpyHeader {
  Extents extents;
  char kind = 'f';          ///< f floating point, i integer
  int bytes = 8;            ///< of one element
  bool swapped = false;     ///< the byte order is not this machine's
  index_t data_offset = 0;  ///< where the first element lies in the file
};

/// Reads and checks the header, and that the file is as long as it says. Throws Error(Fault::file).
NpyHeader inspect_npy(const std::string& path);

/// The header of a C-ordered array of this machine's floating-point numbers of 4 or 8 bytes.
std::string npy_header(const Extents& extents, int bytes);

/// Reads a block into a contiguous array. Throws Error(Fault::file).
template <class Real>
void read_npy(const std::string& path, const Box& mine, Real* data);

}  // namespace weft::io
