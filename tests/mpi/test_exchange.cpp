// Exchanges by themselves: what the pass before stores is what the pass after loads, in both directions, however slow
// a rank is, for every strategy.
#include "exchange/exchange.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

#include "exchange/sharing.hpp"
#include "nodes.hpp"
#include "world.hpp"

namespace weft {
namespace {

/// A rotation of process axis j of `grid`, from array axis near_axis local to far_axis local.
ExchangePlan rotation(const Extents& shape, const ProcessGrid& grid, const std::vector<int>& cut, int process_axis,
                      int near_axis, int width) {
  const Layout near(shape, grid, cut);
  const int far_axis = cut[static_cast<std::size_t>(process_axis)];
  return {process_axis, near, near.with_cut(process_axis, near_axis), near_axis, far_axis, width};
}

template <class Real>
std::unique_ptr<Exchange<Real>> make(const ExchangePlan& plan, const ExchangeOptions& options) {
  const int rank = world().rank();
  const ProcessGrid& grid = plan.near.grid();
  const std::string name = "test of " + to_string(grid) + " axis " + std::to_string(plan.process_axis);
  const Comm line = world().split(name, grid.line(rank, plan.process_axis), grid.coordinate(rank, plan.process_axis));
  const int node_ranks = options.strategy == Strategy::hierarchical ? 2 : line.size();
  return make_exchange<Real>(line, node_within(line, node_ranks), plan, rank, options);
}

ExchangeOptions by(Strategy strategy, index_t message_limit = 1 << 30) {
  ExchangeOptions options;
  options.strategy = strategy;
  options.message_limit = message_limit;
  return options;
}

/// Calls visit(global index, address of the element) for every element of a part of the box that the view shows;
/// returns how many.
template <class Real, class Visit>
index_t for_each_element(const SegmentedView<Real>& view, const Box& part, const Box& box, int axis, Visit visit) {
  index_t count = 0;
  for (const Segment<Real>& segment : view.segments) {
    Extents extents = part.extents(), index(box.dims());
    extents[axis] = segment.count;
    for (index_t i = 0; i < extents.product(); ++i, ++count) {
      index_t rest = i;
      Real* address = segment.base;
      for (int a = box.dims() - 1; a >= 0; --a) {
        const index_t local = rest % extents[a] + (a == axis ? 0 : part[a].lo - box[a].lo);
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
struct Shown {
  PassEndpoint<Real> endpoint;
  Box box;
  int axis;
  Extents shape;

  int parts() const { return static_cast<int>(endpoint.parts.size()); }
  template <class Visit>
  index_t for_each(int part, Visit visit) const {
    const Part<Real>& shown = endpoint.parts[static_cast<std::size_t>(part)];
    Box lines = box;
    if (endpoint.axis >= 0)
      lines[endpoint.axis] = {box[endpoint.axis].lo + shown.lines.lo, box[endpoint.axis].lo + shown.lines.hi};
    return for_each_element(shown.view, lines, box, axis, visit);
  }
  int width() const { return endpoint.parts.front().view.width; }
  index_t fill(int part, int step) const {
    return for_each(part, [&](const Extents& index, Real* address) {
      for (int i = 0; i < width(); ++i) address[i] = static_cast<Real>(value(index, shape, i, step));
    });
  }
  index_t wrong(int part, int step) const {
    index_t count = 0;
    for_each(part, [&](const Extents& index, Real* address) {
      for (int i = 0; i < width(); ++i) count += address[i] != static_cast<Real>(value(index, shape, i, step));
    });
    return count;
  }
};

// Stores every part, which is sent at once where parts are chunks; then waits for every part and checks it.
template <class Real>
void expect_step(Exchange<Real>& exchange, Direction direction, int step, std::chrono::milliseconds late,
                 const Shown<Real>& from, const Shown<Real>& to) {
  const std::string where = exchange.name() + ", step " + std::to_string(step);
  index_t stored = 0;
  exchange.open(direction);
  for (int part = 0; part < from.parts(); ++part) {
    stored += from.fill(part, step);
    for (int chunk = 0; chunk < exchange.chunks(); ++chunk)
      if (from.parts() == 1 || chunk == part) exchange.start(direction, chunk);
    exchange.progress();
  }
  EXPECT_EQ(stored, from.box.size()) << where;
  for (int part = 0; part < to.parts(); ++part) {
    for (int chunk = 0; chunk < exchange.chunks(); ++chunk)
      if (to.parts() == 1 || chunk == part) exchange.finish(direction, chunk);
    if (part == 0 && step % world().size() == world().rank()) std::this_thread::sleep_for(late);
    EXPECT_EQ(to.wrong(part, step), 0) << where << ", part " << part;
  }
}

// In each step another rank is late to read what arrived, while the others go on to the next step: an exchange must not
// let them overwrite it. Directions repeat and alternate.
template <class Real>
void expect_moves(const ExchangePlan& plan, const ExchangeOptions& options,
                  std::chrono::milliseconds late = std::chrono::milliseconds(0)) {
  SCOPED_TRACE(to_string(plan.near) + " to " + to_string(plan.far) + ", " + std::to_string(plan.chunks) +
               " chunks along axis " + std::to_string(plan.chunk_axis));
  const auto exchange = make<Real>(plan, options);
  const int rank = world().rank();
  const Shown<Real> near{exchange->near(), plan.near.box(rank), plan.near_axis, plan.near.extents()};
  const Shown<Real> far{exchange->far(), plan.far.box(rank), plan.far_axis, plan.near.extents()};
  int step = 0;
  for (const Direction direction : {Direction::forward, Direction::forward, Direction::backward, Direction::backward,
                                    Direction::forward, Direction::backward, Direction::forward}) {
    const bool forward = direction == Direction::forward;
    expect_step(*exchange, direction, step, late, forward ? near : far, forward ? far : near);
    ++step;
  }
}

// Whole, and in chunks along every axis.
template <class Real>
void expect_moves_in_chunks(ExchangePlan plan, const ExchangeOptions& options) {
  expect_moves<Real>(plan, options);
  for (int axis = 0; axis < plan.near.dims(); ++axis) {
    plan.chunks = 3;
    plan.chunk_axis = axis;
    expect_moves<Real>(plan, options);
  }
}

template <class Real>
void expect_all_move(const Extents& shape, int width) {
  const int ranks = world().size();
  for (const Strategy strategy : testing::possible(all_strategies())) {
    expect_moves_in_chunks<Real>(rotation(shape, ProcessGrid({ranks}), {0}, 0, 1, width), by(strategy));
    expect_moves<Real>(rotation(shape, ProcessGrid({ranks}), {2}, 0, 0, width), by(strategy));
    if (ranks % 2 != 0 || strategy == Strategy::shared) continue;
    for (const int process_axis : {0, 1})
      expect_moves<Real>(rotation(shape, ProcessGrid({2, ranks / 2}), {0, 1}, process_axis, 2, width), by(strategy));
  }
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
  for (const Strategy strategy : testing::possible(all_strategies()))
    for (const index_t limit : {1, 20}) {
      expect_moves<double>(plan, by(strategy, limit));
      expect_moves<float>(plan, by(strategy, limit));
    }
}

TEST(Exchange, EveryStrategyWorksBetweenNodes) {
  const ExchangePlan plan = rotation({7, 6, 5}, ProcessGrid({world().size()}), {0}, 0, 1, 2);
  for (const Strategy strategy : testing::possible(all_strategies())) {
    ExchangeOptions options = by(Strategy::hierarchical);
    options.between_nodes = strategy;
    if (strategy != Strategy::shared && strategy != Strategy::hierarchical)
      expect_moves_in_chunks<double>(plan, options);
  }
}

TEST(Exchange, ThrottledMessagesArrive) {
  ExchangePlan plan = rotation({7, 6, 5}, ProcessGrid({world().size()}), {0}, 0, 1, 2);
  plan.chunks = 2;
  plan.chunk_axis = 2;
  for (const Strategy strategy : {Strategy::persistent, Strategy::datatype})
    for (const int send_batch : {0, 1, 2})
      for (const int max_pending : {0, 1, 2}) {
        ExchangeOptions options = by(strategy, 10);
        options.send_batch = send_batch;
        options.max_pending = max_pending;
        expect_moves<double>(plan, options);
      }
}

// Long enough for the other ranks to run ahead into the next step.
TEST(Exchange, NobodyOverwritesWhatALateRankStillReads) {
  const ExchangePlan plan = rotation({7, 6, 5}, ProcessGrid({world().size()}), {0}, 0, 1, 2);
  for (const Strategy strategy : testing::possible(all_strategies()))
    expect_moves<double>(plan, by(strategy), std::chrono::milliseconds(10));
}

TEST(Exchange, OnlyWhatOthersOwnIsSent) {
  const int ranks = world().size(), rank = world().rank();
  const ExchangePlan plan = rotation({7, 6, 5}, ProcessGrid({ranks}), {0}, 0, 1, 2);
  const Box near = plan.near.box(rank), kept = intersect(near, plan.far.box(rank));
  for (const Strategy strategy : testing::possible(all_strategies())) {
    const auto exchange = make<double>(plan, by(strategy));
    const index_t own = (near.size() - kept.size()) * 16;
    if (strategy == Strategy::multistage && ranks > 3) {  // blocks for the third next pass through the second
      EXPECT_GE(exchange->bytes_sent(), own);
      EXPECT_GT(world().sum(exchange->bytes_sent()), world().sum(own));
    } else {
      EXPECT_EQ(exchange->bytes_sent(), own) << exchange->name();
    }
  }
}

// The numbers are whole and small, so that floats hold them; between them a third is not.
TEST(Exchange, SinglePrecisionMessagesRoundAndHaveHalfTheBytes) {
  const int ranks = world().size(), rank = world().rank();
  const ExchangePlan plan = rotation({7, 6, 5}, ProcessGrid({ranks}), {0}, 0, 1, 2);
  ExchangeOptions options = by(Strategy::alltoallv);
  options.wire = Wire::single;
  expect_moves_in_chunks<double>(plan, options);
  expect_moves<float>(plan, options);
  const auto exchange = make<double>(plan, options);
  EXPECT_EQ(2 * exchange->bytes_sent(), make<double>(plan, by(Strategy::alltoallv))->bytes_sent());
  const Shown<double> near{exchange->near(), plan.near.box(rank), plan.near_axis, plan.near.extents()};
  const Shown<double> far{exchange->far(), plan.far.box(rank), plan.far_axis, plan.near.extents()};
  const double third = 1.0 / 3;
  near.for_each(0, [&](const Extents&, double* address) { address[0] = address[1] = third; });
  exchange->open(Direction::forward);
  exchange->start(Direction::forward, 0);
  exchange->finish(Direction::forward, 0);
  const Box kept = intersect(plan.near.box(rank), plan.far.box(rank));
  far.for_each(0, [&](const Extents& index, const double* address) {
    const bool own = kept[0].contains(index[0]) && kept[1].contains(index[1]);
    EXPECT_EQ(address[1], own ? third : static_cast<double>(static_cast<float>(third)));
  });
}

TEST(Exchange, LocalBufferIsOneArraySeenAlongTwoAxes) {
  const Extents shape{3, 4, 20};
  const Layout layout(shape, ProcessGrid({1}), {0});
  const auto buffer = make_local_buffer<double>({-1, layout, layout, 2, 1, 2}, 0);
  const Box box(shape);
  const Shown<double> near{buffer->near(), box, 2, shape}, far{buffer->far(), box, 1, shape};
  expect_step(*buffer, Direction::forward, 1, std::chrono::milliseconds(0), near, far);
  EXPECT_EQ(buffer->bytes_sent(), 0);
  EXPECT_EQ(buffer->name(), "none");
}

}  // namespace
}  // namespace weft
