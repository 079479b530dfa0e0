/* What is wrong is told with a code and a text, on every rank alike, and nobody waits for ever. */
#include <math.h>

#include "check.h"

static const int64_t shape[3] = {6, 5, 4};

static weft_plan_options fresh(void) {
  weft_plan_options options;
  OK(weft_plan_options_init(&options));
  return options;
}

static void test_arguments_of_plans(void) {
  const int64_t empty[3] = {6, 0, 4};
  weft_plan* plan = NULL;
  FAILS(weft_plan_create(MPI_COMM_WORLD, 0, shape, "r2c", NULL, &plan), WEFT_ERROR_ARGUMENT, "dims: 0");
  FAILS(weft_plan_create(MPI_COMM_WORLD, 7, shape, "r2c", NULL, &plan), WEFT_ERROR_ARGUMENT, "dims: 7");
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, NULL, "r2c", NULL, &plan), WEFT_ERROR_ARGUMENT, "shape: NULL");
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, empty, "r2c", NULL, &plan), WEFT_ERROR_ARGUMENT, "axis 1 has 0 points");
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "dct9", NULL, &plan), WEFT_ERROR_ARGUMENT, "dct9");
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "c2c,r2c", NULL, &plan), WEFT_ERROR_ARGUMENT, "2 kinds for 3 axes");
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, NULL, NULL, &plan), WEFT_ERROR_ARGUMENT, "kinds: NULL");
  FAILS(weft_plan_create(MPI_COMM_NULL, 3, shape, "r2c", NULL, &plan), WEFT_ERROR_ARGUMENT, "MPI_COMM_NULL");
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", NULL, NULL), WEFT_ERROR_ARGUMENT, "plan: NULL");
  CHECK(plan == NULL);
}

static void test_names_in_options(void) {
  weft_plan_options options = fresh();
  weft_plan* plan = NULL;
  options.scheme = "odd";
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan), WEFT_ERROR_ARGUMENT,
        "even, first, grouped, block");
  options = fresh();
  options.grid_dims = 7;
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan), WEFT_ERROR_ARGUMENT, "grid_dims: 7");
  options = fresh();
  options.grid_dims = 1;
  options.grid[0] = ranks + 1;
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan), WEFT_ERROR_ARGUMENT, "grid");
  options = fresh();
  options.tuning = "/nowhere/tuning.toml";
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan), WEFT_ERROR_FILE, "/nowhere/tuning.toml");
}

/* A plan whose options have this one value that is not allowed. */
#define REFUSED(member, value, status, words)                                                \
  do {                                                                                       \
    weft_plan_options chosen = fresh();                                                      \
    weft_plan* made = NULL;                                                                  \
    chosen.member = (value);                                                                 \
    FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &chosen, &made), status, words); \
  } while (0)
#define REFUSED_NAME(member) REFUSED(member, "x", WEFT_ERROR_ARGUMENT, #member ": unknown value 'x'")
#define REFUSED_NUMBER(member, value) REFUSED(member, value, WEFT_ERROR_ARGUMENT, #member ": " #value " is not allowed")

/* That an option is refused by its name shows that it arrives, and as none of its neighbours. */
static void test_every_option_by_its_name(void) {
  const weft_box plane = {2, {0, 0}, {6, 5}}, none = {0, {0}, {0}};
  weft_plan_options options = fresh();
  weft_plan* plan = NULL;
  REFUSED_NAME(precision);
  REFUSED_NAME(strategy);
  REFUSED_NAME(between_nodes);
  REFUSED_NAME(norm);
  REFUSED_NAME(effort);
  REFUSED_NAME(engine);
  REFUSED_NAME(wire);
  REFUSED_NAME(output);
  REFUSED_NAME(scheme);
  REFUSED_NUMBER(chunks, -1);
  REFUSED_NUMBER(threads, -1);
  REFUSED_NUMBER(ranks, -1);
  REFUSED_NUMBER(send_batch, -1);
  REFUSED_NUMBER(max_pending, -1);
  REFUSED_NUMBER(node_ranks, -1);
  REFUSED_NUMBER(message_limit, 0);
  REFUSED(batch_count, -1, WEFT_ERROR_ARGUMENT, "batch_count: -1 was given");
  REFUSED(spectral_box, &none, WEFT_ERROR_ARGUMENT, "spectral_box: it has dims 0");
  REFUSED(spectral_box, &plane, WEFT_ERROR_ARGUMENT, "spectral_box: [0, 6) x [0, 5) has 2 axes");
  REFUSED(modes[1], 7, WEFT_ERROR_ARGUMENT, "modes: 7 on axis 1, which has 5 points");
  options.batch_count = 1;
  options.batch_axes[0] = 1;
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan), WEFT_ERROR_ARGUMENT,
        "batch_axes: 1 has the transform c2c");
  if (ranks == 1) return;
  /* Any limit is allowed, also 0, which leaves this strategy nothing. One rank alone exchanges nothing. */
  options = fresh();
  options.strategy = "shared";
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan));
  OK(weft_plan_destroy(&plan));
  options.shared_memory_limit = 0;
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan), WEFT_ERROR_RESOURCE, "0 MB may be used");
}

