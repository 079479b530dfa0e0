// Arrays from fftw_malloc or from elsewhere for the tests of FFTW's MPI interface, their transforms, and what these
// should be.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "precisions.hpp"

namespace weft::testing {

/// Every array, of n0 x n1 x n2 complex numbers, has more bytes than this library leaves to FFTW.
constexpr std::ptrdiff_t n0 = 21, n1 = 9, n2 = 12;
constexpr std::size_t bytes = std::size_t{1} << 17;

/// An array that is shared, or, with `std::malloc`, one that is not.
template <class Precision>
struct Array {
  using Complex = typename Precision::Complex;
  using Real = typename Precision::Real;
  enum class From { fftw, heap };

  explicit Array(From source = From::fftw)
      : memory(source == From::fftw ? Precision::allocate(bytes) : std::malloc(bytes),
               [source](void* held) { source == From::fftw ? Precision::free(held) : std::free(held); }) {}
  Complex* numbers(std::size_t offset = 0) const { return static_cast<Complex*>(memory.get()) + offset; }
  Real* reals(std::size_t offset = 0) const { return &numbers(offset)[0][0]; }

  std::shared_ptr<void> memory;
};

/// The planes of a rank in an array that is cut in blocks.
struct Planes {
  std::ptrdiff_t first = 0, count = 0;
  explicit Planes(MPI_Comm comm = MPI_COMM_WORLD) { fftw_mpi_local_size_3d(n0, n1, n2, comm, &count, &first); }
  std::ptrdiff_t begin() const { return first * n1 * n2; }
  std::ptrdiff_t size() const { return count * n1 * n2; }
};

template <class Complex>
void fill(Complex* numbers, const Planes& planes) {
  using Real = std::remove_extent_t<Complex>;
  for (std::ptrdiff_t i = 0; i < planes.size(); i++)
    for (const int part : {0, 1}) numbers[i][part] = static_cast<Real>(noise(2 * (planes.begin() + i) + part));
}

/// The same noise transformed by FFTW on one rank.
template <class Precision>
const std::vector<typename Precision::Real>& whole(int sign) {
  using Complex = typename Precision::Complex;
  static std::vector<typename Precision::Real> results[2];
  auto& result = results[sign == FFTW_FORWARD ? 0 : 1];
  if (!result.empty()) return result;
  result.resize(2 * n0 * n1 * n2);
  for (std::size_t i = 0; i < result.size(); i++)
    result[i] = static_cast<typename Precision::Real>(noise(static_cast<std::ptrdiff_t>(i)));
  auto* numbers = reinterpret_cast<Complex*>(result.data());
  auto plan = Precision::serial_box(n0, n1, n2, numbers, numbers, sign, FFTW_ESTIMATE);
  Precision::execute(plan);
  Precision::destroy(plan);
  return result;
}

template <class Precision>
void expect_transformed(const typename Precision::Complex* numbers, const Planes& planes, int sign,
                        const std::string& what) {
  double worst = 0;
  for (std::ptrdiff_t i = 0; i < planes.size(); i++)
    for (const int part : {0, 1}) {
      const auto expected = whole<Precision>(sign)[static_cast<std::size_t>(2 * (planes.begin() + i) + part)];
      worst = std::max(worst, std::abs(static_cast<double>(numbers[i][part]) - static_cast<double>(expected)));
    }
  EXPECT_LE(worst, tolerance<typename Precision::Real>(n0 * n1 * n2)) << what;
}

/// Expects that a plan says so; a single rank has nothing to exchange.
template <class Precision>
void expect_says(typename Precision::Plan plan, const std::string& words) {
  char* said = Precision::text(plan);
  const std::string text = said;
  std::free(said);
  EXPECT_NE(text.find(ranks() > 1 ? words : "none"), std::string::npos) << text;
}

/// A plan in place or not, and where it says that the ranks exchange.
template <class Precision>
struct Transform {
  using Complex = typename Precision::Complex;

  Transform(Complex* in, Complex* out, int sign = FFTW_FORWARD, MPI_Comm comm = MPI_COMM_WORLD)
      : plan(Precision::box(n0, n1, n2, in, out, comm, sign, FFTW_ESTIMATE)) {}
  ~Transform() { Precision::destroy(plan); }
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;
  void expect_says(const std::string& words) const { weft::testing::expect_says<Precision>(plan, words); }

  typename Precision::Plan plan;
};

}  // namespace weft::testing
