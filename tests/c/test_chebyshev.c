/* Chebyshev points from C: derivatives and integrals of powers, weights of integrals, what is told. */
#include <float.h>
#include <math.h>

#include "check.h"

enum { lines = 5, points = 9 };
static const double left = -0.5, right = 2;

/* t^p, its derivative of order 1 or 2 for `order`, its integral from `left` on for -1. */
static double power(double t, int p, int order) {
  if (order < 0) return (pow(t, p + 1) - pow(left, p + 1)) / (p + 1);
  double factor = 1;
  for (int i = 0; i < order; i++) factor *= p - i;
  return factor == 0 ? 0 : factor * pow(t, p - order);
}

/* Coefficients of t^4 on [-0.5, 2] are below 16, and each order multiplies what they err by up to points^2. */
static double bound(int order, double epsilon) { return 200 * epsilon * pow(points, order > 0 ? 2 * order : 0); }

/* Lines i = 0 .. 4 along `axis` are the powers t^i. Boxes cut that axis if `cut`; else the object chooses. */
static void test_powers(int axis, int cut, const char* precision) {
  const int is_float = strcmp(precision, "float") == 0;
  int64_t shape[2] = {lines, lines}, count = 0;
  double t[points];
  weft_plan_options options;
  weft_chebyshev_axis* axis_of = NULL;
  weft_box box, given = {2, {0, 0}, {lines, lines}};
  weft_facts facts;
  const char* text = NULL;
  shape[axis] = points;
  given.lo[axis] = points * rank / ranks;
  given.hi[axis] = points * (rank + 1) / ranks;
  OK(weft_plan_options_init(&options));
  options.precision = precision;
  if (cut) options.physical_box = &given;
  OK(weft_chebyshev_points(points, left, right, t));
  OK(weft_chebyshev_axis_create(MPI_COMM_WORLD, 2, shape, axis, left, right, &options, &axis_of));
  OK(weft_chebyshev_axis_box(axis_of, &box, &count));
  if (cut) CHECK(box.lo[axis] == given.lo[axis] && box.hi[axis] == given.hi[axis]);
  const int64_t width = box.hi[1] - box.lo[1];
  double *u = room_for(count, sizeof *u), *found = room_for(count, sizeof *found);
  for (int order = -1; order <= 2; order++) {
    if (order == 0) continue;
    for (int64_t i = 0; i < count; i++) {
      const int64_t at[2] = {box.lo[0] + i / width, box.lo[1] + i % width};
      const double value = power(t[at[axis]], (int)at[1 - axis], 0);
      if (is_float)
        ((float*)u)[i] = (float)value;
      else
        u[i] = value;
    }
    OK(order < 0 ? weft_chebyshev_axis_integral(axis_of, u, found, count)
                 : weft_chebyshev_axis_derivative(axis_of, u, found, count, order));
    for (int64_t i = 0; i < count; i++) {
      const int64_t at[2] = {box.lo[0] + i / width, box.lo[1] + i % width};
      NEAR(is_float ? ((float*)found)[i] : found[i], power(t[at[axis]], (int)at[1 - axis], order),
           bound(order, is_float ? FLT_EPSILON : DBL_EPSILON));
    }
  }
  OK(weft_facts_init(&facts));
  OK(weft_chebyshev_axis_facts(axis_of, &facts));
  CHECK(facts.threads >= 1 && (facts.bytes_sent > 0) == (cut && ranks > 1));
  OK(weft_chebyshev_axis_explain(axis_of, &text));
  CHECK(strstr(text, "dct1") != NULL);
  free(u);
  free(found);
  OK(weft_chebyshev_axis_destroy(&axis_of));
}

