// Complex fields, compressed files, and .npy headers that lie.
#include <hdf5.h>

#include <complex>
#include <cstring>

#include "io/npy.hpp"
#include "io_fixture.hpp"

namespace weft::test {
namespace {

template <class T>
class IoComplexOf : public IoTest {
 protected:
  using Real = typename T::value_type;

  /// Real part: the offset in the array; imaginary part: one more, negative.
  static std::vector<T> pairs(const Extents& extents, const Box& box) {
    std::vector<T> data(static_cast<std::size_t>(box.size()));
    for_each_point(extents, box, [&](std::size_t at, index_t offset) {
      data[at] = T(static_cast<Real>(offset), static_cast<Real>(-1 - offset));
    });
    return data;
  }

  void expect_pairs(const std::string& name, const std::string& dataset, const Extents& extents) {
    const FileArray array = file_array(comm, path(name), dataset);
    EXPECT_EQ(array.extents, extents);
    EXPECT_TRUE(array.complex);
    for (const Box& mine : boxes_of(comm, extents)) {
      std::vector<T> data(static_cast<std::size_t>(mine.size()));
      read_block(comm, path(name), dataset, extents, mine, data.data());
      EXPECT_EQ(data, this->pairs(extents, mine)) << name << " " << to_string(mine);
    }
  }
};
using Complexes = ::testing::Types<std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(IoComplexOf, Complexes);

TYPED_TEST(IoComplexOf, RoundTrips) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Box mine = boxes_of(this->comm, shapes[i])[i % 3];
    const auto data = this->pairs(shapes[i], mine);
    FileNotes notes;
    notes.view = false;
    notes.compression = i % 2 == 0 ? 0 : 3;
    write_hdf5<TypeParam>(this->comm, this->path("f.h5"), shapes[i], mine, {{"psi", data.data()}}, notes);
    this->expect_pairs("f.h5", "psi", shapes[i]);
    write_npy(this->comm, this->path("f.npy"), shapes[i], mine, data.data());
    this->expect_pairs("f.npy", "", shapes[i]);
  }
}

TYPED_TEST(IoComplexOf, NpyOfTheOtherPrecisionAndByteOrder) {
  const Extents extents{6};
  for (const bool swapped : {false, true}) {
    for (const int bytes : {8, 16}) {
      std::string text = "{'descr': '" + std::string(swapped ? ">c" : "<c") + std::to_string(bytes) +
                         "', 'fortran_order': False, 'shape': (6,), }";
      text.append(117 - text.size(), ' ');
      std::string elements;
      for (int i = 0; i < 6; ++i) {
        for (const int value : {i, -1 - i}) {
          const auto real = static_cast<double>(value);
          const auto single = static_cast<float>(value);
          std::string one(static_cast<std::size_t>(bytes / 2), '\0');
          std::memcpy(one.data(), bytes == 16 ? static_cast<const void*>(&real) : &single, one.size());
          if (swapped) std::reverse(one.begin(), one.end());
          elements += one;
        }
      }
      this->write_bytes("f.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text + "\n" + elements);
      this->expect_pairs("f.npy", "", extents);
    }
  }
}

TYPED_TEST(IoComplexOf, RealIsNotComplex) {
  const Extents extents{4, 6};
  const Box mine = boxes_of(this->comm, extents).front();
  const auto real = numbered<double>(extents, mine);
  const auto data = this->pairs(extents, mine);
  write_npy(this->comm, this->path("real.npy"), extents, mine, real.data());
  write_npy(this->comm, this->path("complex.npy"), extents, mine, data.data());
  std::vector<TypeParam> pairs(data.size());
  this->expect_error(Fault::file, {"real.npy", "real elements"},
                     [&] { read_block(this->comm, this->path("real.npy"), "", extents, mine, pairs.data()); });
  this->expect_error(Fault::file, {"complex.npy", "complex elements"},
                     [&] { file_extents(this->comm, this->path("complex.npy"), ""); });
  this->expect_error(Fault::argument, {"notes.view", "complex"}, [&] {
    write_hdf5<TypeParam>(this->comm, this->path("f.h5"), extents, mine, {{"psi", data.data()}});
  });
}

using IoCompressed = IoTest;

TEST_F(IoCompressed, FieldsAndViewsAreSmallerAndTheSame) {
  const Extents extents{40, 30, 50};
  const Box mine = boxes_of(comm, extents)[1];
  const auto data = numbered<double>(extents, mine);
  for (const int compression : {0, 5}) {
    FileNotes notes;
    notes.compression = compression;
    notes.attributes = {{"time", 0.25}, {"step", std::int64_t{3}}, {"case", "smooth"}};
    write_hdf5<double>(comm, path("f" + std::to_string(compression) + ".h5"), extents, mine, {{"u", data.data()}},
                       notes);
  }
  for (const Box& box : boxes_of(comm, extents)) {
    std::vector<double> read(static_cast<std::size_t>(box.size()));
    read_block(comm, path("f5.h5"), "u", extents, box, read.data());
    EXPECT_EQ(read, numbered<double>(extents, box));
  }
  const Extents reversed{50, 30, 40};
  std::vector<float> plain(60000), packed(60000);
  read_block(comm, path("f0.h5"), "view/u", reversed, Box(reversed), plain.data());
  read_block(comm, path("f5.h5"), "view/u", reversed, Box(reversed), packed.data());
  EXPECT_EQ(plain, packed);
  EXPECT_LT(std::filesystem::file_size(path("f5.h5")), std::filesystem::file_size(path("f0.h5")) / 3);
  FileNotes wrong;
  wrong.compression = -1;
  expect_error(Fault::argument, {"compression: -1", "0 (none)"}, [&] {
    write_hdf5<double>(comm, path("f.h5"), extents, mine, {{"u", data.data()}}, wrong);
  });
}

using NpyHostile = IoTest;

std::string file_with(const std::string& header, int version = 1) {
  std::string text = header;
  text.append(63 - (text.size() + 10) % 64, ' ');
  text += '\n';
  std::string start = std::string("\x93NUMPY", 6) + static_cast<char>(version) + '\0';
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte) start += static_cast<char>(text.size() >> (8 * byte));
  return start + text + std::string(std::size_t{24} * 8, '\0');
}

