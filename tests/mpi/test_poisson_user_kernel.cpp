// Kernels that users give as functions, through the solver.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "error_text.hpp"
#include "mpi/poisson_support.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using namespace testing;

PoissonProblem problem_with(const std::vector<Boundary>& boundary, const Kernel& kernel) {
  PoissonProblem problem;
  problem.cells = {9, 8, 7};
  problem.length = {1.125, 1, 1};  // a spacing of 1/8 along axis 0: the unit of named kernels changes no bits
  problem.boundary = boundary;
  problem.kernel = kernel;
  return problem;
}

std::vector<double> solution_with(const std::vector<Boundary>& boundary, const Kernel& kernel) {
  Poisson<double> solver(MPI_COMM_WORLD, problem_with(boundary, kernel));
  return solved(solver, noisy_field(solver));
}

const std::vector<std::vector<Boundary>> mixtures{
    {End::unbounded, End::unbounded, End::unbounded},
    {End::unbounded, {End::odd, End::even}, {End::even, End::unbounded}},
    {End::periodic, End::unbounded, End::even},
    {End::periodic, End::odd, End::even},
};

/// A named kernel for these boundaries, of all axes.
std::unique_ptr<GreenKernel> named(const char* name, const std::vector<Boundary>& boundary) {
  std::vector<GreenAxis> axes;
  const PoissonProblem problem = problem_with(boundary, name);
  for (int a = 0; a < 3; a++) {
    const auto at = static_cast<std::size_t>(a);
    const DomainAxis axis{problem.cells[a], problem.length[at], boundary[at], Centring::cell};
    const bool convolved = is_convolved(boundary[at]);
    axes.push_back({convolved, axis.spacing(), convolved ? green_extent(axis) - 1 : 0});
  }
  return make_kernel(name, axes);
}

TEST(PoissonUserKernel, OfDistanceGivesTheBitsOfANamedKernel) {
  for (const auto& boundary : mixtures) {
    const std::shared_ptr<GreenKernel> chat2 = named("chat2", boundary);
    const Kernel users = Kernel::of_distance([&](double r, double k) {
      std::array<double, 3> at{};  // all of r along one convolved axis, all of k along one of the others
      for (std::size_t a = 0; a < 3; a++) at[a] = is_convolved(boundary[a]) ? std::exchange(r, 0) : std::exchange(k, 0);
      return chat2->value(at);
    });
    EXPECT_EQ(solution_with(boundary, users), solution_with(boundary, "chat2"));
  }
}

/// Along a single unbounded axis, and along none, the modes of truncated are those of a user's symbol.
TEST(PoissonUserKernel, OfWavenumberGivesTheBitsOfANamedKernel) {
  for (const auto& boundary : {mixtures[2], mixtures[3]}) {
    const std::shared_ptr<GreenKernel> truncated = named("truncated", boundary);
    const Kernel users =
        Kernel::of_wavenumber([=](std::span<const double> wavenumber) { return truncated->value(wavenumber); });
    EXPECT_EQ(solution_with(boundary, users), solution_with(boundary, "truncated"));
  }
}

/// An unbounded axis of length L with the symbol of a periodic one is a periodic axis of length 2 L.
TEST(PoissonUserKernel, OfWavenumberRepeatsUnboundedAxes) {
  const Kernel symbol = Kernel::of_wavenumber([](std::span<const double> k) {
    const double square = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    return square > 0 ? -1 / square : 0.0;
  });
  const PoissonProblem problem = problem_with({End::unbounded, End::periodic, End::unbounded}, symbol);
  PoissonProblem doubled = problem;
  doubled.cells = {18, 8, 14};
  doubled.length = {2.25, 1, 2};
  doubled.boundary = {End::periodic, End::periodic, End::periodic};
  doubled.kernel = "chat2";
  Poisson<double> solver(MPI_COMM_WORLD, problem), alone(MPI_COMM_SELF, doubled);
  std::vector<double> padded(static_cast<std::size_t>(alone.box().size()));
  for_each_point(alone, [&](std::size_t i, const Extents& index, const std::array<double, 3>&) {
    padded[i] = index[0] < 9 && index[2] < 7 ? noise(index) : 0;
  });
  const std::vector<double> expected = solved(alone, padded), solution = solved(solver, noisy_field(solver));
  const double bound = rounding_bound(Comm(MPI_COMM_SELF), doubled, padded);
  for_each_point(solver, [&](std::size_t i, const Extents& index, const std::array<double, 3>&) {
    const auto at = static_cast<std::size_t>((index[0] * 8 + index[1]) * 14 + index[2]);
    EXPECT_NEAR(solution[i], expected[at], bound);
  });
}

TEST(PoissonUserKernel, WhatGoesWrongOnOneRankIsSaidOnAll) {
  const Comm comm(MPI_COMM_WORLD);
  const bool odd_one = comm.rank() == comm.size() - 1;
  const auto text = [&](const std::vector<Boundary>& boundary, const Kernel& kernel) {
    const std::string mine =
        error_text([&] { Poisson<double> solver(MPI_COMM_WORLD, problem_with(boundary, kernel)); });
    EXPECT_EQ(mine, comm.broadcast(mine, 0));
    return mine;
  };
  for (const auto& boundary : mixtures) {
    const Kernel failing = Kernel::of_distance([=](double, double) -> double {
      if (odd_one) throw std::runtime_error("no table");
      return 1;
    });
    EXPECT_TRUE(mentions(text(boundary, failing), "kernel", "no table")) << text(boundary, failing);
    const Kernel infinite =
        Kernel::of_wavenumber([=](std::span<const double> k) { return odd_one ? 1 / (k[0] - k[0]) : 1; });
    EXPECT_TRUE(mentions(text(boundary, infinite), "kernel", "inf", "wavenumber (")) << text(boundary, infinite);
  }
}

}  // namespace
}  // namespace weft
