// Folders of checkpoints: which stay, and which is the last that is whole.
#include <hdf5.h>

#include "io_fixture.hpp"
#include "weft/checkpoint.hpp"

namespace weft::test {
namespace {

class Folders : public IoTest {
 protected:
  Box mine() const { return boxes_of(comm, extents).front(); }
  SavedField field(const std::vector<unsigned char>& data) const {
    return {"u", extents, mine(), Element::float64, data.data()};
  }
  void save(const CheckpointFolder& folder, index_t step) const {
    const auto data = noise(extents, mine(), Element::float64, static_cast<unsigned>(step));
    folder.save(step, {field(data)}, {{"time", 0.5}});
  }
  /// Restores the step, or -1 where there is none; what comes back is what was saved then.
  index_t restored(const CheckpointFolder& folder) const {
    std::vector<unsigned char> data(static_cast<std::size_t>(mine().size()) * 8);
    const auto found = folder.restore({{"u", extents, mine(), Element::float64, data.data()}});
    if (!found) return -1;
    EXPECT_EQ(data, noise(extents, mine(), Element::float64, static_cast<unsigned>(found->step)));
    EXPECT_EQ(found->contents.values.at("step"), Value(found->step));
    return found->step;
  }
  void spoil(const std::string& name, std::size_t at) const {
    std::string bytes = read_bytes(name);
    bytes[at] = static_cast<char>(bytes[at] ^ 64);
    comm.barrier();
    write_bytes(name, bytes);
  }
  /// Where the elements are: at the end of an uncompressed file with one field.
  std::size_t last_byte(const std::string& name) const { return std::filesystem::file_size(path(name)) - 1; }

