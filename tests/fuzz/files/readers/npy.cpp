// Fuzzer of .npy files, from the first byte on: all elements are read, of every type that they can be read as, or none.
#include "io/npy.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <complex>
#include <vector>

#include "reader.hpp"

namespace {

// A file in memory, with a name.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : file_(memfd_create("fuzzed", 0)) {
    weft::fuzz::check(file_ >= 0 && write(file_, data, size) == static_cast<ssize_t>(size), "no file in memory");
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(file_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

// Whether a block reads; an array that is a little longer than the block shows what is written after it.
template <class T>
bool reads(const std::string& path, const weft::Extents& extents, const weft::Box& box) {
  std::vector<T> values(static_cast<std::size_t>(box.size()) + 1, T(-7));
  const bool read = weft::fuzz::reads([&] { weft::io::read_npy(path, extents, box, values.data()); });
  weft::fuzz::check(values.back() == T(-7), "an element after the block is written");
  return read;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file(data, size);
  weft::io::NpyHeader header;
  if (!weft::fuzz::reads([&] { header = weft::io::inspect_npy(file.path()); })) return 0;
  weft::fuzz::check(header.extents.product() * header.bytes <= static_cast<weft::index_t>(size),
                    "longer than the file");
  const weft::Box whole(header.extents);
  const bool complex = header.kind == 'c';
  const bool real = reads<double>(file.path(), header.extents, whole);
  weft::fuzz::check(real != complex && reads<float>(file.path(), header.extents, whole) == real,
                    "complex numbers are real, or real ones are not");
  weft::fuzz::check(reads<std::complex<double>>(file.path(), header.extents, whole) == complex &&
                        reads<std::complex<float>>(file.path(), header.extents, whole) == complex,
                    "complex numbers are not, or real ones are");
  return 0;
}
