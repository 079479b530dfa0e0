// Datasets as other programs store them: parts that were never written, external files, chunks that are not where the
// file says, filters that are missing, and paths that MPI-IO would misread.
#include <hdf5.h>

#include <functional>

#include "io_fixture.hpp"

namespace weft::test {
namespace {

const Extents stored{6, 5, 4};

/// How rank 0 makes a dataset "u" of `stored` in f.h5 with plain HDF5.
struct Foreign {
  hid_t type = H5T_IEEE_F64LE;
  std::vector<hsize_t> chunk;             ///< none: contiguous
  std::vector<std::pair<int, int>> rows;  ///< of axis 0, that are written: each element is its offset
  std::function<void(hid_t creation)> also = [](hid_t) {};
  hsize_t first_rows = 6;  ///< before the dataset is resized
};

class IoStored : public IoTest {
 protected:
  void make(const Foreign& how) const {
    comm.barrier();
    if (comm.rank() == 0) make_here(how);
    comm.barrier();
  }

  /// Rows that are written hold their offsets, all others `fill`, in every distribution.
  template <class Real>
  void expect_rows(const Foreign& how, Real fill) const {
    for (const Box& mine : boxes_of(comm, stored)) {
      std::vector<Real> data(static_cast<std::size_t>(mine.size()), Real(-1)), expected(data.size());
      for_each_point(stored, mine, [&](std::size_t at, index_t offset) {
        expected[at] = fill;
        for (const auto& [lo, hi] : how.rows)
          if (lo <= offset / 20 && offset / 20 < hi) expected[at] = static_cast<Real>(offset);
      });
      read_block(comm, path("f.h5"), "u", stored, mine, data.data());
      EXPECT_EQ(data, expected) << to_string(mine);
    }
  }

  std::string expect_unreadable(const std::vector<std::string>& parts) const {
    const Box mine = boxes_of(comm, stored).front();
    std::vector<double> data(static_cast<std::size_t>(mine.size()));
    return expect_error(Fault::file, parts, [&] { read_block(comm, path("f.h5"), "u", stored, mine, data.data()); });
  }

  /// Puts other bytes where the file has these for the first time.
  void replace(const std::string& from, const std::string& to) const {
    comm.barrier();
    std::string bytes = read_bytes("f.h5");
    const std::size_t place = bytes.find(from);
    ASSERT_NE(place, std::string::npos);
    bytes.replace(place, to.size(), to);
    comm.barrier();
    write_bytes("f.h5", bytes);
  }

  /// Another address where the file has this one, in front of these bytes.
  void move_address(haddr_t from, haddr_t to, const std::string& after = "") const {
    const auto text = [](const haddr_t& place) {
      return std::string(reinterpret_cast<const char*>(&place), sizeof place);
    };
    replace(text(from) + after, text(to));
  }

