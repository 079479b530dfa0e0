// The names, checks and kernels of problems with coefficients that vary.
#pragma once

#include <string>
#include <vector>

#include "weft/variable_poisson.hpp"

namespace weft {

/// A problem as text, for comparing it between ranks.
std::string to_text(const VariableProblem& problem);
/// Throws Error if an argument that Poisson does not have is not allowed.
void check(const VariableProblem& problem);

/// Whether the boundaries allow a constant.
bool allows_constant(const VariableProblem& problem);
/// Whether the spectral form has waves of two points, whose derivative is 0 at all points.
bool has_shortest_wave(const VariableProblem& problem);

/// The solver of lap u - square u = f with the Laplacian of the form, without its shortest waves.
PoissonProblem constant_problem(const VariableProblem& problem, double square);
/// The problem whose solver removes the shortest waves.
PoissonProblem filter_problem(const VariableProblem& problem);

}  // namespace weft
