/* Vector fields: periodic waves, whose derivatives are known, walls, and components in reversed order. */
#include <float.h>
#include <math.h>

#include "check.h"

static const double pi = 3.14159265358979323846;
enum { NX = 8, NY = 6, NZ = 10 };

typedef struct vectors {
  weft_vector_poisson* solver;
  weft_box box;
  int64_t count;
  double *u, *v, *scalar;
} vectors;

static weft_vector_problem cube(void) {
  const int64_t cells[3] = {NX, NY, NZ};
  weft_vector_problem problem;
  OK(weft_vector_problem_init(&problem));
  for (int axis = 0; axis < 3; axis++) {
    problem.cells[axis] = cells[axis];
    problem.length[axis] = 2 * pi;
  }
  return problem;
}

static vectors make(const weft_vector_problem* problem) {
  vectors s;
  memset(&s, 0, sizeof s);
  OK(weft_vector_poisson_create(MPI_COMM_WORLD, problem, NULL, &s.solver));
  OK(weft_vector_poisson_box(s.solver, &s.box, &s.count));
  s.u = room_for(3 * s.count, sizeof(double));
  s.v = room_for(3 * s.count, sizeof(double));
  s.scalar = room_for(s.count, sizeof(double));
  return s;
}

static void clear(vectors* s) {
  free(s->u);
  free(s->v);
  free(s->scalar);
  OK(weft_vector_poisson_destroy(&s->solver));
}

/* The coordinate of a local point along an axis. */
static double at(const vectors* s, int64_t i, int axis) {
  const int64_t cells[3] = {NX, NY, NZ};
  for (int a = 2; a > axis; a--) i /= s->box.hi[a] - s->box.lo[a];
  i = i % (s->box.hi[axis] - s->box.lo[axis]) + s->box.lo[axis];
  return 2 * pi * ((double)i + 0.5) / (double)cells[axis];
}

/* Rounding of transforms (Higham 2002, theorem 24.2), with a factor of 8 for the constants, twice, times a factor of at
   most 4 for the derivatives, and sums of up to 6 of them. */
static double rounding(void) { return 2 * 8 * 4 * 6 * DBL_EPSILON * log2(NX * NY * NZ); }

/* u = (sin y, sin z, sin x): its curl is -(cos z, cos x, cos y), its divergence 0, its Laplacian -u. Named the other
   way round, with x the last axis, all of that holds just so: the handedness is that of the names. */
static double component(const vectors* s, int64_t i, int c, int reversed, double (*f)(double)) {
  const int next = (c + 1) % 3;
  return f(at(s, i, reversed ? 2 - next : next));
}
static double curl_component(const vectors* s, int64_t i, int c, int reversed) {
  const int after = (c + 2) % 3;
  return -cos(at(s, i, reversed ? 2 - after : after));
}

static void test_waves(int reversed) {
  weft_vector_problem problem = cube();
  problem.reversed = reversed;
  vectors s = make(&problem);
  for (int c = 0; c < 3; c++)
    for (int64_t i = 0; i < s.count; i++) s.u[c * s.count + i] = component(&s, i, c, reversed, sin);
  OK(weft_vector_poisson_curl(s.solver, s.u, 3 * s.count, s.v, 3 * s.count));
  for (int c = 0; c < 3; c++)
    for (int64_t i = 0; i < s.count; i++) NEAR(s.v[c * s.count + i], curl_component(&s, i, c, reversed), rounding());
  OK(weft_vector_poisson_biot_savart(s.solver, s.v, 3 * s.count, s.v, 3 * s.count));
  for (int64_t i = 0; i < 3 * s.count; i++) NEAR(s.v[i], s.u[i], 2 * rounding());
  OK(weft_vector_poisson_divergence(s.solver, s.u, 3 * s.count, s.scalar, s.count));
  for (int64_t i = 0; i < s.count; i++) NEAR(s.scalar[i], 0, rounding());
  OK(weft_vector_poisson_project(s.solver, s.u, 3 * s.count, s.v, 3 * s.count));
  for (int64_t i = 0; i < 3 * s.count; i++) NEAR(s.v[i], s.u[i], rounding());
  OK(weft_vector_poisson_solve(s.solver, s.u, 3 * s.count, s.v, 3 * s.count));
  for (int64_t i = 0; i < 3 * s.count; i++) NEAR(s.v[i], -s.u[i], rounding());
  clear(&s);
}

