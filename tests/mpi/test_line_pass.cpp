// Passes over rows of many batches: those that an engine does together give the bits of batches one by one.
#include "environment.hpp"
#include "plan/pass/line_sweep.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

namespace weft {
namespace {

struct Rows {
  Kind kind;
  Direction direction;
  bool contiguous;  // each line, else neighbours
  bool in_place;
  Memory where;
};

std::string to_string(const Rows& rows) {
  return weft::to_string(rows.kind) + (rows.direction == Direction::forward ? " forward" : " backward") +
         (rows.contiguous ? ", contiguous" : ", strided") + (rows.in_place ? ", in place" : "") +
         (rows.where == Memory::main ? ", in memory" : "");
}

constexpr index_t all_batches = 1 << 20;

/// Three rows of `lines` lines each: [3][lines][points] or [3][points][lines].
template <class Real>
class Pass {
 public:
  Pass(const Rows& rows, index_t points, index_t lines)
      : rows_(rows),
        transform_(whole_axis(rows.kind, points, rows.contiguous ? 2 : 1)),
        width_(rows.kind == Kind::c2c ? 2 : 1),
        modes_width_(is_real_to_real(rows.kind) ? 1 : 2),
        pass_(axis(), inner(), transform_, width_, extents(points, lines), engine(Direction::forward),
              engine(Direction::backward)),
        workspace_(pass_.block_reals(), pass_.most_points()),
        most_(std::max(points * width_, transform_.modes * modes_width_)),
        lines_(lines),
        from_(3 * lines * most_),
        to_(from_.size()) {}

  /// What `count` batches at a time make of numbers that are the same in every run.
  std::vector<Real> run(index_t count) {
    std::minstd_rand random(1);
    std::uniform_real_distribution<Real> uniform(-1, 1);
    std::generate_n(from_.data(), from_.size(), [&] { return uniform(random); });
    std::fill_n(to_.data(), to_.size(), Real(7));
    const bool forward = rows_.direction == Direction::forward;
    Buffer<Real>& to = rows_.in_place ? from_ : to_;
    const SegmentedView<Real> source = view(from_, forward ? width_ : modes_width_),
                              target = view(to, forward ? modes_width_ : width_);
    LineSweep<Real> sweep;
    sweep.prepare(pass_, rows_.direction, {source, rows_.where}, {target, rows_.where}, pass_.all_lines(), workspace_,
                  {Real(0.75)});
    for (index_t first = 0; first < sweep.batches(); first += count)
      sweep.run(first, std::min(first + count, sweep.batches()));
    return {to.data(), to.data() + to.size()};
  }

 private:
  int axis() const { return rows_.contiguous ? 2 : 1; }
  int inner() const { return rows_.contiguous ? 1 : 2; }
  Extents extents(index_t points, index_t lines) const {
    return rows_.contiguous ? Extents{3, lines, points} : Extents{3, points, lines};
  }
  std::shared_ptr<const LineEngine<Real>> engine(Direction direction) const {
    return make_engine<Real>(Comm(MPI_COMM_SELF), {rows_.kind, direction, transform_.length, width_},
                             testing::lanes_here(), Effort::estimate);
  }
  /// Both sides of a line have the same room.
  SegmentedView<Real> view(const Buffer<Real>& buffer, int width) const {
    const index_t count = width == width_ ? transform_.length : transform_.modes;
    const Extents strides =
        rows_.contiguous ? Extents{lines_ * most_, most_, width} : Extents{lines_ * most_, lines_ * width, width};
    return whole_view(buffer.data(), extents(count, lines_), strides, width, axis());
  }

  Rows rows_;
  AxisTransform transform_;
  int width_, modes_width_;
  LinePass<Real> pass_;
  PassWorkspace<Real> workspace_;
  index_t most_, lines_;
  Buffer<Real> from_, to_;
};

template <class Real>
void expect_bits_of_single_batches(const Rows& rows, index_t points, index_t lines) {
  Pass<Real> pass(rows, points, lines);
  const std::vector<Real> expected = pass.run(1);
  for (const index_t count : {all_batches, index_t{5}}) {
    const std::vector<Real> found = pass.run(count);
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), expected.size() * sizeof(Real)), 0)
        << to_string(rows) << ", " << points << " points, " << lines << " lines, " << count << " batches at once";
  }
}

