// The structs of the C interface: their versions, and conversions to the types of the library.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "c_api/status.hpp"
#include "weft/halo.hpp"
#include "weft/options.hpp"
#include "weft/particle_mesh.hpp"
#include "weft/plan.hpp"
#include "weft/tensor.hpp"
#include "weft/variable_poisson.hpp"
#include "weft/vector_poisson.hpp"

namespace weft::c_api {

/// Reads a struct of a program that may have been compiled with another version of the header: its first member is its
/// size there. `known` holds the defaults of this library's version and gets the members that the program has. Throws
/// Error if the size fits no version, or if the program sets members that this library does not know.
void read_sized(const char* name, const void* given, void* known, std::size_t known_size);
/// Writes a struct of a program: the members of `known` for which it has room.
void write_sized(const char* name, void* given, const void* known, std::size_t known_size);

/// The library's version of an optional struct; `defaults` if it is null.
template <class Struct>
Struct completed(const char* name, const Struct* given, Struct defaults) {
  if (given != nullptr) read_sized(name, given, &defaults, sizeof(Struct));
  return defaults;
}

weft_plan_options default_plan_options();
weft_tensor_options default_tensor_options();
weft_halo_problem default_halo_problem();
weft_particle_problem default_particle_problem();
weft_variable_problem default_variable_problem();

/// The options of the library. `dims` is the number of axes. All these functions throw Error that names the member.
PlanOptions plan_options(const weft_plan_options& given, int dims);
/// The options of objects without boxes.
PlanOptions solver_options(const weft_plan_options& given, int dims);
PlanBoxes plan_boxes(const weft_plan_options& given);
TensorOptions tensor_options(const weft_tensor_options& given);
/// Whether the precision is "float".
bool is_single(const char* precision);

/// The members of a problem struct that are not 0 by default.
template <class Problem>
Problem default_problem() {
  const PoissonProblem known;
  Problem problem{};
  problem.dims = WEFT_SPACE_DIMS;
  for (double& length : problem.length) length = 1;
  problem.alpha = known.kernel.alpha;
  problem.screening = known.screening;
  if constexpr (requires { problem.power; }) problem.power = known.power;
  if constexpr (requires { problem.order; }) problem.order = known.order;
  return problem;
}
/// Problems; `given` must not be null.
PoissonProblem poisson_problem(const weft_poisson_problem* given);
VectorProblem vector_problem(const weft_vector_problem* given);
VariableProblem variable_problem(const weft_variable_problem* given);
/// For an array of so many axes.
HaloProblem halo_problem(const weft_halo_problem& given, int dims);
ParticleProblem particle_problem(const weft_particle_problem& given, int dims);

/// One number per axis, 1 to most of them.
Extents extents_from(const char* name, int dims, const int64_t* values, int most = WEFT_MAX_DIMS);
Box box_from(const char* name, const weft_box* given);
weft_box c_box(const Box& box);
/// "dct2,none,c2c" for as many axes, or one name for all.
std::vector<Kind> kinds_from(const char* kinds, const Extents& shape);

}  // namespace weft::c_api

/// Memory that plans share.
struct weft_workspace {
  std::shared_ptr<weft::Workspace> memory;
};
