// Files that cannot be read or written: one message, the same on every rank, and nothing left behind.
#include <hdf5.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io_fixture.hpp"
#include "nodes.hpp"
#include "weft/checkpoint.hpp"
#include "weft/tuning.hpp"

namespace weft::test {
namespace {

const Extents shape{4, 6, 5};

class IoErrors : public IoTest {
 protected:
  Box mine() const { return boxes_of(comm, shape).front(); }

  std::string expect_unreadable(const std::string& file, const std::string& dataset,
                                const std::vector<std::string>& parts, const Extents& extents = shape) const {
    const Box box = boxes_of(comm, extents).front();
    std::vector<double> data(static_cast<std::size_t>(box.size()));
    return expect_error(Fault::file, parts, [&] { read_block(comm, path(file), dataset, extents, box, data.data()); });
  }

  void write_good(const std::string& file, const std::string& name = "rho") const {
    const auto data = numbered<double>(shape, mine());
    write_hdf5<double>(comm, path(file), shape, mine(), {{name, data.data()}});
  }

  void write_good_npy(const std::string& file) const {
    write_npy(comm, path(file), shape, mine(), numbered<double>(shape, mine()).data());
  }

  void truncate(const std::string& file, std::uintmax_t cut) const {
    comm.barrier();
    if (comm.rank() == 0) std::filesystem::resize_file(path(file), std::filesystem::file_size(path(file)) - cut);
    comm.barrier();
  }