// Rows of one batch and of many, more lines than are handed on together, lines left over.
template <class Real>
void expect_all_rows() {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::dct2, Kind::dst4})
    for (const Direction direction : {Direction::forward, Direction::backward})
      for (const bool contiguous : {false, true})
        for (const bool in_place : {false, true})
          for (const Memory where : {Memory::cache, Memory::main}) {
            // Points and modes of neighbours in one memory have no common strides.
            if (in_place && !contiguous && kind == Kind::r2c) continue;
            for (const index_t lines : {16, 67, 150})
              for (const index_t points : {12, 64, 160})
                expect_bits_of_single_batches<Real>({kind, direction, contiguous, in_place, where}, points, lines);
          }
}

TEST(LinePass, RowsOfDoubles) { expect_all_rows<double>(); }
TEST(LinePass, RowsOfFloats) { expect_all_rows<float>(); }

using Route = LineWay<double>::Route;

// Adjacent lines whose points are `pitch` reals apart, from one array to another.
struct Neighbours {
  Kind kind;
  Memory where;
  index_t pitch;
  int width = 1;
  bool streamed = false;
};

Route route_of(const Neighbours& lines) {
  constexpr index_t points = 12, count = 32;
  const Extents batch{points, count}, strides{lines.pitch, lines.width};
  const auto engine = [&](Direction direction) {
    return make_engine<double>(Comm(MPI_COMM_SELF), {lines.kind, direction, points, lines.width}, testing::lanes_here(),
                               Effort::estimate);
  };
  const LinePass<double> pass(0, 1, whole_axis(lines.kind, points, 0), lines.width, batch, engine(Direction::forward),
                              engine(Direction::backward));
  const Buffer<double> from(points * lines.pitch), to(points * lines.pitch);
  SegmentedView<double> source = whole_view(from.data(), batch, strides, lines.width, 0),
                        target = whole_view(to.data(), batch, strides, lines.width, 0);
  source.stream = true;  // what a pass backward would store there
  target.stream = lines.streamed;
  LineMoves<double> load, store;
  pass.physical_moves({source, lines.where}, Direction::forward, load);
  pass.spectral_moves({target, lines.where}, Direction::forward, store);
  const LineWay<double> way{.pass = &pass, .from_memory = lines.where};
  return way.between(&load, &store, lines.where).route;
}

// Types I go through a block, as they load results again, and so do cosines and sines of real and imaginary parts. In
// main memory pages fall into one set of the nearest cache, and blocks are streamed.
TEST(LinePass, EnginesLoadAndStoreNeighboursThemselves) {
  if (!lane_kernels<double>().transforms_lines()) GTEST_SKIP() << "no line transforms for these vectors";
  if (testing::lanes_here() != EngineChoice::lanes) GTEST_SKIP() << "FFTW transforms blocks";
  constexpr index_t page = 4096 / sizeof(double), pitch = page + 40;
  const auto expect_route = [](const Neighbours& lines, Route route) {
    EXPECT_EQ(route_of(lines), route) << weft::to_string(lines.kind)
                                      << (lines.where == Memory::main ? " in memory" : " in a cache");
  };
  for (const Memory where : {Memory::cache, Memory::main}) {
    for (const Kind kind : {Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst2, Kind::dst3, Kind::dst4}) {
      expect_route({kind, where, pitch}, Route::points);
      expect_route({.kind = kind, .where = where, .pitch = pitch, .width = 2}, Route::row);
      expect_route({kind, where, 2 * page}, where == Memory::cache ? Route::points : Route::row);
    }
    for (const Kind kind : {Kind::dct1, Kind::dst1}) expect_route({kind, where, pitch}, Route::row);
  }
  expect_route({.kind = Kind::dct2, .where = Memory::main, .pitch = pitch, .streamed = true}, Route::row);
  expect_route({.kind = Kind::c2c, .where = Memory::cache, .pitch = 2 * page, .width = 2}, Route::points);
}

}  // namespace
}  // namespace weft
