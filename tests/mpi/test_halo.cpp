// Halos show the points that they should, on any layout, with any widths; accumulate is the adjoint; wrong arguments
// are refused on every rank alike. The Python tests compare with numpy.pad.
#include "weft/halo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <numeric>
#include <vector>

#include "plan_fixture.hpp"

namespace weft {
namespace {

using plan_test::expect_refused;

/// Calls visit(index, element of the local array) for every point of the padded box.
template <class Visit>
void for_each_point(const Halo& halo, const Visit& visit) {
  const Extents extents = halo.padded().extents();
  for (index_t element = 0; element < extents.product(); ++element) {
    Extents index(extents.dims());
    index_t rest = element;
    for (int axis = extents.dims() - 1; axis >= 0; --axis) {
      index[axis] = halo.padded()[axis].lo + rest % extents[axis];
      rest /= extents[axis];
    }
    visit(index, element);
  }
}

bool is_inside(const Box& box, const Extents& index) {
  for (int axis = 0; axis < box.dims(); ++axis)
    if (!box[axis].contains(index[axis])) return false;
  return true;
}

/// A number that says where a point is.
double number_of(const Extents& index, const Extents& shape) {
  index_t number = 1;
  for (int axis = 0; axis < shape.dims(); ++axis) number = number * shape[axis] + index[axis];
  return static_cast<double>(number);
}

constexpr double untouched = -7;

/// Of a periodic array: the number of the point that a point shows.
double periodic_number(Extents index, const Extents& shape) {
  for (int axis = 0; axis < shape.dims(); ++axis)
    index[axis] = ((index[axis] % shape[axis]) + shape[axis]) % shape[axis];
  return number_of(index, shape);
}

template <class T>
void check_periodic(const Layout& layout, const std::vector<HaloWidth>& width, const HaloOptions& options) {
  HaloProblem problem;
  problem.width = width;
  problem.components = 2;
  problem.element = element_of<T>;
  Halo halo(MPI_COMM_WORLD, layout, problem, options);
  HaloArray<T> array(halo);
  const index_t points = halo.padded().size();
  for (int round = 1; round <= 3; ++round) {  // both banks of shared memory, and the first one again
    int part = 0;
    const auto value = [&](double number) { return static_cast<T>(static_cast<float>(number * round + part)); };
    for_each_point(halo, [&](const Extents& index, index_t element) {
      for (part = 0; part < 2; ++part)
        array.data()[element + part * points] =
            is_inside(halo.owned(), index) ? value(number_of(index, layout.extents())) : T(untouched);
    });
    if (round == 2) {
      halo.exchange(array.data());
    } else {
      halo.start(array.data());
      halo.finish();
    }
    for_each_point(halo, [&](const Extents& index, index_t element) {
      const bool has_points = !halo.owned().empty();
      for (part = 0; part < 2; ++part)
        ASSERT_EQ(array.data()[element + part * points],
                  has_points ? value(periodic_number(index, layout.extents())) : T(untouched))
            << to_string(layout) << " element " << element;
    });
  }
}

HaloOptions with_nodes(int ranks) {
  HaloOptions options;
  options.node_ranks = ranks;
  options.threads = 1;
  return options;
}

TEST(Halo, ShowsPeriodicNeighboursOfEveryLayout) {
  const int ranks = world().size();
  check_periodic<double>(Layout({2 * ranks + 1}, ProcessGrid({ranks}), {0}), {{2, 1}}, with_nodes(0));
  check_periodic<float>(Layout({ranks + 3, 5}, ProcessGrid({ranks}), {0}), {1, {0, 3}}, with_nodes(1));
  // Narrow blocks, wide layers: from several ranks, around the array more than once.
  check_periodic<std::complex<double>>(Layout({4, 3}, ProcessGrid({ranks}), {1}), {{2, 0}, {5, 7}}, with_nodes(0));
  check_periodic<std::complex<float>>(Layout({3, 2, 2 * ranks}, ProcessGrid({1, ranks}), {0, 2}), {1}, with_nodes(2));
  const std::vector<int> grid = ranks % 2 == 0 ? std::vector<int>{2, ranks / 2} : std::vector<int>{ranks, 1};
  check_periodic<double>(Layout({5, 7, 6}, ProcessGrid(grid), {2, 0}, Scheme::block), {2}, with_nodes(0));
  check_periodic<double>(Layout({2, 3, 2, 2, 2, 3}, ProcessGrid({ranks}), {5}), {1}, with_nodes(0));
}

TEST(Halo, SplitsLongMessages) {
  HaloOptions options = with_nodes(1);
  options.message_limit = 3;
  check_periodic<double>(Layout({2 * world().size(), 5}, ProcessGrid({world().size()}), {0}), {1}, options);
}

/// A mixture of everything that a boundary can be, on cells and on nodes.
HaloProblem mixed_problem() {
  HaloProblem problem;
  problem.width = {{3, 2}, {1, 2}};
  problem.boundary = {{Boundary(End::odd, End::even), End::periodic}, {End::unbounded, Boundary(End::even, End::odd)}};
  problem.centring = {Centring::node, Centring::cell};
  problem.components = 2;
  return problem;
}

// Of whole numbers of at most 2^11, so that every sum is exact in any order.
TEST(Halo, AccumulateIsTheAdjointOfExchange) {
  const int ranks = world().size();
  Halo halo(MPI_COMM_WORLD, Layout({2 * ranks + 1, 6}, ProcessGrid({ranks}), {0}), mixed_problem(), with_nodes(0));
  HaloArray<double> u(halo), v(halo);
  const std::vector<double> numbers =
      plan_test::numbers<double>(static_cast<index_t>(2 * u.size()), static_cast<std::uint32_t>(world().rank() + 1));
  for (std::size_t i = 0; i < u.size(); ++i) {
    u.data()[i] = 2048 * numbers[i];
    v.data()[i] = 2048 * numbers[u.size() + i];
  }
  std::vector<bool> is_owned;
  for_each_point(halo, [&](const Extents& index, index_t) { is_owned.push_back(is_inside(halo.owned(), index)); });
  const std::vector<double> before(v.data(), v.data() + v.size());
  for (std::size_t i = 0; i < u.size(); ++i)
    if (!is_owned[i % is_owned.size()]) u.data()[i] = 0;
  const std::vector<double> owned(u.data(), u.data() + u.size());
  halo.exchange(u.data());
  const double there = world().sum(std::inner_product(before.begin(), before.end(), u.data(), 0.0));
  halo.accumulate(v.data());
  const double back = world().sum(std::inner_product(owned.begin(), owned.end(), v.data(), 0.0));
  EXPECT_EQ(there, back);
  EXPECT_NE(there, 0);
  for (std::size_t i = 0; i < u.size(); ++i)
    ASSERT_TRUE(is_owned[i % is_owned.size()] || v.data()[i] == before[i]) << "a layer has changed";
}

TEST(Halo, ViewsCountFromTheFirstOwnedPoint) {
  const int ranks = world().size();
  HaloProblem problem;
  problem.width = {{2, 1}, {0, 1}};
  problem.components = 2;
  problem.boundary = {{End::unbounded}};
  const Halo halo(MPI_COMM_WORLD, Layout({ranks, 4}, ProcessGrid({ranks}), {0}), problem);
  HaloArray<double> array(halo);
  EXPECT_EQ(array.size(), 2U * 4 * 5);
  EXPECT_EQ(&array.view()(-2, 0), array.data());
  EXPECT_EQ(&array.view(1)(1, 4), array.data() + array.size() - 1);
  EXPECT_THROW(HaloArray<float>{halo}, Error);
  EXPECT_TRUE(testing::mentions(halo.explain(), "of " + std::to_string(ranks) + " x 4, ")) << halo.explain();
  // Two components of a row of 4 points, for the lower layers of the next two ranks and the upper one of that before.
  const int rank = world().rank(), readers = std::min(2, ranks - 1 - rank) + (rank > 0 ? 1 : 0);
  EXPECT_EQ(halo.bytes_sent(), readers * index_t{2 * 4 * sizeof(double)});
}

TEST(Halo, RefusesWhatIsNotAllowed) {
  const int ranks = world().size();
  const Layout layout({2 * ranks, 4}, ProcessGrid({ranks}), {0});
  const auto refused = [&](const HaloProblem& problem, const std::string& words) {
    expect_refused([&] { Halo(MPI_COMM_WORLD, layout, problem); }, {words});
  };
  HaloProblem problem;
  problem.width = {1, 2, 3};
  refused(problem, "width: 3 entries");
  problem.width = {1, -1};
  refused(problem, "width of axis 1: -1 layers");
  problem.width = {1, 33};
  refused(problem, "give 0 to 32");
  problem = {};
  problem.boundary = {{Boundary(End::periodic, End::even)}};
  refused(problem, "axis 0");
  problem = {};
  problem.components = 0;
  refused(problem, "components: 0");
  problem.components = 2;
  problem.boundary = {{End::even}, {End::odd}, {End::even}};
  refused(problem, "boundary: 3 entries");
  const Extents shape{2 * ranks, 4};
  const Box slab = layout.box(world().rank());
  expect_refused([&] { Halo(MPI_COMM_WORLD, {2 * ranks, 5}, slab); }, {"no rank has the elements"});
  expect_refused([&] { Halo(MPI_COMM_WORLD, Layout({8, 4}, ProcessGrid({ranks + 1}), {0})); }, {"a layout of "});
  problem = {};
  problem.centring = {Centring::node};
  expect_refused(
      [&] {
        Halo(MPI_COMM_WORLD, Layout({2 * ranks, 1}, ProcessGrid({ranks}), {0}), problem);
      },
      {"at least 2 points"});
  Halo halo(MPI_COMM_WORLD, shape, slab);
  HaloArray<double> array(halo);
  EXPECT_THROW(halo.finish(), Error);
  halo.start(array.data());
  EXPECT_THROW(halo.start(array.data()), Error);
  EXPECT_THROW(halo.accumulate(array.data()), Error);
  halo.finish();
}

}  // namespace
}  // namespace weft