/* p = cos x cos 2y cos z in a box of walls of length pi: its gradient does not cross them, and projects to nothing. */
static void test_walls(int reversed) {
  weft_vector_problem problem = cube();
  problem.reversed = reversed;
  for (int axis = 0; axis < 3; axis++) problem.boundary[0][axis][0] = problem.boundary[0][axis][1] = "even";
  OK(weft_vector_boundary(&problem));
  CHECK(strcmp(problem.boundary[0][reversed ? 2 : 0][1], "odd") == 0);
  CHECK(strcmp(problem.boundary[0][1][0], "even") == 0);
  vectors s = make(&problem);
  for (int64_t i = 0; i < s.count; i++) s.scalar[i] = cos(at(&s, i, 0) / 2) * cos(at(&s, i, 1)) * cos(at(&s, i, 2) / 2);
  OK(weft_vector_poisson_gradient(s.solver, s.scalar, s.count, s.u, 3 * s.count));
  for (int64_t i = 0; i < s.count; i++) {
    const double x = at(&s, i, 0), y = at(&s, i, 1), z = at(&s, i, 2);
    NEAR(s.u[(reversed ? 2 : 0) * s.count + i], -0.5 * sin(x / 2) * cos(y) * cos(z / 2), rounding());
    NEAR(s.u[s.count + i], -cos(x / 2) * sin(y) * cos(z / 2), rounding());
  }
  OK(weft_vector_poisson_project(s.solver, s.u, 3 * s.count, s.v, 3 * s.count));
  for (int64_t i = 0; i < 3 * s.count; i++) NEAR(s.v[i], 0, 2 * rounding());
  OK(weft_vector_poisson_divergence(s.solver, s.u, 3 * s.count, s.scalar, s.count));
  OK(weft_vector_poisson_solve_gradient(s.solver, s.scalar, s.count, s.v, 3 * s.count));
  for (int64_t i = 0; i < 3 * s.count; i++) NEAR(s.v[i], s.u[i], 4 * rounding());
  clear(&s);
}

/* Two fields in one call, (sin y, sin z, sin x) and that of twice the wavenumber, and a power: -u and -u / 2. The
   second has the bits that a solver of one field gives it. */
static void test_batch(void) {
  weft_vector_problem problem = cube();
  CHECK(problem.power == 1 && problem.batch == 0);
  problem.power = 0.5;
  vectors one = make(&problem), both = make(&problem);
  OK(weft_vector_poisson_destroy(&both.solver));
  problem.batch = 2;
  OK(weft_vector_poisson_create(MPI_COMM_WORLD, &problem, NULL, &both.solver));
  const int64_t count = 3 * one.count;
  double *u = room_for(2 * count, sizeof *u), *found = room_for(2 * count, sizeof *found);
  for (int64_t i = 0; i < count; i++) {
    const double angle = at(&one, i % one.count, (int)(i / one.count + 1) % 3);
    u[i] = sin(angle);
    one.u[i] = u[count + i] = sin(2 * angle);
  }
  OK(weft_vector_poisson_solve(both.solver, u, 2 * count, found, 2 * count));
  OK(weft_vector_poisson_solve(one.solver, one.u, count, one.v, count));
  for (int64_t i = 0; i < count; i++) NEAR(found[i], -u[i], rounding());
  for (int64_t i = 0; i < count; i++) NEAR(found[count + i], -u[count + i] / 2, rounding());
  CHECK(memcmp(found + count, one.v, (size_t)count * sizeof *found) == 0);
  FAILS(weft_vector_poisson_solve(both.solver, u, count + (rank == 0), found, 2 * count), WEFT_ERROR_ARGUMENT,
        "in: the local array has");
  free(u);
  free(found);
  clear(&one);
  clear(&both);
}

static void test_errors_of_vectors(void) {
  weft_vector_problem problem = cube();
  weft_vector_poisson* solver = NULL;
  const char* text = NULL;
  weft_facts facts;
  vectors s = make(&problem);
  FAILS(weft_vector_poisson_curl(s.solver, s.u, s.count + 1, s.v, 3 * s.count), WEFT_ERROR_ARGUMENT,
        "in: the local array has");
  OK(weft_vector_poisson_explain(s.solver, &text));
  CHECK(strlen(text) > 0);
  OK(weft_facts_init(&facts));
  OK(weft_vector_poisson_facts(s.solver, &facts));
  CHECK(facts.setup_seconds > 0);
  clear(&s);
  problem.boundary[0][0][0] = problem.boundary[0][0][1] = "even";
  FAILS(weft_vector_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver), WEFT_ERROR_ARGUMENT, "boundary");
  problem = cube();
  problem.derivative = "3";
  FAILS(weft_vector_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver), WEFT_ERROR_ARGUMENT, "derivative");
}

void test_vectors(void) {
  for (int reversed = 0; reversed < 2; reversed++) {
    test_waves(reversed);
    test_walls(reversed);
  }
  test_batch();
  test_errors_of_vectors();
}
