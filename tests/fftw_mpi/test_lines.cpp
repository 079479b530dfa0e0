// Long lines and transposes of FFTW's MPI interface, both precisions, and what may be asked of a plan.
#include <cstdlib>
#include <cstring>
#include <string>

#include "arrays.hpp"
#include "precisions.hpp"

namespace weft::testing {
namespace {

template <class Precision>
class FftwMpiLines : public ::testing::Test {};
using Precisions = ::testing::Types<Double, Single>;
TYPED_TEST_SUITE(FftwMpiLines, Precisions);

// A line as this rank has it before and after, with the flags and the sign that are given.
template <class Precision>
struct Line {
  using Real = typename Precision::Real;
  using Complex = typename Precision::Complex;
  std::ptrdiff_t n, count, in_size, in_first, out_size, out_first;
  std::vector<Real> data;

  Line(std::ptrdiff_t points, int sign, unsigned flags) : n(points) {
    count = Precision::local_line(n, MPI_COMM_WORLD, sign, flags, &in_size, &in_first, &out_size, &out_first);
    data.resize(static_cast<std::size_t>(2 * count));
  }
  Complex* numbers() { return reinterpret_cast<Complex*>(data.data()); }
  void fill() {
    for (std::ptrdiff_t i = 0; i < 2 * in_size; i++)
      data[static_cast<std::size_t>(i)] = static_cast<Real>(noise(2 * in_first + i));
  }
};

TYPED_TEST(FftwMpiLines, AreThoseOfOneRank) {
  using Real = typename TypeParam::Real;
  using Complex = typename TypeParam::Complex;
  // Lengths that all ranks share, a prime, one with a long factor, fewer points than ranks, and a large prime.
  for (const std::ptrdiff_t n : {4096, 3600, 210, 101, 2 * 103, 3, 1, 32771}) {
    for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
      std::vector<Real> whole(static_cast<std::size_t>(2 * n));
      for (std::size_t i = 0; i < whole.size(); i++)
        whole[i] = static_cast<Real>(noise(static_cast<std::ptrdiff_t>(i)));
      auto* numbers = reinterpret_cast<Complex*>(whole.data());
      auto serial = TypeParam::serial_line(static_cast<int>(n), numbers, numbers, sign, FFTW_ESTIMATE);
      TypeParam::execute(serial);
      TypeParam::destroy(serial);
      for (const bool in_place : {false, true}) {
        Line<TypeParam> line(n, sign, 0);
        std::vector<Real> other(line.data.size());
        auto* target = in_place ? line.numbers() : reinterpret_cast<Complex*>(other.data());
        auto plan = TypeParam::line(n, line.numbers(), target, MPI_COMM_WORLD, sign, FFTW_ESTIMATE);
        ASSERT_NE(plan, nullptr);
        line.fill();
        TypeParam::execute(plan);
        TypeParam::destroy(plan);
        double worst = 0;
        for (std::ptrdiff_t i = 0; i < line.out_size; i++)
          for (int part = 0; part < 2; part++)
            worst = std::max(worst, std::abs(static_cast<double>(target[i][part] - numbers[line.out_first + i][part])));
        EXPECT_LE(worst, tolerance<Real>(n)) << n << " points, sign " << sign << (in_place ? ", in place" : "");
      }
    }
  }
}

TYPED_TEST(FftwMpiLines, AreTheirOwnInverseThroughScrambledModes) {
  using Real = typename TypeParam::Real;
  for (const std::ptrdiff_t n : {4096, 3600, 101}) {
    Line<TypeParam> there(n, FFTW_FORWARD, FFTW_MPI_SCRAMBLED_OUT);
    const Line<TypeParam> back(n, FFTW_BACKWARD, FFTW_MPI_SCRAMBLED_IN);
    EXPECT_EQ(there.out_size, back.in_size);
    EXPECT_EQ(there.out_first, back.in_first);
    EXPECT_EQ(there.in_size, back.out_size);
    auto* numbers = there.numbers();
    auto forward =
        TypeParam::line(n, numbers, numbers, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE | FFTW_MPI_SCRAMBLED_OUT);
    auto backward =
        TypeParam::line(n, numbers, numbers, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE | FFTW_MPI_SCRAMBLED_IN);
    ASSERT_NE(forward, nullptr);
    ASSERT_NE(backward, nullptr);
    there.fill();
    TypeParam::execute(forward);
    double energy = 0;  // Parseval: n times that of the points, in whatever order
    for (std::ptrdiff_t i = 0; i < 2 * there.out_size; i++)
      energy += std::pow(static_cast<double>(there.data[static_cast<std::size_t>(i)]), 2);
    TypeParam::execute(backward);
    double expected = 0, worst = 0;
    for (std::ptrdiff_t i = 0; i < 2 * there.in_size; i++) {
      const double point = static_cast<double>(static_cast<Real>(noise(2 * there.in_first + i)));
      expected += point * point;
      worst = std::max(
          worst,
          std::abs(static_cast<double>(there.data[static_cast<std::size_t>(i)]) / static_cast<double>(n) - point));
    }
    double both[] = {energy, expected * static_cast<double>(n)};
    MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_NEAR(both[0] / both[1], 1, tolerance<Real>(n));
    EXPECT_LE(worst, tolerance<Real>(n));
    TypeParam::destroy(forward);
    TypeParam::destroy(backward);
  }
}

TYPED_TEST(FftwMpiLines, AreTransposedAsMatrices) {
  using Real = typename TypeParam::Real;
  for (const std::ptrdiff_t howmany : {1, 3}) {
    for (const unsigned flags : {0U, FFTW_MPI_TRANSPOSED_IN, FFTW_MPI_TRANSPOSED_OUT}) {
      for (const bool in_place : {false, true}) {
        const std::ptrdiff_t n0 = 11, n1 = 6;
        std::ptrdiff_t rows, row, columns, column;
        const std::ptrdiff_t count =
            TypeParam::local_transpose(n0, n1, MPI_COMM_WORLD, &rows, &row, &columns, &column) * howmany;
        std::vector<Real> from(static_cast<std::size_t>(count)), to(from.size(), -1);
        Real* target = in_place ? from.data() : to.data();
        auto plan =
            TypeParam::transpose(n0, n1, howmany, 0, 0, from.data(), target, MPI_COMM_WORLD, flags | FFTW_ESTIMATE);
        ASSERT_NE(plan, nullptr);
        const auto value = [&](std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t k) {
          return static_cast<Real>(100 * i + 10 * j + k);
        };
        const bool in_swapped = (flags & FFTW_MPI_TRANSPOSED_IN) != 0,
                   out_swapped = (flags & FFTW_MPI_TRANSPOSED_OUT) != 0;
        for (std::ptrdiff_t i = 0; i < rows; i++)
          for (std::ptrdiff_t j = 0; j < n1; j++)
            for (std::ptrdiff_t k = 0; k < howmany; k++)
              from[static_cast<std::size_t>((in_swapped ? j * rows + i : i * n1 + j) * howmany + k)] =
                  value(row + i, j, k);
        TypeParam::execute(plan);
        TypeParam::destroy(plan);
        int wrong = 0;
        for (std::ptrdiff_t i = 0; i < n0; i++)
          for (std::ptrdiff_t j = 0; j < columns; j++)
            for (std::ptrdiff_t k = 0; k < howmany; k++)
              wrong +=
                  target[(out_swapped ? i * columns + j : j * n0 + i) * howmany + k] == value(i, column + j, k) ? 0 : 1;
        EXPECT_EQ(wrong, 0) << "tuples " << howmany << ", flags " << (flags >> 27) << ", in place " << in_place;
      }
    }
  }
}

// A plan for 6 x 5 numbers, and its arrays.
struct Small {
  std::vector<double> in, out, other_in, other_out;
  fftw_plan plan;
  Small() {
    std::ptrdiff_t rows, first;
    const auto count = static_cast<std::size_t>(2 * fftw_mpi_local_size_2d(6, 5, MPI_COMM_WORLD, &rows, &first));
    in.resize(count);
    out = other_out = in;
    for (std::size_t i = 0; i < count; i++) in[i] = noise(static_cast<std::ptrdiff_t>(i) + 100 * rank());
    other_in = in;
    plan = fftw_mpi_plan_dft_2d(6, 5, numbers(in), numbers(out), MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  }
  ~Small() { fftw_destroy_plan(plan); }
  Small(const Small&) = delete;
  Small& operator=(const Small&) = delete;
  static fftw_complex* numbers(std::vector<double>& data) { return reinterpret_cast<fftw_complex*>(data.data()); }
};

TEST(FftwMpiPlans, RunOnOtherArraysByBothNames) {
  Small one;
  fftw_execute(one.plan);
  fftw_mpi_execute_dft(one.plan, Small::numbers(one.other_in), Small::numbers(one.other_out));
  EXPECT_EQ(one.other_out, one.out);
  std::fill(one.other_out.begin(), one.other_out.end(), 0.0);
  fftw_execute_dft(one.plan, Small::numbers(one.other_in), Small::numbers(one.other_out));
  EXPECT_EQ(one.other_out, one.out);
}

TEST(FftwMpiPlans, SayWhatTheyAre) {
  Small one;
  char* text = fftw_sprint_plan(one.plan);
  ASSERT_NE(text, nullptr);
  EXPECT_NE(std::string(text).find("6 x 5 c2c forward"), std::string::npos) << text;
  std::free(text);
  double add = -1, mul = -1, fma = -1;
  fftw_flops(one.plan, &add, &mul, &fma);
  EXPECT_NEAR(add + mul + 2 * fma, 5 * 30 * std::log2(30) / ranks(), 1e-9);
  EXPECT_GT(fftw_cost(one.plan), 0);
  EXPECT_EQ(fftw_cost(one.plan), fftw_estimate_cost(one.plan));
}

TEST(FftwMpiPlans, OfFftwWorkBesideThem) {
  std::vector<double> data(2 * 8, 1.0);
  fftw_plan serial = fftw_plan_dft_1d(8, Small::numbers(data), Small::numbers(data), FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(serial);
  EXPECT_EQ(data[0], 8);
  EXPECT_EQ(data[2], 0);
  char* text = fftw_sprint_plan(serial);
  EXPECT_NE(std::strstr(text, "dft"), nullptr);
  std::free(text);
  EXPECT_GE(fftw_cost(serial), 0);
  fftw_destroy_plan(serial);
}

// What a plan that there is not says on rank 0; nothing on the others.
std::string refusal(const std::function<fftw_plan()>& make) {
  ::testing::internal::CaptureStderr();
  const fftw_plan plan = make();
  std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(text.empty(), rank() != 0) << text;
  return text;
}

TEST(FftwMpiPlans, ThatThereAreNotAreNullAndRankZeroSaysWhy) {
  std::vector<double> data(64);
  fftw_complex* numbers = Small::numbers(data);
  const auto expect = [](const std::string& text, const char* wanted) {
    if (rank() == 0) {
      EXPECT_NE(text.find(wanted), std::string::npos) << text;
    }
  };
  expect(refusal(
             [&] { return fftw_mpi_plan_dft_2d(0, 5, numbers, numbers, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE); }),
         "fftw_mpi_plan_many_dft: n[0] = 0; give 1 or more points");
  expect(refusal([&] { return fftw_mpi_plan_dft_2d(4, 5, numbers, numbers, MPI_COMM_WORLD, 3, FFTW_ESTIMATE); }),
         "sign = 3");
  const std::ptrdiff_t n[] = {1000, 5};
  expect(refusal([&] {
           return fftw_mpi_plan_many_dft(2, n, 1, 1, 0, numbers, numbers, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
         }),
         "block of the input = 1: 1000 points make more blocks");
  expect(refusal([&] {
           return fftw_mpi_plan_r2r_2d(1, 5, data.data(), data.data(), MPI_COMM_WORLD, FFTW_REDFT00, FFTW_REDFT10,
                                       FFTW_ESTIMATE);
         }),
         "REDFT00) of 1 point; give 2 or more");
  expect(refusal([&] {
           return fftw_mpi_plan_dft_r2c_3d(4, 4, 4, data.data(), numbers, MPI_COMM_WORLD,
                                           FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_IN);
         }),
         "the real side of a transform cannot be transposed");
  if (ranks() > 1) {
    expect(refusal([&] {
             const std::ptrdiff_t own = 4 + (rank() == 1 ? 1 : 0);
             return fftw_mpi_plan_dft_2d(own, 5, numbers, numbers, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
           }),
           "the arguments");
  }
}

TEST(FftwMpiPlans, SpreadFftwsWisdom) {
  fftw_forget_wisdom();
  std::vector<double> data(2 * 48);
  if (rank() == ranks() - 1)
    fftw_destroy_plan(fftw_plan_dft_1d(48, Small::numbers(data), Small::numbers(data), FFTW_FORWARD, FFTW_MEASURE));
  fftw_mpi_gather_wisdom(MPI_COMM_WORLD);
  fftw_mpi_broadcast_wisdom(MPI_COMM_WORLD);
  fftw_plan known =
      fftw_plan_dft_1d(48, Small::numbers(data), Small::numbers(data), FFTW_FORWARD, FFTW_MEASURE | FFTW_WISDOM_ONLY);
  EXPECT_NE(known, nullptr);
  fftw_destroy_plan(known);
  fftw_forget_wisdom();
}

}  // namespace
}  // namespace weft::testing
