// Transforms of more axes than plans of ours have: FFTW's MPI library makes them, where it is there. Which library the
// loader finds, tests/CMakeLists.txt says for each suite: a stand-in on one rank, FFTW's own, or one of another MPI.
#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "../arrays.hpp"

namespace weft::testing {
namespace {

const Sizes seven = {5, 2, 3, 2, 2, 2, 2};  // axes; ours have six

fftw_complex* complex_of(std::vector<double>& data) { return reinterpret_cast<fftw_complex*>(data.data()); }

std::vector<double> noisy(std::ptrdiff_t count, std::ptrdiff_t first = 0) {
  std::vector<double> result(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < result.size(); i++) result[i] = noise(first + static_cast<std::ptrdiff_t>(i));
  return result;
}

// This noise transformed by FFTW on one rank.
std::vector<double> whole_transform(int sign) {
  std::vector<double> data = noisy(2 * product(seven));
  fftw_plan plan = fftw_plan_dft(7, as_ints(seven).data(), complex_of(data), complex_of(data), sign, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return data;
}

// Numbers of an array that is a part of another, from place `first` on.
void expect_part(const std::vector<double>& found, const std::vector<double>& whole, std::ptrdiff_t first,
                 std::ptrdiff_t count) {
  for (std::ptrdiff_t i = 0; i < count; i++) {
    ASSERT_NEAR(found[static_cast<std::size_t>(i)], whole[static_cast<std::size_t>(first + i)],
                tolerance<double>(product(seven)))
        << i;
  }
}

// A transform of seven axes over a communicator, in place, and what belongs to it.
struct Seven {
  explicit Seven(MPI_Comm comm, int sign = FFTW_FORWARD) {
    std::ptrdiff_t size = 0, start = 0;
    const std::ptrdiff_t room = fftw_mpi_local_size(7, seven.data(), comm, &size, &start);
    const std::ptrdiff_t slice = 2 * product(seven) / seven[0];
    first = start * slice;
    count = size * slice;
    data.resize(static_cast<std::size_t>(std::max<std::ptrdiff_t>(2 * room, count)));
    plan = fftw_mpi_plan_dft(7, seven.data(), complex_of(data), complex_of(data), comm, sign, FFTW_ESTIMATE);
    const std::vector<double> numbers = noisy(count, first);
    std::copy(numbers.begin(), numbers.end(), data.begin());
  }

  std::ptrdiff_t first = 0, count = 0;
  std::vector<double> data;
  fftw_plan plan = nullptr;
};

void expect_executes(Seven& one, int sign) {
  ASSERT_NE(one.plan, nullptr);
  fftw_execute(one.plan);
  expect_part(one.data, whole_transform(sign), one.first, one.count);
}

std::string text_of(fftw_plan plan) {
  char* text = fftw_sprint_plan(plan);
  std::string result = text;
  std::free(text);
  return result;
}

TEST(FftwBehindOneRank, MakesPlansOfMoreAxesAndOursStayBesideThem) {
  Seven theirs(MPI_COMM_SELF);
  ASSERT_NE(theirs.plan, nullptr);
  std::vector<double> small(2 * 30, 1.0);
  fftw_plan ours =
      fftw_mpi_plan_dft_2d(6, 5, complex_of(small), complex_of(small), MPI_COMM_SELF, FFTW_FORWARD, FFTW_ESTIMATE);
  ASSERT_NE(ours, nullptr);
  fftw_execute(ours);
  EXPECT_NEAR(small[0], 30, tolerance<double>(30));
  fftw_execute(theirs.plan);
  expect_part(theirs.data, whole_transform(FFTW_FORWARD), theirs.first, theirs.count);
  EXPECT_EQ(text_of(ours).rfind("(weft", 0), 0) << text_of(ours);
  EXPECT_EQ(text_of(theirs.plan).find("weft"), std::string::npos) << text_of(theirs.plan);
  double add = 0, mul = 0, fma = 0;
  fftw_flops(theirs.plan, &add, &mul, &fma);
  EXPECT_GT(add + mul + fma, 0);
  fftw_destroy_plan(theirs.plan);
  fftw_execute(ours);
  fftw_destroy_plan(ours);
}

TEST(FftwBehindOneRank, RunsOnOtherArraysByFunctionsForMpi) {
  Seven one(MPI_COMM_SELF);
  ASSERT_NE(one.plan, nullptr);
  void* library = dlopen("libfftw3_mpi.so.3", RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr);
  const int* executions = static_cast<const int*>(dlsym(library, "weft_executions"));
  const int before = *executions;
  std::vector<double> other = one.data;
  fftw_mpi_execute_dft(one.plan, complex_of(other), complex_of(other));
  EXPECT_EQ(*executions, before + 1);
  expect_part(other, whole_transform(FFTW_FORWARD), 0, one.count);
  EXPECT_EQ(one.data, noisy(one.count)) << "the plan's own array has changed";
  fftw_destroy_plan(one.plan);
  dlclose(library);
}

TEST(FftwBehindOneRank, BeginsAnewAfterACleanup) {
  for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
    Seven one(MPI_COMM_SELF, sign);
    ASSERT_NO_FATAL_FAILURE(expect_executes(one, sign));
    fftw_destroy_plan(one.plan);
    fftw_mpi_cleanup();
  }
}

TEST(FftwBehindAllRanks, TransformsMoreAxesThanOurPlansHave) {
  for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
    Seven one(MPI_COMM_WORLD, sign);
    ASSERT_NO_FATAL_FAILURE(expect_executes(one, sign));
    const std::vector<double> again = noisy(one.count, one.first);
    std::copy(again.begin(), again.end(), one.data.begin());
    fftw_mpi_execute_dft(one.plan, complex_of(one.data), complex_of(one.data));
    expect_part(one.data, whole_transform(sign), one.first, one.count);
    fftw_destroy_plan(one.plan);
  }
}

TEST(FftwBehindAllRanks, TransformsTuplesOfRealNumbersInSixAxes) {
  // A sum over all points is the mode 0, here of each number of a tuple.
  const Sizes n = {4, 3, 2, 2, 2, 2};
  std::ptrdiff_t size = 0, first = 0;
  const std::ptrdiff_t room = fftw_mpi_local_size_many(6, n.data(), 2, 0, MPI_COMM_WORLD, &size, &first);
  std::vector<double> data(static_cast<std::size_t>(2 * room), 0.0);
  std::vector<fftw_r2r_kind> kinds(6, FFTW_REDFT10);
  fftw_plan plan = fftw_mpi_plan_many_r2r(6, n.data(), 2, 0, 0, data.data(), data.data(), MPI_COMM_WORLD, kinds.data(),
                                          FFTW_ESTIMATE);
  ASSERT_NE(plan, nullptr);
  const std::ptrdiff_t slice = 2 * product(n) / n[0];
  for (std::ptrdiff_t i = 0; i < size * slice; i++) data[static_cast<std::size_t>(i)] = i % 2 == 0 ? 1 : -3;
  fftw_execute(plan);
  if (first == 0 && size > 0) {
    // Each of six axes doubles it.
    const double sum = 64.0 * static_cast<double>(product(n));
    EXPECT_NEAR(data[0], sum, 3 * tolerance<double>(64 * product(n)));
    EXPECT_NEAR(data[1], -3 * sum, 9 * tolerance<double>(64 * product(n)));
  }
  fftw_destroy_plan(plan);
}

TEST(FftwBehindNone, MoreAxesAreRefusedAndRankZeroSaysWhy) {
  ::testing::internal::CaptureStderr();
  const Seven one(MPI_COMM_WORLD);
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(one.plan, nullptr);
  if (rank() > 0) {
    EXPECT_EQ(text, "");
    return;
  }
  EXPECT_NE(text.find("weft: fftw_mpi_plan_many_dft: rnk = 7 with howmany = 1; give at most 5 axes of tuples"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("FFTW's own MPI library, which has no such limit, is not there for this MPI"), std::string::npos)
      << text;
}

TEST(FftwBehindNone, RanksHaveToAskForTheSame) {
  if (ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
  std::vector<double> data(static_cast<std::size_t>(2 * product(seven)));
  ::testing::internal::CaptureStderr();
  const int axes = rank() == 1 ? 6 : 7;
  EXPECT_EQ(fftw_mpi_plan_dft(axes, seven.data(), complex_of(data), complex_of(data), MPI_COMM_WORLD, FFTW_FORWARD,
                              FFTW_ESTIMATE),
            nullptr);
  const std::string text = ::testing::internal::GetCapturedStderr();
  if (rank() == 0) {
    EXPECT_NE(text.find("rnk and howmany"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace weft::testing
