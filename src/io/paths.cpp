// File names, and errors of the operating system about them.
#include "io/paths.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/plain_text.hpp"

namespace weft::io {
namespace {

std::string suffix_of(const std::string& path) {
  const std::size_t folder = path.find_last_of('/');
  const std::size_t dot = path.find_last_of('.');
  const bool none = dot == std::string::npos || (folder != std::string::npos && dot < folder);
  return none ? std::string() : path.substr(dot);
}

}  // namespace

Format format_of(const std::string& path) {
  require_plain("path", path);
  const std::string suffix = suffix_of(path);
  if (suffix == ".h5" || suffix == ".hdf5") return Format::hdf5;
  if (suffix == ".npy") return Format::npy;
  refuse_file("the file name " + quoted(path) + " ends in " + (suffix.empty() ? "no suffix" : quoted(suffix)) +
              "; give a .h5, .hdf5 or .npy file");
}

void require_format(const std::string& path, Format format) {
  if (format_of(path) == format) return;
  refuse_file("the output " + quoted(path) + " has the suffix of another format; end its name in " +
              (format == Format::npy ? ".npy" : ".h5 or .hdf5"));
}

void check_shape(const std::string& path, const std::string& dataset, const Extents& extents, const Extents& expected) {
  if (extents == expected) return;
  const std::string what = dataset.empty() ? "" : "dataset " + quoted(dataset) + " of ";
  refuse_file(what + quoted(path) + " has the shape " + to_string(extents) + ", expected is " + to_string(expected) +
              "; give a file of that shape");
}

void check_kind(const std::string& what, bool is_complex, bool wants_complex) {
  if (is_complex == wants_complex) return;
  refuse_file(what + (is_complex ? " has complex elements; read them as complex numbers, or store real numbers"
                                 : " has real elements; read them as real numbers, or store complex numbers"));
}

bool fits_memory(const Extents& extents) {
  index_t bytes = 16;
  return std::all_of(extents.begin(), extents.end(), [&](index_t size) {
    return size >= 0 && !__builtin_mul_overflow(bytes, std::max<index_t>(size, 1), &bytes);
  });
}

std::string system_reason() { return std::generic_category().message(errno); }

long long readable_size(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) refuse_file("the file " + quoted(path) + " cannot be read: " + system_reason());
  struct stat status {};
  const bool known = ::fstat(file, &status) == 0;
  ::close(file);
  if (!known || !S_ISREG(status.st_mode)) refuse_file(quoted(path) + " is not a file; give an HDF5 or .npy file");
  return static_cast<long long>(status.st_size);
}

}  // namespace weft::io
