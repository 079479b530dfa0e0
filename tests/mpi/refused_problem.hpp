// Problems that every rank refuses with the same words.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>

#include "error_text.hpp"
#include "mpi/bits_of_one_rank.hpp"

namespace weft::testing {

/// The ends of one axis.
struct Ends {
  Boundary boundary;
  std::array<double, 2> robin{};
};

using ProblemChange = std::function<void(PoissonProblem&)>;

template <class... Parts>
void expect_problem_refused(PoissonProblem problem, const ProblemChange& change, const Parts&... parts) {
  change(problem);
  const std::string text = error_text([&] { Poisson<double> solver(MPI_COMM_WORLD, problem, one_thread()); });
  EXPECT_EQ(text, Comm(MPI_COMM_WORLD).broadcast(text, 0));
  EXPECT_TRUE(mentions(text, parts...)) << text;
}

}  // namespace weft::testing
