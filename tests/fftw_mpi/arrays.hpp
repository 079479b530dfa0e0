// Arrays of FFTW's MPI interface for its tests: what a rank has of them, and the same transform by FFTW on one rank.
#pragma once

#include <fftw3-mpi.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace weft::testing {

using Sizes = std::vector<std::ptrdiff_t>;

inline int ranks() {
  int result = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &result);
  return result;
}
inline int rank() {
  int result = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &result);
  return result;
}

/// A number in -1..1 for each place of an array, without any pattern along its axes.
inline double noise(std::ptrdiff_t place) {
  auto bits = static_cast<unsigned long long>(place) * 0x9e37'79b9'7f4a'7c15ULL + 12345;
  bits ^= bits >> 31;
  bits *= 0xbf58'476d'1ce4'e5b9ULL;
  bits ^= bits >> 29;
  return static_cast<double>(bits % 2'000'003) / 1'000'001.5 - 1;
}

/// A rank's part of a global array of `extents` (tuples last): numbers first..first+size of axis `cut`, which is the
/// slowest in memory. Its rows have room for `row` numbers.
struct Part {
  Sizes extents;
  int cut;
  std::ptrdiff_t first, size, row;

  /// Calls visit(place in the global array, place in memory) for every number of this rank.
  void for_each(const std::function<void(std::ptrdiff_t, std::ptrdiff_t)>& visit) const {
    Sizes index(extents.size(), 0);
    walk(index, 0, visit);
  }

 private:
  void walk(Sizes& index, std::size_t axis, const std::function<void(std::ptrdiff_t, std::ptrdiff_t)>& visit) const {
    if (axis == extents.size()) {
      std::ptrdiff_t global = 0, local = index[static_cast<std::size_t>(cut)] - first;
      for (std::size_t a = 0; a < extents.size(); a++) {
        global = global * extents[a] + index[a];
        // The last axis of the transform is the one before the tuples.
        if (static_cast<int>(a) != cut) local = local * (a + 2 == extents.size() ? row : extents[a]) + index[a];
      }
      visit(global, local);
      return;
    }
    const bool is_cut = static_cast<int>(axis) == cut;
    const std::ptrdiff_t begin = is_cut ? first : 0, end = is_cut ? first + size : extents[axis];
    for (index[axis] = begin; index[axis] < end; index[axis]++) walk(index, axis + 1, visit);
  }
};

/// How far two transforms of `count` numbers in -1..1 may be apart. The error of a fast transform is below
/// epsilon log2(count) times the root of the mean square of its result, sqrt(count), up to a factor; 4 covers both
/// sides.
template <class Real>
double tolerance(std::ptrdiff_t count) {
  const double n = static_cast<double>(count);
  return 4 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * std::log2(n + 2) * std::sqrt(n) * 4;
}

inline std::vector<int> as_ints(const Sizes& n) { return {n.begin(), n.end()}; }
inline std::ptrdiff_t product(const Sizes& n) {
  return std::accumulate(n.begin(), n.end(), std::ptrdiff_t{1}, std::multiplies<>());
}

}  // namespace weft::testing