  /// Both formats and the XDMF file are refused at this place.
  void expect_unwritable(const std::string& place, const std::vector<std::string>& parts) const {
    const auto data = numbered<double>(shape, mine());
    expect_error(Fault::file, parts, [&] {
      write_hdf5<double>(comm, place + "/f.h5", shape, mine(), {{"rho", data.data()}});
    });
    expect_error(Fault::file, parts, [&] { write_npy(comm, place + "/f.npy", shape, mine(), data.data()); });
    expect_error(Fault::file, parts, [&] {
      write_xdmf(comm, place + "/f.xdmf", "f.h5", {shape, {0, 0, 0}, {1, 1, 1}}, {"rho"});
    });
  }
};

TEST_F(IoErrors, MissingFile) {
  for (const char* name : {"none.h5", "none.hdf5", "none.npy"}) {
    expect_unreadable(name, name[5] == 'n' ? "" : "rho", {name, "No such file"});
  }
}

TEST_F(IoErrors, WrongSuffix) {
  write_bytes("rho.dat", "1 2 3");
  expect_unreadable("rho.dat", "rho", {"rho.dat", "\".dat\"", ".h5, .hdf5 or .npy"});
  expect_unreadable("rho", "rho", {"no suffix"});
  const std::vector<double> data(120);
  expect_error(Fault::file, {"f.npy", ".h5 or .hdf5"}, [&] {
    write_hdf5<double>(comm, path("f.npy"), shape, mine(), {{"rho", data.data()}});
  });
  expect_error(Fault::file, {"f.h5", "end its name in .npy"},
               [&] { write_npy(comm, path("f.h5"), shape, mine(), data.data()); });
  EXPECT_EQ(files(), std::vector<std::string>{"rho.dat"});
}

TEST_F(IoErrors, FolderInPlaceOfAFile) {
  if (comm.rank() == 0) std::filesystem::create_directory(path("d.h5"));
  comm.barrier();
  expect_unreadable("d.h5", "rho", {"d.h5", "is not a file"});
  const std::vector<double> data(120);
  expect_error(Fault::file, {"d.h5", "exists and is not a file"}, [&] {
    write_hdf5<double>(comm, path("d.h5"), shape, mine(), {{"rho", data.data()}});
  });
}

TEST_F(IoErrors, NotWhatTheSuffixSays) {
  write_bytes("a.h5", "this is text");
  write_bytes("a.npy", "this is text");
  write_bytes("b.npy", "");
  write_bytes("c.npy", std::string("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12));
  expect_unreadable("a.h5", "rho", {"a.h5", "not an HDF5 file"});
  for (const char* name : {"a.npy", "b.npy", "c.npy"}) expect_unreadable(name, "", {name, "not a .npy file"});
}

TEST_F(IoErrors, Truncated) {
  write_good("f.h5");
  truncate("f.h5", 8);
  expect_unreadable("f.h5", "rho", {"f.h5", "truncated"});
  write_good_npy("f.npy");
  truncate("f.npy", 1);
  expect_unreadable("f.npy", "", {"f.npy", "truncated", "4 x 6 x 5", "119 elements"});
}

// A compressed chunk whose bytes are damaged is found only while reading, and perhaps on one rank alone.
TEST_F(IoErrors, DamagedChunk) {
  if (comm.rank() == 0) {
    const hsize_t sizes[] = {4, 6, 5}, chunk[] = {1, 6, 5};
    const std::vector<double> values(120, 1.5);
    const hid_t file = H5Fcreate(path("f.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(3, sizes, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 3, chunk);
    H5Pset_deflate(creation, 6);
    const hid_t data = H5Dcreate2(file, "rho", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    // In place of the last plane's compressed bytes: some that zlib does not know.
    const hsize_t last[] = {3, 0, 0};
    const std::string noise(8, '\xff');
    H5Dwrite_chunk(data, H5P_DEFAULT, 0, last, noise.size(), noise.data());
    H5Dclose(data), H5Pclose(creation), H5Sclose(space), H5Fclose(file);
  }
  comm.barrier();
  expect_unreadable("f.h5", "rho", {"f.h5", "\"rho\"", "chunk [3, 4) x [0, 6) x [0, 5)", "is damaged (HDF5: "});
}

TEST_F(IoErrors, WrongDataset) {
  write_good("f.h5", "density");
  expect_unreadable("f.h5", "rho", {"no dataset \"rho\"", "density (4 x 6 x 5)", "view/density (5 x 6 x 4)"});
  expect_unreadable("f.h5", "view", {"no dataset \"view\"", "density (4 x 6 x 5)"});
  expect_unreadable("f.h5", "", {"no dataset \"\"", "density (4 x 6 x 5)"});
  write_good_npy("f.npy");
  expect_unreadable("f.npy", "rho", {"\"rho\"", "omit the dataset"});
}

TEST_F(IoErrors, OtherShape) {
  write_good("f.h5");
  write_good_npy("f.npy");
  for (const Extents& expected : {Extents{4, 6, 6}, Extents{5, 6, 4}, Extents{120}}) {
    expect_unreadable("f.h5", "rho", {"rho", "f.h5", "shape 4 x 6 x 5", to_string(expected)}, expected);
    expect_unreadable("f.npy", "", {"f.npy", "shape 4 x 6 x 5", to_string(expected)}, expected);
  }
}

TEST_F(IoErrors, NoRealNumbersInNpy) {
  const auto header = [](const std::string& descr, const std::string& order) {
    std::string text = "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': (4, 6, 5), }";
    text.append(117 - text.size(), ' ');
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text + "\n" + std::string(std::size_t{120} * 16, '\0');
  };
  for (const char* type : {"'|b1'", "'<U4'", "'|O'", "'<f2'", "[('r', '<f8'), ('i', '<f8')]"}) {
    write_bytes("f.npy", header(type, "False"));
    expect_unreadable("f.npy", "", {"f.npy", "elements of type", std::string(type).substr(0, 5), "numpy.save"});
  }
  write_bytes("f.npy", header("'<c16'", "False"));
  expect_unreadable("f.npy", "", {"f.npy", "complex elements", "store real numbers"});
  write_bytes("f.npy", header("'<f8'", "True"));
  expect_unreadable("f.npy", "", {"Fortran order", "numpy.ascontiguousarray"});
}

TEST_F(IoErrors, NoRealNumbersInHdf5) {
  if (comm.rank() == 0) {
    const hsize_t sizes[] = {4, 6, 5};
    const hid_t file = H5Fcreate(path("f.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(3, sizes, nullptr), single = H5Screate(H5S_SCALAR);
    const hid_t complex = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(complex, "r", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(complex, "i", 8, H5T_NATIVE_DOUBLE);
    const hid_t psi = H5Dcreate2(file, "psi", complex, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(psi, complex, H5S_ALL, H5S_ALL, H5P_DEFAULT, std::vector<double>(240).data());
    H5Dclose(psi);
    H5Dclose(H5Dcreate2(file, "text", H5T_C_S1, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Dclose(H5Dcreate2(file, "one", H5T_NATIVE_DOUBLE, single, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Tclose(complex), H5Sclose(single), H5Sclose(space), H5Fclose(file);
  }
  comm.barrier();
  expect_unreadable("f.h5", "psi", {"psi", "complex", "real numbers"});
  expect_unreadable("f.h5", "text", {"text", "strings"});
  expect_unreadable("f.h5", "one", {"one", "a single value"});
  expect_unreadable("f.h5", "rho", {"psi (4 x 6 x 5)", "one (a single value)"});
}

TEST_F(IoErrors, BlocksThatDoNotFit) {
  write_good("f.h5");
  std::vector<double> data(1000);
  Box outside = mine();
  outside[1] = {3, 7};
  expect_error(Fault::argument, {"[3, 7)", "4 x 6 x 5"},
               [&] { read_block(comm, path("f.h5"), "rho", shape, outside, data.data()); });
  Box gap = mine();
  gap[2] = {1, 5};
  expect_error(Fault::argument, {"96 points", "4 x 6 x 5"},
               [&] { write_npy(comm, path("f.npy"), shape, gap, data.data()); });
}

TEST_F(IoErrors, FieldsAndNotesThatDoNotFit) {
  const auto data = numbered<double>(shape, mine());
  using Fields = std::vector<NamedBlock<double>>;
  const auto refuse = [&](const Fields& fields, const FileNotes& notes, const std::string& part) {
    expect_error(Fault::argument, {part},
                 [&] { write_hdf5<double>(comm, path("f.h5"), shape, mine(), fields, notes); });
  };
  refuse({}, {}, "no fields");
  for (const char* name : {"", "x", "view", "a/b", "."}) refuse({{name, data.data()}}, {}, "the field name");
  refuse({{"a", data.data()}, {"a", data.data()}}, {}, "given twice");
  refuse({{"a", nullptr}}, {}, "has no data");
  FileNotes notes;
  notes.coordinates = {{1, 2, 3, 4}, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4}};
  refuse({{"a", data.data()}}, notes, "4 x 6 x 5");
  EXPECT_TRUE(files().empty());
}

TEST_F(IoErrors, MeshThatXdmfCannotSay) {
  const auto refuse = [&](const UniformMesh& mesh, const std::string& part) {
    expect_error(Fault::argument, {part}, [&] { write_xdmf(comm, path("f.xdmf"), "f.h5", mesh, {"a"}); });
  };
  refuse({{2, 2, 2, 2}, {0, 0, 0, 0}, {1, 1, 1, 1}}, "4 axes");
  refuse({{2, 2}, {0}, {1, 1}}, "one per axis");
  refuse({{2, 2}, {0, 0}, {1, 0}}, "axis 1");
  for (const std::vector<double>& bad : {std::vector<double>{}, {1, 1}, {2, 1}, {0, std::nan("")}})
    expect_error(Fault::argument, {"axis 1"}, [&] {
      write_xdmf(comm, path("f.xdmf"), "f.h5", RectilinearMesh{{{0, 1}, bad}}, {"a"});
    });
  EXPECT_TRUE(files().empty());
}

TEST_F(IoErrors, ArgumentsThatDifferBetweenRanks) {
  if (comm.size() == 1) GTEST_SKIP() << "needs two ranks";
  const std::string own = std::to_string(comm.rank());
  std::vector<double> data(120);
  expect_error(Fault::argument, {"0.npy", "1.npy"},
               [&] { read_block(comm, path(own + ".npy"), "", shape, mine(), data.data()); });
  expect_error(Fault::argument, {"\"0\"", "\"1\""},
               [&] { read_block(comm, path("f.h5"), own, shape, mine(), data.data()); });
  expect_error(Fault::argument, {"0.npy", "1.npy"},
               [&] { write_npy(comm, path(own + ".npy"), shape, mine(), data.data()); });
  expect_error(Fault::argument, {"\"0\"", "\"1\""}, [&] {
    write_hdf5<double>(comm, path("f.h5"), shape, mine(), {{own, data.data()}});
  });
  EXPECT_TRUE(files().empty());
}

// The system would take the text to end there: another file would be written, "victim".
TEST_F(IoErrors, CharactersOfCodeZero) {
  write_bytes("victim", "mine");
  write_good("f.h5");
  std::vector<double> data(120);
  const auto refuse = [&](const std::string& what, const auto& work) {
    expect_error(Fault::argument, {what, "code 0", "omit that character"}, work);
  };
  const auto hidden = [&](const char* suffix) { return path("victim") + '\0' + suffix; };
  const std::string name("rho\0x", 5);
  refuse("path", [&] { write_hdf5<double>(comm, hidden(".h5"), shape, mine(), {{"rho", data.data()}}); });
  refuse("field name", [&] { write_hdf5<double>(comm, path("f.h5"), shape, mine(), {{name, data.data()}}); });
  refuse("path", [&] { write_npy(comm, hidden(".npy"), shape, mine(), data.data()); });
  refuse("path", [&] { write_xdmf(comm, hidden(".xdmf"), "f.h5", {shape, {0, 0, 0}, {1, 1, 1}}, {"rho"}); });
  refuse("field name", [&] { write_xdmf(comm, path("f.xdmf"), "f.h5", {shape, {0, 0, 0}, {1, 1, 1}}, {name}); });
  refuse("path", [&] { read_block(comm, hidden(".h5"), "rho", shape, mine(), data.data()); });
  refuse("dataset", [&] { read_block(comm, path("f.h5"), name, shape, mine(), data.data()); });
  refuse("path", [&] { file_array(comm, hidden(".npy"), ""); });
  refuse("path", [&] { save_checkpoint(comm, hidden(".h5"), {{"rho", shape, mine(), data.data()}}); });
  refuse("field name", [&] { save_checkpoint(comm, path("f.h5"), {{name, shape, mine(), data.data()}}); });
  refuse("value name", [&] { save_checkpoint(comm, path("f.h5"), {}, {{name, 1.0}}); });
  refuse("path", [&] { checkpoint_contents(comm, hidden(".h5")); });
  refuse("path", [&] { check_tuning_file(MPI_COMM_WORLD, hidden(".toml")); });
  EXPECT_EQ(files(), (std::vector<std::string>{"f.h5", "victim"}));
  EXPECT_EQ(read_bytes("victim"), "mine");
}

TEST_F(IoErrors, WriteProtectedFilesAreNotReplaced) {
  const auto data = numbered<double>(shape, mine());
  using std::filesystem::perms;
  for (const char* name : {"f.h5", "f.npy", "f.xdmf"}) {
    write_bytes(name, "mine");
    if (comm.rank() == 0) std::filesystem::permissions(path(name), perms{0444});
  }
  comm.barrier();
  const auto refuse = [&](const std::string& name, const auto& work) {
    expect_error(Fault::file, {name, "write-protected (mode 0444)", "chmod u+w"}, work);
    EXPECT_EQ(read_bytes(name), "mine");
  };
  refuse("f.h5", [&] { write_hdf5<double>(comm, path("f.h5"), shape, mine(), {{"rho", data.data()}}); });
  refuse("f.h5", [&] { save_checkpoint(comm, path("f.h5"), {{"rho", shape, mine(), data.data()}}); });
  refuse("f.npy", [&] { write_npy(comm, path("f.npy"), shape, mine(), data.data()); });
  refuse("f.xdmf", [&] { write_xdmf(comm, path("f.xdmf"), "f.h5", {shape, {0, 0, 0}, {1, 1, 1}}, {"rho"}); });
  EXPECT_EQ(files(), (std::vector<std::string>{"f.h5", "f.npy", "f.xdmf"}));
}

TEST_F(IoErrors, ReplacedFilesKeepTheirMode) {
  using std::filesystem::perms;
  for (const unsigned mode : {0600U, 0664U}) {
    for (const char* name : {"f.h5", "f.npy"}) {
      write_bytes(name, "old");
      if (comm.rank() == 0) std::filesystem::permissions(path(name), perms{mode});
    }
    comm.barrier();
    write_good("f.h5");
    write_good_npy("f.npy");
    for (const char* name : {"f.h5", "f.npy"})
      EXPECT_EQ(std::filesystem::status(path(name)).permissions(), perms{mode});
    comm.barrier();
  }
}

TEST_F(IoErrors, OutputFolderMissingOrNoFolder) {
  write_bytes("file", "text");
  expect_unwritable(path("none"), {"cannot be written", path("none"), "No such file"});
  expect_unwritable(path("file"), {"cannot be written", path("file"), "Not a directory"});
  EXPECT_EQ(files(), std::vector<std::string>{"file"});
}

TEST_F(IoErrors, OutputFolderNotWritable) {
  // Not even root may make files below /proc.
  expect_unwritable("/proc/self", {"cannot be written"});
}

/// Limits what this process may write to a file: the disk is full in the middle of a file. The test's own output must
/// not go to a file while it lives.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~SizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  sighandler_t handler_;
};

TEST_F(IoErrors, DiskFullLeavesTheFormerFile) {
  write_good("f.h5");
  write_good_npy("f.npy");
  const std::string hdf5 = read_bytes("f.h5"), npy = read_bytes("f.npy");
  comm.barrier();
  // Too little for anything, for the .npy header, and for the elements after it.
  for (const rlim_t limit : {rlim_t{0}, rlim_t{100}, rlim_t{1000}}) {
    const SizeLimit full(limit);
    const auto data = numbered<double>(shape, mine(), 1);
    expect_error(Fault::file, {"f.h5", "cannot be written"}, [&] {
      write_hdf5<double>(comm, path("f.h5"), shape, mine(), {{"rho", data.data()}});
    });
    expect_error(Fault::file, {"f.npy", "cannot be written"},
                 [&] { write_npy(comm, path("f.npy"), shape, mine(), data.data()); });
  }
  EXPECT_EQ(files(), (std::vector<std::string>{"f.h5", "f.npy"}));
  EXPECT_EQ(read_bytes("f.h5"), hdf5);
  EXPECT_EQ(read_bytes("f.npy"), npy);
}

// The file of zeros that was reserved must not be taken for a whole one when one rank could not write its block.
TEST_F(IoErrors, WritingFailsOnOneRank) {
  const Box last = Layout(shape, ProcessGrid({comm.size()}), {1}).box(comm.rank());
  const bool fails = comm.rank() == comm.size() - 1;
  const auto data = numbered<double>(shape, last);
  const SizeLimit full(fails ? 300 : RLIM_INFINITY);
  expect_error(Fault::file, {"f.npy", "cannot be written", "File too large"},
               [&] { write_npy(comm, path("f.npy"), shape, last, data.data()); });
  expect_error(Fault::file, {"f.h5", "cannot be written", "File too large"}, [&] {
    write_hdf5<double>(comm, path("f.h5"), shape, last, {{"rho", data.data()}});
  });
  EXPECT_TRUE(files().empty());
}

TEST_F(IoErrors, DiskTooSmall) {
  if (!testing::one_node()) GTEST_SKIP() << testing::needs_one_node();
  const std::string disk = path("disk");
  int mounted = 0;
  if (comm.rank() == 0) {
    std::filesystem::create_directory(disk);
    mounted = ::mount("none", disk.c_str(), "tmpfs", 0, "size=65536") == 0 ? 1 : 0;
  }
  if (comm.max(index_t{mounted}) == 0) GTEST_SKIP() << "needs the right to mount a small disk";
  const Extents large{64, 64, 64};
  const Box box = boxes_of(comm, large).front();
  const auto data = numbered<double>(large, box);
  expect_error(Fault::file, {"f.h5", "bytes", "65536 left"}, [&] {
    write_hdf5<double>(comm, disk + "/f.h5", large, box, {{"rho", data.data()}});
  });
  expect_error(Fault::file, {"f.npy", "it needs 2097280 bytes", "65536 left"},
               [&] { write_npy(comm, disk + "/f.npy", large, box, data.data()); });
  comm.barrier();
  EXPECT_TRUE(std::filesystem::is_empty(disk));
  comm.barrier();
  EXPECT_EQ(comm.rank() == 0 ? ::umount(disk.c_str()) : 0, 0);
}

}  // namespace
}  // namespace weft::test
