// Arrays from fftw_malloc, which the ranks of a node see: transforms where they lie, and what programs do with them
// between planning and execution.
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "memory_arrays.hpp"

namespace weft::testing {
namespace {

const std::string in_arrays = "shared, in the arrays of all ranks";

/// Mappings of this process that belong to files of this library.
int mapped_files() {
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find("/dev/shm/weft-") != std::string::npos ? 1 : 0;
  return count;
}

// Meanwhile no file may have more than 100 bytes, those of shared memory included.
class NoLargeFiles {
 public:
  NoLargeFiles() : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~NoLargeFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }
  NoLargeFiles(const NoLargeFiles&) = delete;
  NoLargeFiles& operator=(const NoLargeFiles&) = delete;

 private:
  void (*signal_)(int);
  rlimit before_{};
};

// Before main(), hence before MPI is there: an array that is kept, and a transform on one rank.
struct Early {
  Array<Double> kept, freed;
  double sum = 0;
  Early() {
    fftw_complex* numbers = freed.numbers();
    std::fill_n(&numbers[0][0], 200, 1.0);
    fftw_plan plan = fftw_plan_dft_1d(100, numbers, numbers, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    sum = numbers[0][0];
    freed.memory.reset();
  }
};
const Early early;

template <class Precision>
class FftwMpiMemory : public ::testing::Test {};
using Precisions = ::testing::Types<Double, Single>;
TYPED_TEST_SUITE(FftwMpiMemory, Precisions);

TYPED_TEST(FftwMpiMemory, TransformsWhereTheArraysOfAllRanksLie) {
  const Planes planes;
  for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
    const Array<TypeParam> one, other;
    for (const bool in_place : {true, false}) {
      auto *in = one.numbers(), *out = in_place ? in : other.numbers();
      fill(in, planes);
      const Transform<TypeParam> transform(in, out, sign);
      transform.expect_says(in_arrays);
      const std::vector<typename TypeParam::Real> before(one.reals(), one.reals() + 2 * planes.size());
      for (int turn = 0; turn < 2; turn++) {
        fill(in, planes);
        TypeParam::execute(transform.plan);
        expect_transformed<TypeParam>(out, planes, sign, in_place ? "in place" : "out of place");
      }
      // The estimating planner changes no array, a transform out of place not its input.
      EXPECT_TRUE(in_place || std::equal(before.begin(), before.end(), one.reals()));
    }
  }
}

TYPED_TEST(FftwMpiMemory, RealTransformsThereAndBackInPlace) {
  using Real = typename TypeParam::Real;
  const Array<TypeParam> array;
  constexpr std::ptrdiff_t row = 2 * (n2 / 2 + 1);
  const Planes planes;
  auto there = TypeParam::box_forward(n0, n1, n2, array.reals(), array.numbers(), MPI_COMM_WORLD, FFTW_ESTIMATE);
  auto back = TypeParam::box_backward(n0, n1, n2, array.numbers(), array.reals(), MPI_COMM_WORLD, FFTW_ESTIMATE);
  const auto for_each = [&](const auto& visit) {
    for (std::ptrdiff_t i = 0; i < planes.count * n1; i++)
      for (std::ptrdiff_t k = 0; k < n2; k++)
        visit(array.reals()[i * row + k], noise((planes.first * n1 + i) * n2 + k));
  };
  for_each([](Real& value, double point) { value = static_cast<Real>(point); });
  TypeParam::execute(there);
  if (rank() == 0) {
    double sum = 0;
    for (std::ptrdiff_t i = 0; i < n0 * n1 * n2; i++) sum += noise(i);
    EXPECT_NEAR(array.reals()[0], sum, tolerance<Real>(n0 * n1 * n2));
  }
  TypeParam::execute(back);
  constexpr double count = n0 * n1 * n2;
  double worst = 0;
  for_each([&](Real& value, double point) { worst = std::max(worst, std::abs(value / count - point)); });
  EXPECT_LE(worst, 2 * tolerance<Real>(n0 * n1 * n2));
  TypeParam::destroy(there);
  TypeParam::destroy(back);
}

TYPED_TEST(FftwMpiMemory, ArraysMayLieInsideAnAllocation) {
  // Input and output follow each other in one allocation; offsets differ between ranks.
  const Array<TypeParam> array;
  const Planes planes;
  const auto first = static_cast<std::size_t>(3 + rank()), second = first + static_cast<std::size_t>(planes.size() + 1);
  for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
    const Transform<TypeParam> transform(array.numbers(first), array.numbers(second), sign);
    transform.expect_says(in_arrays);
    fill(array.numbers(first), planes);
    TypeParam::execute(transform.plan);
    expect_transformed<TypeParam>(array.numbers(second), planes, sign, "inside an allocation");
  }
}

