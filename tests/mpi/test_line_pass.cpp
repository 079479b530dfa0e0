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
        pass_(axis(), inner(), transform_, width_, extents(points, lines), engine(Direction::forward),
              engine(Direction::backward)),
        workspace_(pass_.block_reals(), pass_.most_points()),
        most_(std::max(points * width_, transform_.modes * 2)),
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
    const SegmentedView<Real> source = view(from_, forward ? width_ : 2), target = view(to, forward ? 2 : width_);
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
    const index_t count = width == 1 ? transform_.length : transform_.modes;
    const Extents strides =
        rows_.contiguous ? Extents{lines_ * most_, most_, width} : Extents{lines_ * most_, lines_ * width, width};
    return whole_view(buffer.data(), extents(count, lines_), strides, width, axis());
  }

  Rows rows_;
  AxisTransform transform_;
  int width_;
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
  for (const Kind kind : {Kind::c2c, Kind::r2c})
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

}  // namespace
}  // namespace weft