  /// What `ask` finds out about the dataset.
  haddr_t asked(const std::function<haddr_t(hid_t)>& ask) const {
    const hid_t file = H5Fopen(path("f.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, "u", H5P_DEFAULT);
    const haddr_t found = ask(dataset);
    H5Dclose(dataset), H5Fclose(file);
    return found;
  }

 private:
  void make_here(const Foreign& how) const {
    const hsize_t sizes[] = {how.first_rows, 5, 4}, grown[] = {6, 5, 4};
    const hsize_t most[] = {how.chunk.empty() ? 6 : H5S_UNLIMITED, 5, 4};
    const hid_t file = H5Fcreate(path("f.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(3, sizes, most), creation = H5Pcreate(H5P_DATASET_CREATE);
    if (!how.chunk.empty()) H5Pset_chunk(creation, 3, how.chunk.data());
    how.also(creation);
    const hid_t dataset = H5Dcreate2(file, "u", how.type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (how.first_rows < 6) H5Dset_extent(dataset, grown);
    const hid_t there = H5Dget_space(dataset);
    for (const auto& [lo, hi] : how.rows) {
      const hsize_t start[] = {static_cast<hsize_t>(lo), 0, 0}, count[] = {static_cast<hsize_t>(hi - lo), 5, 4};
      std::vector<double> values(static_cast<std::size_t>(hi - lo) * 20);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(lo * 20) + static_cast<double>(i);
      const hid_t here = H5Screate_simple(3, count, nullptr);
      H5Sselect_hyperslab(there, H5S_SELECT_SET, start, nullptr, count, nullptr);
      EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, values.data()), 0);
      H5Sclose(here);
    }
    H5Sclose(there), H5Dclose(dataset), H5Pclose(creation), H5Sclose(space), H5Fclose(file);
  }
};

void deflated(hid_t creation) { H5Pset_deflate(creation, 6); }

void filled(hid_t creation) {
  const double value = -7.5;
  H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &value);
}

TEST_F(IoStored, ChunksNeverWrittenHoldTheFillValue) {
  const std::vector<std::vector<std::pair<int, int>>> written = {{{2, 6}}, {{0, 4}}, {{0, 2}}, {{2, 4}}, {}};
  for (const auto& rows : written) {
    for (const hid_t type : {H5T_IEEE_F64LE, H5T_IEEE_F32BE}) {
      Foreign how{type, {2, 5, 4}, rows};
      make(how);
      expect_rows<double>(how, 0);
      expect_rows<float>(how, 0);
      how.also = [](hid_t creation) { deflated(creation), filled(creation); };
      make(how);
      expect_rows<double>(how, -7.5);
    }
  }
}

TEST_F(IoStored, ChunksOfAGrownDatasetHoldTheFillValue) {
  Foreign how{H5T_IEEE_F64LE, {2, 3, 4}, {{0, 2}}};
  how.first_rows = 2;
  make(how);
  expect_rows<double>(how, 0);
  how.also = [](hid_t creation) { deflated(creation), filled(creation); };
  make(how);
  expect_rows<double>(how, -7.5);
}

TEST_F(IoStored, DatasetsWithoutStorageHoldTheFillValue) {
  for (const H5D_alloc_time_t time : {H5D_ALLOC_TIME_EARLY, H5D_ALLOC_TIME_LATE, H5D_ALLOC_TIME_INCR}) {
    for (const bool chunked : {false, true}) {
      if (!chunked && time == H5D_ALLOC_TIME_INCR) continue;
      Foreign how{H5T_IEEE_F64LE, chunked ? std::vector<hsize_t>{2, 5, 4} : std::vector<hsize_t>{}, {}};
      how.also = [&](hid_t creation) { H5Pset_alloc_time(creation, time), filled(creation); };
      make(how);
      expect_rows<double>(how, -7.5);
      expect_rows<float>(how, -7.5F);
    }
  }
  make({});
  expect_rows<double>({}, 0);
}

// The time of filling is a matter of writing: HDF5 would leave what was in memory there.
TEST_F(IoStored, NeverFilledReadsTheFillValueAllTheSame) {
  for (const bool chunked : {false, true}) {
    Foreign how{H5T_IEEE_F64LE, chunked ? std::vector<hsize_t>{4, 5, 4} : std::vector<hsize_t>{}, {}};
    if (chunked) how.rows = {{0, 4}};
    how.also = [](hid_t creation) { filled(creation), H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER); };
    make(how);
    expect_rows<double>(how, -7.5);
  }
}

TEST_F(IoStored, NoFillValueAndNeverWrittenIsAnError) {
  Foreign how{H5T_IEEE_F64LE, {2, 5, 4}, {{0, 2}}};
  how.also = [](hid_t creation) { H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, nullptr); };
  make(how);
  expect_unreadable({"\"u\"", "f.h5", "never written", "no fill value"});
  how.rows = {{0, 6}};
  make(how);
  expect_rows<double>(how, 0);
}

TEST_F(IoStored, ChunkBeyondTheEndOfTheFile) {
  for (const bool packed : {false, true}) {
    Foreign how{H5T_IEEE_F64LE, {2, 5, 4}, {{0, 6}}};
    if (packed) how.also = deflated;
    make(how);
    const haddr_t place = asked([](hid_t dataset) {
      const hsize_t second[] = {2, 0, 0};
      haddr_t found = 0;
      hsize_t bytes = 0;
      unsigned mask = 0;
      H5Dget_chunk_info_by_coord(dataset, second, &mask, &found, &bytes);
      return found;
    });
    // Far after it, and with its last bytes alone.
    for (const haddr_t wrong : {haddr_t{1000000000000}, haddr_t{read_bytes("f.h5").size() - 8}}) {
      make(how);
      move_address(place, wrong);
      expect_unreadable({"\"u\"", "f.h5", "chunk [2, 4) x [0, 5) x [0, 4)", "byte " + std::to_string(wrong)});
    }
  }
}

// What chunks were packed with is then less than they should have: HDF5 reads what lies after it in memory.
TEST_F(IoStored, ChunksThatHaveOtherSides) {
  Foreign how{H5T_IEEE_F64LE, {2, 5, 4}, {{0, 6}}};
  how.also = deflated;
  const auto sides = [](char rows) { return std::string({rows, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0}); };
  make(how);
  replace(sides(2), sides(3));
  expect_unreadable({"\"u\"", "f.h5", "it has 3 chunks, and 2 of the sides"});
}

TEST_F(IoStored, ContiguousBeyondTheEndOfTheFile) {
  const Foreign how{H5T_IEEE_F64LE, {}, {{0, 6}}};
  make(how);
  const haddr_t place = asked([](hid_t dataset) { return H5Dget_offset(dataset); });
  for (const haddr_t wrong : {haddr_t{1000000000000}, haddr_t{read_bytes("f.h5").size() - 8}, ~haddr_t{7}}) {
    make(how);
    move_address(place, wrong, "\xc0\x03");  // the size, 960
    expect_unreadable({"dataset \"u\"", "f.h5", "960 bytes lie at byte " + std::to_string(wrong)});
  }
}

TEST_F(IoStored, CompactWithTooFewBytes) {
  Foreign how{H5T_IEEE_F64LE, {}, {{0, 6}}};
  how.also = [](hid_t creation) { H5Pset_layout(creation, H5D_COMPACT); };
  make(how);
  expect_rows<double>(how, 0);
  // Layout message: version 3, class 0, 960 bytes; then 64.
  replace({"\x03\x00\xc0\x03", 4}, {"\x03\x00\x40\x00", 4});
  expect_unreadable({"\"u\"", "f.h5", "no room for all of its elements"});
}

TEST_F(IoStored, ElementsLongerThanNumbers) {
  const hid_t type = H5Tcopy(H5T_STD_I64LE);
  H5Tset_size(type, 24);
  make({type, {2, 5, 4}, {}});
  H5Tclose(type);
  expect_unreadable({"\"u\"", "f.h5", "elements of 24 bytes", "at most 16"});
}

TEST_F(IoStored, ExternalFilesAreAsLongAsTheyShouldBe) {
  const std::string near = path("near.raw"), far = path("far.raw");
  Foreign how{H5T_IEEE_F64LE, {}, {{0, 6}}};
  how.also = [&](hid_t creation) {
    H5Pset_external(creation, near.c_str(), 16, 480);
    H5Pset_external(creation, far.c_str(), 0, H5F_UNLIMITED);
  };
  make(how);
  expect_rows<double>(how, 0);
  const auto cut = [&](const std::string& file, std::uintmax_t bytes) {
    comm.barrier();
    if (comm.rank() == 0) std::filesystem::resize_file(file, bytes);
    comm.barrier();
  };
  cut(far, 479);
  expect_unreadable({"\"u\"", "f.h5", "480 of its bytes", "far.raw", "479"});
  cut(far, 480);
  cut(near, 400);
  expect_unreadable({"\"u\"", "f.h5", "480 of its bytes", "byte 16", "near.raw", "400"});
  if (comm.rank() == 0) std::filesystem::remove(near);
  comm.barrier();
  expect_unreadable({"near.raw", "No such file"});
}

TEST_F(IoStored, VirtualDatasetsAreNamed) {
  Foreign how;
  const hsize_t sizes[] = {6, 5, 4};
  const hid_t space = H5Screate_simple(3, sizes, nullptr);
  how.also = [&](hid_t creation) { H5Pset_virtual(creation, space, "other.h5", "u", space); };
  make(how);
  expect_unreadable({"\"u\"", "f.h5", "is virtual", "store the elements themselves"});
  H5Sclose(space);
}

TEST_F(IoStored, FiltersThatAreMissingAreNamed) {
  Foreign how{H5T_IEEE_F64LE, {2, 5, 4}, {{0, 6}}};
  how.also = [](hid_t creation) { H5Pset_filter(creation, 32000, H5Z_FLAG_OPTIONAL, 0, nullptr); };
  make(how);
  expect_unreadable({"\"u\"", "f.h5", "filter that this HDF5 does not have", "number 32000", "gzip"});
}

TEST_F(IoStored, ArraysWithoutElementsAreNamed) {
  if (comm.rank() == 0) {
    const hsize_t sizes[] = {0, 5};
    const hid_t file = H5Fcreate(path("f.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(2, sizes, nullptr);
    H5Dclose(H5Dcreate2(file, "u", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space), H5Fclose(file);
  }
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 5), }";
  header.append(117 - header.size(), ' ');
  write_bytes("f.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n");
  expect_error(Fault::file, {"\"u\"", "f.h5", "no elements", "0 x 5"}, [&] { file_array(comm, path("f.h5"), "u"); });
  expect_error(Fault::file, {"f.npy", "no elements", "0 x 5"}, [&] { file_array(comm, path("f.npy"), ""); });
}

// ROMIO takes "ufs:" for a file system and OMPIO does not: w.h5 would be read in place of ufs:w.h5.
TEST_F(IoStored, ColonsInPaths) {
  if (comm.rank() == 0) std::filesystem::create_directory(path("run 14:05"));
  comm.barrier();
  const Box mine = boxes_of(comm, stored).front();
  const std::vector<std::string> names = {"w.h5", "ufs:w.h5", "nfs:w.h5", "run 14:05/w.h5", "ufs:w.npy", "a:b:w.h5"};
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);  // a prefix is one where the path begins with it
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto data = numbered<double>(stored, mine, static_cast<index_t>(i) * 1000);
    if (names[i].ends_with("npy")) {
      write_npy(comm, names[i], stored, mine, data.data());
    } else {
      write_hdf5<double>(comm, names[i], stored, mine, {{"u", data.data()}});
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<double> data(static_cast<std::size_t>(mine.size()));
    read_block(comm, names[i], names[i].ends_with("npy") ? "" : "u", stored, mine, data.data());
    EXPECT_EQ(data, numbered<double>(stored, mine, static_cast<index_t>(i) * 1000)) << names[i];
  }
  std::filesystem::current_path(before);
}

/// As a program leaves a file that is killed while it has it open for writing.
TEST_F(IoStored, FilesMarkedAsOpenForWritingAreNamed) {
  if (comm.rank() == 0) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    const hid_t file = H5Fcreate(path("open.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Fclose(file);
    const hid_t again = H5Fopen(path("open.h5").c_str(), H5F_ACC_RDWR, access);
    std::filesystem::copy_file(path("open.h5"), path("f.h5"));
    H5Fclose(again), H5Pclose(access);
  }
  comm.barrier();
  expect_unreadable({"f.h5", "open for writing", "h5clear -s"});
}

}  // namespace
}  // namespace weft::test
