// File names: suffixes, quotes for messages, and the Error of everything that is wrong with a file.
#pragma once

#include <string>

#include "weft/error.hpp"

namespace weft::io {

enum class Format { hdf5, npy };

/// By the suffix: .h5, .hdf5 or .npy; else throws Error(Fault::file).
Format format_of(const std::string& path);
/// Throws Error(Fault::file) unless the path ends in one of the suffixes of the format.
void require_format(const std::string& path, Format format);

inline std::string quoted(const std::string& text) { return "\"" + text + "\""; }

[[noreturn]] inline void refuse_file(const std::string& text) { throw Error(Fault::file, text); }

/// The text of errno, as in "No such file or directory".
std::string system_reason();

/// Size of a file in bytes. Throws Error(Fault::file) unless it is a file that this process can read.
long long readable_size(const std::string& path);

}  // namespace weft::io
