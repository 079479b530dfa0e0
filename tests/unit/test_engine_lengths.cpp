// Every length to 1100 and a sample up to 2^20, every kind, direction, precision and instruction set, against FFTW in
// long double.
#include "engine_fixture.hpp"

namespace weft::engine_test {
namespace {

// What goes wrong at one length does so at all instruction sets and precisions: each pair of length and kind is done by
// one of them, in turn. The turn moves on by one more every six lengths, lest even lengths always meet the same.
TEST(EngineLengths, EveryKindAndLengthTo1100) {
  for (index_t n = 1; n <= 1100; ++n) {
    std::size_t turn = static_cast<std::size_t>(n + n / 6);
    for (const Task& task : tasks_of(n)) expect_accurate_by_one(Lines(task, n <= 128 ? 3 : 1), turn++);
  }
}

// Every small length, then at least one for each butterfly, method of a prime and combination of them.
TEST(EngineLengths, EveryInstructionSetAndPrecision) {
  std::vector<index_t> lengths{64,  81,  96,  121, 125, 127, 128, 169,  192, 210,
                               243, 250, 289, 343, 347, 512, 999, 1021, 1024};
  for (index_t n = 1; n <= 48; ++n) lengths.push_back(n);
  for (const index_t n : lengths)
    for (const Task& task : tasks_of(n)) {
      const Lines lines(task, 3);
      expect_accurate_by_all<double>(lines);
      expect_accurate_by_all<float>(lines);
    }
}

// Powers of two, three, five and seven, products of them, primes of every method, and primes times powers of two.
TEST(EngineLengths, LongLines) {
  std::size_t turn = 0;
  for (const index_t n : {2048, 2187, 2401, 3125, 4096, 4099, 8191, 2310, 17 * 256, 127 * 64, 17 * 19 * 23, 6000})
    for (const Task& task : tasks_of(n)) expect_accurate_by_one(Lines(task, 1), turn++);
}

// One kind each, in turn, and complex lines.
TEST(EngineLengths, VeryLongLines) {
  std::size_t turn = 0;
  for (const index_t n : {1 << 14, 1 << 16, 1 << 18, 1 << 20, 19683, 177147, 15625, 390625, 16807, 117649, 30030, 65537,
                          100003, 17 << 12, 127 << 10, 720720}) {
    const std::vector<Task> tasks = tasks_of(n);
    for (const std::size_t which : {turn % 2, 2 + turn % 2, 4 + turn % 8})
      expect_accurate_by_one(Lines(tasks[which], 1), turn + which);
    turn++;
  }
}

// --- against FFTW ------------------------------------------------------------------------------------------------

long double fftw_error(const Lines& lines) {
  const Task& task = lines.task;
  std::vector<double> in(static_cast<std::size_t>(task.given())), out(in);
  auto *from = reinterpret_cast<fftw_complex*>(in.data()), *to = reinterpret_cast<fftw_complex*>(out.data());
  const fftw_plan plan = fftw_plan_dft_1d(static_cast<int>(task.n), from, to,
                                          task.forward() ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
  long double sum = 0;
  for (std::size_t line = 0; line < lines.given.size(); ++line) {
    std::transform(lines.given[line].begin(), lines.given[line].end(), in.begin(),
                   [](long double x) { return static_cast<double>(x); });
    fftw_execute(plan);
    Flat wrong = lines.wanted[line];
    for (std::size_t i = 0; i < out.size(); ++i) wrong[i] -= out[i];
    sum = std::max(sum, norm(wrong) / norm(lines.wanted[line]));
  }
  fftw_destroy_plan(plan);
  return sum;
}

// Both are codes with accurate factors, whose errors are random walks of as many steps as there are stages; FFTW's
// larger codelets take at most half the steps in number, and a chirp takes two transforms of twice the length for one.
// A factor of 2 leaves room for that and for no fault in the factors, which would show as a growth with n.
TEST(EngineLengths, ErrorIsWithinTwiceThatOfFftw) {
  if (!lane_kernels<double>().transforms_lines()) GTEST_SKIP() << "no line transforms for these vectors";
  for (const index_t n : {64,      100,     128,     243,     256,  343,  512,  625,     729,     1000,    1024,
                          1331,    2048,    2187,    2197,    4096, 5040, 8192, 1 << 14, 15625,   16807,   19683,
                          1 << 16, 1 << 17, 1 << 18, 1 << 20, 127,  257,  1021, 4099,    17 * 64, 127 * 16}) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      if (n > 20000 && direction == Direction::backward) continue;
      const Lines lines({Kind::c2c, direction, n}, n <= 4096 ? 4 : 1);
      const Tables<double> tables(lines.task, lane_kernels<double>());
      EXPECT_LE(lane_error(lines, tables, lane_kernels<double>()), 2 * fftw_error(lines)) << lines.task.name();
    }
  }
}

}  // namespace
}  // namespace weft::engine_test