/* The weights integrate t^4 exactly, and those of a solver are the same in mean spacings, of this rank's points. */
static void test_weights(void) {
  double t[points], w[points], sum = 0;
  weft_poisson_problem problem;
  weft_poisson* solver = NULL;
  weft_box box;
  int64_t count = 0;
  OK(weft_chebyshev_points(points, left, right, t));
  OK(weft_chebyshev_weights(points, left, right, w));
  CHECK(t[0] == left && t[points - 1] == right);
  for (int j = 0; j < points; j++) sum += w[j] * power(t[j], 4, 0);
  NEAR(sum, power(right, 4, -1), 200 * DBL_EPSILON);
  OK(weft_poisson_problem_init(&problem));
  problem.dims = 2;
  problem.cells[0] = points - 1;
  problem.cells[1] = 4;
  problem.centring[0] = "chebyshev";
  problem.centring[1] = "node";
  problem.boundary[0][0] = problem.boundary[0][1] = "odd";
  OK(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver));
  OK(weft_poisson_box(solver, &box, &count));
  const int64_t mine = box.hi[0] - box.lo[0], nodes = box.hi[1] - box.lo[1];
  double *along = room_for(mine, sizeof *along), *across = room_for(nodes, sizeof *across);
  OK(weft_poisson_weights(solver, 0, along, mine));
  for (int64_t i = 0; i < mine; i++) NEAR(along[i], w[box.lo[0] + i] * (points - 1) / (right - left), 4 * DBL_EPSILON);
  OK(weft_poisson_weights(solver, 1, across, nodes));
  for (int64_t i = 0; i < nodes; i++) CHECK(across[i] == (box.lo[1] + i < 4 ? 1 : 0)); /* the last one repeats */
  FAILS(weft_poisson_weights(solver, 2, across, nodes), WEFT_ERROR_ARGUMENT, "axis: 2");
  free(along);
  free(across);
  OK(weft_poisson_destroy(&solver));
}

static void test_refused(void) {
  const int64_t shape[2] = {lines, points};
  double number[1];
  weft_chebyshev_axis* axis_of = NULL;
  weft_plan_options options;
  weft_box box;
  int64_t count = 0;
  OK(weft_plan_options_init(&options));
  FAILS(weft_chebyshev_points(1, left, right, number), WEFT_ERROR_ARGUMENT, "n: 1 given");
  FAILS(weft_chebyshev_weights(2, right, left, number), WEFT_ERROR_ARGUMENT, "a < b");
  FAILS(weft_chebyshev_points(2, left, right, NULL), WEFT_ERROR_ARGUMENT, "values: NULL");
  FAILS(weft_chebyshev_axis_create(MPI_COMM_WORLD, 2, shape, 2, left, right, NULL, &axis_of), WEFT_ERROR_ARGUMENT,
        "axis: 2");
  FAILS(weft_chebyshev_axis_create(MPI_COMM_WORLD, 2, NULL, 1, left, right, NULL, &axis_of), WEFT_ERROR_ARGUMENT,
        "shape: NULL");
  options.spectral_box = &box;
  FAILS(weft_chebyshev_axis_create(MPI_COMM_WORLD, 2, shape, 1, left, right, &options, &axis_of), WEFT_ERROR_ARGUMENT,
        "spectral_box");
  CHECK(axis_of == NULL);
  FAILS(weft_chebyshev_axis_integral(NULL, number, number, 1), WEFT_ERROR_ARGUMENT, "operations: NULL");
  OK(weft_chebyshev_axis_create(MPI_COMM_WORLD, 2, shape, 1, left, right, NULL, &axis_of));
  OK(weft_chebyshev_axis_box(axis_of, &box, &count));
  double* u = room_for(count, sizeof *u);
  FAILS(weft_chebyshev_axis_derivative(axis_of, u, u, count, 0), WEFT_ERROR_ARGUMENT, "order: 0");
  FAILS(weft_chebyshev_axis_derivative(axis_of, u, u, count + (rank == ranks - 1), 1), WEFT_ERROR_ARGUMENT, "elements");
  free(u);
  OK(weft_chebyshev_axis_destroy(&axis_of));
}

void test_chebyshev(void) {
  for (int axis = 0; axis < 2; axis++)
    for (int cut = 0; cut < 2; cut++) {
      test_powers(axis, cut, "double");
      test_powers(axis, cut, "float");
    }
  test_weights();
  test_refused();
}
