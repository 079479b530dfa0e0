/* Coefficients that vary, from C: an exact solution of the spectral form, the equation of the other, what is told. */
#include <math.h>

#include "check.h"

static const double pi = 3.14159265358979323846;

typedef struct solve_arrays {
  weft_variable_poisson* solver;
  int64_t count;
  double *a, *c, *f, *u;
} solve_arrays;

/* With s = sin(2 pi x), u = s sin(pi y) between odd ends of y, a = 2 + cos(2 pi x), c = 3: the divergence by hand. */
static solve_arrays make(const char* form, const char* precision) {
  solve_arrays s;
  weft_variable_problem problem;
  weft_plan_options options;
  weft_box box;
  double *x, *y;
  memset(&s, 0, sizeof s);
  OK(weft_variable_problem_init(&problem));
  OK(weft_plan_options_init(&options));
  NEAR(problem.tolerance, 1e-10, 0);
  CHECK(problem.most_iterations == 500);
  problem.dims = 2;
  problem.cells[0] = 13;
  problem.cells[1] = 10;
  problem.boundary[1][0] = problem.boundary[1][1] = "odd";
  problem.form = form;
  problem.tolerance = 1e-5;
  options.precision = precision;
  OK(weft_variable_poisson_create(MPI_COMM_WORLD, &problem, &options, &s.solver));
  OK(weft_variable_poisson_box(s.solver, &box, &s.count));
  const int64_t nx = box.hi[0] - box.lo[0], ny = box.hi[1] - box.lo[1];
  x = room_for(nx, sizeof *x);
  y = room_for(ny, sizeof *y);
  OK(weft_variable_poisson_points(s.solver, 0, x, nx));
  OK(weft_variable_poisson_points(s.solver, 1, y, ny));
  s.a = room_for(s.count, sizeof(double));
  s.c = room_for(s.count, sizeof(double));
  s.f = room_for(s.count, sizeof(double));
  s.u = room_for(s.count, sizeof(double));
  for (int64_t i = 0; i < s.count; i++) {
    const double at = 2 * pi * x[i / ny], across = sin(pi * y[i % ny]), a = 2 + cos(at);
    s.a[i] = a;
    s.c[i] = 3;
    s.u[i] = sin(at) * across;
    s.f[i] = (-a * 5 * pi * pi - 3) * s.u[i] - 4 * pi * pi * sin(at) * cos(at) * across;
  }
  free(x);
  free(y);
  return s;
}

static void clear(solve_arrays* s) {
  free(s->a);
  free(s->c);
  free(s->f);
  free(s->u);
  OK(weft_variable_poisson_destroy(&s->solver));
}

static void note(int iteration, double residual, void* data) {
  double* told = data;
  told[0] = iteration;
  told[1] = residual;
}

static double distance(const double* one, const double* other, int64_t count) {
  double apart = 0;
  for (int64_t i = 0; i < count; i++) apart = fmax(apart, fabs(one[i] - other[i]));
  return largest(apart);
}

/* The residual is at most 1e-5 of f, |f| below 160 in each of 130 cells, and c = 3. */
static void test_spectral(void) {
  solve_arrays s = make("spectral", "double");
  weft_facts facts;
  const char* text = NULL;
  double told[2] = {-1, -1}, residual = 0, *found = room_for(s.count, sizeof *found);
  int iterations = 0;
  OK(weft_variable_poisson_set_coefficients(s.solver, s.a, s.c, s.count));
  OK(weft_variable_poisson_apply(s.solver, s.u, found, s.count));
  CHECK(distance(found, s.f, s.count) < 1e-11); /* waves of the grid: rounding */
  OK(weft_variable_poisson_solve(s.solver, s.f, found, s.count, NULL, note, told));
  OK(weft_variable_poisson_outcome(s.solver, &iterations, &residual));
  CHECK(told[0] == iterations && told[1] == residual && residual <= 1e-5 && iterations > 1);
  CHECK(distance(found, s.u, s.count) <= 1e-5 * 160 * sqrt(130) / 3);
  OK(weft_variable_poisson_solve(s.solver, s.f, found, s.count, s.u, NULL, NULL));
  OK(weft_variable_poisson_outcome(s.solver, &iterations, NULL));
  CHECK(iterations == 0); /* the guess is the solution */
  OK(weft_facts_init(&facts));
  OK(weft_variable_poisson_facts(s.solver, &facts));
  CHECK(facts.threads >= 1 && facts.workspace_bytes > 0);
  OK(weft_variable_poisson_explain(s.solver, &text));
  CHECK(strstr(text, "spectral derivatives") != NULL);
  free(found);
  clear(&s);
}

/* The solution has the right-hand side, in the operator's own differences, in single precision. */
static void test_volumes(void) {
  solve_arrays s = make("finite-volume", "float");
  float *a = room_for(s.count, sizeof *a), *f = room_for(s.count, sizeof *f), *u = room_for(s.count, sizeof *u);
  double apart[2] = {0, 0}, all[2];
  for (int64_t i = 0; i < s.count; i++) {
    a[i] = (float)s.a[i];
    f[i] = (float)s.f[i];
  }
  OK(weft_variable_poisson_set_coefficients(s.solver, a, NULL, s.count));
  OK(weft_variable_poisson_solve(s.solver, f, u, s.count, NULL, NULL, NULL));
  OK(weft_variable_poisson_apply(s.solver, u, u, s.count));
  for (int64_t i = 0; i < s.count; i++) {
    apart[0] += pow((double)u[i] - (double)f[i], 2);
    apart[1] += pow((double)f[i], 2);
  }
  MPI_Allreduce(apart, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  /* The tolerance, and roundings of 2^-24 times 4 a / h^2 over f, some 20. */
  CHECK(sqrt(all[0] / all[1]) <= 1e-5 + 20 * 8 * pow(2, -24));
  free(a);
  free(f);
  free(u);
  clear(&s);
}

static void test_refused(void) {
  weft_variable_problem problem;
  weft_variable_poisson* solver = NULL;
  solve_arrays s = make("finite-volume", "double");
  OK(weft_variable_problem_init(&problem));
  for (int axis = 0; axis < 3; axis++) problem.cells[axis] = 8;
  problem.form = "fem";
  FAILS(weft_variable_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver), WEFT_ERROR_ARGUMENT, "form: ");
  problem.form = NULL;
  problem.boundary[2][1] = "unbounded";
  FAILS(weft_variable_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver), WEFT_ERROR_ARGUMENT, "boundary");
  problem.dims = 4;
  FAILS(weft_variable_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver), WEFT_ERROR_ARGUMENT, "dims: 4");
  CHECK(solver == NULL);
  FAILS(weft_variable_poisson_solve(s.solver, s.f, s.u, s.count, NULL, NULL, NULL), WEFT_ERROR_ARGUMENT,
        "coefficients: none are set");
  FAILS(weft_variable_poisson_set_coefficients(s.solver, s.a, s.c, s.count + (rank == ranks - 1)), WEFT_ERROR_ARGUMENT,
        "this rank needs");
  for (int64_t i = 0; i < s.count; i++) s.a[i] = -1;
  FAILS(weft_variable_poisson_set_coefficients(s.solver, s.a, s.c, s.count), WEFT_ERROR_ARGUMENT, "a: -1 given");
  clear(&s);
}

void test_variable(void) {
  test_spectral();
  test_volumes();
  test_refused();
}
