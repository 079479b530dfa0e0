/* Scalar solvers: every kind of boundary, both centrings, kernels by name and of one's own, screening, the mean. */
#include <float.h>
#include <math.h>

#include "check.h"

static const double pi = 3.14159265358979323846;

/* A solution as a product of one function per axis. */
typedef struct wave {
  double wavenumber[3];
  int is_sine[3];
} wave;

static double value_of(const wave* w, const double* at) {
  double value = 1;
  for (int axis = 0; axis < 3; axis++)
    value *= w->is_sine[axis] ? sin(w->wavenumber[axis] * at[axis]) : cos(w->wavenumber[axis] * at[axis]);
  return value;
}

typedef struct solver_arrays {
  weft_poisson* solver;
  weft_box box;
  int64_t count;
  double *at[3], *array;
} solver_arrays;

static solver_arrays make(const weft_poisson_problem* problem, const weft_plan_options* options) {
  solver_arrays s;
  memset(&s, 0, sizeof s);
  OK(weft_poisson_create(MPI_COMM_WORLD, problem, options, &s.solver));
  OK(weft_poisson_box(s.solver, &s.box, &s.count));
  for (int axis = 0; axis < s.box.dims; axis++) {
    const int64_t n = s.box.hi[axis] - s.box.lo[axis];
    s.at[axis] = room_for(n, sizeof(double));
    OK(weft_poisson_points(s.solver, axis, s.at[axis], n));
  }
  s.array = room_for(s.count, sizeof(double));
  return s;
}

static void clear(solver_arrays* s) {
  for (int axis = 0; axis < 3; axis++) free(s->at[axis]);
  free(s->array);
  OK(weft_poisson_destroy(&s->solver));
}

/* Calls work for every local point. */
static void each_point(solver_arrays* s, void (*work)(double* value, const double* at, const void* data),
                       const void* data) {
  double* value = s->array;
  double at[3];
  for (int64_t x = 0; x < s->box.hi[0] - s->box.lo[0]; x++)
    for (int64_t y = 0; y < s->box.hi[1] - s->box.lo[1]; y++)
      for (int64_t z = 0; z < s->box.hi[2] - s->box.lo[2]; z++, value++) {
        at[0] = s->at[0][x];
        at[1] = s->at[1][y];
        at[2] = s->at[2][z];
        work(value, at, data);
      }
}

static void set_wave(double* value, const double* at, const void* data) { *value = value_of(data, at); }

typedef struct expected {
  wave w;
  double factor, bound;
} expected;
static void compare_wave(double* value, const double* at, const void* data) {
  const expected* e = data;
  NEAR(*value, e->factor * value_of(&e->w, at), e->bound);
}

/* Eigenfunctions are solved to rounding: u = f / -(k^2 + screening^2), times what the kernel does to the mode.
   Transforms of 12 x 10 x 8 points err by eps log2 N, with a factor of 8 for the constants (Higham 2002, theorem 24.2).
 */
static void solve_wave(const weft_poisson_problem* problem, wave w, double zeta) {
  solver_arrays s = make(problem, NULL);
  expected e = {w, 0, 0};
  double square = problem->screening * problem->screening;
  for (int axis = 0; axis < 3; axis++) square += w.wavenumber[axis] * w.wavenumber[axis];
  e.factor = -zeta / square;
  e.bound = 2 * 8 * DBL_EPSILON * log2(12 * 10 * 8) * fabs(e.factor) * 8;
  each_point(&s, set_wave, &w);
  OK(weft_poisson_solve(s.solver, s.array, s.array, s.count));
  each_point(&s, compare_wave, &e);
  clear(&s);
}

static weft_poisson_problem mixed_problem(void) {
  weft_poisson_problem problem;
  OK(weft_poisson_problem_init(&problem));
  problem.cells[0] = 12;
  problem.cells[1] = 10;
  problem.cells[2] = 8;
  problem.length[1] = 2;
  problem.length[2] = 0.5;
  problem.boundary[0][0] = problem.boundary[0][1] = "even";
  problem.boundary[1][0] = "odd";
  problem.boundary[1][1] = "even";
  return problem;
}