/* A fault of the last rank alone is an error of all of them. */
static void test_one_rank_alone(void) {
  const int64_t off = rank == ranks - 1 ? 1 : 0;
  weft_plan_options options = fresh();
  weft_plan* plan = NULL;
  int64_t points = 0, modes = 0;
  int is_complex = 0;
  double *u, *spectrum;
  if (off) options.norm = "loud";
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan), WEFT_ERROR_ARGUMENT, "norm");
  options = fresh();
  if (off) options.precision = "float";
  if (ranks > 1)
    FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan), WEFT_ERROR_ARGUMENT,
          "precision differ between ranks");
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", NULL, &plan));
  OK(weft_plan_count(plan, WEFT_PHYSICAL, &points, &is_complex));
  OK(weft_plan_count(plan, WEFT_SPECTRAL, &modes, &is_complex));
  u = room_for(points, sizeof(double));
  spectrum = room_for(2 * modes, sizeof(double));
  FAILS(weft_plan_forward(plan, u, points + off, spectrum, modes), WEFT_ERROR_ARGUMENT, "in: the local array has");
  FAILS(weft_plan_forward(plan, u, points, spectrum, modes + off), WEFT_ERROR_ARGUMENT, "out: the local array has");
  FAILS(weft_plan_forward(plan, off ? NULL : u, points, spectrum, modes), WEFT_ERROR_ARGUMENT, "in: NULL");
  OK(weft_plan_forward(plan, u, points, spectrum, modes));
  free(u);
  free(spectrum);
  OK(weft_plan_destroy(&plan));
}

static void test_handles(void) {
  weft_plan* plan = NULL;
  weft_poisson* solver = NULL;
  weft_box box;
  weft_facts facts;
  const char* text = NULL;
  double values[8] = {0};
  int64_t count = 0;
  OK(weft_facts_init(&facts));
  FAILS(weft_plan_forward(plan, values, 8, values, 8), WEFT_ERROR_ARGUMENT, "plan: NULL");
  FAILS(weft_plan_box(plan, WEFT_PHYSICAL, &box), WEFT_ERROR_ARGUMENT, "plan: NULL");
  FAILS(weft_plan_explain(plan, &text), WEFT_ERROR_ARGUMENT, "plan: NULL");
  FAILS(weft_plan_facts(plan, &facts), WEFT_ERROR_ARGUMENT, "plan: NULL");
  FAILS(weft_poisson_solve(solver, values, values, 8), WEFT_ERROR_ARGUMENT, "solver: NULL");
  FAILS(weft_poisson_box(solver, &box, &count), WEFT_ERROR_ARGUMENT, "solver: NULL");
  FAILS(weft_plan_destroy(NULL), WEFT_ERROR_ARGUMENT, "NULL");
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", NULL, &plan));
  FAILS(weft_plan_box(plan, 5, &box), WEFT_ERROR_ARGUMENT, "side: 5");
  FAILS(weft_plan_box(plan, WEFT_PHYSICAL, NULL), WEFT_ERROR_ARGUMENT, "box: NULL");
  FAILS(weft_plan_wavenumbers(plan, 3, values, 8), WEFT_ERROR_ARGUMENT, "axis: 3");
  FAILS(weft_plan_wavenumbers(plan, 0, values, 99), WEFT_ERROR_ARGUMENT, "values: the local array has 99");
  OK(weft_plan_destroy(&plan));
}

static void test_problems(void) {
  weft_poisson_problem problem;
  weft_plan_options options = fresh();
  weft_poisson* solver = NULL;
  weft_box box = {3, {0, 0, 0}, {6, 6, 6}};
  int64_t count = 0;
  double* u;
  OK(weft_poisson_problem_init(&problem));
  FAILS(weft_poisson_create(MPI_COMM_WORLD, NULL, NULL, &solver), WEFT_ERROR_ARGUMENT, "problem: NULL");
  FAILS(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver), WEFT_ERROR_ARGUMENT, "cells");
  for (int axis = 0; axis < 3; axis++) problem.cells[axis] = 6;
  problem.boundary[1][1] = "sticky";
  FAILS(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver), WEFT_ERROR_ARGUMENT, "sticky");
  problem.boundary[1][1] = NULL;
  problem.dims = 4;
  FAILS(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver), WEFT_ERROR_ARGUMENT, "dims: 4");
  problem.dims = 3;
  problem.kernel = "magic";
  FAILS(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver), WEFT_ERROR_ARGUMENT, "magic");
  problem.kernel = NULL;
  options.physical_box = &box;
  FAILS(weft_poisson_create(MPI_COMM_WORLD, &problem, &options, &solver), WEFT_ERROR_ARGUMENT, "physical_box");
  OK(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver));
  OK(weft_poisson_box(solver, &box, &count));
  u = room_for(count, sizeof(double));
  if (rank == 0 && count > 0) u[0] = sqrt(-1.0);
  FAILS(weft_poisson_solve(solver, u, u, count), WEFT_ERROR_ARGUMENT, "nan");
  free(u);
  OK(weft_poisson_destroy(&solver));
}

static void test_codes(void) {
  CHECK(strcmp(weft_status_name(WEFT_SUCCESS), "success") == 0);
  CHECK(strcmp(weft_status_name(WEFT_ERROR_RESOURCE), "resource") == 0);
  CHECK(strcmp(weft_status_name(WEFT_ERROR_INTERNAL), "internal") == 0);
  CHECK(strcmp(weft_status_name(99), "unknown") == 0);
  CHECK(strchr(weft_version(), '.') != NULL);
}

void test_errors(void) {
  test_codes();
  test_arguments_of_plans();
  test_names_in_options();
  test_every_option_by_its_name();
  test_one_rank_alone();
  test_handles();
  test_problems();
}