  const Extents extents{6, 5, 4};
};

TEST_F(Folders, TheLastOnesStay) {
  const CheckpointFolder folder(comm, path("run"), 2);
  EXPECT_EQ(folder.steps(), std::vector<index_t>{});
  EXPECT_FALSE(folder.newest() || folder.latest());
  EXPECT_EQ(restored(folder), -1);
  for (const index_t step : {0, 5, 1234567, 10}) save(folder, step);
  // Of a run that went back to step 10, what comes later is left alone.
  EXPECT_EQ(folder.steps(), (std::vector<index_t>{5, 10, 1234567}));
  EXPECT_EQ(folder.path(10), path("run/checkpoint-000010.h5"));
  EXPECT_EQ(folder.latest()->step, 1234567);
  EXPECT_EQ(restored(folder), 1234567);
  const CheckpointFolder strict(comm, path("run"), 1);
  save(strict, 2000000);
  EXPECT_EQ(strict.steps(), std::vector<index_t>{2000000});
}

TEST_F(Folders, DamagedOnesAreSkipped) {
  const CheckpointFolder folder(comm, path("run"), 4);
  for (const index_t step : {1, 2, 3, 4}) save(folder, step);
  // An element of the last, the metadata of the one before, and one that is cut short.
  spoil("run/checkpoint-000004.h5", last_byte("run/checkpoint-000004.h5"));
  spoil("run/checkpoint-000003.h5", 9);
  comm.barrier();
  if (comm.rank() == 0) std::filesystem::resize_file(path("run/checkpoint-000002.h5"), 1000);
  comm.barrier();
  EXPECT_EQ(folder.newest()->step, 4);
  // Without fields there are no elements to compare.
  EXPECT_EQ(folder.restore({})->step, 4);
  const auto found = folder.latest();
  EXPECT_EQ(found->step, 1);
  ASSERT_EQ(found->skipped.size(), 3U);
  EXPECT_NE(found->skipped[0].find("checkpoint-000004.h5"), std::string::npos) << found->skipped[0];
  EXPECT_EQ(restored(folder), 1);
  spoil("run/checkpoint-000001.h5", last_byte("run/checkpoint-000001.h5"));
  expect_error(Fault::file, {"no checkpoint of the folder is whole", "000004", "000003", "000002", "000001"},
               [&] { folder.latest(); });
  expect_error(Fault::file, {"no checkpoint of the folder is whole"}, [&] { restored(folder); });
}

// To go back to an older one because of that mark would lose what is whole.
TEST_F(Folders, TheNewestMarkedAsOpenForWritingIsNotSkipped) {
  const CheckpointFolder folder(comm, path("run"), 4);
  for (const index_t step : {1, 2}) save(folder, step);
  const std::string name = "run/checkpoint-000002.h5", whole = read_bytes(name);
  comm.barrier();
  if (comm.rank() == 0) {
    const hid_t file = H5Fopen(path(name).c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    std::filesystem::copy_file(path(name), path("copy"));
    H5Fclose(file);
    std::filesystem::rename(path("copy"), path(name));
  }
  comm.barrier();
  const std::vector<std::string> parts = {"checkpoint-000002.h5", "open for writing", "h5clear -s " + path(name)};
  expect_error(Fault::file, parts, [&] { restored(folder); });
  expect_error(Fault::file, parts, [&] { folder.latest(); });
  expect_error(Fault::file, parts, [&] { folder.newest(); });
  expect_error(Fault::file, parts, [&] { checkpoint_contents(comm, path(name)); });
  write_bytes(name, whole);
  EXPECT_EQ(restored(folder), 2);
  // The flags of a superblock whose checksum is wrong say nothing.
  spoil(name, 11);
  comm.barrier();
  EXPECT_EQ(restored(folder), 1);
}

TEST_F(Folders, WriteProtectedOnesStay) {
  const CheckpointFolder folder(comm, path("run"), 1);
  save(folder, 1);
  if (comm.rank() == 0) std::filesystem::permissions(folder.path(1), std::filesystem::perms{0444});
  comm.barrier();
  save(folder, 2);
  save(folder, 3);
  EXPECT_EQ(folder.steps(), (std::vector<index_t>{1, 3}));
  expect_error(Fault::file, {"checkpoint-000001.h5", "write-protected (mode 0444)"}, [&] { save(folder, 1); });
  EXPECT_EQ(folder.steps(), (std::vector<index_t>{1, 3}));
}

TEST_F(Folders, ColonsInTheFolder) {
  const CheckpointFolder folder(comm, path("run 14:05/ufs:a"), 2);
  for (const index_t step : {1, 2}) save(folder, step);
  EXPECT_EQ(folder.latest()->step, 2);
  EXPECT_EQ(restored(folder), 2);
}

TEST_F(Folders, RemainsOfAKilledRunGo) {
  const CheckpointFolder folder(comm, path("run"), 2);
  save(folder, 1);
  for (const char* name : {"run/checkpoint-000002.h5.part", "run/checkpoint-x.h5", "run/other.h5.part"})
    write_bytes(name, "remains");
  EXPECT_EQ(folder.steps(), std::vector<index_t>{1});
  EXPECT_EQ(folder.latest()->step, 1);
  // Who only looks takes nothing away: a run may be writing.
  EXPECT_TRUE(std::filesystem::exists(path("run/checkpoint-000002.h5.part")));
  comm.barrier();
  save(folder, 3);
  EXPECT_FALSE(std::filesystem::exists(path("run/checkpoint-000002.h5.part")));
  EXPECT_TRUE(std::filesystem::exists(path("run/checkpoint-x.h5")));
  EXPECT_TRUE(std::filesystem::exists(path("run/other.h5.part")));
  EXPECT_EQ(folder.steps(), (std::vector<index_t>{1, 3}));
}

TEST_F(Folders, ArgumentsThatAreNotAllowed) {
  expect_error(Fault::argument, {"keep: 0", "1 or more"}, [&] { CheckpointFolder(comm, path("run"), 0); });
  expect_error(Fault::argument, {"compression: -1"}, [&] { CheckpointFolder(comm, path("run"), 1, -1); });
  expect_error(Fault::argument, {"no name"}, [&] { CheckpointFolder(comm, ""); });
  expect_error(Fault::argument, {"folder", "code 0"}, [&] { CheckpointFolder(comm, std::string("run\0", 4)); });
  const CheckpointFolder folder(comm, path("run"));
  expect_error(Fault::argument, {"step: -1", "0 or more"}, [&] { save(folder, -1); });
  expect_error(Fault::argument, {"\"step\" is not the step 3"}, [&] { folder.save(3, {}, {{"step", 4}}); });
  write_bytes("file", "text");
  const CheckpointFolder none(comm, path("file"));
  expect_error(Fault::file, {path("file"), "give a folder that can be used"}, [&] { save(none, 1); });
  expect_error(Fault::file, {path("file"), "Not a directory"}, [&] { static_cast<void>(none.steps()); });
  save(folder, 1);
  std::vector<double> data(120);
  expect_error(Fault::file, {"no field \"v\""}, [&] { folder.restore({{"v", extents, mine(), data.data()}}); });
}

}  // namespace
}  // namespace weft::test
