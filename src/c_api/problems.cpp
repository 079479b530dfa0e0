// Converts problem structs of the C interface to those of the library.
#include <algorithm>
#include <array>
#include <cstddef>

#include "c_api/structs.hpp"

namespace weft::c_api {

namespace {

Boundary boundary_from(const char* const (&ends)[2], int axis) {
  const auto end = [axis](const char* text) { return parse_end(text == nullptr ? "periodic" : text, axis); };
  return {end(ends[0]), end(ends[1])};
}

std::vector<Boundary> boundaries_from(const char* const (*axes)[2], int dims) {
  std::vector<Boundary> boundaries;
  boundaries.reserve(static_cast<std::size_t>(dims));
  for (int axis = 0; axis < dims; axis++) boundaries.push_back(boundary_from(axes[axis], axis));
  return boundaries;
}

std::vector<Centring> centrings_from(const char* const* axes, int dims) {
  std::vector<Centring> centrings;
  centrings.reserve(static_cast<std::size_t>(dims));
  for (int axis = 0; axis < dims; axis++)
    centrings.push_back(axes[axis] == nullptr ? Centring::cell : parse_centring(axes[axis], axis));
  return centrings;
}

Kernel function_of_distance(weft_distance_function function, void* data) {
  return Kernel::of_distance([function, data](double r, double k) { return function(r, k, data); });
}
Kernel function_of_wavenumber(weft_wavenumber_function function, void* data) {
  return Kernel::of_wavenumber([function, data](std::span<const double> wavenumber) {
    return function(static_cast<int>(wavenumber.size()), wavenumber.data(), data);
  });
}

template <class Problem>
Kernel kernel_from(const Problem& given) {
  const int ways = (given.kernel != nullptr) + (given.distance != nullptr) + (given.wavenumber != nullptr);
  require(ways <= 1, "kernel: " + std::to_string(ways) +
                         " of kernel, distance and wavenumber were given; give one of them and leave the others NULL");
  if (given.distance != nullptr) return function_of_distance(given.distance, given.kernel_data);
  if (given.wavenumber != nullptr) return function_of_wavenumber(given.wavenumber, given.kernel_data);
  Kernel kernel = given.kernel == nullptr ? PoissonProblem().kernel : Kernel(given.kernel);
  kernel.alpha = given.alpha;
  return kernel;
}

Extents extents_in_space(int dims, const int64_t* cells) {
  require(dims == 2 || dims == 3, "dims: " + std::to_string(dims) + " was given; a Poisson problem has 2 or 3 axes");
  return extents_from("cells", dims, cells);
}

// The members that scalar and vector problems have in common: all except for boundaries.
template <class Problem>
PoissonProblem common_problem(const Problem& given) {
  PoissonProblem problem;
  problem.cells = extents_in_space(given.dims, given.cells);
  problem.length.assign(given.length, given.length + given.dims);
  problem.centring = centrings_from(given.centring, given.dims);
  problem.kernel = kernel_from(given);
  problem.screening = given.screening;
  problem.shift.assign(given.shift, given.shift + given.dims);
  return problem;
}

// The widths of cells per axis; an empty list if every axis is transformed.
std::vector<std::vector<double>> widths_from(const weft_poisson_problem& given) {
  std::vector<std::vector<double>> widths(static_cast<std::size_t>(given.dims));
  bool some = false;
  for (int axis = 0; axis < given.dims; axis++) {
    if (given.widths[axis] == nullptr || given.cells[axis] < 1) continue;  // the check of the problem refuses the cells
    widths[static_cast<std::size_t>(axis)].assign(given.widths[axis], given.widths[axis] + given.cells[axis]);
    some = true;
  }
  return some ? widths : std::vector<std::vector<double>>{};
}

bool is_one_for_all(const weft_vector_problem& given) {
  for (int c = 1; c < given.dims; c++)
    for (int axis = 0; axis < given.dims; axis++)
      if (given.boundary[c][axis][0] != nullptr || given.boundary[c][axis][1] != nullptr) return false;
  return true;
}

}  // namespace

PoissonProblem poisson_problem(const weft_poisson_problem* given) {
  pointee("problem", given, "give the address of a weft_poisson_problem");
  const weft_poisson_problem known = completed("poisson_problem", given, default_problem<weft_poisson_problem>());
  PoissonProblem problem = common_problem(known);
  problem.boundary = boundaries_from(known.boundary, known.dims);
  if (known.mean != nullptr) problem.mean = parse_mean(known.mean);
  problem.widths = widths_from(known);
  std::copy(std::begin(known.robin), std::end(known.robin), problem.robin.begin());
  problem.power = known.power;
  problem.batch = known.batch;
  problem.order = known.order;
  return problem;
}

VectorProblem vector_problem(const weft_vector_problem* given) {
  pointee("problem", given, "give the address of a weft_vector_problem");
  const weft_vector_problem known = completed("vector_problem", given, default_problem<weft_vector_problem>());
  const PoissonProblem common = common_problem(known);
  VectorProblem problem{common.cells, common.length, {}, common.centring, common.kernel, common.screening};
  const int components = is_one_for_all(known) ? 1 : known.dims;
  for (int c = 0; c < components; c++) problem.boundary.push_back(boundaries_from(known.boundary[c], known.dims));
  if (known.derivative != nullptr) problem.derivative = parse_derivative(known.derivative);
  problem.reversed = known.reversed != 0;
  problem.shift = common.shift;
  problem.power = known.power;
  problem.batch = known.batch;
  return problem;
}

weft_variable_problem default_variable_problem() {
  const VariableProblem known;
  weft_variable_problem problem{};
  problem.dims = WEFT_SPACE_DIMS;
  for (double& length : problem.length) length = 1;
  problem.tolerance = known.tolerance;
  problem.most_iterations = known.most_iterations;
  return problem;
}

VariableProblem variable_problem(const weft_variable_problem* given) {
  pointee("problem", given, "give the address of a weft_variable_problem");
  const weft_variable_problem known = completed("variable_problem", given, default_variable_problem());
  VariableProblem problem;
  problem.cells = extents_in_space(known.dims, known.cells);
  problem.length.assign(known.length, known.length + known.dims);
  problem.boundary = boundaries_from(known.boundary, known.dims);
  if (known.form != nullptr) problem.form = parse_form(known.form);
  if (known.faces != nullptr) problem.faces = parse_faces(known.faces);
  if (known.around != nullptr) problem.around = parse_around(known.around);
  if (known.mean != nullptr) problem.mean = parse_mean(known.mean);
  problem.tolerance = known.tolerance;
  problem.most_iterations = known.most_iterations;
  return problem;
}

HaloProblem halo_problem(const weft_halo_problem& given, int dims) {
  HaloProblem problem;
  problem.width.clear();
  for (int axis = 0; axis < dims; axis++) problem.width.emplace_back(given.width[axis][0], given.width[axis][1]);
  problem.boundary = {boundaries_from(given.boundary, dims)};
  problem.centring = centrings_from(given.centring, dims);
  problem.components = given.components;
  const Element real = is_single(given.precision) ? Element::float32 : Element::float64;
  const Element pairs = real == Element::float32 ? Element::complex64 : Element::complex128;
  problem.element = given.is_complex != 0 ? pairs : real;
  return problem;
}

weft_particle_problem default_particle_problem() {
  const ParticleProblem known;
  weft_particle_problem problem{};
  for (double& spacing : problem.spacing) spacing = 1;
  problem.order = known.order;
  problem.margin = known.margin;
  problem.message_limit = HaloOptions().message_limit;
  return problem;
}

ParticleProblem particle_problem(const weft_particle_problem& given, int dims) {
  require(dims >= 1 && dims <= WEFT_SPACE_DIMS, "owned: it has dims " + std::to_string(dims) + "; give 1 to 3 axes");
  ParticleProblem problem;
  problem.spacing.assign(given.spacing, given.spacing + dims);
  problem.origin.assign(given.origin, given.origin + dims);
  problem.order = given.order;
  problem.boundary = boundaries_from(given.boundary, dims);
  problem.centring = centrings_from(given.centring, dims);
  problem.margin = given.margin;
  problem.reversed = given.reversed != 0;
  return problem;
}

}  // namespace weft::c_api

using namespace weft::c_api;

namespace {

// Names that live as long as the program.
const char* name_of(weft::End end) {
  static const std::array<std::string, 4> names{to_string(weft::End::periodic), to_string(weft::End::even),
                                                to_string(weft::End::odd), to_string(weft::End::unbounded)};
  const auto found = std::find(names.begin(), names.end(), to_string(end));
  return found->c_str();
}

}  // namespace

int weft_vector_boundary(weft_vector_problem* problem) {
  return guarded([&] {
    const weft::VectorProblem known = vector_problem(problem);
    weft::require(problem->struct_size > offsetof(weft_vector_problem, boundary),
                  "vector_problem: its struct_size ends before boundary; call weft_vector_problem_init() before");
    auto fields = weft::vector_boundary(boundaries_from(problem->boundary[0], problem->dims));
    if (known.reversed) std::reverse(fields.begin(), fields.end());
    for (std::size_t c = 0; c < fields.size(); c++)
      for (std::size_t axis = 0; axis < fields.size(); axis++) {
        problem->boundary[c][axis][0] = name_of(fields[c][axis].left);
        problem->boundary[c][axis][1] = name_of(fields[c][axis].right);
      }
  });
}
