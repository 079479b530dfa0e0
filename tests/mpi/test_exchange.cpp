// Exchanges by themselves: what the pass before stores is what the pass behind loads, in both directions, however slow
// a rank is, for every strategy.
#include "exchange/exchange.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

namespace weft {
namespace {

const Comm& world() {
  static const Comm comm(MPI_COMM_WORLD);
  return comm;
}

/// A rotation of process axis j of `grid`, from array axis near_axis local to far_axis local.
ExchangePlan rotation(const Extents& shape, const ProcessGrid& grid, const std::vector<int>& cut, int process_axis,
                      int near_axis, int width) {
  const Layout near(shape, grid, cut);
  const int far_axis = cut[static_cast<std::size_t>(process_axis)];
  return {process_axis, near, near.with_cut(process_axis, near_axis), near_axis, far_axis, width};
}

template <class Real>
std::unique_ptr<Exchange<Real>> make(const ExchangePlan& plan, Strategy strategy, index_t message_limit = 1 << 30) {
  const int rank = world().rank();
  const ProcessGrid& grid = plan.near.grid();
  const Comm line = world().split("test of " + to_string(grid) + " axis " + std::to_string(plan.process_axis),
                                  grid.line(rank, plan.process_axis), grid.coordinate(rank, plan.process_axis));
  if (strategy == Strategy::shared) return make_shared_window<Real>(line, plan, rank);
  return make_alltoallv<Real>(line, plan, rank, message_limit);
}

/// Calls visit(global index, address of the element) for every element of the box that the view shows; returns how
/// many.
template <class Real, class Visit>
index_t for_each_element(const SegmentedView<Real>& view, const Box& box, int axis, Visit visit) {
  index_t count = 0;
  for (const Segment<Real>& segment : view.segments) {
    Extents extents = box.extents(), index(box.dims());
    extents[axis] = segment.count;
    for (index_t i = 0; i < extents.product(); ++i, ++count) {
      index_t rest = i;
      Real* address = segment.base;
      for (int a = box.dims() - 1; a >= 0; --a) {
        const index_t local = rest % extents[a];
        rest /= extents[a];
        index[a] = box[a].lo + local + (a == axis ? segment.first : 0);
        address += local * segment.stride[a];
      }
      visit(index, address);
    }
  }
  return count;
}

/// What element `index`, part `part` holds in a step; exact in float.
double value(const Extents& index, const Extents& shape, int part, int step) {
  double number = step;
  for (int a = 0; a < shape.dims(); ++a)
    number = number * static_cast<double>(shape[a]) + static_cast<double>(index[a]);
  return 2 * number + part;
}

/// One side of an exchange on this rank.
template <class Real>
struct Side {
  SegmentedView<Real> view;
  Box box;
  int axis;
  Extents shape;

