// Files written and read by any number of ranks: what is read is exactly what was written, in any distribution.
#include <hdf5.h>

#include "io/blocks.hpp"
#include "io/npy.hpp"
#include "io_fixture.hpp"

namespace weft::test {
namespace {

using Io = IoTest;

// With fewer points than ranks, odd numbers, axes of one point, and up to the largest number of axes. Each is written
// in one distribution and read in all of them.
template <class Real>
class IoOf : public IoTest {
 protected:
  void expect_numbered_slab(const std::string& name, const std::string& dataset, const Extents& extents) {
    const Box mine = boxes_of(comm, extents).front();
    std::vector<Real> data(static_cast<std::size_t>(mine.size()), Real(-1));
    read_block(comm, path(name), dataset, extents, mine, data.data());
    EXPECT_EQ(data, numbered<Real>(extents, mine)) << name;
  }

  void expect_numbered(const std::string& name, const std::string& dataset, const Extents& extents, index_t first) {
    for (const Box& mine : boxes_of(comm, extents)) {
      std::vector<Real> data(static_cast<std::size_t>(mine.size()), Real(-1));
      read_block(comm, path(name), dataset, extents, mine, data.data());
      EXPECT_EQ(data, numbered<Real>(extents, mine, first)) << name << " " << to_string(mine);
    }
  }
};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(IoOf, Reals);

TYPED_TEST(IoOf, Hdf5RoundTrip) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Extents& extents = shapes[i];
    const Box mine = boxes_of(this->comm, extents)[i % 3];
    const auto a = numbered<TypeParam>(extents, mine), b = numbered<TypeParam>(extents, mine, 1000);
    FileNotes notes;
    notes.view = false;
    write_hdf5<TypeParam>(this->comm, this->path("f.h5"), extents, mine, {{"a", a.data()}, {"b", b.data()}}, notes);
    EXPECT_EQ(file_extents(this->comm, this->path("f.h5"), "a"), extents);
    this->expect_numbered("f.h5", "b", extents, 1000);
  }
  EXPECT_EQ(this->files(), std::vector<std::string>{"f.h5"});
}

TYPED_TEST(IoOf, NpyRoundTrip) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Extents& extents = shapes[i];
    const Box mine = boxes_of(this->comm, extents)[i % 3];
    write_npy(this->comm, this->path("f.npy"), extents, mine, numbered<TypeParam>(extents, mine, 7).data());
    EXPECT_EQ(file_extents(this->comm, this->path("f.npy"), ""), extents);
    this->expect_numbered("f.npy", "", extents, 7);
  }
  EXPECT_EQ(this->files(), std::vector<std::string>{"f.npy"});
}

// Two pieces on one rank and none on the others: ranks without data must take part in every round.
TYPED_TEST(IoOf, MorePiecesThanOne) {
  const Extents extents{5, 1000, 1000};
  const Box mine = Layout(extents, ProcessGrid({this->comm.size()}), {Layout::uncut}).box(this->comm.rank());
  const auto data = numbered<TypeParam>(extents, mine);
  FileNotes notes;
  notes.view = false;
  write_hdf5<TypeParam>(this->comm, this->path("f.h5"), extents, mine, {{"a", data.data()}}, notes);
  write_npy(this->comm, this->path("f.npy"), extents, mine, data.data());
  std::vector<TypeParam> read(data.size());
  read_block(this->comm, this->path("f.h5"), "a", extents, mine, read.data());
  EXPECT_TRUE(read == data);
  std::fill(read.begin(), read.end(), TypeParam(0));
  read_block(this->comm, this->path("f.npy"), "", extents, mine, read.data());
  EXPECT_TRUE(read == data);
}

TEST(IoBlocks, PiecesAreBoundedContiguousAndInOrder) {
  Box block(Extents{3, 4, 5});
  block[1] = {1, 4};
  for (const index_t most : {1, 2, 5, 7, 15, 16, 45, 100}) {
    index_t next = 0;
    for (const Box& piece : io::pieces(block, most)) {
      EXPECT_LE(piece.size(), most);
      for_each_point(
          Extents{3, 3, 5},
          [&] {
            Box local = piece;
            local[1] = {piece[1].lo - 1, piece[1].hi - 1};
            return local;
          }(),
          [&](std::size_t, index_t offset) { EXPECT_EQ(offset, next++); });
    }
    EXPECT_EQ(next, block.size());
  }
  EXPECT_TRUE(io::pieces(Box(Extents{3, 0}), 4).empty());
}

