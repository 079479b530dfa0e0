// Time series: the XDMF file lists the steps that are whole, and goes on where a run is taken up again.
#include <hdf5.h>
#include <cmath>

#include "io_fixture.hpp"
#include "weft/time_series.hpp"

namespace weft::test {
namespace {

class Series : public IoTest {
 protected:
  Box mine() const { return boxes_of(comm, mesh.points).front(); }

  template <class Real = double>
  void append(TimeSeries& series, double time) const {
    const auto first = std::isfinite(time) ? static_cast<index_t>(100 * time) : 0;
    const auto data = numbered<Real>(mesh.points, mine(), first);
    series.append<Real>(time, mine(), {{"u", data.data()}, {"v", data.data()}});
  }

  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }

  void expect_step(const std::string& name, double time) const {
    std::vector<double> data(static_cast<std::size_t>(mine().size()));
    read_block(comm, path(name), "u", mesh.points, mine(), data.data());
    EXPECT_EQ(data, numbered<double>(mesh.points, mine(), static_cast<index_t>(100 * time)));
  }

  const UniformMesh mesh{{4, 3, 5}, {0, 0.5, 1}, {0.25, 0.5, 1}};
};

TEST_F(Series, GrowsStepByStep) {
  TimeSeries series(comm, path("run.xdmf"), mesh, {.compression = 2});
  EXPECT_TRUE(files().empty());
  append(series, 0);
  append(series, 0.5);
  append<float>(series, 1.25);
  EXPECT_EQ(series.times(), (std::vector<double>{0, 0.5, 1.25}));
  EXPECT_EQ(files(), (std::vector<std::string>{"run-000000.h5", "run-000001.h5", "run-000002.h5", "run.xdmf"}));
  const std::string text = read_bytes("run.xdmf");
  EXPECT_EQ(count(text, "CollectionType=\"Temporal\""), 1U);
  EXPECT_EQ(count(text, "<Grid "), 4U);
  EXPECT_EQ(count(text, "</Grid>"), 4U);
  for (const char* part : {"<Time Value=\"0.5\"/>", "<Time Value=\"1.25\"/>", ">run-000002.h5:/view/v</DataItem>",
                           "Dimensions=\"5 3 4\"", "GridType=\"Collection\""})
    EXPECT_EQ(text.find(part) == std::string::npos, false) << part;
  expect_step("run-000001.h5", 0.5);
  if (comm.rank() == 0) {
    const hid_t file = H5Fopen(path("run-000002.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t attribute = H5Aopen(file, "time", H5P_DEFAULT);
    double time = 0;
    EXPECT_GE(H5Aread(attribute, H5T_NATIVE_DOUBLE, &time), 0);
    EXPECT_EQ(time, 1.25);
    H5Aclose(attribute), H5Fclose(file);
  }
}

TEST_F(Series, IsTakenUpAgain) {
  {
    TimeSeries series(comm, path("run.xdmf"), mesh);
    for (const double time : {0.1, 0.2, 0.3, 0.4}) append(series, time);
  }
  const std::string before = read_bytes("run.xdmf");
  comm.barrier();
  {
    TimeSeries all(comm, path("run.xdmf"), mesh, {.resume = 9.0});
    EXPECT_EQ(all.times(), (std::vector<double>{0.1, 0.2, 0.3, 0.4}));
  }
  EXPECT_EQ(read_bytes("run.xdmf"), before);
  comm.barrier();
  TimeSeries series(comm, path("run.xdmf"), mesh, {.resume = 0.3});
  EXPECT_EQ(series.times(), (std::vector<double>{0.1, 0.2}));
  // Nothing speaks of the steps that are made anew.
  EXPECT_EQ(count(read_bytes("run.xdmf"), "<Time"), 2U);
  comm.barrier();
  append(series, 0.35);
  EXPECT_EQ(count(read_bytes("run.xdmf"), "<Time"), 3U);
  expect_step("run-000002.h5", 0.35);
  // Nothing to take up, and a series that begins anew.
  EXPECT_TRUE(TimeSeries(comm, path("new.xdmf"), mesh, {.resume = 0}).times().empty());
  EXPECT_TRUE(TimeSeries(comm, path("run.xdmf"), mesh).times().empty());
  EXPECT_FALSE(std::filesystem::exists(path("run.xdmf")));
}

TEST_F(Series, AWriteProtectedOneIsNotReplaced) {
  write_bytes("run.xdmf", "mine");
  if (comm.rank() == 0) std::filesystem::permissions(path("run.xdmf"), std::filesystem::perms{0444});
  comm.barrier();
  expect_error(Fault::file, {"run.xdmf", "write-protected (mode 0444)"},
               [&] { TimeSeries(comm, path("run.xdmf"), mesh); });
  EXPECT_EQ(read_bytes("run.xdmf"), "mine");
}

TEST_F(Series, WhatIsNotAllowed) {
  const auto refuse = [&](const std::string& name, const UniformMesh& wrong, const TimeSeriesOptions& options,
                          Fault fault, const std::string& part) {
    expect_error(fault, {part}, [&] { TimeSeries(comm, path(name), wrong, options); });
  };
  refuse("run.h5", mesh, {}, Fault::file, "ends in .xdmf");
  refuse("run.xdmf", {{2, 2, 2, 2}, {}, {}}, {}, Fault::argument, "4 axes");
  refuse(std::string("run.h5\0.xdmf", 12), mesh, {}, Fault::argument, "code 0");
  refuse("run.xdmf", mesh, {.compression = 11}, Fault::argument, "compression: 11");
  refuse("run.xdmf", mesh, {.resume = std::nan("")}, Fault::argument, "finite time");
  if (comm.size() > 1) refuse("run.xdmf", {{4}, {0}, {1.0 + comm.rank()}}, {}, Fault::argument, "differ between ranks");
  TimeSeries series(comm, path("run.xdmf"), mesh);
  append(series, 1);
  expect_error(Fault::argument, {"time 1 ", "not after 1"}, [&] { append(series, 1); });
  expect_error(Fault::argument, {"not finite"}, [&] { append(series, std::nan("")); });
  expect_error(Fault::argument, {"no fields"}, [&] { series.append<double>(2, mine(), {}); });
  EXPECT_EQ(series.times(), std::vector<double>{1});
  EXPECT_EQ(files(), (std::vector<std::string>{"run-000000.h5", "run.xdmf"}));
  const std::string good = read_bytes("run.xdmf");
  comm.barrier();
  std::string no_time = good;
  no_time.replace(no_time.find("<Time"), 5, "<Tide");
  for (const std::string& bad : {std::string("text"), good.substr(0, good.size() - 1), good.substr(1), no_time}) {
    write_bytes("bad.xdmf", bad);
    refuse("bad.xdmf", mesh, {.resume = 5}, Fault::file, "damaged or was not written by weft for this mesh");
  }
}

}  // namespace
}  // namespace weft::test
