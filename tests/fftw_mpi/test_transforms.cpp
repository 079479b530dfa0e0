// The transforms of FFTW's MPI interface against FFTW on one rank: every family, distribution and flag.
#include <complex>
#include <cstdlib>
#include <random>
#include <string>

#include "arrays.hpp"

namespace weft::testing {
namespace {

struct Case {
  Sizes n;
  std::ptrdiff_t howmany = 1;
  unsigned flags = 0;
  std::ptrdiff_t in_block = 0, out_block = 0;
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
  for (const std::ptrdiff_t n : one.n) out << n << " ";
  return out << "tuples " << one.howmany << " flags " << (one.flags >> 27) << " blocks " << one.in_block << " "
             << one.out_block;
}

constexpr unsigned in_transposed = FFTW_MPI_TRANSPOSED_IN, out_transposed = FFTW_MPI_TRANSPOSED_OUT;

Sizes with(Sizes n, std::ptrdiff_t last) {
  n.push_back(last);
  return n;
}

// One side of a transform of these numbers per axis.
Part part_of(const Sizes& numbers, const Case& one, bool transposed, std::ptrdiff_t block, std::ptrdiff_t row) {
  std::ptrdiff_t size[2], first[2];
  const std::ptrdiff_t blocks[] = {transposed ? 0 : block, transposed ? block : 0};
  fftw_mpi_local_size_many_transposed(static_cast<int>(numbers.size()), numbers.data(), one.howmany, blocks[0],
                                      blocks[1], MPI_COMM_WORLD, &size[0], &first[0], &size[1], &first[1]);
  const int cut = transposed ? 1 : 0;
  return {with(numbers, one.howmany), cut, first[cut], size[cut], row};
}

Part input(const Sizes& numbers, const Case& one, std::ptrdiff_t row) {
  return part_of(numbers, one, (one.flags & in_transposed) != 0, one.in_block, row);
}
Part output(const Sizes& numbers, const Case& one, std::ptrdiff_t row) {
  return part_of(numbers, one, (one.flags & out_transposed) != 0, one.out_block, row);
}

std::size_t room(const Part& part, int width) {
  std::size_t numbers = static_cast<std::size_t>(part.size);
  for (std::size_t axis = 0; axis < part.extents.size(); axis++) {
    if (static_cast<int>(axis) == part.cut) continue;
    numbers *= static_cast<std::size_t>(axis + 2 == part.extents.size() ? part.row : part.extents[axis]);
  }
  return numbers * static_cast<std::size_t>(width);
}

// Fills an array with the noise of `width` numbers per place, runs the plan that `make` makes of (in, out), and
// compares with what one rank found; once in place and once from another array, which must keep its values.
template <class Real, class Plan, class Make, class Run>
void expect_same(const Case& one, const Part& in, int in_width, const Part& out, int out_width,
                 const std::vector<Real>& whole, const Make& make, const Run& run, void (*destroy)(Plan)) {
  const std::size_t in_room = room(in, in_width), out_room = room(out, out_width);
  for (const bool in_place : {false, true}) {
    std::vector<Real> from(in_place ? std::max(in_room, out_room) : in_room), to(in_place ? 0 : out_room);
    Real* target = in_place ? from.data() : to.data();
    Plan plan = make(from.data(), target);
    ASSERT_NE(plan, nullptr) << one;
    in.for_each([&](std::ptrdiff_t place, std::ptrdiff_t local) {
      for (int i = 0; i < in_width; i++)
        from[static_cast<std::size_t>(in_width * local + i)] = static_cast<Real>(noise(in_width * place + i));
    });
    const std::vector<Real> before = from;
    run(plan);
    if (!in_place) {
      EXPECT_EQ(from, before) << one << " overwrites its input";
    }
    double worst = 0;
    out.for_each([&](std::ptrdiff_t place, std::ptrdiff_t local) {
      for (int i = 0; i < out_width; i++) {
        const double found = static_cast<double>(target[out_width * local + i]);
        worst = std::max(worst,
                         std::abs(found - static_cast<double>(whole[static_cast<std::size_t>(out_width * place + i)])));
      }
    });
    EXPECT_LE(worst, tolerance<Real>(product(one.n))) << one << (in_place ? " in place" : "");
    destroy(plan);
  }
}

std::vector<double> noisy(std::ptrdiff_t count) {
  std::vector<double> result(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < result.size(); i++) result[i] = noise(static_cast<std::ptrdiff_t>(i));
  return result;
}

fftw_complex* complex_of(double* data) { return reinterpret_cast<fftw_complex*>(data); }

void expect_complex(const Case& one, int sign) {
  const int d = static_cast<int>(one.n.size()), howmany = static_cast<int>(one.howmany);
  std::vector<double> whole = noisy(2 * product(one.n) * one.howmany);
  fftw_plan serial = fftw_plan_many_dft(d, as_ints(one.n).data(), howmany, complex_of(whole.data()), nullptr, howmany,
                                        1, complex_of(whole.data()), nullptr, howmany, 1, sign, FFTW_ESTIMATE);
  fftw_execute(serial);
  fftw_destroy_plan(serial);
  expect_same<double, fftw_plan>(
      one, input(one.n, one, one.n.back()), 2, output(one.n, one, one.n.back()), 2, whole,
      [&](double* in, double* out) {
        return fftw_mpi_plan_many_dft(d, one.n.data(), one.howmany, one.in_block, one.out_block, complex_of(in),
                                      complex_of(out), MPI_COMM_WORLD, sign, one.flags | FFTW_ESTIMATE);
      },
      fftw_execute, fftw_destroy_plan);
}

// Forward: rows of n real numbers with room for those of n/2+1 complex ones, on both ways of FFTW.
void expect_real(const Case& one, bool forward) {
  const int d = static_cast<int>(one.n.size()), howmany = static_cast<int>(one.howmany);
  Sizes modes = one.n;
  modes.back() = modes.back() / 2 + 1;
  std::vector<double> points = noisy(product(one.n) * one.howmany), spectrum = noisy(2 * product(modes) * one.howmany);
  const std::vector<int> n = as_ints(one.n);
  fftw_plan serial = forward ? fftw_plan_many_dft_r2c(d, n.data(), howmany, points.data(), nullptr, howmany, 1,
                                                      complex_of(spectrum.data()), nullptr, howmany, 1, FFTW_ESTIMATE)
                             : fftw_plan_many_dft_c2r(d, n.data(), howmany, complex_of(spectrum.data()), nullptr,
                                                      howmany, 1, points.data(), nullptr, howmany, 1, FFTW_ESTIMATE);
  fftw_execute(serial);
  fftw_destroy_plan(serial);
  const std::ptrdiff_t row = 2 * modes.back();
  if (forward) {
    expect_same<double, fftw_plan>(
        one, input(one.n, one, row), 1, output(modes, one, modes.back()), 2, spectrum,
        [&](double* in, double* out) {
          return fftw_mpi_plan_many_dft_r2c(d, one.n.data(), one.howmany, one.in_block, one.out_block, in,
                                            complex_of(out), MPI_COMM_WORLD, one.flags | FFTW_ESTIMATE);
        },
        fftw_execute, fftw_destroy_plan);
  } else {
    expect_same<double, fftw_plan>(
        one, input(modes, one, modes.back()), 2, output(one.n, one, row), 1, points,
        [&](double* in, double* out) {
          return fftw_mpi_plan_many_dft_c2r(d, one.n.data(), one.howmany, one.in_block, one.out_block, complex_of(in),
                                            out, MPI_COMM_WORLD, one.flags | FFTW_ESTIMATE);
        },
        fftw_execute, fftw_destroy_plan);
  }
}

void expect_real_to_real(const Case& one, const std::vector<fftw_r2r_kind>& kinds) {
  const int d = static_cast<int>(one.n.size()), howmany = static_cast<int>(one.howmany);
  std::vector<double> whole = noisy(product(one.n) * one.howmany);
  fftw_plan serial = fftw_plan_many_r2r(d, as_ints(one.n).data(), howmany, whole.data(), nullptr, howmany, 1,
                                        whole.data(), nullptr, howmany, 1, kinds.data(), FFTW_ESTIMATE);
  fftw_execute(serial);
  fftw_destroy_plan(serial);
  expect_same<double, fftw_plan>(
      one, input(one.n, one, one.n.back()), 1, output(one.n, one, one.n.back()), 1, whole,
      [&](double* in, double* out) {
        return fftw_mpi_plan_many_r2r(d, one.n.data(), one.howmany, one.in_block, one.out_block, in, out,
                                      MPI_COMM_WORLD, kinds.data(), one.flags | FFTW_ESTIMATE);
      },
      fftw_execute, fftw_destroy_plan);
}

const Case shapes[] = {{{12, 10}},     {{5, 7}},          {{13, 4}, 3}, {{12, 8, 10}}, {{7, 9, 5}, 2},
                       {{4, 3, 5, 6}}, {{2, 3, 2, 3, 4}}, {{1, 6, 4}},  {{16, 12, 1}}, {{8, 8, 8}, 4}};

TEST(FftwMpi, TransformsComplexNumbersAsOneRankDoes) {
  for (Case one : shapes) {
    for (const unsigned flags : {0U, in_transposed, out_transposed, in_transposed | out_transposed}) {
      one.flags = flags;
      expect_complex(one, FFTW_FORWARD);
      expect_complex(one, FFTW_BACKWARD);
    }
  }
}

TEST(FftwMpi, TransformsRealNumbersAsOneRankDoes) {
  for (Case one : shapes) {
    for (const bool transposed : {false, true}) {
      one.flags = transposed ? out_transposed : 0;
      expect_real(one, true);
      one.flags = transposed ? in_transposed : 0;
      expect_real(one, false);
    }
  }
}

TEST(FftwMpi, TransformsByCosinesAndSinesAsOneRankDoes) {
  const std::vector<fftw_r2r_kind> all = {FFTW_REDFT10, FFTW_RODFT01, FFTW_REDFT11, FFTW_RODFT00,
                                          FFTW_REDFT01, FFTW_RODFT10, FFTW_RODFT11};
  std::size_t turn = 0;
  for (Case one : shapes) {
    std::vector<fftw_r2r_kind> kinds(one.n.size());
    for (fftw_r2r_kind& kind : kinds) kind = all[turn++ % all.size()];
    for (const unsigned flags : {0U, in_transposed, out_transposed, in_transposed | out_transposed}) {
      one.flags = flags;
      expect_real_to_real(one, kinds);
    }
  }
  expect_real_to_real({{6, 5}}, {FFTW_REDFT00, FFTW_REDFT00});
}

TEST(FftwMpi, TransformsHalfcomplexAndHartleyAsOneRankDoes) {
  for (const unsigned flags : {0U, in_transposed, out_transposed, in_transposed | out_transposed}) {
    expect_real_to_real({{8, 9}, 1, flags}, {FFTW_R2HC, FFTW_DHT});
    expect_real_to_real({{6, 7, 5}, 2, flags}, {FFTW_HC2R, FFTW_REDFT10, FFTW_R2HC});
  }
  expect_real_to_real({{30}}, {FFTW_DHT});
  expect_real_to_real({{12}, 9}, {FFTW_R2HC});
}

TEST(FftwMpi, TakesTheBlocksOfTheCaller) {
  // All points on few ranks, and blocks that leave less for the last one.
  for (const std::ptrdiff_t in : {12, 12 / ranks() + 2})
    for (const std::ptrdiff_t out : {14, 14 / ranks() + 3}) {
      expect_complex({{12, 14, 5}, 1, out_transposed, in, out}, FFTW_FORWARD);
      expect_complex({{12, 14}, 2, out_transposed, in, out}, FFTW_BACKWARD);
      expect_real({{12, 14, 6}, 1, out_transposed, in, out}, true);
      expect_real_to_real({{12, 14, 3}, 1, out_transposed, in, out}, {FFTW_REDFT10, FFTW_RODFT10, FFTW_REDFT11});
    }
}

/// Problems of all families, the same on all ranks. Axes of a few points are as likely as others.
class RandomProblems {
 public:
  explicit RandomProblems(unsigned seed) : random_(seed) {}