static void test_modes(void) {
  const wave w = {{3 * pi, 0.75 * pi, 4 * pi}, {0, 1, 0}};
  weft_poisson_problem problem = mixed_problem();
  weft_poisson* solver = NULL;
  double square = 0;
  solve_wave(&problem, w, 1);
  problem.screening = 2;
  solve_wave(&problem, w, 1);
  problem.screening = 0;
  problem.centring[0] = "node";
  solve_wave(&problem, w, 1);
  problem.shift[2] = 0.25; /* half of the wave along z */
  solve_wave(&problem, w, -1);
  problem.shift[0] = 1;
  FAILS(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver), WEFT_ERROR_ARGUMENT, "shift of axis 0");
  problem = mixed_problem();
  /* hej2 with the width alpha h, for the same h along all axes, multiplies a mode by exp(-(k alpha h)^2 / 2). */
  problem.length[0] = 1.2;
  problem.length[1] = 1;
  problem.length[2] = 0.8;
  problem.kernel = "hej2";
  problem.alpha = 1.5;
  const wave other = {{3 * pi / 1.2, 1.5 * pi, 2 * pi / 0.8}, {0, 1, 0}};
  for (int axis = 0; axis < 3; axis++) square += other.wavenumber[axis] * other.wavenumber[axis];
  solve_wave(&problem, other, exp(-0.5 * square * 0.15 * 0.15));
}

enum { CELLS = 24 };
static const double width = 0.1;

/* A Gaussian source in the middle of the unit cube; its potential is erf(r / (sqrt(2) s)) / (-4 pi r). */
static double radius(const double* at) { return sqrt(pow(at[0] - 0.5, 2) + pow(at[1] - 0.5, 2) + pow(at[2] - 0.5, 2)); }
static double source(const double* at) {
  return exp(-pow(radius(at) / width, 2) / 2) / pow(2 * pi * width * width, 1.5);
}
static void set_source(double* value, const double* at, const void* data) {
  (void)data;
  *value = source(at);
}
/* chat2 errs by c h^2 f with c = 0.0334 (weft/green.hpp); the next order is smaller by (h/s)^2 = 0.17. */
static void compare_potential(double* value, const double* at, const void* data) {
  const double r = radius(at), h = 1.0 / CELLS;
  const double error = *value + erf(r / (sqrt(2) * width)) / (4 * pi * r);
  (void)data;
  NEAR(error, 0.0334 * h * h * source(at), 0.17 * 0.0334 * h * h / pow(2 * pi * width * width, 1.5));
}

/* chat2 by hand: the mean over the ball of volume h^3 at the origin. */
static double own_distance(double r, double k, void* data) {
  const double h = *(const double*)data, ball = cbrt(3 * h * h * h / (4 * pi));
  (void)k;
  return r > 0 ? -1 / (4 * pi * r) : -3 / (8 * pi * ball);
}

static void test_free_space(void) {
  double h = 1.0 / CELLS;
  weft_poisson_problem problem;
  OK(weft_poisson_problem_init(&problem));
  for (int axis = 0; axis < 3; axis++) {
    problem.cells[axis] = CELLS;
    problem.boundary[axis][0] = problem.boundary[axis][1] = "unbounded";
  }
  problem.kernel = "chat2";
  solver_arrays s = make(&problem, NULL);
  each_point(&s, set_source, NULL);
  OK(weft_poisson_solve(s.solver, s.array, s.array, s.count));
  each_point(&s, compare_potential, NULL);
  problem.kernel = NULL;
  problem.distance = own_distance;
  problem.kernel_data = &h;
  solver_arrays own = make(&problem, NULL);
  each_point(&own, set_source, NULL);
  OK(weft_poisson_solve(own.solver, own.array, own.array, own.count));
  /* The same numbers but for rounding in the kernel; the potential is at most 1.3 / (4 pi s) in size. */
  for (int64_t i = 0; i < s.count; i++) NEAR(own.array[i], s.array[i], 64 * DBL_EPSILON * 1.3 / (4 * pi * width));
  clear(&s);
  clear(&own);
  problem.kernel = "chat2";
  FAILS(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &s.solver), WEFT_ERROR_ARGUMENT, "give one of them");
}

/* The inverse of the Laplacian by its symbol; without unbounded axes the wavenumbers are those of the modes. */
static double own_symbol(int dims, const double* k, void* data) {
  double square = 0;
  (void)data;
  for (int axis = 0; axis < dims; axis++) square += k[axis] * k[axis];
  return square > 0 ? -1 / square : 0;
}

static void test_own_symbol(void) {
  const wave w = {{3 * pi, 0.75 * pi, 4 * pi}, {0, 1, 0}};
  weft_poisson_problem problem = mixed_problem();
  problem.wavenumber = own_symbol;
  solve_wave(&problem, w, 1);
}

static void set_one(double* value, const double* at, const void* data) {
  (void)at;
  (void)data;
  *value = 1;
}

