// NumPy's .npy format (numpy.lib.format, versions 1.0 to 3.0): a magic string, the length of a header, the header as
// a Python dictionary in text, and the bare elements.
#include "io/npy.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#include "io/blocks.hpp"
#include "io/paths.hpp"

namespace weft::io {
namespace {

const std::string magic = "\x93NUMPY";
constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

[[noreturn]] void damaged(const std::string& path) {
  refuse_file(quoted(path) + " is not a .npy file or its header is damaged; write it with numpy.save");
}

std::string read_exactly(std::ifstream& file, std::size_t count, const std::string& path) {
  std::string text(count, '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(count))) damaged(path);
  return text;
}

// Little endian, whatever the machine.
std::size_t length_of(const std::string& bytes) {
  std::size_t length = 0;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte)
    length = length * 256 + static_cast<unsigned char>(*byte);
  return length;
}

// The text between the colon behind 'key' and the `end` that follows, without the blanks in front.
std::string value_of(const std::string& header, const std::string& key, const std::string& end,
                     const std::string& path) {
  const std::size_t name = header.find("'" + key + "'");
  const std::size_t colon = name == std::string::npos ? name : header.find(':', name);
  if (colon == std::string::npos) damaged(path);
  const std::size_t first = header.find_first_not_of(' ', colon + 1);
  const std::size_t last = first == std::string::npos ? first : header.find(end, first);
  if (last == std::string::npos) damaged(path);
  return header.substr(first, last - first);
}

// '<f8' with its quotes, or the beginning of a list for structured elements.
void set_type(NpyHeader& header, const std::string& text, const std::string& path) {
  static const std::vector<std::string> known = {"f4", "f8", "i4", "i8"};
  const bool short_form = text.size() == 5 && (text[1] == '<' || text[1] == '>');
  if (!short_form || std::find(known.begin(), known.end(), text.substr(2, 2)) == known.end()) {
    refuse_file(quoted(path) + " has elements of type " + text +
                "; store real numbers: numpy.save(path, a.astype(\"f8\")), or f4, i4, i8");
  }
  header.kind = text[2];
  header.bytes = text[3] - '0';
  header.swapped = text[1] != native_order;
}

// "(3, 4" or "(5,": the numbers between commas.
Extents shape_of(const std::string& text, const std::string& path) {
  Extents extents;
  const char* at = text.data();
  const char* end = at + text.size();
  while ((at = std::find_if(at, end, [](char c) { return c >= '0' && c <= '9'; })) != end) {
    index_t value = 0;
    const auto parsed = std::from_chars(at, end, value);
    if (parsed.ec != std::errc() || extents.dims() == max_dims) {
      refuse_file(quoted(path) + " has the shape " + text + "); give an array of 1 to " + std::to_string(max_dims) +
                  " axes");
    }
    extents.push_back(value);
    at = parsed.ptr;
  }
  if (extents.dims() == 0) refuse_file(quoted(path) + " holds a single value; give an array");
  return extents;
}

NpyHeader parse(const std::string& text, const std::string& path) {
  NpyHeader header;
  set_type(header, value_of(text, "descr", ",", path), path);
  header.extents = shape_of(value_of(text, "shape", ")", path), path);
  if (value_of(text, "fortran_order", ",", path) != "False") {
    refuse_file(quoted(path) + " is in Fortran order; save it with numpy.save(path, numpy.ascontiguousarray(a))");
  }
  return header;
}

template <class From, class Real>
void convert(std::vector<char>& bytes, bool swapped, Real* data) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(From)) {
    char* element = bytes.data() + at;
    if (swapped) std::reverse(element, element + sizeof(From));
    From value;
    std::memcpy(&value, element, sizeof(From));
    *data++ = static_cast<Real>(value);
  }
}

template <class Real>
void convert(const NpyHeader& header, std::vector<char>& bytes, Real* data) {
  if (header.kind == 'f') {
    header.bytes == 8 ? convert<double>(bytes, header.swapped, data) : convert<float>(bytes, header.swapped, data);
  } else if (header.bytes == 8) {
    convert<std::int64_t>(bytes, header.swapped, data);
  } else {
    convert<std::int32_t>(bytes, header.swapped, data);
  }
}

}  // namespace

NpyHeader inspect_npy(const std::string& path) {
  const long long size = readable_size(path);
  std::ifstream file(path, std::ios::binary);
  const std::string start = read_exactly(file, 8, path);
  const int version = static_cast<unsigned char>(start[6]);
  if (start.substr(0, 6) != magic || version < 1 || version > 3) damaged(path);
  const std::size_t length = length_of(read_exactly(file, version == 1 ? 2 : 4, path));
  // A length that the file does not have is damage, not a reason to ask for so much memory.
  if (static_cast<long long>(length) > size) damaged(path);
  NpyHeader header = parse(read_exactly(file, length, path), path);
  header.data_offset = static_cast<index_t>(file.tellg());
  // In floating point: a damaged shape may be too large for a product of integers.
  double expected = static_cast<double>(header.bytes);
  for (const index_t extent : header.extents) expected *= static_cast<double>(extent);
  const auto held = static_cast<double>(size - header.data_offset);
  if (held < expected) {
    refuse_file(quoted(path) + " is truncated: its header says " + to_string(header.extents) + " elements of " +
                std::to_string(header.bytes) + " bytes, and the file holds " +
                std::to_string((size - header.data_offset) / header.bytes) + " elements; write or copy it again");
  }
  return header;
}

std::string npy_header(const Extents& extents, int bytes) {
  std::string shape;
  for (const index_t size : extents) shape += std::to_string(size) + ", ";
  // NumPy writes (5,) for one axis and (3, 4) for two.
  shape.erase(shape.size() - (extents.dims() == 1 ? 1 : 2));
  std::string text = std::string("{'descr': '") + native_order + "f" + std::to_string(bytes) +
                     "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // The elements begin at a multiple of 64 bytes; 10 bytes and the newline are in the count.
  text.append(63 - (text.size() + 10) % 64, ' ');
  text += '\n';
  const std::size_t length = text.size();
  return magic + std::string("\x01\x00", 2) + static_cast<char>(length % 256) + static_cast<char>(length / 256) + text;
}

template <class Real>
void read_npy(const std::string& path, const Box& mine, Real* data) {
  const NpyHeader header = inspect_npy(path);
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

template void read_npy<float>(const std::string&, const Box&, float*);
template void read_npy<double>(const std::string&, const Box&, double*);

}  // namespace weft::io