  void expect_one() {
    Case one{sizes(), below(3) == 0 ? 1 + below(4) : 1};
    const bool in = below(2) == 0, out = below(2) == 0;
    switch (below(4)) {
      case 0:
        one.flags = (in ? in_transposed : 0) | (out ? out_transposed : 0);
        one.in_block = block(one.n[in ? 1 : 0]);
        one.out_block = block(one.n[out ? 1 : 0]);
        return expect_complex(one, below(2) == 0 ? FFTW_FORWARD : FFTW_BACKWARD);
      case 1:
        one.flags = out ? out_transposed : 0;
        return expect_real(one, true);
      case 2:
        one.flags = in ? in_transposed : 0;
        return expect_real(one, false);
      default:
        one.flags = (in ? in_transposed : 0) | (out ? out_transposed : 0);
        return expect_real_to_real(one, kinds_for(one.n));
    }
  }

 private:
  std::ptrdiff_t below(std::ptrdiff_t end) {
    return static_cast<std::ptrdiff_t>(random_() % static_cast<unsigned>(end));
  }
  Sizes sizes() {
    Sizes n(static_cast<std::size_t>(2 + below(3)));
    for (std::ptrdiff_t& size : n) size = 1 + below(below(2) == 0 ? 4 : 17);
    return n;
  }
  // The default, or any block with which the ranks hold `n` indices.
  std::ptrdiff_t block(std::ptrdiff_t n) {
    const std::ptrdiff_t least = (n + ranks() - 1) / ranks();
    return below(2) == 0 ? 0 : least + below(n - least + 1);
  }
  std::vector<fftw_r2r_kind> kinds_for(const Sizes& n) {
    const std::vector<fftw_r2r_kind> all = {FFTW_R2HC,    FFTW_HC2R,    FFTW_DHT,     FFTW_REDFT10,
                                            FFTW_REDFT01, FFTW_REDFT11, FFTW_RODFT00, FFTW_RODFT10,
                                            FFTW_RODFT01, FFTW_RODFT11, FFTW_REDFT00};
    std::vector<fftw_r2r_kind> kinds;
    for (const std::ptrdiff_t size : n)  // REDFT00 of a single point is not defined
      kinds.push_back(
          all[static_cast<std::size_t>(below(static_cast<std::ptrdiff_t>(all.size()) - (size == 1 ? 1 : 0)))]);
    return kinds;
  }

