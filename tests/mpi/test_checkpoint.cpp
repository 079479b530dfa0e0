// Checkpoints: what is loaded is what was saved, bit for bit, in any layout; what is damaged is never loaded.
#include <bit>
#include <cmath>
#include <limits>

#include "io/checkpoint_file.hpp"
#include "io/checksum.hpp"
#include "io/compress_hdf5.hpp"
#include "io_fixture.hpp"
#include "weft/checkpoint.hpp"

namespace weft::test {
namespace {

const std::vector<Element> elements = {Element::float32, Element::float64, Element::complex64, Element::complex128};

class Checkpoints : public IoTest {
 protected:
  /// Every number of axes, and three axes of every element type.
  static std::vector<std::pair<Extents, Element>> cases() {
    std::vector<std::pair<Extents, Element>> list = {
        {{5}, elements[0]}, {{3, 8}, elements[2]}, {{3, 4, 5, 6}, elements[1]}, {{2, 3, 1, 2, 3, 2}, elements[3]}};
    for (const Element element : elements) list.push_back({{7, 6, 5}, element});
    return list;
  }

  /// Fields f0, f1, ... of the cases with their noise, or with room for it, in one of the layouts.
  template <class Field>
  std::vector<Field> fields_of(std::size_t layout, std::vector<std::vector<unsigned char>>& data, bool filled) const {
    std::vector<Field> fields;
    for (const auto& [shape, element] : cases()) {
      const std::vector<Box> boxes = boxes_of(comm, shape);
      const Box box = boxes[layout % boxes.size()];
      data.push_back(noise(shape, box, element));
      if (!filled) std::fill(data.back().begin(), data.back().end(), static_cast<unsigned char>(0));
      // Moving the list of lists leaves the bytes where they are.
      fields.emplace_back("f" + std::to_string(fields.size()), shape, box, element, data.back().data());
    }
    return fields;
  }

  void expect_all(const std::string& file, std::size_t layout) const {
    std::vector<std::vector<unsigned char>> data, expected;
    const auto fields = fields_of<LoadedField>(layout, data, false);
    fields_of<SavedField>(layout, expected, true);
    load_checkpoint(comm, file, fields);
    EXPECT_EQ(data, expected) << layout;
  }

  void save_one(const std::string& name, unsigned seed = 0, int compression = 0) const {
    const auto data = noise(extents, mine(), Element::float64, seed);
    save_checkpoint(comm, path(name), {{"u", extents, mine(), Element::float64, data.data()}}, {{"step", 7}},
                    compression);
  }

  /// The elements of "u", or the text of the Error.
  std::pair<std::vector<unsigned char>, std::string> load_one(const std::string& name) const {
    std::vector<unsigned char> data(static_cast<std::size_t>(mine().size()) * 8);
    try {
      load_checkpoint(comm, path(name), {{"u", extents, mine(), Element::float64, data.data()}});
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::file) << error.what();
      return {{}, error.what()};
    }
    return {data, ""};
  }

  Box mine() const { return boxes_of(comm, extents).front(); }