TEST(IoBlocks, RunsVisitTheBlockInOrder) {
  const Extents global{3, 4, 5};
  Box rows(global), planes(global);
  rows[2] = {1, 4};
  planes[0] = {1, 3};
  for (const Box& block : {rows, planes, Box(global)}) {
    for (const index_t most : {1, 2, 3, 100}) {
      std::vector<index_t> visited, expected;
      io::for_each_run(global, block, most, [&](index_t first, index_t count) {
        EXPECT_LE(count, most);
        for (index_t i = 0; i < count; ++i) visited.push_back(first + i);
      });
      for_each_point(global, block, [&](std::size_t, index_t offset) { expected.push_back(offset); });
      EXPECT_EQ(visited, expected);
    }
  }
}

// The bytes that numpy.save writes for numpy.arange(6).reshape(2, 3) of some types, as numpy 2 wrote them.
std::string saved(const std::string& descr, const std::string& shape, const std::string& elements) {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header.append(117 - header.size(), ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + elements;
}

template <class Number>
std::string elements(bool swapped) {
  std::string bytes;
  for (Number i = 0; i < 6; ++i) {
    std::string one(reinterpret_cast<const char*>(&i), sizeof i);
    if (swapped) std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

TYPED_TEST(IoOf, NpyOfEveryTypeThatNumpyWrites) {
  const Extents extents{2, 3};
  this->write_bytes("f4.npy", saved("<f4", "(2, 3)", elements<float>(false)));
  this->write_bytes("f8.npy", saved("<f8", "(2, 3)", elements<double>(false)));
  this->write_bytes("i4.npy", saved("<i4", "(2, 3)", elements<std::int32_t>(false)));
  this->write_bytes("i8.npy", saved("<i8", "(2, 3)", elements<std::int64_t>(false)));
  this->write_bytes("big.npy", saved(">f8", "(2, 3)", elements<double>(true)));
  for (const char* name : {"f4.npy", "f8.npy", "i4.npy", "i8.npy", "big.npy"}) {
    this->expect_numbered_slab(name, "", extents);
  }
}

TEST_F(Io, NpyHasTheBytesThatNumpyWrites) {
  const Box mine = boxes_of(comm, {2, 3}).front();
  write_npy(comm, path("a.npy"), {2, 3}, mine, numbered<double>({2, 3}, mine).data());
  EXPECT_EQ(read_bytes("a.npy"), saved("<f8", "(2, 3)", elements<double>(false)));
  const Box line = boxes_of(comm, {6}).front();
  write_npy(comm, path("b.npy"), {6}, line, numbered<float>({6}, line).data());
  EXPECT_EQ(read_bytes("b.npy"), saved("<f4", "(6,)", elements<float>(false)));
}

// A dataset as another program may write it: any element type, in chunks or not, compressed or not.
void foreign_dataset(const std::string& path, hid_t type, bool compressed) {
  const hsize_t sizes[] = {4, 6, 5}, chunk[] = {2, 3, 5};
  std::vector<double> values(120);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, sizes, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  if (compressed) {
    H5Pset_chunk(creation, 3, chunk);
    H5Pset_deflate(creation, 6);
  }
  const hid_t group = H5Gcreate2(file, "run", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t dataset = H5Dcreate2(group, "rho", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(dataset), H5Gclose(group), H5Pclose(creation), H5Sclose(space), H5Fclose(file);
}

TYPED_TEST(IoOf, Hdf5OfEveryTypeIsConverted) {
  bool compressed = false;
  for (const hid_t type :
       {H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F64LE, H5T_STD_I32LE, H5T_STD_U8LE, H5T_STD_I64BE}) {
    if (this->comm.rank() == 0) foreign_dataset(this->path("f.h5"), type, compressed);
    this->comm.barrier();
    this->expect_numbered_slab("f.h5", "run/rho", {4, 6, 5});
    compressed = !compressed;
  }
}

TEST_F(Io, NotesAndViewAreInTheFile) {
  const Extents extents{2, 3, 4};
  const Box mine = boxes_of(comm, extents).back();
  const auto data = numbered<double>(extents, mine);
  FileNotes notes;
  notes.coordinates = {{0.5, 1.5}, {0, 1, 2}, {-3, -2, -1, 0}};
  notes.attributes = {{"program", "weft"}, {"boundary", "\xce\xb1 periodic"}};
  write_hdf5<double>(comm, path("f.h5"), extents, mine, {{"phi", data.data()}}, notes);

  std::vector<double> z(4), view(24);
  read_block(comm, path("f.h5"), "z", {4}, Box(Extents{4}), z.data());
  EXPECT_EQ(z, notes.coordinates[2]);
  read_block(comm, path("f.h5"), "view/phi", {4, 3, 2}, Box(Extents{4, 3, 2}), view.data());
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(view[(k * 3 + j) * 2 + i], double((i * 3 + j) * 4 + k));
    }
  }
  const hid_t file = H5Fopen(path("f.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(file, "boundary", H5P_DEFAULT), type = H5Aget_type(attribute);
  char* text = nullptr;
  ASSERT_GE(H5Aread(attribute, type, static_cast<void*>(&text)), 0);
  EXPECT_EQ(text, std::get<std::string>(notes.attributes[1].second));
  H5free_memory(text), H5Tclose(type), H5Aclose(attribute), H5Fclose(file);
}

TEST_F(Io, ViewOfEveryNumberOfAxes) {
  for (const Extents& extents : {Extents{5}, Extents{3, 8}, Extents{17, 33, 40}}) {
    Extents reversed(3, 1);
    for (int axis = 0; axis < extents.dims(); ++axis) reversed[2 - axis] = extents[axis];
    const Box mine = boxes_of(comm, extents).back();
    const auto data = numbered<float>(extents, mine);
    write_hdf5<float>(comm, path("f.h5"), extents, mine, {{"u", data.data()}});
    std::vector<float> view(static_cast<std::size_t>(reversed.product()));
    read_block(comm, path("f.h5"), "view/u", reversed, Box(reversed), view.data());
    for_each_point(reversed, Box(reversed), [&](std::size_t at, index_t offset) {
      const index_t x = offset % reversed[2], y = offset / reversed[2] % reversed[1];
      const index_t z = offset / (reversed[2] * reversed[1]);
      ASSERT_EQ(view[at], static_cast<float>((x * reversed[1] + y) * reversed[0] + z));
    });
  }
}

TEST_F(Io, XdmfNamesAxesFromTheLastToTheFirst) {
  write_xdmf(comm, path("f.xdmf"), path("f.h5"), {{2, 3, 4}, {0.5, 1, -2}, {0.1, 0.25, 2}}, {"phi", "a&b"});
  const std::string text = read_bytes("f.xdmf");
  for (const char* part : {"<Xdmf Version=\"3.0\">", "TopologyType=\"3DCoRectMesh\" Dimensions=\"4 3 2\"",
                           ">-2 1 0.5</DataItem>", ">2 0.25 0.1</DataItem>", ">f.h5:/view/phi</DataItem>",
                           "<Attribute Name=\"a&amp;b\"", ">f.h5:/view/a&amp;b</DataItem>"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " not in " << text;
  }
  write_xdmf(comm, path("f.xdmf"), "f.h5", {{7, 8}, {1, 2}, {3, 4}}, {"phi"});
  const std::string flat = read_bytes("f.xdmf");
  for (const char* part : {"Dimensions=\"1 8 7\"", ">0 2 1</DataItem>", ">1 4 3</DataItem>"}) {
    EXPECT_NE(flat.find(part), std::string::npos) << part << " not in " << flat;
  }
  EXPECT_EQ(files(), std::vector<std::string>{"f.xdmf"});
}

TEST_F(Io, XdmfHasAllPositionsOfARectilinearMesh) {
  write_xdmf(comm, path("f.xdmf"), path("f.h5"), RectilinearMesh{{{0.5, 1.5}, {-1, 0, 4}}}, {"phi"});
  const std::string text = read_bytes("f.xdmf");
  for (const char* part : {"TopologyType=\"3DRectMesh\" Dimensions=\"1 3 2\"", "GeometryType=\"VXVYVZ\"",
                           "Dimensions=\"2\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">0.5 1.5</DataItem>",
                           ">-1 0 4</DataItem>", ">0</DataItem>", ">f.h5:/view/phi</DataItem>"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " not in " << text;
  }
}

}  // namespace
}  // namespace weft::test
