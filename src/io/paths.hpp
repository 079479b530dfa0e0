// File names: suffixes, quotes for messages, and the Error of everything that is wrong with a file.
#pragma once

#include <string>

#include "weft/error.hpp"
#include "weft/types.hpp"

namespace weft::io {

enum class Format { hdf5, npy };

/// By the suffix: .h5, .hdf5 or .npy; else throws Error(Fault::file), and Error(Fault::argument) for a character of
/// code 0.
Format format_of(const std::string& path);
/// Throws Error(Fault::file) unless the path ends in one of the suffixes of the format.
void require_format(const std::string& path, Format format);

inline std::string quoted(const std::string& text) { return "\"" + text + "\""; }

[[noreturn]] inline void refuse_file(const std::string& text) { throw Error(Fault::file, text); }

/// Throws Error(Fault::file) unless an array of a file (`dataset` is empty in .npy) has the extents that are expected.
void check_shape(const std::string& path, const std::string& dataset, const Extents& extents, const Extents& expected);

/// Throws Error(Fault::file) where complex numbers are in the array `what` and real ones are wanted, or the reverse.
void check_kind(const std::string& what, bool is_complex, bool wants_complex);

/// Whether an array of elements of up to 16 bytes, with axes of no points counted as 1, has its bytes and strides
/// counted in 63 bits. What a file says of itself need not.
bool fits_memory(const Extents& extents);

/// The text of errno, as in "No such file or directory".
std::string system_reason();

/// Size of a file in bytes. Throws Error(Fault::file) unless it is a file that this process can read.
long long readable_size(const std::string& path);

}  // namespace weft::io
