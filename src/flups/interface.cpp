// The functions of flups.h: converts handles to objects of the library, and errors to messages.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

#include "base/asked.hpp"
#include "c_api/status.hpp"
#include "flups/dump.hpp"
#include "flups/solver.hpp"
#include "flups/times.hpp"
#include "weft/flups/flups.h"
#include "weft/memory.hpp"

namespace {

using weft::flups::Step;
using weft::flups::Three;

weft::flups::Solver& own(FLUPS_Solver* s) { return *reinterpret_cast<weft::flups::Solver*>(s); }
const weft::flups::Topology& own(const FLUPS_Topology* t) { return *reinterpret_cast<const weft::flups::Topology*>(t); }
FLUPS_Topology* handle(weft::flups::Topology* t) { return reinterpret_cast<FLUPS_Topology*>(t); }

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

// Ends the program for the current error. If all ranks have it, rank 0 prints it for all of them: the others wait for
// rank 0, and rank 0 waits for mpiexec to print the text.
[[noreturn]] void end_program(const char* function, MPI_Comm comm) {
  (void)weft::c_api::failure();
  using std::chrono::milliseconds;
  if (rank_in(comm) != 0) std::this_thread::sleep_for(milliseconds(1000));
  std::fprintf(stderr, "weft: %s: %s\n", function, weft_last_error());
  std::this_thread::sleep_for(milliseconds(200));
  MPI_Abort(comm, 1);
  std::abort();
}

template <class Work>
auto guarded(const char* function, MPI_Comm comm, const Work& work) noexcept {
  try {
    return work();
  } catch (...) {
    end_program(function, comm);
  }
}

template <class Work>
auto guarded(const char* function, FLUPS_Solver* s, const Work& work) noexcept {
  return guarded(function, own(s).comm(), [&] { return work(own(s)); });
}

// A call that flups_profiler_disp knows.
template <class Work>
void timed(Step step, const char* function, FLUPS_Solver* s, const Work& work) noexcept {
  guarded(function, s, [&](weft::flups::Solver& solver) {
    const weft::flups::Timed call(step);
    work(solver);
  });
}

bool is_verbose() { return weft::is_asked("WEFT_FLUPS_VERBOSE"); }

void tell(MPI_Comm comm, const std::string& text) {
  if (rank_in(comm) == 0) std::fprintf(stderr, "weft: %s", text.c_str());
}

Three three(const int values[3]) { return {values[0], values[1], values[2]}; }

}  // namespace

