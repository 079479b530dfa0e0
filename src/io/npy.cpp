// NumPy's .npy format (numpy.lib.format, versions 1.0 to 3.0): a magic string, the length of a header, the header, and
// the bare elements.
#include "io/npy.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

#include "io/blocks.hpp"
#include "io/paths.hpp"

namespace weft::io {
namespace {

const std::string magic = "\x93NUMPY";

// The longest header of version 1.0. Later versions allow 4 GB, which no array here needs.
constexpr std::size_t longest_header = 65535;

[[noreturn]] void damaged_header(const std::string& path) {
  refuse_file(quoted(path) + " is not a .npy file or its header is damaged; write it with numpy.save");
}

// A file that is read at given offsets. A stream would refill its buffer for each short run.
class Bytes {
 public:
  explicit Bytes(const std::string& path) : path_(path), number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) refuse_file("the file " + quoted(path) + " cannot be read: " + system_reason());
  }
  ~Bytes() { ::close(number_); }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  /// Returns false if the file ends before the last byte.
  bool read(index_t place, std::size_t count, char* data) const {
    while (count > 0) {
      const ssize_t got = ::pread(number_, data, count, place);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) refuse_file(quoted(path_) + " cannot be read: " + system_reason());
      if (got == 0) return false;
      data += got;
      place += got;
      count -= static_cast<std::size_t>(got);
    }
    return true;
  }

  std::string header_part(index_t place, std::size_t count) const {
    std::string text(count, '\0');
    if (!read(place, count, text.data())) damaged_header(path_);
    return text;
  }

 private:
  const std::string& path_;
  int number_;
};

// The length is little endian on all machines.
std::size_t length_of(const std::string& bytes) {
  std::size_t length = 0;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte)
    length = length * 256 + static_cast<unsigned char>(*byte);
  return length;
}

template <class T>
constexpr bool holds_complex = is_complex(element_of<T>);

// The bytes of one number, in either order.
template <class From>
From number(char* bytes, bool swapped) {
  if (swapped) std::reverse(bytes, bytes + sizeof(From));
  From value;
  std::memcpy(&value, bytes, sizeof(From));
  return value;
}

// Complex numbers are pairs of reals, in the file and in memory.
template <class From, class T>
void convert(std::vector<char>& bytes, bool swapped, T* data) {
  constexpr std::size_t size = sizeof(From);
  for (std::size_t at = 0; at < bytes.size(); ++data) {
    if constexpr (holds_complex<T>) {
      using Real = typename T::value_type;
      const auto real = static_cast<Real>(number<From>(bytes.data() + at, swapped));
      *data = T(real, static_cast<Real>(number<From>(bytes.data() + at + size, swapped)));
      at += 2 * size;
    } else {
      *data = static_cast<T>(number<From>(bytes.data() + at, swapped));
      at += size;
    }
  }
}

template <class T>
void convert(const NpyHeader& header, std::vector<char>& bytes, T* data) {
  if (header.kind == 'i') {
    header.bytes == 8 ? convert<std::int64_t>(bytes, header.swapped, data)
                      : convert<std::int32_t>(bytes, header.swapped, data);
  } else if (header.bytes == (header.kind == 'c' ? 16 : 8)) {
    convert<double>(bytes, header.swapped, data);
  } else {
    convert<float>(bytes, header.swapped, data);
  }
}

void check_length(const NpyHeader& header, index_t size, const std::string& path) {
  // No overflow: the header was refused if its elements cannot be counted in bytes.
  if (header.extents.product() * header.bytes <= size - header.data_offset) return;
  refuse_file(quoted(path) + " is truncated: its header says " + to_string(header.extents) + " elements of " +
              std::to_string(header.bytes) + " bytes, and the file holds " +
              std::to_string((size - header.data_offset) / header.bytes) + " elements; write or copy it again");
}

}  // namespace

NpyHeader inspect_npy(const std::string& path) {
  const long long size = readable_size(path);
  const Bytes file(path);
  const std::string start = file.header_part(0, 8);
  const int version = static_cast<unsigned char>(start[6]);
  if (start.substr(0, 6) != magic || version < 1 || version > 3 || start[7] != 0) damaged_header(path);
  const std::size_t digits = version == 1 ? 2 : 4, length = length_of(file.header_part(8, digits));
  // A length beyond the end of the file is damage. It must not lead to an allocation of that size.
  if (static_cast<long long>(length) > size || length > longest_header) damaged_header(path);
  const auto first = static_cast<index_t>(8 + digits);
  NpyHeader header = parse_npy_header(file.header_part(first, length), path);
  header.data_offset = first + static_cast<index_t>(length);
  check_length(header, size, path);
  return header;
}

template <class T>
void read_npy(const std::string& path, const Extents& expected, const Box& mine, T* data) {
  const NpyHeader header = inspect_npy(path);
  check_shape(path, "", header.extents, expected);
  check_kind(quoted(path), header.kind == 'c', holds_complex<T>);
  const Bytes file(path);
  std::vector<char> bytes;
  for_each_run(header.extents, mine, index_t{1} << 18, [&](index_t first, index_t count) {
    bytes.resize(static_cast<std::size_t>(count * header.bytes));
    if (!file.read(header.data_offset + first * header.bytes, bytes.size(), bytes.data()))
      refuse_file(quoted(path) + " became shorter while it was read; write or copy it again");
    convert(header, bytes, data);
    data += count;
  });
}

template void read_npy<float>(const std::string&, const Extents&, const Box&, float*);
template void read_npy<double>(const std::string&, const Extents&, const Box&, double*);
template void read_npy<std::complex<float>>(const std::string&, const Extents&, const Box&, std::complex<float>*);
template void read_npy<std::complex<double>>(const std::string&, const Extents&, const Box&, std::complex<double>*);

}  // namespace weft::io
