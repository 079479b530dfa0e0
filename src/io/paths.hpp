// File names: suffixes, quotes for messages, and the Errors about files.
#pragma once

#include <string>

#include "weft/error.hpp"
#include "weft/types.hpp"

namespace weft::io {

enum class Format { hdf5, npy };

/// The format by the suffix: .h5, .hdf5 or .npy. Throws Error(Fault::file) for other suffixes, and
/// Error(Fault::argument) for a character of code 0.
Format format_of(const std::string& path);
/// Throws Error(Fault::file) unless the path ends in one of the suffixes of the format.
void require_format(const std::string& path, Format format);

inline std::string quoted(const std::string& text) { return "\"" + text + "\""; }

[[noreturn]] inline void refuse_file(const std::string& text) { throw Error(Fault::file, text); }

/// Throws Error(Fault::file) unless an array of a file (`dataset` is empty in .npy) has the expected extents.
void check_shape(const std::string& path, const std::string& dataset, const Extents& extents, const Extents& expected);

/// Throws Error(Fault::file) if the array `what` has complex numbers and real ones are wanted, or the reverse.
void check_kind(const std::string& what, bool is_complex, bool wants_complex);

/// Whether 63 bits can count the bytes and strides of an array of elements of up to 16 bytes, with empty axes counted
/// as 1. The extents in a file may be too large for that.
bool fits_memory(const Extents& extents);

/// The text of errno, as in "No such file or directory".
std::string system_reason();

/// Size of a file in bytes. Throws Error(Fault::file) unless it is a file that this process can read.
long long readable_size(const std::string& path);

}  // namespace weft::io