extern "C" {

void* flups_malloc(size_t size) {
  try {
    return std::memset(weft::allocate_aligned(size), 0, size);
  } catch (...) {
    return nullptr;
  }
}
void flups_free(void* data) { weft::free_aligned(data); }

void flups_info(int argc, char** argv) {
  guarded(__func__, MPI_COMM_WORLD, [&] { weft::flups::write_info(argc, argv); });
}

// Topologies.

FLUPS_Topology* flups_topo_new(const int axis, const int lda, const int nglob[3], const int nproc[3],
                               const bool isComplex, const int axproc[3], const int alignment, MPI_Comm comm) {
  return guarded(__func__, comm, [&] {
    weft::flups::Shape shape;
    shape.axis = axis;
    shape.components = lda;
    shape.points = three(nglob);
    shape.parts = three(nproc);
    if (axproc != nullptr) shape.rank_order = three(axproc);
    shape.is_complex = isComplex;
    shape.alignment = alignment;
    return handle(std::make_unique<weft::flups::Topology>(comm, shape).release());
  });
}
void flups_topo_free(const FLUPS_Topology* t) { delete reinterpret_cast<const weft::flups::Topology*>(t); }

bool flups_topo_get_isComplex(const FLUPS_Topology* t) { return own(t).shape().is_complex; }
int flups_topo_get_lda(const FLUPS_Topology* t) { return own(t).shape().components; }
int flups_topo_get_axis(const FLUPS_Topology* t) { return own(t).shape().axis; }
int flups_topo_get_nglob(const FLUPS_Topology* t, const int dim) {
  return own(t).shape().points[static_cast<std::size_t>(dim)];
}
int flups_topo_get_nloc(const FLUPS_Topology* t, const int dim) { return static_cast<int>(own(t).range(dim).size()); }
int flups_topo_get_nmem(const FLUPS_Topology* t, const int dim) { return own(t).stored(dim); }
int flups_topo_get_nproc(const FLUPS_Topology* t, const int dim) {
  return own(t).shape().parts[static_cast<std::size_t>(dim)];
}
void flups_topo_get_istartGlob(const FLUPS_Topology* t, int istart[3]) {
  for (int direction = 0; direction < 3; direction++) istart[direction] = static_cast<int>(own(t).range(direction).lo);
}
size_t flups_topo_get_locsize(const FLUPS_Topology* t) { return own(t).point_doubles(); }
size_t flups_topo_get_memsize(const FLUPS_Topology* t) { return own(t).doubles(); }
int flups_topo_cmpt_rank_fromid(const FLUPS_Topology* t, const int global_id, const int id) {
  return guarded(__func__, own(t).comm(), [&] { return own(t).partition(id).owner(global_id); });
}
int flups_topo_cmpt_start_id_from_rank(const FLUPS_Topology* t, const int rank_id, const int id) {
  return guarded(__func__, own(t).comm(), [&] { return static_cast<int>(own(t).partition(id).first(rank_id)); });
}
MPI_Comm flups_topo_get_comm(FLUPS_Topology* t) { return own(t).comm(); }
void flups_topo_ranksplit(const FLUPS_Topology* t, const int rank, int rankd[3]) {
  const Three parts = own(t).parts_of(rank);
  std::copy(parts.begin(), parts.end(), rankd);
}
int flups_topo_rankindex(const FLUPS_Topology* topo, const int rankd[3]) { return own(topo).rank_of(three(rankd)); }

// Solvers.

FLUPS_Solver* flups_init(FLUPS_Topology* t, FLUPS_BoundaryType* bc[3][2], const double h[3], const double L[3],
                         FLUPS_DiffType orderDiff, const FLUPS_CenterType center_type[3]) {
  return guarded(__func__, own(t).comm(), [&] {
    const weft::flups::Timed call(Step::init);
    auto solver = std::make_unique<weft::flups::Solver>(own(t), bc, h, L, orderDiff, center_type);
    return reinterpret_cast<FLUPS_Solver*>(solver.release());
  });
}
FLUPS_Solver* flups_init_timed(FLUPS_Topology* t, FLUPS_BoundaryType* bc[3][2], const double h[3], const double L[3],
                               const FLUPS_DiffType orderDiff, const FLUPS_CenterType center_type[3],
                               FLUPS_Profiler* /*prof*/) {
  return flups_init(t, bc, h, L, orderDiff, center_type);
}
void flups_cleanup_solver(FLUPS_Solver* s) {
  if (s == nullptr) return;
  if (is_verbose()) tell(own(s).comm(), std::string(__func__) + ": " + own(s).times() + "\n");
  delete &own(s);
}
void flups_cleanup(FLUPS_Solver* s) { flups_cleanup_solver(s); }
void flups_cleanup_all(FLUPS_Solver* s) { flups_cleanup_solver(s); }
void flups_cleanup_backend() {}

void flups_set_greenType(FLUPS_Solver* s, const FLUPS_GreenType type) {
  guarded(__func__, s, [&](weft::flups::Solver& solver) { solver.set_kernel(type); });
}
void flups_set_alpha(FLUPS_Solver* s, const double alpha) {
  guarded(__func__, s, [&](weft::flups::Solver& solver) { solver.set_alpha(alpha); });
}
void flups_set_stream(FLUPS_Solver* /*s*/, void* /*stream*/) {}

void flups_setup(FLUPS_Solver* s, const bool /*changeComm*/) {
  timed(Step::setup, __func__, s, [&](weft::flups::Solver& solver) { solver.setup(); });
  if (!is_verbose()) return;
  guarded(__func__, s, [](weft::flups::Solver& solver) { tell(solver.comm(), "flups_setup: " + solver.explain()); });
}
void flups_solve(FLUPS_Solver* s, double* field, double* rhs, const FLUPS_SolverType type) {
  timed(Step::solve, __func__, s, [&](weft::flups::Solver& solver) { solver.solve(field, rhs, type); });
}

// Solves in parts.

size_t flups_get_allocSize(FLUPS_Solver* s) {
  return guarded(__func__, s, [](weft::flups::Solver& solver) { return solver.buffer_doubles(); });
}
double* flups_get_innerBuffer(FLUPS_Solver* s) {
  return guarded(__func__, s, [](weft::flups::Solver& solver) { return solver.buffer(); });
}
void flups_get_spectralInfo(FLUPS_Solver* s, double kfact[3], double koffset[3], double symstart[3]) {
  guarded(__func__, s, [&](weft::flups::Solver& solver) {
    const weft::flups::SpectralInfo info = solver.spectral_info();
    std::copy(info.factor.begin(), info.factor.end(), kfact);
    std::copy(info.offset.begin(), info.offset.end(), koffset);
    std::copy(info.symmetry.begin(), info.symmetry.end(), symstart);
  });
}
FLUPS_Topology* flups_get_innerTopo_physical(FLUPS_Solver* s) {
  return guarded(__func__, s, [](weft::flups::Solver& solver) { return handle(solver.points()); });
}
FLUPS_Topology* flups_get_innerTopo_spectral(FLUPS_Solver* s) {
  return guarded(__func__, s, [](weft::flups::Solver& solver) { return handle(solver.modes()); });
}
void flups_skip_firstSwitchtopo(FLUPS_Solver* s) {
  guarded(__func__, s, [](weft::flups::Solver& solver) { solver.skip_first_move(); });
}
void flups_do_copy(FLUPS_Solver* s, const FLUPS_Topology* topo, double* data, const int sign) {
  timed(Step::copy, __func__, s, [&](weft::flups::Solver& solver) { solver.copy(own(topo), data, sign); });
}
void flups_do_FFT(FLUPS_Solver* s, double* data, const int sign) {
  timed(Step::transform, __func__, s, [&](weft::flups::Solver& solver) { solver.transform(data, sign); });
}
void flups_do_mult(FLUPS_Solver* s, double* data, const FLUPS_SolverType type) {
  timed(Step::product, __func__, s, [&](weft::flups::Solver& solver) { solver.multiply(data, type); });
}
void flups_pencilDirs(const FLUPS_BoundaryType* bc[3][2], int dirs[3]) {
  guarded(__func__, MPI_COMM_WORLD, [&] {
    const Three order = weft::flups::transform_directions(bc);
    std::copy(order.begin(), order.end(), dirs);
  });
}
void flups_switchtopo_info(FLUPS_Solver* s) {
  guarded(__func__, s, [](weft::flups::Solver& solver) {
    const std::string text = solver.explain();
    if (rank_in(solver.comm()) == 0) std::printf("%s", text.c_str());
  });
}

// Macros of programs take a profiler for an object of their own class, and do nothing for a null pointer. A program may
// hand over an object of that class, too. So a pointer is never followed, and the times are those of the process.
// Programs without such macros may want another pointer than the one of an object that could not be made.

FLUPS_Profiler* flups_profiler_new() { return flups_profiler_new_n("default"); }
FLUPS_Profiler* flups_profiler_new_n(const char name[]) {
  weft::flups::Times& times = weft::flups::times();
  guarded(__func__, MPI_COMM_WORLD, [&] { times.start(name); });
  return weft::is_asked("WEFT_FLUPS_PROFILERS") ? reinterpret_cast<FLUPS_Profiler*>(&times) : nullptr;
}
void flups_profiler_free(FLUPS_Profiler* /*p*/) {}
void flups_profiler_disp(FLUPS_Profiler* /*p*/) { guarded(__func__, MPI_COMM_WORLD, weft::flups::report_times); }

void flups_hdf5_dump(const FLUPS_Topology* topo, const char filename[], const double* data) {
  guarded(__func__, own(topo).comm(), [&] { weft::flups::dump_field(own(topo), filename, data); });
}
void flups_print_data(const FLUPS_Topology* topo, double* data) { weft::flups::print_field(own(topo), data); }

}  // extern "C"