static void test_mean(void) {
  weft_poisson_problem problem;
  OK(weft_poisson_problem_init(&problem));
  for (int axis = 0; axis < 3; axis++) problem.cells[axis] = 6;
  solver_arrays s = make(&problem, NULL);
  each_point(&s, set_one, NULL);
  OK(weft_poisson_solve(s.solver, s.array, s.array, s.count));
  for (int64_t i = 0; i < s.count; i++) NEAR(s.array[i], 0, 64 * DBL_EPSILON);
  clear(&s);
  problem.mean = "error";
  s = make(&problem, NULL);
  each_point(&s, set_one, NULL);
  FAILS(weft_poisson_solve(s.solver, s.array, s.array, s.count), WEFT_ERROR_ARGUMENT, "mean");
  clear(&s);
}

static void test_single_precision(void) {
  const double k = 2 * pi, bound = 2 * 8 * FLT_EPSILON * log2(8 * 8) * 8 / (k * k);
  weft_poisson_problem problem;
  weft_plan_options options;
  weft_poisson* solver = NULL;
  weft_box box;
  int64_t count = 0;
  float* u;
  OK(weft_poisson_problem_init(&problem));
  problem.dims = 2;
  problem.cells[0] = problem.cells[1] = 8;
  OK(weft_plan_options_init(&options));
  options.precision = "float";
  OK(weft_poisson_create(MPI_COMM_WORLD, &problem, &options, &solver));
  OK(weft_poisson_box(solver, &box, &count));
  CHECK(box.dims == 2);
  u = room_for(count, sizeof(float));
  for (int64_t i = 0; i < count; i++) {
    const int64_t x = box.lo[0] + i / (box.hi[1] - box.lo[1]);
    u[i] = (float)cos(k * ((double)x + 0.5) / 8);
  }
  OK(weft_poisson_solve(solver, u, u, count));
  for (int64_t i = 0; i < count; i++) {
    const int64_t x = box.lo[0] + i / (box.hi[1] - box.lo[1]);
    NEAR(u[i], -cos(k * ((double)x + 0.5) / 8) / (k * k), bound);
  }
  free(u);
  OK(weft_poisson_destroy(&solver));
}

static void test_what_it_says(void) {
  weft_poisson_problem problem = mixed_problem();
  weft_facts facts;
  const char* text = NULL;
  solver_arrays s = make(&problem, NULL);
  OK(weft_poisson_explain(s.solver, &text));
  CHECK(strstr(text, "Green's function") != NULL);
  OK(weft_facts_init(&facts));
  OK(weft_poisson_facts(s.solver, &facts));
  CHECK(facts.setup_seconds > 0 && facts.threads >= 1 && facts.workspace_bytes > 0);
  clear(&s);
}

/* Two cells of widths 1/2 and 3/2 between a wall with u + du/dn/4 = 0 and one with u = 0, for f = 1:
   -3 u0 + u1 = 1/2 and u0 - 7/3 u1 = 3/2, so that u0 = -4/9 and u1 = -5/6. */
static void compare_cells(double* value, const double* at, const void* data) {
  (void)data;
  NEAR(*value, at[1] < 0.5 ? -4.0 / 9 : -5.0 / 6, 1e-14);
}
/* The same with rows of order 4, which are exact for u = x^2/2 - 8/9 x - 2/9. */
static void compare_compact_cells(double* value, const double* at, const void* data) {
  (void)data;
  NEAR(*value, at[1] * at[1] / 2 - 8.0 / 9 * at[1] - 2.0 / 9, 1e-14);
}
static void test_finite_differences(void) {
  static const double widths[] = {0.5, 1.5};
  weft_poisson_problem problem;
  weft_poisson* solver = NULL;
  solver_arrays s;
  OK(weft_poisson_problem_init(&problem));
  problem.cells[0] = 12;
  problem.cells[1] = 2;
  problem.cells[2] = 8;
  problem.length[1] = 2;
  problem.boundary[1][0] = problem.boundary[1][1] = "odd";
  problem.widths[1] = widths;
  problem.robin[0] = 0.25;
  s = make(&problem, NULL);
  each_point(&s, set_one, NULL);
  OK(weft_poisson_solve(s.solver, s.array, s.array, s.count));
  each_point(&s, compare_cells, NULL);
  /* 1 everywhere has these values at both walls, and no Laplacian. */
  const int64_t along = s.box.hi[1] - s.box.lo[1], across = along == 0 ? 0 : s.count / along;
  double* ones = room_for(across, sizeof(double));
  for (int64_t i = 0; i < across; i++) ones[i] = 1;
  const weft_end_values ends[] = {{1, 0, ones, across}, {1, 1, ones, across}};
  for (int64_t i = 0; i < s.count; i++) s.array[i] = 0;
  OK(weft_poisson_solve_ends(s.solver, s.array, s.array, s.count, ends, 2));
  for (int64_t i = 0; i < s.count; i++) NEAR(s.array[i], 1, 1e-14);
  const weft_end_values periodic = {0, 0, NULL, 0};
  FAILS(weft_poisson_solve_ends(s.solver, s.array, s.array, s.count, NULL, 1), WEFT_ERROR_ARGUMENT, "ends");
  if (s.count == 0)
    CHECK(weft_poisson_solve_ends(s.solver, s.array, s.array, s.count, &periodic, 1) != WEFT_SUCCESS);
  else
    FAILS(weft_poisson_solve_ends(s.solver, s.array, s.array, s.count, &periodic, 1), WEFT_ERROR_ARGUMENT, "ends");
  free(ones);
  clear(&s);
  problem.order = 4;
  s = make(&problem, NULL);
  each_point(&s, set_one, NULL);
  OK(weft_poisson_solve(s.solver, s.array, s.array, s.count));
  each_point(&s, compare_compact_cells, NULL);
  clear(&s);
  problem.order = 5;
  FAILS(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver), WEFT_ERROR_ARGUMENT, "order");
  problem.order = 2;
  problem.length[1] = 3;
  FAILS(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver), WEFT_ERROR_ARGUMENT, "widths of axis 1");
  /* Three Chebyshev points are enough for the parabola. */
  problem.length[1] = 2;
  problem.widths[1] = NULL;
  problem.centring[1] = "chebyshev";
  s = make(&problem, NULL);
  each_point(&s, set_one, NULL);
  OK(weft_poisson_solve(s.solver, s.array, s.array, s.count));
  each_point(&s, compare_compact_cells, NULL);
  clear(&s);
}

