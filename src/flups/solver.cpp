// Makes the solvers of Weft for a problem of FLUPS, with the distribution of the program if Weft has such a one.
#include "flups/solver.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "base/number.hpp"
#include "poisson/problem.hpp"
#include "weft/error.hpp"

namespace weft::flups {

namespace {

// The process grids that may cut a direction like the topology: the same number of parts along one or two axes, in
// either order.
std::vector<std::vector<int>> grids_of(const Topology& user, const std::vector<int>& directions) {
  std::vector<int> parts;
  for (const int direction : directions) {
    const int count = user.shape().parts[static_cast<std::size_t>(direction)];
    if (count > 1) parts.push_back(count);
  }
  if (parts.empty()) return {{1}};
  if (parts.size() == 1) return {{parts[0]}, {1, parts[0]}};
  if (parts.size() == 2) return {{parts[0], parts[1]}, {parts[1], parts[0]}};
  return {};
}

// Errors of Weft name axes, points and components as Weft counts them.
template <class Work>
void in_terms_of_directions(const std::vector<int>& directions, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    const std::string text = error.what();
    if (text.find("axis ") == std::string::npos && text.find("point [") == std::string::npos) throw;
    std::string names;
    for (const int direction : directions) names += (names.empty() ? "" : ", ") + std::to_string(direction);
    throw Error(error.fault(), text + " (axes, indices and components are those of the directions " + names + ")");
  }
}

}  // namespace

Solver::Solver(const Topology& user, Conditions bc, const double h[3], const double length[3],
               FLUPS_DiffType derivative, const FLUPS_CenterType centre[3])
    : user_(user), problem_(problem_of(user, bc, h, length, derivative, centre)), derivative_(derivative) {
  if (derivative != NOD) (void)derivative_of(derivative);
}

void Solver::require_open(const char* argument) const {
  require(setup_ == nullptr, std::string(argument) + ": the solver is set up already; set it before flups_setup");
}

Solver::Setup& Solver::set_up() {
  require(setup_ != nullptr, "s: the solver is not set up yet; call flups_setup first");
  return *setup_;
}

void Solver::set_kernel(FLUPS_GreenType type) {
  require_open("type");
  kernel_.name = kernel_of(type);
}

void Solver::set_alpha(double alpha) {
  require_open("alpha");
  kernel_.alpha = alpha;
}

PlanOptions Solver::options_for(const Comm& comm) const {
  PlanOptions options = Poisson<double>::default_options();
  options.scheme = scheme;
  ScheduleInput input = schedule_input(problem_.domain(0), sizeof(double));
  input.scheme = scheme;
  const Box mine = user_.box(problem_.directions);
  const int axes = static_cast<int>(problem_.axes.size());
  for (const std::vector<int>& grid : grids_of(user_, problem_.directions)) {
    input.grid = ProcessGrid(grid);
    // A plane may be cut along the direction that it lacks, which no grid of its own does.
    if (static_cast<int>(grid.size()) >= axes || input.grid.size() != comm.size()) continue;
    const bool same = make_schedule(input).physical.box(comm.rank()) == mine;
    if (comm.max(index_t{same ? 0 : 1}) != 0) continue;
    options.grid = grid;
    return options;
  }
  const ProcessGrid grid = choose_grid(input, comm.size());
  for (int j = 0; j < grid.dims(); j++) options.grid.push_back(grid[j]);
  return options;
}

void Solver::setup() {
  require_open("s");
  const Comm comm(user_.comm());
  comm.require_same("the arguments of flups_topo_new, flups_init and flups_set_greenType",
                    to_text(user_) + "; " + to_text(problem_) + kernel_.name + number(" %.17g", kernel_.alpha) +
                        number(" %g", derivative_));
  const PlanOptions options = options_for(comm);
  in_terms_of_directions(problem_.directions, [&] {
    const Layouts layouts = layouts_of(problem_, options);
    const auto topology = [&](const Layout& layout, bool is_complex) {
      Shape like = user_.shape();
      like.is_complex = is_complex;
      return topology_of(user_.comm(), layout, problem_.directions, like);
    };
    setup_ = std::make_unique<Setup>(Setup{comm, options, topology(layouts.points, false),
                                           topology(layouts.modes, layouts.is_complex),
                                           Spectrum(comm, problem_, kernel_, derivative_, options)});
    // Makes the solvers that are likely to be used; others are made, or refused, when they are requested.
    const bool curls = derivative_ != NOD && problem_.components() == 3;
    if (curls)
      for (const auto& part : vectors()) (void)transfer_of(*part, problem_.component_order());
    for (int c = 0; !curls && c < problem_.components(); c++) (void)transfer_of(scalar(c), {0});
  });
}

Solver::Scalar& Solver::scalar(int component) {
  Setup& made = set_up();
  std::string key;
  for (const Boundary& boundary : problem_.boundary[static_cast<std::size_t>(component)])
    key += to_string(boundary) + " ";
  std::unique_ptr<Scalar>& kept = made.scalars[key];
  if (kept == nullptr) {
    Poisson<double> solver(user_.comm(), problem_.scalar(component, kernel_), made.options);
    kept = std::make_unique<Scalar>(Scalar{std::move(solver)});
  }
  return *kept;
}