TYPED_TEST(FftwMpiMemory, OneRankMayHaveAnArrayThatOthersDoNotSee) {
  using From = typename Array<TypeParam>::From;
  const Planes planes;
  const int last = ranks() - 1;
  const Array<TypeParam> one(rank() == last ? From::heap : From::fftw), other(rank() == 0 ? From::heap : From::fftw);
  for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD})
    for (const bool in_place : {true, false}) {
      auto* out = in_place ? one.numbers() : other.numbers();
      const Transform<TypeParam> transform(one.numbers(), out, sign);
      transform.expect_says("in windows of 1 of " + std::to_string(ranks()));
      fill(one.numbers(), planes);
      TypeParam::execute(transform.plan);
      expect_transformed<TypeParam>(out, planes, sign, "mixed");
    }
}

TEST(FftwMpiMemoryOnce, APlanMayBeExecutedOnOtherArrays) {
  using From = Array<Double>::From;
  const Planes planes;
  const Array<Double> planned, output, other(From::heap), more(From::heap), shared;
  for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
    const Transform<Double> in_place(planned.numbers(), planned.numbers(), sign),
        apart(planned.numbers(), output.numbers(), sign);
    // The last one is that of the plan on all ranks but one.
    const Array<Double>* last = rank() == 0 ? &shared : &planned;
    for (const Array<Double>* array : {&other, &shared, last}) {
      fill(array->numbers(), planes);
      fftw_mpi_execute_dft(apart.plan, array->numbers(), more.numbers());
      expect_transformed<Double>(more.numbers(), planes, sign, "other arrays");
      fftw_mpi_execute_dft(in_place.plan, array->numbers(), array->numbers());
      expect_transformed<Double>(array->numbers(), planes, sign, "another array");
    }
    fill(planned.numbers(), planes);
    fftw_execute(apart.plan);
    expect_transformed<Double>(output.numbers(), planes, sign, "the plan's own arrays");
  }
}

TEST(FftwMpiMemoryOnce, MemoryMayBeFreedAndAllocatedAnew) {
  const Planes planes;
  Array<Double> array;
  const Transform<Double> transform(array.numbers(), array.numbers());
  // The system gives the same addresses again, if not on all ranks: the plan must know that this is another array.
  for (const int freeing : {0, ranks() - 1}) {
    if (rank() == freeing) {
      array.memory.reset();
      array = Array<Double>();
    }
    fill(array.numbers(), planes);
    fftw_mpi_execute_dft(transform.plan, array.numbers(), array.numbers());
    expect_transformed<Double>(array.numbers(), planes, FFTW_FORWARD, "allocated anew");
  }
  // A plan for these arrays sees them; the one before stays right.
  const Transform<Double> again(array.numbers(), array.numbers(), FFTW_BACKWARD);
  fill(array.numbers(), planes);
  fftw_execute(again.plan);
  expect_transformed<Double>(array.numbers(), planes, FFTW_BACKWARD, "planned anew");
}

TEST(FftwMpiMemoryOnce, PlansOfOtherRanksMayHaveTheSameArray) {
  // The same ranks in reverse order, and each half of them.
  MPI_Comm reversed, half;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank(), &reversed);
  MPI_Comm_split(MPI_COMM_WORLD, 2 * rank() < ranks() ? 0 : 1, rank(), &half);
  {
    const Array<Double> array;
    const Transform<Double> first(array.numbers(), array.numbers());
    for (MPI_Comm comm : {half, reversed, half}) {
      const Transform<Double> second(array.numbers(), array.numbers(), FFTW_FORWARD, comm);
      fill(array.numbers(), Planes(comm));
      fftw_execute(second.plan);
      expect_transformed<Double>(array.numbers(), Planes(comm), FFTW_FORWARD, "another communicator");
      fill(array.numbers(), Planes());
      fftw_execute(first.plan);
      expect_transformed<Double>(array.numbers(), Planes(), FFTW_FORWARD, "the first communicator");
    }
  }
  MPI_Comm_free(&reversed);
  MPI_Comm_free(&half);
}