/* -(4 - lap)^2 u = f, whose factor is minus the square of that of the Laplacian, and the operator itself. */
static void test_power(void) {
  const wave w = {{3 * pi, 0.75 * pi, 4 * pi}, {0, 1, 0}};
  weft_poisson_problem problem = mixed_problem();
  double square = 4;
  for (int axis = 0; axis < 3; axis++) square += w.wavenumber[axis] * w.wavenumber[axis];
  CHECK(problem.power == 1 && problem.batch == 0);
  problem.screening = 2;
  problem.power = 2;
  solve_wave(&problem, w, 1 / square);
  problem.power = 0.5;
  solve_wave(&problem, w, sqrt(square));
  problem.power = 0;
  solver_arrays s;
  FAILS(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &s.solver), WEFT_ERROR_ARGUMENT, "power: 0");
}

/* Three right-hand sides 1, 2 and 3 between a wall with u = 0 and one with du/dn = 0 along y, where u at the wall is
   moved: u = i + f (y^2 - 2 L y) / 2, which second-order differences have exactly at nodes. */
static void test_batch(void) {
  enum { SIDES = 3 };
  weft_poisson_problem problem;
  weft_poisson* solver = NULL;
  weft_box box;
  int64_t count = 0;
  OK(weft_poisson_problem_init(&problem));
  problem.dims = 2;
  problem.cells[0] = 6;
  problem.cells[1] = 5;
  problem.length[0] = 0.6;
  problem.length[1] = 0.5;
  problem.boundary[1][0] = "odd";
  problem.boundary[1][1] = "even";
  problem.centring[1] = "node";
  problem.kernel = "lgf2";
  problem.batch = SIDES;
  OK(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver));
  OK(weft_poisson_box(solver, &box, &count));
  CHECK(box.dims == 3 && box.lo[0] == 0 && box.hi[0] == SIDES);
  const int64_t nx = box.hi[1] - box.lo[1], ny = box.hi[2] - box.lo[2];
  double *u = room_for(count, sizeof(double)), *wall = room_for(SIDES * nx, sizeof(double));
  double* y = room_for(ny, sizeof(double));
  OK(weft_poisson_points(solver, 1, y, ny));
  for (int64_t i = 0; i < SIDES * nx; i++) wall[i] = (double)(i / nx);
  for (int64_t i = 0; i < count; i++) u[i] = (double)(i / (nx * ny) + 1);
  const weft_end_values ends[] = {{1, 0, wall, ny == 0 ? 0 : SIDES * nx}};
  OK(weft_poisson_solve_ends(solver, u, u, count, ends, 1));
  for (int64_t i = 0; i < count; i++) {
    const double side = (double)(i / (nx * ny)), at = y[i % ny];
    NEAR(u[i], side + (side + 1) * (at * at / 2 - 0.5 * at), 1e-14);
  }
  FAILS(weft_poisson_solve(solver, u, u, count / SIDES + 1), WEFT_ERROR_ARGUMENT, "rhs");
  free(u);
  free(wall);
  free(y);
  OK(weft_poisson_destroy(&solver));
}

void test_solvers(void) {
  test_modes();
  test_free_space();
  test_own_symbol();
  test_mean();
  test_single_precision();
  test_what_it_says();
  test_finite_differences();
  test_power();
  test_batch();
}
