// Runs one transform of the lane kernels on a block whose lanes hold known lines, and compares with a reference.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include <limits>

#include "base/buffer.hpp"
#include "engine_bounds.hpp"
#include "engine_reference.hpp"
#include "lane_fixture.hpp"
#include "transform/engine/lane_real_tables.hpp"

namespace weft::engine_test {

/// Rows of a block and one more after it that must stay as it is.
template <class Real>
class Guarded {
 public:
  Guarded(index_t rows, int lanes) : rows_(rows), lanes_(lanes), data_((rows + 1) * lanes) {
    std::fill_n(data_.data(), data_.size(), lane_test::untouched<Real>);
  }
  Real* data() const { return data_.data(); }
  Real* row(index_t i) const { return data_.data() + i * lanes_; }
  bool is_intact() const {
    return std::all_of(row(rows_), row(rows_ + 1), [](Real x) { return x == lane_test::untouched<Real>; });
  }

 private:
  index_t rows_;
  int lanes_;
  Buffer<Real> data_;
};

/// Random lines and their transforms.
struct Lines {
  Task task;
  std::vector<Flat> given, wanted;

  Lines(const Task& of, unsigned count) : task(of) {
    for (unsigned seed = 1; seed <= count; ++seed) {
      given.push_back(random_line(task, seed));
      wanted.push_back(reference(task, given.back()));
    }
  }
  std::size_t of_lane(int lane) const { return static_cast<std::size_t>(lane) % given.size(); }
  /// Lanes that hold the same line differ by a power of two, which changes no relative error.
  long double scale(int lane) const { return std::ldexp(1.0L, lane / static_cast<int>(given.size())); }
};

/// Largest error of a lane in the 2-norm, relative to that of the wanted line.
template <class Real>
long double largest_error(const Lines& lines, const Guarded<Real>& out, int lanes) {
  long double largest = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    Flat wrong = lines.wanted[lines.of_lane(lane)];
    const long double all = norm(wrong);
    for (index_t i = 0; i < lines.task.wanted(); ++i)
      wrong[static_cast<std::size_t>(i)] -= static_cast<long double>(out.row(i)[lane]) / lines.scale(lane);
    largest = std::max(largest, norm(wrong) / all);
  }
  return largest;
}

/// The tables of a task, for the lanes of an instruction set.
template <class Real>
class Tables {
 public:
  Tables(const Task& task, const LaneKernels<Real>& kernels) : task_(task) {
    if (task.is_real())
      real_ = std::make_unique<LaneRealTables<Real>>(task.kind, task.direction, task.n, 1, every_point, kernels.lanes);
    if (!task.is_real()) complex_ = std::make_unique<LaneDftTables<Real>>(task.n);
  }
  index_t scratch_points() const { return task_.is_real() ? real_->scratch_points() : complex_->scratch_points(); }
  double roundings() const {
    return task_.is_real() ? real_roundings(real_->plan()) : complex_roundings(complex_->plan());
  }
  /// Returns the block that holds the result.
  const Real* run(const LaneKernels<Real>& kernels, Real* in, Real* out, LaneScratch<Real> scratch) const {
    if (task_.is_real()) return kernels.real(real_->plan(), {}, in, out, scratch);
    return kernels.c2c(complex_->plan(), {.backward = !task_.forward()}, in, out, scratch);
  }

 private:
  Task task_;
  std::unique_ptr<LaneRealTables<Real>> real_;
  std::unique_ptr<LaneDftTables<Real>> complex_;
};

/// The error of a transform by these kernels. Also expects that nothing is written after any block.
template <class Real>
long double lane_error(const Lines& lines, const Tables<Real>& tables, const LaneKernels<Real>& kernels) {
  const int lanes = kernels.lanes;
  const Task& task = lines.task;
  const Guarded<Real> in(std::max(task.given(), task.wanted()), lanes), out(task.wanted(), lanes),
      a(2 * tables.scratch_points(), lanes), b(2 * tables.scratch_points(), lanes);
  for (int lane = 0; lane < lanes; ++lane)
    for (index_t i = 0; i < task.given(); ++i)
      in.row(i)[lane] =
          static_cast<Real>(lines.scale(lane) * lines.given[lines.of_lane(lane)][static_cast<std::size_t>(i)]);
  const Real* result = tables.run(kernels, in.data(), out.data(), {a.data(), b.data()});
  if (result != out.data()) std::copy_n(result, task.wanted() * lanes, out.data());
  EXPECT_TRUE(in.is_intact() && out.is_intact() && a.is_intact() && b.is_intact())
      << kernels.isa << " " << task.name() << " writes after a block";
  return largest_error(lines, out, lanes);
}

template <class Real>
void expect_accurate(const Lines& lines, const LaneKernels<Real>& kernels) {
  const Tables<Real> tables(lines.task, kernels);
  EXPECT_LE(lane_error(lines, tables, kernels), tables.roundings() * std::numeric_limits<Real>::epsilon() / 2)
      << kernels.isa << " " << lines.task.name() << " in " << sizeof(Real) << " bytes";
}

/// By every instruction set.
template <class Real>
void expect_accurate_by_all(const Lines& lines) {
  for (const auto* kernels : lane_test::kernels_here<Real>()) expect_accurate(lines, *kernels);
}

/// By one instruction set and in one precision: in turn, so that the tasks of a test go through all of them.
inline void expect_accurate_by_one(const Lines& lines, std::size_t turn) {
  const auto doubles = lane_test::kernels_here<double>();
  const auto floats = lane_test::kernels_here<float>();
  const std::size_t which = turn % (doubles.size() + floats.size());
  if (which < doubles.size()) {
    expect_accurate(lines, *doubles[which]);
  } else {
    expect_accurate(lines, *floats[which - doubles.size()]);
  }
}

}  // namespace weft::engine_test
