// What the tests of the Poisson solver share: boundary combinations, sampling on a solver's points, and the bound on
// rounding that they compare with.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "weft/poisson.hpp"

namespace weft::testing {

inline PlanOptions one_thread() {
  PlanOptions options = Poisson<double>::default_options();
  options.threads = 1;
  return options;
}

inline constexpr End P = End::periodic, E = End::even, O = End::odd, U = End::unbounded;

inline const std::array<Boundary, 10> boundary_pairs{{{End::even},
                                                      {End::odd},
                                                      {End::odd, End::even},
                                                      {End::even, End::odd},
                                                      {End::periodic},
                                                      {End::unbounded},
                                                      {End::even, End::unbounded},
                                                      {End::unbounded, End::even},
                                                      {End::odd, End::unbounded},
                                                      {End::unbounded, End::odd}}};

/// Combinations of boundaries have numbers: 0 to 999 in three dimensions, one digit per axis, then 1000 to 1099 in two.
inline constexpr int combinations = 1100;

inline std::vector<Boundary> combination(int number) {
  std::vector<Boundary> boundaries;
  const int dims = number < 1000 ? 3 : 2;
  for (int axis = 0; axis < dims; ++axis, number /= 10) {
    boundaries.push_back(boundary_pairs[static_cast<std::size_t>(number % 10)]);
  }
  return boundaries;
}

/// The combinations that are tested on a number of ranks: all on 2, elsewhere every 37th, which is another sample for
/// each number of ranks and meets every digit.
inline std::vector<int> selected_combinations(int ranks) {
  const int step = ranks == 2 ? 1 : 37;
  std::vector<int> numbers;
  for (int number = ranks % step; number < combinations; number += step) numbers.push_back(number);
  return numbers;
}

inline std::string describe(const PoissonProblem& problem) {
  std::string text = to_string(problem.cells);
  for (const Boundary& boundary : problem.boundary) text += " " + to_string(boundary);
  for (const Centring centring : problem.centring) text += " " + to_string(centring);
  return text;
}

/// visit(position in the local array, global index, coordinates) for each point of this rank; z = 0 in two dimensions.
template <class Real, class Visit>
void for_each_point(const Poisson<Real>& solver, const Visit& visit) {
  const Box box = solver.box();
  const int dims = box.dims();
  const std::vector<double> no_axis{0};
  const std::array<std::vector<double>, 3> x{solver.points(0), solver.points(1),
                                             dims == 3 ? solver.points(2) : no_axis};
  std::size_t position = 0;
  for (std::size_t i = 0; i < x[0].size(); ++i) {
    for (std::size_t j = 0; j < x[1].size(); ++j) {
      for (std::size_t k = 0; k < x[2].size(); ++k) {
        Extents index = box.lower();
        index[0] += static_cast<index_t>(i);
        index[1] += static_cast<index_t>(j);
        if (dims == 3) index[2] += static_cast<index_t>(k);
        visit(position++, index, std::array<double, 3>{x[0][i], x[1][j], x[2][k]});
      }
    }
  }
}

/// A function of x, y, z on this rank's points.
template <class Real, class Function>
std::vector<Real> sample(const Poisson<Real>& solver, const Function& function) {
  std::vector<Real> values(static_cast<std::size_t>(solver.box().size()));
  for_each_point(solver, [&](std::size_t position, const Extents&, const std::array<double, 3>& x) {
    values[position] = static_cast<Real>(function(x[0], x[1], x[2]));
  });
  return values;
}

/// Numbers in [-1, 1) that depend on the global index only, so that every bit of every mode counts (splitmix64).
inline double noise(const Extents& index) {
  std::uint64_t state = 1;
  for (const index_t i : index) state = state * 1315423911u + static_cast<std::uint64_t>(i) + 0x9e3779b97f4a7c15u;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((state ^ (state >> 31)) >> 11) * 0x1p-52 - 1;
}

template <class Real>
std::vector<Real> noisy_field(const Poisson<Real>& solver) {
  std::vector<Real> values(static_cast<std::size_t>(solver.box().size()));
  for_each_point(solver, [&](std::size_t position, const Extents& index, const std::array<double, 3>&) {
    values[position] = static_cast<Real>(noise(index));
  });
  return values;
}

template <class Real>
std::vector<Real> solved(Poisson<Real>& solver, const std::vector<Real>& rhs) {
  std::vector<Real> solution(rhs.size());
  solver.solve(rhs, solution);
  return solution;
}

/// The 2-norm of an array that is spread over the ranks. Collective.
template <class Real>
double norm(const Comm& comm, const std::vector<Real>& values) {
  double sum = 0;
  for (const Real value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(comm.sum(sum));
}

struct ErrorNorms {
  double largest;  ///< over all stored points
  double mean;     ///< sqrt(sum e^2 h_0 h_1 (h_2)) over all stored points
};

/// Solves a problem and compares with its solution, both functions of x, y, z. Collective.
template <class Function>
ErrorNorms solution_error(const Comm& comm, const PoissonProblem& problem, const Function& rhs,
                          const Function& solution) {
  Poisson<double> solver(MPI_COMM_WORLD, problem);
  std::vector<double> error = solved(solver, sample<double>(solver, rhs));
  double largest = 0;
  for_each_point(solver, [&](std::size_t i, const Extents&, const std::array<double, 3>& x) {
    error[i] -= solution(x[0], x[1], x[2]);
    largest = std::max(largest, std::abs(error[i]));
  });
  double volume = 1;
  for (std::size_t a = 0; a < problem.length.size(); ++a)
    volume *= problem.length[a] / static_cast<double>(problem.cells[static_cast<int>(a)]);
  return {comm.max(largest), norm(comm, error) * std::sqrt(volume)};
}

/// Bound on what rounding does to a solution, in the 2-norm over all points and so at each of them. Collective.
///
/// A computed FFT of t radix-2 stages errs by at most 7 u t in the 2-norm, relative to its result (Higham, Accuracy and
/// Stability of Numerical Algorithms, 2002, theorem 24.2, with weights that are correct to u = epsilon/2). t is log2 of
/// the padded length, at most 4 N, summed over the axes, with two more stages for what a real transform does before and
/// after. The error of the forward transform is multiplied by the transformed kernel, the backward transform errs in
/// proportion to its result, and the kernel errs by 7 u t of its own root mean square, below 1.5 times its mean for
/// 1/r, ln r and |x|: 3.5 times 7 u t |G| |f|, or 14 epsilon t |G| |f| with the multiplications. The transform of a
/// kernel is at most the integral of its modulus. That is largest for 1/(4 pi r) over [-2, 2]^3, 3.03; other kernels
/// and the inverse squares of wavenumbers of spectral axes, at most (2/pi)^2, stay below.
template <class Real>
double rounding_bound(const Comm& comm, const PoissonProblem& problem, const std::vector<Real>& rhs) {
  double stages = 0;
  double longest = 0;
  for (int axis = 0; axis < problem.cells.dims(); ++axis) {
    stages += std::log2(4.0 * static_cast<double>(problem.cells[axis])) + 2;
    longest = std::max(longest, problem.length[static_cast<std::size_t>(axis)]);
  }
  return 14 * std::numeric_limits<Real>::epsilon() * stages * 3.03 * longest * longest * norm(comm, rhs);
}

}  // namespace weft::testing