  std::mt19937 random_;
};

// WEFT_FFTW_SEED and WEFT_FFTW_CASES choose other problems, or more of them.
TEST(FftwMpi, TransformsAnyProblemAsOneRankDoes) {
  const auto number = [](const char* name, unsigned otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
  };
  RandomProblems problems(number("WEFT_FFTW_SEED", 1));
  for (unsigned i = number("WEFT_FFTW_CASES", 60); i > 0; i--) problems.expect_one();
}

TEST(FftwMpi, TransformsLinesOfManyTuples) {
  for (const std::ptrdiff_t howmany : {2, 9}) {
    expect_complex({{30}, howmany}, FFTW_FORWARD);
    expect_complex({{30}, howmany}, FFTW_BACKWARD);
    expect_real_to_real({{30}, howmany}, {FFTW_RODFT10});
  }
}

TEST(FftwMpi, LocalSizesHaveRoomForBothDistributions) {
  const std::ptrdiff_t n[] = {10, 7, 6};
  std::ptrdiff_t n0, first_0, n1, first_1;
  const std::ptrdiff_t count =
      fftw_mpi_local_size_3d_transposed(10, 7, 6, MPI_COMM_WORLD, &n0, &first_0, &n1, &first_1);
  EXPECT_GE(count, n0 * 7 * 6);
  EXPECT_GE(count, n1 * 10 * 6);
  const std::ptrdiff_t block = (10 + ranks() - 1) / ranks();
  EXPECT_EQ(first_0, std::min<std::ptrdiff_t>(10, block * rank()));
  EXPECT_EQ(n0, std::min<std::ptrdiff_t>(block, 10 - first_0));
  std::ptrdiff_t alone, first;
  EXPECT_EQ(fftw_mpi_local_size(3, n, MPI_COMM_WORLD, &alone, &first), std::max<std::ptrdiff_t>(1, n0 * 42));
  EXPECT_EQ(alone, n0);
  EXPECT_EQ(first, first_0);
  EXPECT_EQ(fftw_mpi_local_size_many(3, n, 5, 10, MPI_COMM_WORLD, &alone, &first), rank() == 0 ? 2100 : 1);
  EXPECT_EQ(alone, rank() == 0 ? 10 : 0);
  EXPECT_EQ(fftw_mpi_local_size_2d(10, 7, MPI_COMM_WORLD, &alone, &first), std::max<std::ptrdiff_t>(1, n0 * 7));
}

}  // namespace
}  // namespace weft::testing