  const Extents extents{6, 5, 4};
  const Values values = {{"time", 0.1},     {"step", 123},   {"least", std::numeric_limits<std::int64_t>::min()},
                         {"tiny", -5e-324}, {"nothing", ""}, {"case", "\xce\xb1 = 2, \"quoted\""}};
};

TEST_F(Checkpoints, EveryShapeElementAndLayout) {
  for (const int compression : {0, 4}) {
    std::vector<std::vector<unsigned char>> data;
    const std::string file = path("c" + std::to_string(compression) + ".h5");
    save_checkpoint(comm, file, fields_of<SavedField>(1, data, true), values, compression);
    const CheckpointContents contents = checkpoint_contents(comm, file);
    EXPECT_EQ(contents.values, values);
    EXPECT_EQ(contents.fields.size(), cases().size());
    for (std::size_t layout = 0; layout < (compression == 0 ? 4 : 1); ++layout) expect_all(file, layout);
    verify_checkpoint(comm, file);
  }
  EXPECT_EQ(files(), (std::vector<std::string>{"c0.h5", "c4.h5"}));
}

// Chunks of 1 MiB, cut along two axes, the last ones smaller: more than one for every rank.
TEST_F(Checkpoints, ManyChunks) {
  const Extents large{3, 300, 1500};
  const io::PlannedDataset planned{"u", large, Element::complex64, 1, {}};
  const Extents grid = io::chunk_grid(large, io::chunk_extents(planned));
  EXPECT_GT(grid.product(), 7);
  const Box box = boxes_of(comm, large)[1];
  auto data = noise(large, box, Element::complex64);
  // Compressible, for the most part.
  std::fill(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(data.size() / 2), static_cast<unsigned char>(3));
  save_checkpoint(comm, path("c.h5"), {{"u", large, box, Element::complex64, data.data()}}, {}, 1);
  std::vector<unsigned char> read(data.size());
  load_checkpoint(comm, path("c.h5"), {{"u", large, box, Element::complex64, read.data()}});
  EXPECT_TRUE(read == data);
  EXPECT_LT(std::filesystem::file_size(path("c.h5")), large.product() * 8 * 3 / 4);
}

TEST_F(Checkpoints, SharesOfChunksTileTheArray) {
  for (const Extents& shape : {Extents{1}, Extents{1000000}, Extents{3, 300, 1500}, Extents{700, 2, 900}}) {
    const io::PlannedDataset planned{"u", shape, Element::float64, 1, {}};
    const Extents chunk = io::chunk_extents(planned);
    EXPECT_LE(chunk.product() * 8, index_t{1} << 20);
    index_t covered = 0;
    for (int rank = 0; rank < 5; ++rank) {
      const Box share = io::chunk_share(planned, 5, rank);
      covered += share.size();
      for (int axis = 0; axis < shape.dims() && !share.empty(); ++axis) EXPECT_EQ(share[axis].lo % chunk[axis], 0);
    }
    EXPECT_EQ(covered, shape.product());
  }
}

// Ghost layers, and parts that nobody wants.
TEST_F(Checkpoints, BlocksThatDoNotTile) {
  save_one("c.h5");
  Box ghosts = mine(), corner = mine();
  ghosts[1] = {1, 4};
  ghosts[0] = {0, 4};
  corner[0] = comm.rank() == 0 ? Range{5, 6} : Range{0, 0};
  for (const Box& box : {ghosts, corner}) {
    const auto expected = noise(extents, box, Element::float64);
    std::vector<unsigned char> data(expected.size());
    load_checkpoint(comm, path("c.h5"), {{"u", extents, box, Element::float64, data.data()}});
    EXPECT_EQ(data, expected);
  }
}

// Any byte of the file: it is found, or it does not matter.
TEST_F(Checkpoints, NoDamageIsLoaded) {
  for (const int compression : {0, 6}) {
    save_one("good.h5", 0, compression);
    const auto expected = load_one("good.h5").first;
    const std::string good = read_bytes("good.h5");
    // On several ranks each takes longer.
    const std::size_t stride = comm.size() == 1 ? 5 : 131;
    std::size_t found = 0, tried = 0;
    for (std::size_t at = 0; at < good.size(); at += stride, ++tried) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
      write_bytes("bad.h5", bad);
      const auto [data, text] = load_one("bad.h5");
      EXPECT_TRUE(!text.empty() || data == expected) << "byte " << at;
      found += text.empty() ? 0 : 1;
    }
    // Every damaged element is found; most of the rest is, too: some bytes of an HDF5 file mean nothing.
    const auto bytes = static_cast<std::size_t>(extents.product()) * 8;
    EXPECT_GE(found, compression == 0 ? bytes / stride : 0);
    EXPECT_GT(found, tried / 8);
  }
}

TEST_F(Checkpoints, DamageSaysWhere) {
  save_one("c.h5");
  std::string bytes = read_bytes("c.h5");
  comm.barrier();
  // The third plane of the first axis, found by its bytes.
  Box plane(extents);
  plane[0] = {2, 3};
  const auto wanted = noise(extents, plane, Element::float64);
  const auto place = bytes.find(std::string(wanted.begin(), wanted.end()));
  ASSERT_NE(place, std::string::npos);
  bytes[place + 17] = static_cast<char>(bytes[place + 17] ^ 1);
  write_bytes("c.h5", bytes);
  std::vector<double> data(120);
  expect_error(Fault::file, {"c.h5", "damaged", "indices 2 to 2 of axis 0", "\"u\""}, [&] {
    load_checkpoint(comm, path("c.h5"), {{"u", extents, mine(), data.data()}});
  });
  expect_error(Fault::file, {"damaged"}, [&] { verify_checkpoint(comm, path("c.h5")); });
  // Found as well by ranks that do not read the plane.
  Box one(extents);
  one[0] = {0, 1};
  expect_error(Fault::file, {"damaged"}, [&] {
    load_checkpoint(comm, path("c.h5"), {{"u", extents, one, data.data()}});
  });
}

TEST_F(Checkpoints, SumsDoNotDependOnTheBoxes) {
  const Extents shape{130, 3, 4};
  for (const Element element : elements) {
    io::Sums whole = io::no_sums(shape);
    EXPECT_EQ(whole.planes, 3);
    EXPECT_EQ(whole.values.size(), 44U);
    io::add_to_sums(whole, element, shape, Box(shape), noise(shape, Box(shape), element).data());
    for (const Box& box : boxes_of(comm, shape)) {
      io::Sums sums = io::no_sums(shape);
      io::add_to_sums(sums, element, shape, box, noise(shape, box, element).data());
      io::add_over_ranks(comm, sums);
      EXPECT_EQ(sums, whole);
    }
  }
}