  index_t fill(int step) const {
    return for_each_element(view, box, axis, [&](const Extents& index, Real* address) {
      for (int part = 0; part < view.width; ++part) address[part] = static_cast<Real>(value(index, shape, part, step));
    });
  }
  index_t wrong(int step) const {
    index_t count = 0;
    for_each_element(view, box, axis, [&](const Extents& index, Real* address) {
      for (int part = 0; part < view.width; ++part)
        count += address[part] != static_cast<Real>(value(index, shape, part, step));
    });
    return count;
  }
};

// In each step another rank is late to read what arrived, while the others go on to the next step: an exchange must not
// let them overwrite it. Directions repeat and alternate.
template <class Real>
void expect_moves(const ExchangePlan& plan, Strategy strategy, std::chrono::milliseconds late,
                  index_t message_limit = 1 << 30) {
  const auto exchange = make<Real>(plan, strategy, message_limit);
  const int rank = world().rank();
  const Side<Real> near{exchange->near(), plan.near.box(rank), plan.near_axis, plan.near.extents()};
  const Side<Real> far{exchange->far(), plan.far.box(rank), plan.far_axis, plan.near.extents()};
  const std::string name = exchange->name() + ": " + to_string(plan.near) + " to " + to_string(plan.far);
  int step = 0;
  for (const Direction direction : {Direction::forward, Direction::forward, Direction::backward, Direction::backward,
                                    Direction::forward, Direction::backward, Direction::forward}) {
    const bool forward = direction == Direction::forward;
    const Side<Real>&from = forward ? near : far, &to = forward ? far : near;
    exchange->open(direction);
    EXPECT_EQ(from.fill(step), from.box.size()) << name;
    exchange->move(direction);
    if (step % world().size() == rank) std::this_thread::sleep_for(late);
    EXPECT_EQ(to.wrong(step), 0) << name << ", step " << step;
    ++step;
  }
}

template <class Real>
void expect_all_move(const Extents& shape, int width) {
  const int ranks = world().size();
  constexpr std::chrono::milliseconds at_once{0};
  for (const Strategy strategy : {Strategy::alltoallv, Strategy::shared}) {
    expect_moves<Real>(rotation(shape, ProcessGrid({ranks}), {0}, 0, 1, width), strategy, at_once);
    expect_moves<Real>(rotation(shape, ProcessGrid({ranks}), {2}, 0, 0, width), strategy, at_once);
  }
  if (ranks % 2 != 0) return;
  for (const int process_axis : {0, 1})
    expect_moves<Real>(rotation(shape, ProcessGrid({2, ranks / 2}), {0, 1}, process_axis, 2, width),
                       Strategy::alltoallv, at_once);
}

TEST(Exchange, EveryElementArrives) {
  expect_all_move<double>({7, 6, 5}, 2);
  expect_all_move<float>({9, 11, 4}, 1);
}

TEST(Exchange, RanksWithoutDataTakePart) {
  expect_all_move<double>({2, 3, 1}, 2);
  expect_all_move<float>({1, 1, 4}, 1);
}

TEST(Exchange, LargeMessagesArrive) {
  const ExchangePlan plan = rotation({7, 6, 5}, ProcessGrid({world().size()}), {0}, 0, 1, 2);
  for (const index_t limit : {1, 20}) {
    expect_moves<double>(plan, Strategy::alltoallv, std::chrono::milliseconds(0), limit);
    expect_moves<float>(plan, Strategy::alltoallv, std::chrono::milliseconds(0), limit);
  }
}

// Long enough for the other ranks to run ahead into the next step.
TEST(Exchange, NobodyOverwritesWhatALateRankStillReads) {
  const ExchangePlan plan = rotation({7, 6, 5}, ProcessGrid({world().size()}), {0}, 0, 1, 2);
  for (const Strategy strategy : {Strategy::alltoallv, Strategy::shared})
    expect_moves<double>(plan, strategy, std::chrono::milliseconds(30));
}

TEST(Exchange, OnlyWhatOthersOwnIsSent) {
  const int ranks = world().size(), rank = world().rank();
  const ExchangePlan plan = rotation({7, 6, 5}, ProcessGrid({ranks}), {0}, 0, 1, 2);
  const Box near = plan.near.box(rank), kept = intersect(near, plan.far.box(rank));
  for (const Strategy strategy : {Strategy::alltoallv, Strategy::shared}) {
    const auto exchange = make<double>(plan, strategy);
    EXPECT_EQ(exchange->bytes_sent(), (near.size() - kept.size()) * 16) << exchange->name();
  }
}

TEST(Exchange, LocalStationIsOneArraySeenAlongTwoAxes) {
  const Extents shape{3, 4, 20};
  const auto station = make_local_station<double>(shape, 2, 1, 2);
  const Box box(shape);
  const Side<double> near{station->near(), box, 2, shape}, far{station->far(), box, 1, shape};
  station->open(Direction::forward);
  EXPECT_EQ(near.fill(1), box.size());
  station->move(Direction::forward);
  EXPECT_EQ(far.wrong(1), 0);
  EXPECT_EQ(station->bytes_sent(), 0);
  EXPECT_EQ(station->name(), "none");
}

}  // namespace
}  // namespace weft
