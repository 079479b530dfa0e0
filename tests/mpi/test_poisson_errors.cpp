// What the Poisson solver refuses: the same text on every rank, that says what was given and what is allowed, and
// nothing written.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "error_text.hpp"
#include "mpi/poisson_support.hpp"
#include "nodes.hpp"

namespace weft {
namespace {

using namespace testing;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

PoissonProblem good_problem() {
  PoissonProblem problem;
  problem.cells = {8, 6, 7};
  problem.length = {1, 0.75, 0.9};
  problem.boundary = {{End::odd, End::even}, End::unbounded, End::periodic};
  return problem;
}

PlanOptions good_options() {
  PlanOptions options = Poisson<double>::default_options();
  options.threads = 1;
  return options;
}

/// The fault and the text of the Error that a collective call throws; fails unless all ranks have the same. Collective.
struct Refusal {
  std::string text;
  Fault fault = Fault::internal;
};

Refusal refusal(const std::function<void()>& call) {
  const Comm comm(MPI_COMM_WORLD);
  Refusal result{"no error"};
  try {
    call();
  } catch (const Error& error) {
    result = {error.what(), error.fault()};
  }
  EXPECT_EQ(result.text, comm.broadcast(result.text, 0));
  EXPECT_EQ(static_cast<index_t>(result.fault), comm.max(static_cast<index_t>(result.fault)));
  return result;
}

Refusal refusal_of(const PoissonProblem& problem, const PlanOptions& options = good_options()) {
  return refusal([&] { Poisson<double> solver(MPI_COMM_WORLD, problem, options); });
}

/// Expects that a good problem, changed, is refused as a wrong argument in words that hold all of `parts`.
template <class... Parts>
void expect_refused(const std::function<void(PoissonProblem&)>& change, const Parts&... parts) {
  PoissonProblem problem = good_problem();
  change(problem);
  const Refusal refused = refusal_of(problem);
  EXPECT_EQ(refused.fault, Fault::argument);
  EXPECT_TRUE(mentions(refused.text, parts...)) << refused.text;
}

template <class... Parts>
void expect_option_refused(const std::function<void(PlanOptions&)>& change, const Parts&... parts) {
  PlanOptions options = good_options();
  change(options);
  const Refusal refused = refusal_of(good_problem(), options);
  EXPECT_EQ(refused.fault, Fault::argument);
  EXPECT_TRUE(mentions(refused.text, parts...)) << refused.text;
}

TEST(PoissonErrors, TheGoodProblemIsGood) { EXPECT_EQ(refusal_of(good_problem()).text, "no error"); }

TEST(PoissonErrors, CellsThatAreNone) {
  expect_refused([](auto& p) { p.cells[1] = 0; }, "cells of axis 1", "0 given", "at least 1");
  expect_refused([](auto& p) { p.cells[2] = -4; }, "cells of axis 2", "-4 given", "at least 1");
  expect_refused(
      [](auto& p) {
        p.boundary[0] = End::odd;
        p.cells[0] = 1;
        p.centring = {Centring::node};
      },
      "cells of axis 0", "1 given", "odd", "at least 2");
}

TEST(PoissonErrors, LengthsThatAreNone) {
  expect_refused([](auto& p) { p.length[0] = 0; }, "length of axis 0", "0.0", "positive");
  expect_refused([](auto& p) { p.length[1] = -2.5; }, "length of axis 1", "-2.5", "positive");
  expect_refused([](auto& p) { p.length[2] = not_a_number; }, "length of axis 2", "nan", "finite");
  expect_refused([](auto& p) { p.length[2] = infinity; }, "length of axis 2", "inf", "finite");
}

TEST(PoissonErrors, PeriodicAtOneEndOnly) {
  expect_refused(
      [](auto& p) {
        p.boundary[1] = {End::periodic, End::even};
      },
      "boundary of axis 1", "(periodic, even)", "one end only", "both ends");
  expect_refused(
      [](auto& p) {
        p.boundary[0] = {End::unbounded, End::periodic};
      },
      "boundary of axis 0", "(unbounded, periodic)", "one end only");
}

TEST(PoissonErrors, UnknownKernel) {
  expect_refused([](auto& p) { p.kernel = "chat3"; }, "kernel", "'chat3'", "chat2", "truncated");
}

TEST(PoissonErrors, ConstantsOfTheEquation) {
  expect_refused([](auto& p) { p.screening = -1; }, "screening", "-1", "0 or positive");
  expect_refused([](auto& p) { p.screening = infinity; }, "screening", "inf", "finite");
  expect_refused([](auto& p) { p.kernel.alpha = 0; }, "alpha", "0.0", "positive");
  expect_refused([](auto& p) { p.kernel.alpha = not_a_number; }, "alpha", "nan", "positive");
  expect_refused(
      [](auto& p) {
        p.kernel = Kernel::of_distance([](double, double) { return 1.0; });
        p.screening = 2;
      },
      "of_distance", "screening", "2.0", "into the function");
}

TEST(PoissonErrors, WrongCounts) {
  expect_refused([](auto& p) { p.cells = {8}; }, "cells", "1 axes", "2 or 3");
  expect_refused([](auto& p) { p.cells = {8, 6, 7, 5}; }, "cells", "4 axes", "2 or 3");
  expect_refused([](auto& p) { p.length.pop_back(); }, "length", "2 given for 3 axes", "one per axis");
  expect_refused([](auto& p) { p.length = {1}; }, "length", "1 given for 3 axes");
  expect_refused([](auto& p) { p.boundary.emplace_back(End::even); }, "boundary", "4 given for 3 axes");
  expect_refused([](auto& p) { p.boundary.clear(); }, "boundary", "0 given for 3 axes");
  expect_refused(
      [](auto& p) {
        p.centring = {Centring::cell, Centring::node};
      },
      "centring", "2 given for 3 axes", "one for all");
  expect_refused([](auto& p) { p.centring.clear(); }, "centring", "0 given for 3 axes");
}

TEST(PoissonErrors, ProcessGrids) {
  const int ranks = Comm(MPI_COMM_WORLD).size();
  const std::string count = std::to_string(ranks) + " ranks";
  expect_option_refused([&](auto& o) { o.grid = {ranks + 1}; }, "grid", std::to_string(ranks + 1), count);
  expect_option_refused([&](auto& o) { o.grid = {ranks, 2}; }, "grid", std::to_string(2 * ranks), count);
  expect_option_refused([&](auto& o) { o.grid = {-ranks, -1}; }, "grid", "below 1");
  expect_option_refused([&](auto& o) { o.grid = {0, ranks}; }, "grid", "below 1");
  if (ranks > 1) {
    expect_option_refused(
        [&](auto& o) {
          o.grid = {1, 1, ranks};
        },
        "grid", "1 x 1 x " + std::to_string(ranks), "more dimensions");
  }
}

TEST(PoissonErrors, OtherOptions) {
  expect_option_refused([](auto& o) { o.threads = -1; }, "threads", "-1");
  expect_option_refused([](auto& o) { o.message_limit = 0; }, "message_limit", "0");
}

TEST(PoissonErrors, OptionsOfModesAndRanks) {
  PlanOptions options = good_options();
  options.output = Output::natural;
  EXPECT_TRUE(mentions(refusal_of(good_problem(), options).text, "output:", "'natural'"));
  options = good_options();
  options.ranks = 1;
  EXPECT_TRUE(mentions(refusal_of(good_problem(), options).text, "ranks:", "smaller communicator"));
}

TEST(PoissonErrors, ArgumentsThatDifferBetweenRanks) {
  const Comm comm(MPI_COMM_WORLD);
  if (comm.size() == 1) GTEST_SKIP() << "one rank cannot differ from itself";
  const bool odd_one = comm.rank() == comm.size() - 1;
  const std::string last = "rank " + std::to_string(comm.size() - 1);
  expect_refused([&](auto& p) { p.cells[0] = odd_one ? 9 : 8; }, "differ between ranks", "8 x 6 x 7", "9 x 6 x 7",
                 last);
  // even where what one rank has is wrong in itself
  expect_refused([&](auto& p) { p.cells[0] = odd_one ? 0 : 8; }, "differ between ranks", "0 x 6 x 7", last);
  expect_refused([&](auto& p) { p.length[2] = odd_one ? 0.9000000000000001 : 0.9; }, "differ between ranks", last);
  expect_refused([&](auto& p) { p.boundary[1] = odd_one ? End::even : End::odd; }, "differ between ranks", "even",
                 "odd");
  expect_refused([&](auto& p) { p.centring = {odd_one ? Centring::cell : Centring::node}; }, "differ between ranks",
                 "cell", "node");
  expect_refused([&](auto& p) { p.kernel = odd_one ? "chat2" : "other"; }, "differ between ranks", "chat2", "other");
  expect_refused([&](auto& p) { p.screening = odd_one ? 1 : 2; }, "differ between ranks", "screening 1", "screening 2");
  expect_refused([&](auto& p) { p.mean = odd_one ? Mean::error : Mean::remove; }, "differ between ranks", "mean error");
  expect_option_refused([&](auto& o) { o.strategy = odd_one ? Strategy::shared : Strategy::alltoallv; },
                        "differ between ranks", "shared", "alltoallv", last);
  expect_option_refused([&](auto& o) { o.grid = {odd_one ? comm.size() : 1}; }, "differ between ranks", "grid");
}

/// A right-hand side that is finite but for one value on one rank: the text names value and place, the solution is left
/// alone, and the solver goes on working.
void expect_bad_value_refused(Poisson<double>& solver, double bad, const std::string& word, int culprit) {
  const Comm comm(MPI_COMM_WORLD);
  const std::vector<double> good = noisy_field(solver);
  std::vector<double> rhs = good;
  const Box box = solver.layout().box(culprit);
  const std::string place = "[" + std::to_string(box[0].hi - 1) + ", " + std::to_string(box[1].lo) + ", " +
                            std::to_string(box[2].hi - 1) + "]";
  if (comm.rank() == culprit) {
    const Extents strides = c_strides(box.extents());
    rhs[static_cast<std::size_t>((box[0].size() - 1) * strides[0] + box[2].size() - 1)] = bad;
  }
  std::vector<double> solution(rhs.size(), 42);
  const Refusal refused = refusal([&] { solver.solve(rhs, solution); });
  EXPECT_EQ(refused.fault, Fault::argument);
  EXPECT_TRUE(mentions(refused.text, "rhs", word, "point " + place, "finite")) << refused.text;
  EXPECT_EQ(solution, std::vector<double>(rhs.size(), 42));
}

TEST(PoissonErrors, ValuesThatAreNotFiniteOnOneRank) {
  const Comm comm(MPI_COMM_WORLD);
  Poisson<double> solver(MPI_COMM_WORLD, good_problem(), good_options());
  const std::vector<double> good = noisy_field(solver);
  const std::vector<double> before = solved(solver, good);
  for (int culprit = 0; culprit < comm.size(); ++culprit) {
    if (solver.layout().box(culprit).empty()) continue;
    expect_bad_value_refused(solver, not_a_number, "nan", culprit);
    expect_bad_value_refused(solver, infinity, "inf", culprit);
    expect_bad_value_refused(solver, -infinity, "-inf", culprit);
  }
  EXPECT_EQ(solved(solver, good), before);
}

/// Data are looked at as the first pass loads them: one that puts rows together before it stores them past the cache
/// (25 MB, the limit is 21), and one of contiguous lines that are never in a block.
TEST(PoissonErrors, ValuesThatAreNotFiniteInPassesOfAnyKind) {
  const End odd = End::odd, periodic = End::periodic;
  PoissonProblem large, lines;
  large.cells = {130, 121, 100};
  large.length = {1.3, 1.21, 1};
  large.boundary = {odd, {End::even, odd}, periodic};
  lines.cells = {6, 6, 128};
  lines.length = {1, 1, 1};
  lines.boundary = {periodic, periodic, periodic};
  for (const PoissonProblem& problem : {large, lines}) {
    Poisson<double> solver(MPI_COMM_SELF, problem, good_options());
    const std::vector<double> good = noisy_field(solver), before = solved(solver, good);
    for (const index_t plane : {index_t{0}, problem.cells[0] / 2}) {
      std::vector<double> rhs = good, solution(rhs.size(), 42);
      rhs[static_cast<std::size_t>(plane * problem.cells[1] * problem.cells[2])] = not_a_number;
      const std::string text = refusal([&] { solver.solve(rhs, solution); }).text;
      EXPECT_TRUE(mentions(text, "rhs", "nan", "point [" + std::to_string(plane) + ", 0, 0]")) << text;
      EXPECT_EQ(solution, std::vector<double>(rhs.size(), 42));
    }
    EXPECT_EQ(solved(solver, good), before);
  }
}

/// Every way in which a point can be ignored, along every axis: odd planes and repeated periodic points.
TEST(PoissonErrors, IgnoredPointsMayHoldAnything) {
  const End odd = End::odd, even = End::even, periodic = End::periodic, open = End::unbounded;
  const std::vector<std::vector<Boundary>> problems{{odd, odd},
                                                    {odd, {even, odd}, periodic},
                                                    {periodic, odd, periodic},
                                                    {periodic, periodic, {odd, even}},
                                                    {open, odd, periodic},
                                                    {{odd, open}, periodic, {open, odd}}};
  for (const std::vector<Boundary>& boundary : problems) {
    PoissonProblem problem;
    problem.boundary = boundary;
    problem.centring = {Centring::node};
    for (std::size_t axis = 0; axis < boundary.size(); axis++) {
      problem.cells.push_back(6 + static_cast<index_t>(axis));
      problem.length.push_back(1);
    }
    Poisson<double> solver(MPI_COMM_WORLD, problem, good_options());
    const Box box = solver.box();
    std::vector<double> rhs = noisy_field(solver);
    const std::vector<double> expected = solved(solver, rhs);
    for_each_point(solver, [&](std::size_t i, const Extents& index, const std::array<double, 3>&) {
      for (int axis = 0; axis < box.dims(); axis++) {
        const Boundary& ends = boundary[static_cast<std::size_t>(axis)];
        const bool first = index[axis] == 0, last = index[axis] == problem.cells[axis];
        if ((first && ends.left == odd) || (last && (ends.right == odd || ends.right == periodic)))
          rhs[i] = not_a_number;
      }
    });
    std::vector<double> solution(rhs.size());
    EXPECT_EQ(refusal([&] { solver.solve(rhs, solution); }).text, "no error") << boundary.size();
    EXPECT_EQ(solution, expected);
  }
}

TEST(PoissonErrors, UnitsThatThePrecisionCannotHold) {
  const auto refused = [](double length, auto real) {
    using Real = decltype(real);
    PoissonProblem problem = good_problem();
    for (double& l : problem.length) l *= length;
    return refusal([&] { Poisson<Real> solver(MPI_COMM_WORLD, problem, good_options()); }).text;
  };
  for (const double length : {1e-20, 3e24}) {  // centimetres: a nucleus would not do either, galaxies do not
    const std::string text = refused(length, 0.0F);
    EXPECT_TRUE(mentions(text, "length", "single precision", "unit of length", "double precision")) << text;
    EXPECT_EQ(refused(length, 0.0), "no error");
  }
  EXPECT_TRUE(mentions(refused(1e200, 0.0), "length", "with squares of lengths", "unit of length"));

  for (const double length : {1e-10, 1.0, 1e15}) EXPECT_EQ(refused(length, 0.0F), "no error");
}

TEST(PoissonErrors, NoBoxIsTooThinForTruncated) {
  PoissonProblem problem;
  problem.cells = {32, 8};
  problem.boundary = {End::unbounded, End::unbounded};
  problem.kernel = "truncated";
  for (const double thickness : {1e-3, 1e-8, 1e-19}) {
    problem.length = {1, thickness};
    EXPECT_EQ(refusal_of(problem).text, "no error") << thickness;
  }
}

TEST(PoissonErrors, ArraysOfTheWrongSizeOnOneRank) {
  const Comm comm(MPI_COMM_WORLD);
  Poisson<double> solver(MPI_COMM_WORLD, good_problem(), good_options());
  const std::vector<double> good = noisy_field(solver);
  std::vector<double> rhs = good;
  std::vector<double> solution(rhs.size(), 42);
  if (comm.rank() == comm.size() - 1) rhs.push_back(0);
  Refusal refused = refusal([&] { solver.solve(rhs, solution); });
  EXPECT_TRUE(mentions(refused.text, "rhs", "solution", "values", "needs")) << refused.text;
  rhs = good;
  if (comm.rank() == 0) solution.pop_back();
  refused = refusal([&] { solver.solve(rhs, solution); });
  EXPECT_TRUE(mentions(refused.text, "rhs", "solution", "values", "needs")) << refused.text;
  EXPECT_EQ(solution, std::vector<double>(solution.size(), 42));
}

TEST(PoissonErrors, AxesThatDoNotExist) {
  const Poisson<double> solver(MPI_COMM_WORLD, good_problem(), good_options());
  EXPECT_TRUE(mentions(error_text([&] { solver.points(3); }), "axis", "3", "0 to 2"));
  EXPECT_TRUE(mentions(error_text([&] { solver.points(-1); }), "axis", "-1", "0 to 2"));
}

/// Large enough for more than 1 MB of shared memory in its smallest exchange.
PoissonProblem large_problem() {
  PoissonProblem problem;
  problem.cells = {48, 48, 64};
  problem.length = {0.75, 0.75, 1};
  problem.boundary = {End::unbounded, {End::even, End::unbounded}, End::odd};
  return problem;
}

TEST(PoissonErrors, SharedIsRefusedWhereMemoryIsShort) {
  const Comm comm(MPI_COMM_WORLD);
  if (comm.size() == 1) GTEST_SKIP() << "one rank exchanges nothing";
  PlanOptions options = good_options();
  options.strategy = Strategy::shared;
  options.shared_memory_limit = 1 << 20;
  const Refusal refused = refusal_of(large_problem(), options);
  EXPECT_EQ(refused.fault, Fault::resource);
  EXPECT_TRUE(mentions(refused.text, "strategy", "'shared'", "alltoallv", "auto")) << refused.text;
  EXPECT_TRUE(testing::one_node() ? mentions(refused.text, "need", "1 MB may be used", "/dev/shm")
                                  : mentions(refused.text, "do not share a node"))
      << refused.text;
}

TEST(PoissonErrors, AutoFallsBackToMessagesWhereMemoryIsShort) {
  if (!testing::one_node()) GTEST_SKIP() << testing::needs_one_node();
  const Comm comm(MPI_COMM_WORLD);
  if (comm.size() == 1) GTEST_SKIP() << "one rank exchanges nothing";
  PlanOptions options = good_options();
  options.strategy = Strategy::alltoallv;
  Poisson<double> messages(MPI_COMM_WORLD, large_problem(), options);
  options.strategy = Strategy::automatic;
  options.shared_memory_limit = 1 << 20;
  Poisson<double> fallen_back(MPI_COMM_WORLD, large_problem(), options);
  EXPECT_EQ(fallen_back.strategy(), "alltoallv");
  const std::string text = fallen_back.explain();
  EXPECT_TRUE(mentions(text, "alltoallv", "not shared", "1 MB may be used")) << text;
  const std::vector<double> rhs = noisy_field(messages);
  EXPECT_EQ(solved(fallen_back, rhs), solved(messages, rhs));
}

/// The limit is for all windows of a solver together: either of the two fits into 3 MB, both do not.
TEST(PoissonErrors, SharedMemoryLimitCountsAllExchanges) {
  const Comm comm(MPI_COMM_WORLD);
  if (comm.size() != 4) GTEST_SKIP() << "needs a grid of 2 x 2 ranks";
  if (!testing::one_node()) GTEST_SKIP() << testing::needs_one_node();
  PoissonProblem problem;
  problem.cells = {64, 64, 64};
  problem.length = {1, 1, 1};
  problem.boundary = {End::odd, End::odd, End::odd};
  PlanOptions options = good_options();
  options.grid = {2, 2};
  options.shared_memory_limit = 3 << 20;  // each window: 64^3 doubles = 2 MB and some pages
  const Poisson<double> solver(MPI_COMM_WORLD, problem, options);
  EXPECT_EQ(solver.strategy(), "shared+alltoallv");
}

}  // namespace
}  // namespace weft