// m(w + (i + 1) g), written down once more in the words of the paper.
TEST_F(Checkpoints, SumsAreThoseOfTheFormula) {
  const std::vector<float> data = {1.5F, -2.0F, 0.0F, -0.0F};
  const auto next = [](std::uint64_t seed) {
    std::uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  };
  // The first number of splitmix64 with the seed 0, as published with the generator.
  EXPECT_EQ(next(0x9e3779b97f4a7c15U), 0xe220a8397b1dcdafU);
  const Extents line{4};
  io::Sums sums = io::no_sums(line);
  io::add_to_sums(sums, Element::float32, line, Box(line), data.data());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(sums.values[i], next(std::bit_cast<std::uint32_t>(data[i]) + (i + 1) * 0x9e3779b97f4a7c15U));
  }
  EXPECT_NE(sums.values[2], sums.values[3]);
}

// So many that HDF5 keeps them in an index of its own.
TEST_F(Checkpoints, ManyValues) {
  Values values;
  for (index_t i = 0; i < 1600; ++i) values["value " + std::to_string(i)] = i * i;
  save_checkpoint(comm, path("c.h5"), {}, values);
  EXPECT_EQ(checkpoint_contents(comm, path("c.h5")).values, values);
}

TEST_F(Checkpoints, FactsSurvivePacking) {
  const io::CheckpointFacts facts{{values, {{"u", {3, 4}, Element::complex64}, {"v", {5}, Element::float64}}},
                                  {{1, {1, 2, 3}}, {2, {7, 8, 9}}}};
  const io::CheckpointFacts back = io::unpacked(io::packed(facts));
  EXPECT_EQ(back.contents.values, values);
  EXPECT_EQ(back.sums, facts.sums);
  ASSERT_EQ(back.contents.fields.size(), 2U);
  EXPECT_EQ(back.contents.fields[0].name, "u");
  EXPECT_EQ(back.contents.fields[0].extents, (Extents{3, 4}));
  EXPECT_EQ(back.contents.fields[1].element, Element::float64);
}

TEST_F(Checkpoints, WhatIsNotThereIsRefused) {
  save_one("c.h5");
  std::vector<double> data(1000);
  const auto refuse = [&](const std::string& name, const LoadedField& field, const std::vector<std::string>& parts) {
    expect_error(Fault::file, parts, [&] { load_checkpoint(comm, path(name), {field}); });
  };
  refuse("none.h5", {"u", extents, mine(), data.data()}, {"none.h5", "No such file"});
  refuse("c.h5", {"v", extents, mine(), data.data()}, {"no field \"v\"", "it has \"u\""});
  refuse("c.h5", {"u", {5, 6, 4}, Box(Extents{5, 6, 4}), data.data()}, {"6 x 5 x 4", "5 x 6 x 4"});
  refuse("c.h5", {"u", extents, mine(), Element::float32, data.data()}, {"is float64", "expected is float32"});
  const auto plain = numbered<double>(extents, mine());
  write_hdf5<double>(comm, path("plain.h5"), extents, mine(), {{"u", plain.data()}});
  refuse("plain.h5", {"u", extents, mine(), data.data()}, {"plain.h5", "not a checkpoint", "weft_checkpoint"});
}

TEST_F(Checkpoints, ArgumentsThatAreNotAllowed) {
  const auto data = numbered<double>(extents, mine());
  const SavedField u{"u", extents, mine(), data.data()};
  const auto refuse = [&](const std::vector<SavedField>& fields, const Values& with, int compression,
                          const std::vector<std::string>& parts) {
    expect_error(Fault::argument, parts, [&] { save_checkpoint(comm, path("c.h5"), fields, with, compression); });
  };
  for (const char* name : {"", ".", "a/b", "weft_u"}) {
    refuse({{name, extents, mine(), data.data()}}, {}, 0, {"field name", name, "give another one"});
    refuse({u}, {{name, 1.0}}, 0, {"value name", name});
  }
  refuse({u, u}, {}, 0, {"\"u\" is given twice"});
  refuse({u}, {}, 10, {"compression: 10", "0 (none)"});
  refuse({u}, {{"text", std::string("a\0b", 3)}}, 0, {"text", "code 0"});
  refuse({{"u", extents, mine(), static_cast<const double*>(nullptr)}}, {}, 0, {"\"u\" has no data"});
  Box gap = mine();
  gap[2] = {1, 4};
  refuse({{"u", extents, gap, data.data()}}, {}, 0, {"90 points", "6 x 5 x 4"});
  // As many points as the array, but some twice.
  Box overlap(extents);
  overlap[0] = {0, 6 / comm.size()};
  if (comm.size() == 2 || comm.size() == 3) {
    refuse({{"u", extents, overlap, data.data()}}, {}, 0, {"ranks 0 and 1", "overlap"});
  }
  if (comm.size() > 1) refuse({u}, {{"rank", comm.rank()}}, 0, {"\"rank\" = 0", "\"rank\" = 1"});
  expect_error(Fault::file, {"c.npy", ".h5 or .hdf5"}, [&] { save_checkpoint(comm, path("c.npy"), {u}); });
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace weft::test
