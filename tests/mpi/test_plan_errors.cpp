// What plans refuse: the same text on every rank, whichever rank is at fault, and it names the argument.
#include "environment.hpp"
#include "plan_fixture.hpp"

namespace weft::plan_test {
namespace {

void expect_plan_refused(const Extents& shape, const std::vector<Kind>& kinds, const PlanOptions& options,
                         const std::vector<std::string>& parts) {
  expect_refused([&] { Plan<double>(MPI_COMM_WORLD, shape, kinds, options); }, parts);
  expect_refused([&] { Plan<float>(MPI_COMM_WORLD, shape, kinds, options); }, parts);
}

PlanOptions with_grid(const std::vector<int>& grid) {
  PlanOptions options = quick();
  options.grid = grid;
  return options;
}

const std::vector<Kind> rfft3{Kind::c2c, Kind::c2c, Kind::r2c};

TEST(PlanErrors, Sizes) {
  expect_plan_refused({8, 0, 8}, rfft3, quick(), {"shape", "axis 1", "0 points", "at least 1"});
  expect_plan_refused({8, 8, -3}, rfft3, quick(), {"shape", "axis 2", "-3 points"});
  expect_plan_refused({8, 1, 8}, {Kind::c2c, Kind::dct1, Kind::r2c}, quick(),
                      {"shape", "axis 1", "dct1", "at least 2"});
  expect_plan_refused({index_t{1} << 31, index_t{1} << 31, 4}, rfft3, quick(), {"2147483648 x 2147483648 x 4"});
}

TEST(PlanErrors, NumberOfAxes) {
  expect_refused([] { Plan<double>(MPI_COMM_WORLD, {2, 2, 2, 2, 2, 2, 2}, Kind::c2c); }, {"7 axes", "6"});
  expect_plan_refused({}, {}, quick(), {"shape", "1 to 6 axes", "0 were given"});
  expect_refused([] { Plan<double>(MPI_COMM_WORLD, Extents{}, Kind::r2c); }, {"shape", "0 were given"});
}

TEST(PlanErrors, Kinds) {
  expect_plan_refused({8, 8, 8}, {Kind::c2c, Kind::r2c}, quick(), {"kinds", "2 kinds", "3 axes", "one per axis"});
  expect_plan_refused({8, 8}, rfft3, quick(), {"kinds", "3 kinds", "2 axes"});
  expect_plan_refused({8, 8, 8}, {Kind::r2c, Kind::c2c, Kind::r2c}, quick(), {"kinds", "r2c on 2 axes", "c2c"});
  expect_plan_refused({8, 8, 8}, {Kind::none, Kind::none, Kind::none}, quick(), {"kinds", "'none'", "at least one"});
}

TEST(PlanErrors, AxesThatAreAllNoneNameWhatMovesArraysAlone) {
  const std::vector<std::string> parts{"kinds", "every axis is 'none'", "weft.Redistribution(from, to)",
                                       "weft_redistribution_create"};
  expect_plan_refused({56}, {Kind::none}, quick(), parts);
  expect_plan_refused({6, 5}, {Kind::none, Kind::none}, quick(), parts);
}

TEST(PlanErrors, Grids) {
  const std::string has = "are " + std::to_string(ranks()) + " ranks";
  expect_plan_refused({8, 8, 8}, rfft3, with_grid({ranks() + 1}), {"grid", std::to_string(ranks() + 1), has});
  expect_plan_refused({8, 8, 8}, rfft3, with_grid({ranks(), 2}), {"grid", "product", std::to_string(2 * ranks()), has});
  expect_plan_refused({8, 8, 8}, rfft3, with_grid({-1, -ranks()}), {"grid", "below 1"});
  expect_plan_refused({8, 8, 8}, rfft3, with_grid({0}), {"grid", "below 1"});
  // A product that no integer holds.
  const int large = 1 << 30;
  expect_plan_refused({8, 8, 8, 8, 8, 8}, std::vector<Kind>(6, Kind::c2c), with_grid({large, large, large, large}),
                      {"grid", "1073741824", has});
  if (ranks() == 1) return;
  expect_plan_refused({8, 8}, {Kind::c2c, Kind::r2c}, with_grid({1, ranks()}), {"grid", "axes to cut (1)"});
  expect_plan_refused({8, 8, 8}, rfft3, with_grid({1, 1, ranks()}), {"grid", "axes to cut (2)", "at most"});
}

TEST(PlanErrors, Options) {
  PlanOptions options = quick();
  options.threads = -1;
  expect_plan_refused({8, 8, 8}, rfft3, options, {"threads", "-1", "1 to 4096"});
  options.threads = 5000;
  expect_plan_refused({8, 8, 8}, rfft3, options, {"threads", "5000"});
  options = quick();
  for (const index_t limit : {index_t{0}, index_t{-5}, index_t{1} << 31}) {
    options.message_limit = limit;
    expect_plan_refused({8, 8, 8}, rfft3, options, {"message_limit", std::to_string(limit), "2^31-1"});
  }
}

TEST(PlanErrors, EnvironmentThatMeansNothing) {
  const testing::Environment set("WEFT_ENGINE", "quick");
  expect_plan_refused({8, 8, 8}, rfft3, quick(), {"WEFT_ENGINE", "'quick'", "auto, lanes, fftw"});
}

TEST(PlanErrors, EnvironmentThatDiffersBetweenRanks) {
  if (ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
  for (const char* value : {"fftw", "quick"}) {
    const testing::Environment set("WEFT_ENGINE", last_rank() ? value : "auto");
    expect_plan_refused({8, 8, 8}, rfft3, quick(), {"options", "engine auto", "engine " + std::string(value)});
  }
}

TEST(PlanErrors, Communicator) {
  expect_refused([] { Plan<double>(MPI_COMM_NULL, {8, 8}, Kind::r2c); }, {"communicator", "MPI_COMM_NULL"});
}

// The last rank gives something else than the others.
TEST(PlanErrors, ArgumentsThatDifferBetweenRanks) {
  if (ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
  const std::string who = "rank " + std::to_string(ranks() - 1);
  const index_t n = last_rank() ? 9 : 8;
  expect_plan_refused({8, n, 8}, rfft3, quick(), {"shape", "rank 0 has 8 x 8 x 8", who + " has 8 x 9 x 8"});
  const std::vector<Kind> kinds{last_rank() ? Kind::dct2 : Kind::c2c, Kind::c2c, Kind::r2c};
  expect_plan_refused({8, 8, 8}, kinds, quick(), {"kinds", "dct2", who});
  // Even where it is an error of its own on that rank alone.
  expect_plan_refused({8, last_rank() ? -1 : 8, 8}, rfft3, quick(), {"shape", "8 x -1 x 8", who});
  const auto expect_option = [&](const std::string& part, auto change) {
    PlanOptions options = quick();
    if (last_rank()) change(options);
    expect_plan_refused({8, 8, 8}, rfft3, options, {"options", who, part});
  };
  expect_option("grid 1 x " + std::to_string(ranks()), [](PlanOptions& o) { o.grid = {1, ranks()}; });
  expect_option("strategy shared", [](PlanOptions& o) { o.strategy = Strategy::shared; });
  expect_option("norm ortho", [](PlanOptions& o) { o.norm = Norm::ortho; });
  expect_option("effort patient", [](PlanOptions& o) { o.effort = Effort::patient; });
  const testing::Environment none("WEFT_ENGINE", nullptr);
  expect_option("engine fftw", [](PlanOptions& o) { o.engine = EngineChoice::fftw; });
  expect_option("scheme ", [](PlanOptions& o) { o.scheme = Scheme::grouped; });
  expect_option("message_limit 7", [](PlanOptions& o) { o.message_limit = 7; });
  expect_option("shared_memory_limit 7", [](PlanOptions& o) { o.shared_memory_limit = 7; });
}

TEST(PlanErrors, ThreadsMayDifferBetweenRanks) {
  PlanOptions options = quick();
  options.threads = last_rank() ? 2 : 1;
  EXPECT_EQ(Plan<double>(MPI_COMM_WORLD, {8, 8, 8}, Kind::r2c, options).threads(), options.threads);
  options.threads = last_rank() ? -2 : 1;
  expect_plan_refused({8, 8, 8}, rfft3, options, {"threads", "-2"});
  // Where only some transform, on a communicator that nobody has asked for its node before.
  MPI_Comm user = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &user);
  options.ranks = std::max(1, ranks() - 1);
  options.threads = world().rank() == 0 ? 1 : 0;
  EXPECT_NO_THROW(Plan<double>(user, {8, 8, 8}, Kind::r2c, options));
  MPI_Comm_free(&user);
}

// --- arrays ------------------------------------------------------------------------------------------------------

// A wrong vector on the last rank only; the plan works afterwards.
TEST(PlanErrors, VectorsOfTheWrongSizeOnOneRank) {
  Plan<double> plan(MPI_COMM_WORLD, {8, 6, 10}, Kind::r2c, quick());
  const auto longer = [](std::vector<double> field) {
    field.resize(field.size() + (last_rank() ? 3 : 0));
    return field;
  };
  std::vector<double> u = plan.physical_field(), uh = plan.spectral_field();
  std::vector<double> long_u = longer(u), long_uh = longer(uh), empty;
  expect_refused([&] { plan.forward(long_u, uh); }, {"in: ", "reals", "needs"});
  expect_refused([&] { plan.forward(u, long_uh); }, {"out: ", "reals", "needs"});
  expect_refused([&] { plan.backward(long_uh, u); }, {"in: "});
  expect_refused([&] { plan.backward(uh, long_u); }, {"out: "});
  if (ranks() <= 6) expect_refused([&] { plan.forward(last_rank() ? empty : u, uh); }, {"in: ", "has 0 reals"});
  EXPECT_NO_THROW(plan.forward(u, uh));
  EXPECT_NO_THROW(plan.backward(uh, u));
}

TEST(PlanErrors, FieldsOfTheOtherType) {
  const Plan<double> plan(MPI_COMM_WORLD, {8, 6, 10}, Kind::r2c, quick());
  expect_refused([&] { plan.physical<std::complex<double>>(); }, {"T: ", "real"});
  expect_refused([&] { plan.spectral<double>(); }, {"T: ", "complex"});
}

TEST(PlanErrors, AxesThatAreNone) {
  const Plan<double> plan(MPI_COMM_WORLD, {8, 6, 10}, Kind::r2c, quick());
  for (const int axis : {-1, 3}) {
    expect_refused([&] { plan.wavenumbers(axis); }, {"axis", std::to_string(axis), "0 to 2"});
    expect_refused([&] { plan.weights(axis); }, {"axis"});
    expect_refused([&] { plan.coordinates(axis); }, {"axis"});
  }
}

}  // namespace
}  // namespace weft::plan_test