TEST(FftwMpiMemoryOnce, APlanOfMoreRanksWaitsForOneOfFewer) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, 2 * rank() < ranks() ? 0 : 1, rank(), &half);
  int halved = 0;
  MPI_Comm_size(half, &halved);
  MPI_Allreduce(MPI_IN_PLACE, &halved, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  const Planes planes;
  const Array<Double> array;
  const auto expect_right = [&](const std::string& words) {
    const Transform<Double> transform(array.numbers(), array.numbers());
    transform.expect_says(words);
    fill(array.numbers(), planes);
    fftw_execute(transform.plan);
    expect_transformed<Double>(array.numbers(), planes, FFTW_FORWARD, words);
  };
  if (halved > 1) {
    const Transform<Double> first(array.numbers(), array.numbers(), FFTW_FORWARD, half);
    // Half of the ranks see the array already, and others cannot be added.
    expect_right("shared, in windows of " + std::to_string(ranks()));
  }
  expect_right(in_arrays);
  MPI_Comm_free(&half);
}

TEST(FftwMpiMemoryOnce, AllWaysGiveTheSameBits) {
  using From = Array<Double>::From;
  const Planes planes;
  const Array<Double> seen, unseen(From::heap);
  for (const Array<Double>* array : {&seen, &unseen}) {
    const Transform<Double> transform(array->numbers(), array->numbers());
    fill(array->numbers(), planes);
    fftw_execute(transform.plan);
  }
  EXPECT_TRUE(std::equal(seen.reals(), seen.reals() + 2 * planes.size(), unseen.reals()));
}

TEST(FftwMpiMemoryOnce, OtherArraysAreTransformedWithoutMemoryForWindows) {
  using From = Array<Double>::From;
  const Planes planes;
  const Array<Double> planned, other(From::heap);
  for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
    const Transform<Double> transform(planned.numbers(), planned.numbers(), sign);
    {
      const NoLargeFiles limit;
      fill(other.numbers(), planes);
      fftw_mpi_execute_dft(transform.plan, other.numbers(), other.numbers());
    }
    expect_transformed<Double>(other.numbers(), planes, sign, "without windows");
    fill(planned.numbers(), planes);
    fftw_execute(transform.plan);
    expect_transformed<Double>(planned.numbers(), planes, sign, "the plan's own array");
  }
}

TEST(FftwMpiMemoryOnce, NothingIsLeftOfWhatIsFreed) {
  const int before = mapped_files();
  {
    const Array<Double> array;
    const Transform<Double> transform(array.numbers(), array.numbers());
    EXPECT_GE(mapped_files(), before + (ranks() > 1 ? ranks() : 0));
  }
  EXPECT_EQ(mapped_files(), before);
}

TEST(FftwMpiMemoryOnce, IsThereBeforeMpi) {
  EXPECT_NEAR(early.sum, 100, tolerance<double>(100));
  // Some ranks have no plane. A single number at the beginning has modes of one everywhere.
  std::ptrdiff_t count = 0, first = 0;
  fftw_mpi_local_size_2d(3, 8, MPI_COMM_WORLD, &count, &first);
  fftw_complex* numbers = early.kept.numbers();
  fftw_plan plan = fftw_mpi_plan_dft_2d(3, 8, numbers, numbers, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  std::fill_n(&numbers[0][0], 2 * count * 8, 0.0);
  if (rank() == 0) numbers[0][0] = 1;
  expect_says<Double>(plan, in_arrays);
  fftw_execute(plan);
  for (std::ptrdiff_t i = 0; i < count * 8; i++) {
    EXPECT_EQ(numbers[i][0], 1) << i;
    EXPECT_EQ(numbers[i][1], 0) << i;
  }
  fftw_destroy_plan(plan);
}

TEST(FftwMpiMemoryOnce, IsAlignedAndFreedWhateverItsSize) {
  fftw_free(nullptr);
  for (const std::size_t count : {1UL, 1000UL, 8192UL, 100'000UL, 1'000'000UL}) {
    double* reals = fftw_alloc_real(count);
    fftw_complex* numbers = fftw_alloc_complex(count);
    ASSERT_NE(reals, nullptr);
    ASSERT_NE(numbers, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(reals) % (count >= 8192 ? 4096 : 16), 0U);
    reals[count - 1] = numbers[count - 1][1] = 1;
    EXPECT_EQ(fftw_alignment_of(reals), 0);
    fftw_free(reals);
    fftw_free(numbers);
  }
}

}  // namespace
}  // namespace weft::testing
