/* Plans and solvers that work in place, users' boxes, and workspaces. */
#include <float.h>
#include <math.h>

#include "check.h"

enum { N = 8 };
static const int64_t shape[3] = {N, N, N};

/* As in test_plans.c, for N^3 points. */
static double rounding(void) { return 8 * DBL_EPSILON * 3 * log2(N); }

/* A rank's points of a field, one by one. */
static void fill(double* data, const int64_t* strides, const weft_box* box, int check_them, double factor) {
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
      for (int64_t z = box->lo[2]; z < box->hi[2]; z++) {
        double* at =
            data + (x - box->lo[0]) * strides[0] + (y - box->lo[1]) * strides[1] + (z - box->lo[2]) * strides[2];
        const double value = factor * cos(8 * atan(1.0) * (double)(x + 2 * y - z) / N);
        if (check_them)
          NEAR(*at, value, 2 * rounding() * fabs(factor));
        else
          *at = value;
      }
}

static void test_plan_in_place(void) {
  weft_plan_options options;
  weft_plan* plan = NULL;
  weft_field* field = NULL;
  weft_box box;
  void *points = NULL, *modes = NULL;
  int64_t strides[3], mode_strides[3];
  const int64_t none[3] = {0, 0, 0};
  double half = 0.5;
  const weft_symbol symbol = {&half, 1, 0, none};
  OK(weft_plan_options_init(&options));
  options.in_place = 1;
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan));
  OK(weft_plan_box(plan, WEFT_PHYSICAL, &box));
  OK(weft_plan_field_create(plan, &field));
  OK(weft_field_array(field, WEFT_PHYSICAL, &points, strides));
  OK(weft_field_array(field, WEFT_SPECTRAL, &modes, mode_strides));
  CHECK(strides[2] == 1 && mode_strides[2] == 1);
  fill(points, strides, &box, 0, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  OK(weft_plan_forward_field(plan, field));
  OK(weft_plan_backward_field(plan, field));
  fill(points, strides, &box, 1, 1);
  OK(weft_plan_apply_field(plan, field, &symbol));
  fill(points, strides, &box, 1, 0.5);
  FAILS(weft_plan_forward_field(plan, NULL), WEFT_ERROR_ARGUMENT, "field: NULL");
  FAILS(weft_field_array(field, 2, &points, strides), WEFT_ERROR_ARGUMENT, "side: 2");
  OK(weft_plan_destroy(&plan));
  OK(weft_field_destroy(&field));
}

/* lap u = f for one wave of length 1 with wavenumber 2 pi (1, 2, -1), in the memory of the right-hand side. */
static void test_solver_in_place(void) {
  const double square = 6 * pow(8 * atan(1.0), 2);
  weft_poisson_problem problem;
  weft_plan_options options;
  weft_poisson* solver = NULL;
  weft_field* field = NULL;
  weft_plan* plan = NULL;
  weft_box box;
  void* data = NULL;
  int64_t strides[3], count = 0;
  OK(weft_poisson_problem_init(&problem));
  for (int axis = 0; axis < 3; axis++) problem.cells[axis] = N;
  OK(weft_plan_options_init(&options));
  options.in_place = 1;
  OK(weft_poisson_create(MPI_COMM_WORLD, &problem, &options, &solver));
  OK(weft_poisson_box(solver, &box, &count));
  OK(weft_poisson_field_create(solver, &field));
  OK(weft_field_array(field, WEFT_PHYSICAL, &data, strides));
  FAILS(weft_field_array(field, WEFT_SPECTRAL, &data, strides), WEFT_ERROR_ARGUMENT, "points alone");
  fill(data, strides, &box, 0, -square);
  MPI_Barrier(MPI_COMM_WORLD);
  OK(weft_poisson_solve_field(solver, field));
  fill(data, strides, &box, 1, 1);
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan));
  FAILS(weft_plan_forward_field(plan, field), WEFT_ERROR_ARGUMENT, "field: it belongs to another");
  OK(weft_plan_destroy(&plan));
  OK(weft_field_destroy(&field));
  OK(weft_poisson_destroy(&solver));
}

/* Columns along x in place of what the plan would choose; the modes come back cut in the same way. */
static void test_boxes(void) {
  weft_box columns = {3, {0, 0, 0}, {N, N, N}}, given;
  weft_plan_options options;
  weft_plan* plan = NULL;
  int64_t count = 0, own[3];
  int is_complex = 0;
  double *u, *modes;
  columns.lo[2] = N * rank / ranks;
  columns.hi[2] = N * (rank + 1) / ranks;
  OK(weft_plan_options_init(&options));
  options.physical_box = &columns;
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "c2c, c2c, r2c", &options, &plan));
  OK(weft_plan_box(plan, WEFT_PHYSICAL, &given));
  CHECK(given.dims == 3 && given.lo[2] == columns.lo[2] && given.hi[2] == columns.hi[2] && given.hi[0] == N);
  own[2] = 1;
  own[1] = given.hi[2] - given.lo[2];
  own[0] = N * own[1];
  OK(weft_plan_count(plan, WEFT_SPECTRAL, &count, &is_complex));
  modes = room_for(2 * count, sizeof(double));
  u = room_for(N * own[0], sizeof(double));
  fill(u, own, &given, 0, 1);
  OK(weft_plan_forward(plan, u, N * own[0], modes, count));
  OK(weft_plan_backward(plan, modes, count, u, N * own[0]));
  fill(u, own, &given, 1, 1);
  free(u);
  free(modes);
  OK(weft_plan_destroy(&plan));
}

static void test_workspace(void) {
  weft_plan_options options;
  weft_workspace* workspace = NULL;
  weft_plan *first = NULL, *second = NULL;
  OK(weft_workspace_create(&workspace));
  OK(weft_plan_options_init(&options));
  options.workspace = workspace;
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &first));
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "c2c", &options, &second));
  OK(weft_workspace_destroy(&workspace)); /* plans keep it alive */
  OK(weft_plan_destroy(&first));
  OK(weft_plan_destroy(&second));
  CHECK(workspace == NULL);
}

void test_fields(void) {
  test_plan_in_place();
  test_solver_in_place();
  test_boxes();
  test_workspace();
}
