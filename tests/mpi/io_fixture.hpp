// What the tests of files share: a scratch folder, layouts, numbered arrays and errors compared over all ranks.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>  // mkdtemp

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "weft/io.hpp"
#include "weft/layout.hpp"

namespace weft::test {

inline const std::vector<Extents> shapes = {{5}, {3, 8}, {7, 6, 5}, {2, 3, 1, 2, 3, 2}};

/// A folder that every rank sees, removed at the end of the test.
class IoTest : public ::testing::Test {
 protected:
  IoTest() : comm(MPI_COMM_WORLD) {
    std::string name = (std::filesystem::temp_directory_path() / "weft-io-XXXXXX").string();
    if (comm.rank() == 0 && mkdtemp(name.data()) == nullptr) name.clear();
    folder = comm.broadcast(name, 0);
  }
  ~IoTest() override {
    comm.barrier();
    if (comm.rank() == 0) std::filesystem::remove_all(folder);
  }

  std::string path(const std::string& name) const { return folder + "/" + name; }

  /// Names in the folder, in order, once all ranks are here.
  std::vector<std::string> files() const {
    comm.barrier();
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    comm.barrier();
    return names;
  }

  void write_bytes(const std::string& name, const std::string& bytes) const {
    if (comm.rank() == 0) std::ofstream(path(name), std::ios::binary) << bytes;
    comm.barrier();
  }

  std::string read_bytes(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  /// The work, collective, must throw an Error of this kind with the same text on all ranks, which has all the parts.
  template <class Work>
  std::string expect_error(Fault fault, const std::vector<std::string>& parts, Work work) const {
    std::string text = "no error";
    try {
      work();
    } catch (const Error& error) {
      text = error.what();
      EXPECT_EQ(error.fault(), fault) << text;
    }
    EXPECT_EQ(text, comm.broadcast(text, 0));
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " not in: " << text;
    return text;
  }

  Comm comm;
  std::string folder;
};

/// A slab, a pencil, a cut of the last axis and everything on rank 0, of the same array.
inline std::vector<Box> boxes_of(const Comm& comm, const Extents& extents) {
  const int last = extents.dims() - 1, ranks = comm.size();
  std::vector<Layout> layouts = {{extents, ProcessGrid({ranks}), {0}},
                                 {extents, ProcessGrid({ranks}), {last}, Scheme::first},
                                 {extents, ProcessGrid({ranks}), {Layout::uncut}}};
  if (last > 0 && ranks % 2 == 0) layouts.emplace_back(extents, ProcessGrid({2, ranks / 2}), std::vector<int>{last, 0});
  std::vector<Box> boxes;
  for (const Layout& layout : layouts) boxes.push_back(layout.box(comm.rank()));
  return boxes;
}

/// Calls visit(position in the block, offset in the global array), in the order of the block.
template <class Visit>
void for_each_point(const Extents& extents, const Box& box, Visit visit) {
  const Extents strides = c_strides(extents), sides = box.extents();
  for (index_t at = 0; at < box.size(); ++at) {
    index_t rest = at, offset = 0;
    for (int axis = extents.dims() - 1; axis >= 0; --axis) {
      offset += (box[axis].lo + rest % sides[axis]) * strides[axis];
      rest /= sides[axis];
    }
    visit(static_cast<std::size_t>(at), offset);
  }
}

/// Each element is `first` plus its offset in the global array: exact in float as long as that is below 2^24.
template <class Real>
std::vector<Real> numbered(const Extents& extents, const Box& box, index_t first = 0) {
  std::vector<Real> data(static_cast<std::size_t>(box.size()));
  for_each_point(extents, box, [&](std::size_t at, index_t offset) { data[at] = static_cast<Real>(first + offset); });
  return data;
}

/// Bytes that depend on the place in the whole array alone; all bit patterns occur, NaN and denormal numbers too.
inline std::vector<unsigned char> noise(const Extents& extents, const Box& box, Element element, unsigned seed = 0) {
  const auto size = static_cast<std::size_t>(bytes_of(element));
  std::vector<unsigned char> bytes(static_cast<std::size_t>(box.size()) * size);
  for_each_point(extents, box, [&](std::size_t at, index_t offset) {
    for (std::size_t i = 0; i < size; ++i) {
      const auto z = (static_cast<std::uint64_t>(offset) * size + i + seed + 1) * 0x9e3779b97f4a7c15U;
      bytes[at * size + i] = static_cast<unsigned char>((z ^ (z >> 29)) * 0xbf58476d1ce4e5b9U >> 56);
    }
  });
  return bytes;
}

}  // namespace weft::test