const std::vector<std::unique_ptr<Solver::Vector>>& Solver::vectors() {
  Setup& made = set_up();
  if (!made.vectors.empty()) return made.vectors;
  std::vector<std::pair<std::vector<int>, VectorProblem>> problems;
  made.comm.together([&] {
    for (const VectorPart& part : problem_.vector_parts())
      problems.emplace_back(part.components, problem_.vector(part, kernel_, derivative_));
  });
  std::vector<std::unique_ptr<Vector>> vectors;
  for (const auto& [components, problem] : problems) {
    VectorPoisson<double> solver(user_.comm(), problem, made.options);
    vectors.push_back(std::make_unique<Vector>(Vector{std::move(solver), components}));
  }
  made.vectors = std::move(vectors);
  return made.vectors;
}

template <class Of>
Transfer& Solver::transfer_of(Part<Of>& part, std::vector<int> components) {
  if (part.transfer == nullptr)
    part.transfer = std::make_unique<Transfer>(set_up().comm, fields(), problem_.directions, part.solver.box(),
                                               std::move(components));
  return *part.transfer;
}

void Solver::solve(double* field, const double* rhs, FLUPS_SolverType type) {
  const double start = MPI_Wtime();
  in_terms_of_directions(problem_.directions, [&] {
    set_up().comm.together([&] {
      require(type == STD || type == ROT, "type: " + std::to_string(static_cast<int>(type)) + "; give STD or ROT");
    });
    type == STD ? solve_components(field, rhs) : solve_curl(field, rhs);
  });
  const double seconds = MPI_Wtime() - start;
  fastest_ = solves_ == 0 ? seconds : std::min(fastest_, seconds);
  solves_++;
}

void Solver::solve_components(double* field, const double* rhs) {
  const index_t component = fields().component_doubles();
  for (int c = 0; c < problem_.components(); c++) {
    Scalar& part = scalar(c);
    Transfer& transfer = transfer_of(part, {0});
    part.solver.solve(transfer.enter(rhs + c * component), transfer.place(field + c * component));
    transfer.leave(field + c * component);
  }
}

void Solver::solve_curl(double* field, const double* rhs) {
  const auto& parts = vectors();
  if (parts.size() == 1) return solve_curl(*parts.front(), field, rhs);
  // The curl is linear: that of a field of several kinds is the sum of those of its parts.
  const std::size_t doubles = fields().doubles();
  const index_t component = fields().component_doubles();
  AlignedVector<double> given, one, sum;
  set_up().comm.together([&] {
    given.resize(doubles);
    one.assign(doubles, 0);
    sum.assign(field, field + doubles);  // what lies between the rows of the field stays
  });
  for (const auto& part : parts) {
    const bool is_first = part == parts.front();
    std::copy_n(rhs, doubles, given.data());
    for (int c = 0; c < problem_.components(); c++)
      if (std::find(part->components.begin(), part->components.end(), c) == part->components.end())
        std::fill_n(given.data() + c * component, component, 0.0);
    solve_curl(*part, is_first ? sum.data() : one.data(), given.data());
    if (!is_first) std::transform(sum.begin(), sum.end(), one.begin(), sum.begin(), std::plus<>());
  }
  std::copy(sum.begin(), sum.end(), field);
}

// Weft's velocity solves lap u = -curl w.
void Solver::solve_curl(Vector& part, double* field, const double* rhs) {
  Transfer& transfer = transfer_of(part, problem_.component_order());
  double* result = transfer.place(field);
  part.solver.biot_savart(transfer.enter(rhs), result);
  std::transform(result, result + 3 * part.solver.box().size(), result, [](double value) { return -value; });
  transfer.leave(field);
}

void Solver::skip_first_move() {
  Setup& made = set_up();
  skips_ = true;
  for (auto& [conditions, part] : made.scalars) part->transfer.reset();
  for (const auto& part : made.vectors) part->transfer.reset();
}

std::size_t Solver::buffer_doubles() {
  return std::max({user_.doubles(), set_up().points.doubles(), set_up().modes.doubles()});
}

double* Solver::buffer() {
  set_up().buffer.resize(buffer_doubles());
  return set_up().buffer.data();
}

void Solver::copy(const Topology& topology, double* data, int sign) {
  const std::size_t bytes = std::min(topology.doubles(), buffer_doubles()) * sizeof(double);
  if (sign == FLUPS_FORWARD)
    std::memcpy(buffer(), data, bytes);
  else
    std::memcpy(data, buffer(), bytes);
}

void Solver::transform(double* data, int sign) {
  in_terms_of_directions(problem_.directions, [&] { set_up().spectrum.transform(data, sign, fields()); });
}

void Solver::multiply(double* data, FLUPS_SolverType type) {
  in_terms_of_directions(problem_.directions, [&] { set_up().spectrum.multiply(data, type); });
}

std::string Solver::explain() {
  Setup& made = set_up();
  std::string text;
  const auto add = [&](const auto& part) {
    if (part == nullptr) return;
    text += part->solver.explain();
    if (part->transfer == nullptr) return;
    text += part->transfer->copies() ? "  fields    are copied from the topology of the program and back\n"
                                     : "  fields    are solved where the program has them\n";
  };
  for (const auto& [conditions, solver] : made.scalars) add(solver);
  for (const auto& part : made.vectors) add(part);
  return text;
}

std::string Solver::times() const {
  if (solves_ == 0) return "no solve";
  return std::to_string(solves_) + (solves_ == 1 ? " solve, which took " : " solves, the fastest of which took ") +
         number("%.3g s", fastest_);
}

}  // namespace weft::flups
