// forward(u, u): input and output of out-of-place plans that begin at the same address.
#include <algorithm>
#include <vector>

#include "in_place_fixture.hpp"

namespace weft::plan_test {
namespace {

/// One array in which points and modes of this rank find room: rows of the same reals, whatever lies in them.
template <class Real>
struct SharedRows {
  SharedRows(const Plan<Real>& plan, index_t gap) {
    const Extents points = plan.physical_box().extents(), modes = plan.spectral_box().extents();
    const int width_points = plan.physical_complex() ? 2 : 1, width_modes = plan.spectral_complex() ? 2 : 1;
    const int dims = points.dims(), last = dims - 1;
    index_t reals = std::max(points[last] * width_points, modes[last] * width_modes) + gap;
    reals += reals % 2;
    physical = spectral = Extents(dims, 1);
    for (int axis = last - 1; axis >= 0; axis--) {
      physical[axis] = reals / width_points;
      spectral[axis] = reals / width_modes;
      reals *= std::max(points[axis], modes[axis]);
    }
    memory.assign(static_cast<std::size_t>(reals), Real(0));
  }
  std::vector<Real> memory;
  Extents physical, spectral;  // strides in elements
};

/// Calls visit(place in an array with these strides, place in a contiguous one) for the elements of a box, in C order.
template <class Visit>
void for_each_place(const Box& box, const Extents& strides, Visit visit) {
  const Extents extents = box.extents();
  for_each_element(extents, Box(extents), [&](index_t, index_t local) {
    index_t rest = local, at = 0;
    for (int axis = extents.dims() - 1; axis >= 0; axis--) {
      at += rest % extents[axis] * strides[axis];
      rest /= extents[axis];
    }
    visit(at, local);
  });
}

template <class Real>
std::vector<Real> gather(const std::vector<Real>& memory, const Box& box, const Extents& strides, int width) {
  std::vector<Real> values;
  for_each_place(box, strides, [&](index_t at, index_t) {
    for (int i = 0; i < width; i++) values.push_back(memory[static_cast<std::size_t>(at * width + i)]);
  });
  return values;
}

template <class Real>
void scatter(std::vector<Real>& memory, const Box& box, const Extents& strides, int width,
             const std::vector<Real>& values) {
  for_each_place(box, strides, [&](index_t at, index_t local) {
    for (int i = 0; i < width; i++)
      memory[static_cast<std::size_t>(at * width + i)] = values[static_cast<std::size_t>(local * width + i)];
  });
}

/// Forward and backward in one array give the bits of two arrays.
template <class Real>
void expect_same_bits(const Case& c, const PlanOptions& options) {
  const std::string name = to_string(c) + ", " + text_of(options);
  const OutOfPlace<Real> expected(c, options);
  Plan<Real> plan = plan_of<Real>(c, options);
  for (const index_t gap : {0, 6}) {
    SharedRows<Real> rows(plan, gap);
    Real* data = rows.memory.data();
    scatter(rows.memory, expected.physical, rows.physical, c.physical_width(), expected.points);
    plan.forward(data, rows.physical, data, rows.spectral);
    EXPECT_TRUE(same_bits(gather(rows.memory, expected.spectral, rows.spectral, c.spectral_width()), expected.modes))
        << "forward " << name;
    plan.backward(data, rows.spectral, data, rows.physical);
    EXPECT_TRUE(same_bits(gather(rows.memory, expected.physical, rows.physical, c.physical_width()), expected.back))
        << "backward " << name;
  }
}

std::vector<Case> cases() {
  return {rfftn({12, 10, 14}),
          rfftn({24, 9}),
          rfftn({13}),
          {{9, 20, 8}, {Kind::c2c, Kind::c2c, Kind::c2c}},
          {{17, 16}, {Kind::c2c, Kind::c2c}},
          {{17}, {Kind::c2c}},
          {{8, 9, 10}, {Kind::dct2, Kind::dst1, Kind::dct4}},
          {{5, 7, 6}, {Kind::none, Kind::c2c, Kind::r2c}},  // all in one pass, plane by plane
          {{21, 10}, {Kind::none, Kind::r2c}},              // line by line
          {{16, 40}, {Kind::c2c, Kind::none}},
          {{17, 40, 3}, {Kind::dct3, Kind::none, Kind::none}}};
}

TEST(SameArray, GivesTheBitsOfTwoArrays) {
  for (const Case& c : cases()) {
    for (const Strategy strategy : {Strategy::automatic, Strategy::alltoallv}) {
      PlanOptions options = quick(strategy);
      options.threads = strategy == Strategy::automatic ? 3 : 1;
      expect_same_bits<double>(c, options);
      options.fuse = false;
      options.chunks = 3;
      options.engine = EngineChoice::fftw;
      expect_same_bits<float>(c, options);
    }
  }
}

// Two large arrays: on one rank, passes meet in the second. In one array they cannot.
TEST(SameArray, GivesTheBitsOfTwoLargeArrays) {
  const std::vector<Case> large = {rfftn({108, 120, 112}),
                                   {{90, 92, 94}, {Kind::c2c, Kind::c2c, Kind::c2c}},
                                   {{110, 112, 118}, {Kind::dct2, Kind::dst1, Kind::dct4}},
                                   {{20, 22, 60, 30}, {Kind::c2c, Kind::none, Kind::c2c, Kind::c2c}},
                                   {{307, 18, 16, 20}, {Kind::none, Kind::c2c, Kind::c2c, Kind::r2c}}};
  PlanOptions options = quick();
  for (const Case& c : large) {
    options.threads = options.threads == 1 ? 3 : 1;
    options.fuse = !options.fuse;
    expect_same_bits<double>(c, options);
  }
}

TEST(SameArray, TruncatedModesLieWherePointsWere) {
  PlanOptions options = quick();
  options.modes = {8, 9};
  expect_same_bits<double>({{12, 14}, {Kind::c2c, Kind::r2c}}, options);
  options.modes = {0, 8};
  expect_same_bits<float>({{21, 12}, {Kind::none, Kind::c2c}}, options);
  options.modes = {8, 0};
  expect_same_bits<double>({{12, 40}, {Kind::c2c, Kind::none}}, options);
}

TEST(SameArray, ContiguousArraysAndFieldsOfOneRank) {
  Plan<double> plan(MPI_COMM_SELF, {9, 20, 8}, Kind::c2c, quick());
  auto u = plan.physical<std::complex<double>>(), uh = plan.spectral();
  u.fill([](double x, double y, double z) { return std::complex<double>(std::cos(x + 2 * y), std::sin(3 * z)); });
  plan.forward(u, uh);
  plan.forward(u, u);
  EXPECT_TRUE(std::equal(u.begin(), u.end(), uh.begin()));
}

// --- what is refused -----------------------------------------------------------------------------------------------

TEST(SameArray, HalvesOfTheOtherArrayAreRefusedOnAllRanks) {
  Plan<double> plan(MPI_COMM_WORLD, {8, 10, 12}, Kind::dct2, quick());
  const Extents mine = plan.physical_box().extents(), strides = c_strides(mine);
  std::vector<double> memory(
      static_cast<std::size_t>(2 * std::max(plan.physical_box().size(), plan.spectral_box().size()) + 1));
  const index_t shift = world().rank() == 0 ? 1 : static_cast<index_t>(memory.size()) / 2;
  const Extents out_strides = c_strides(plan.spectral_box().extents());
  expect_refused([&] { plan.forward(memory.data(), strides, memory.data() + shift, out_strides); },
                 {"out", "begins elsewhere", "same address"});
}

// Four batches of one pass: the second half of the spectra lies over what has not been transformed yet.
TEST(SameArray, WhatASinglePassWouldOverwriteIsRefused) {
  const index_t batch = 4 * world().size();
  Plan<double> rows(MPI_COMM_WORLD, {batch, 9}, {Kind::none, Kind::r2c}, quick());
  std::vector<double> memory(1000);
  double* data = memory.data();
  expect_refused([&] { rows.forward(data, data); }, {"out", "rows", "same strides"});
  expect_refused([&] { rows.forward(data, {9, 1}, data, {5, 1}); }, {"out", "rows"});
  expect_refused([&] { rows.backward(data, {5, 1}, data, {9, 1}); }, {"out", "rows"});
  rows.forward(data, {10, 1}, data, {5, 1});
  Plan<double> columns(MPI_COMM_WORLD, {8, batch}, {Kind::r2c, Kind::none}, quick());
  const index_t mine = columns.physical_box()[1].size();
  expect_refused([&] { columns.forward(data, {2 * mine, 1}, data, {mine, 1}); }, {"out", "r2c on axis 0", "axis (1)"});
}

// Components that lie between each other share a range of memory, but no number.
TEST(SameArray, ComponentsBetweenEachOtherAreApart) {
  Plan<double> plan(MPI_COMM_WORLD, {6, 5, 8}, Kind::dct2, quick());
  const Extents in = plan.physical_box().extents(), out = plan.spectral_box().extents();
  const OutOfPlace<double> expected({{6, 5, 8}, std::vector<Kind>(3, Kind::dct2)}, quick());
  const index_t row = 8, plane = 3 * row * 6;
  std::vector<double> memory(static_cast<std::size_t>(plane * 6));
  const Extents strides{plane, 3 * row, 1};
  scatter(memory, Box(in), strides, 1, expected.points);
  plan.forward(memory.data(), strides, memory.data() + row, strides);
  EXPECT_TRUE(same_bits(gather(memory, Box(in), strides, 1), expected.points)) << "the input is preserved";
  std::vector<double> result(memory.begin() + row, memory.end());
  result.resize(memory.size());
  EXPECT_TRUE(same_bits(gather(result, Box(out), strides, 1), expected.modes));
}

}  // namespace
}  // namespace weft::plan_test