std::string shaped(const std::string& shape) {
  return "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }";
}

TEST_F(NpyHostile, ShapesThatLie) {
  const std::string most = "9223372036854775807", more = "9223372036854775808", root = "4294967296";
  for (const std::string& shape : {"(" + most + ",)",
                                   "(" + more + ",)",
                                   "(" + root + ", " + root + ")",
                                   "(" + root + ", " + root + ", 0)",
                                   "(0, " + most + ", 2)",
                                   std::string("(-4, -6)"),
                                   std::string("(4.0, 6.0)"),
                                   std::string("(0x4, 6)"),
                                   std::string("(4 6)"),
                                   std::string("4, 6"),
                                   std::string("(4, 6"),
                                   std::string("(4, 6)) (4, 6)"),
                                   std::string("(,4)"),
                                   std::string("(4,,6)"),
                                   std::string("(24)"),
                                   std::string("()"),
                                   std::string("[4, 6]"),
                                   std::string("(1, 1, 1, 1, 1, 4, 6)"),
                                   std::string("(4, 7)"),
                                   std::string("('4', 6)"),
                                   std::string("(4, 6, \0)")}) {
    write_bytes("f.npy", file_with(shaped(shape)));
    expect_error(Fault::file, {"f.npy"}, [&] { file_array(comm, path("f.npy"), ""); });
  }
  for (const char* shape : {"(4, 6)", "(4,6,)", "( 4 , 6 )", "(4L, 6L)"}) {
    write_bytes("f.npy", file_with(shaped(shape)));
    EXPECT_EQ(file_extents(comm, path("f.npy"), ""), (Extents{4, 6})) << shape;
  }
  write_bytes("f.npy", file_with(shaped("(0, 7)")));
  expect_error(Fault::file, {"f.npy", "no elements", "0 x 7"}, [&] { file_array(comm, path("f.npy"), ""); });
}

TEST_F(NpyHostile, HeadersThatAreNone) {
  const std::string good = shaped("(4, 6)");
  for (const std::string& header :
       {std::string(), std::string("{}"), std::string("{'descr': '<f8', 'shape': (4, 6)}"), good + good, good + "x",
        "'descr': '<f8'" + good, good.substr(0, good.size() - 1), "{'descr': '<f8', " + good.substr(1),
        "{'more': 1, " + good.substr(1), std::string("{'descr': \"<f8', 'fortran_order': False, 'shape': (4, 6)}"),
        std::string("{'descr': '=f8', 'fortran_order': False, 'shape': (4, 6)}"),
        std::string("{'descr': '<f8', 'fortran_order': 0, 'shape': (4, 6)}"),
        std::string("{'descr': '<f8', 'fortran_order': Falsehood, 'shape': (4, 6)}"),
        std::string("{'x': \"'descr': '<f8', 'fortran_order': False, 'shape': (4, 6)\"}")}) {
    write_bytes("f.npy", file_with(header));
    expect_error(Fault::file, {"f.npy"}, [&] { file_array(comm, path("f.npy"), ""); });
  }
  for (const int version : {0, 4, 255}) {
    write_bytes("f.npy", file_with(good, version));
    expect_error(Fault::file, {"f.npy", "not a .npy file"}, [&] { file_array(comm, path("f.npy"), ""); });
  }
  // The order of the keys and the quotes are free, and later versions only have longer headers.
  for (const std::string& header :
       {good, std::string("{\"shape\": (4, 6), \"fortran_order\": False, \"descr\": \"<f8\"}")}) {
    for (const int version : {1, 2, 3}) {
      write_bytes("f.npy", file_with(header, version));
      EXPECT_EQ(file_extents(comm, path("f.npy"), ""), (Extents{4, 6})) << header;
    }
  }
}

TEST_F(NpyHostile, LengthsThatTheFileDoesNotHave) {
  const std::string good = file_with(shaped("(4, 6)"), 2);
  for (std::size_t size = 0; size < good.size(); size += size < 20 ? 1 : 37) {
    write_bytes("f.npy", good.substr(0, size));
    expect_error(Fault::file, {"f.npy"}, [&] { file_array(comm, path("f.npy"), ""); });
  }
  // A header of 16 MB that is there is not read, either.
  std::string long_header = good;
  long_header.replace(8, 4, std::string("\x00\x00\x00\x01", 4));
  write_bytes("f.npy", long_header + std::string(std::size_t{1} << 24, ' '));
  expect_error(Fault::file, {"f.npy", "not a .npy file"}, [&] { file_array(comm, path("f.npy"), ""); });
}

}  // namespace
}  // namespace weft::test
