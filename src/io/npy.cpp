// NumPy's .npy format (numpy.lib.format, versions 1.0 to 3.0): a magic string, the length of a header, the header, and
// the bare elements.
#include "io/npy.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#include "io/blocks.hpp"
#include "io/paths.hpp"

namespace weft::io {
namespace {

const std::string magic = "\x93NUMPY";

// The longest header of version 1.0. Later versions can say 4 GB, which nothing that is read here needs.
constexpr std::size_t longest_header = 65535;

[[noreturn]] void damaged_header(const std::string& path) {
  refuse_file(quoted(path) + " is not a .npy file or its header is damaged; write it with numpy.save");
}

std::string read_exactly(std::ifstream& file, std::size_t count, const std::string& path) {
  std::string text(count, '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(count))) damaged_header(path);
  return text;
}

// Little endian, whatever the machine.
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
  std::ifstream file(path, std::ios::binary);
  const std::string start = read_exactly(file, 8, path);
  const int version = static_cast<unsigned char>(start[6]);
  if (start.substr(0, 6) != magic || version < 1 || version > 3 || start[7] != 0) damaged_header(path);
  const std::size_t length = length_of(read_exactly(file, version == 1 ? 2 : 4, path));
  // A length that the file does not have is damage, not a reason to ask for so much memory.
  if (static_cast<long long>(length) > size || length > longest_header) damaged_header(path);
  NpyHeader header = parse_npy_header(read_exactly(file, length, path), path);
  header.data_offset = static_cast<index_t>(file.tellg());
  check_length(header, size, path);
  return header;
}

template <class T>
void read_npy(const std::string& path, const Extents& expected, const Box& mine, T* data) {
  const NpyHeader header = inspect_npy(path);
  check_shape(path, "", header.extents, expected);
  check_kind(quoted(path), header.kind == 'c', holds_complex<T>);
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes;
  for_each_run(header.extents, mine, index_t{1} << 18, [&](index_t first, index_t count) {
    bytes.resize(static_cast<std::size_t>(count * header.bytes));
    file.seekg(header.data_offset + first * header.bytes);
    if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
      refuse_file(quoted(path) + " cannot be read: " + system_reason());
    }
    convert(header, bytes, data);
    data += count;
  });
}

template void read_npy<float>(const std::string&, const Extents&, const Box&, float*);
template void read_npy<double>(const std::string&, const Extents&, const Box&, double*);
template void read_npy<std::complex<float>>(const std::string&, const Extents&, const Box&, std::complex<float>*);
template void read_npy<std::complex<double>>(const std::string&, const Extents&, const Box&, std::complex<double>*);

}  // namespace weft::io
