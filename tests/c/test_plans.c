/* Plans: known modes, derivatives, sizes, and what a plan says of itself. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "check.h"

static const double pi = 3.14159265358979323846;
enum { NX = 12, NY = 10, NZ = 9, POINTS = NX * NY * NZ };

/* Transforms add up N numbers of at most 1 in about log2 N steps: an error of eps log2 N, with a factor of 8 for the
   constants of the factorisation (Higham 2002, theorem 24.2). */
static double rounding(double epsilon) { return 8 * epsilon * log2(POINTS); }

typedef struct local_plan {
  weft_plan* plan;
  weft_box points, modes;
  int64_t n_points, n_modes;
  int single;
} local_plan;

static local_plan make(const char* precision, const char* strategy) {
  const int64_t shape[3] = {NX, NY, NZ};
  local_plan p;
  weft_plan_options options;
  int is_complex = 0;
  p.single = strcmp(precision, "float") == 0;
  OK(weft_plan_options_init(&options));
  options.precision = precision;
  options.strategy = strategy;
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &p.plan));
  OK(weft_plan_box(p.plan, WEFT_PHYSICAL, &p.points));
  OK(weft_plan_box(p.plan, WEFT_SPECTRAL, &p.modes));
  OK(weft_plan_count(p.plan, WEFT_PHYSICAL, &p.n_points, &is_complex));
  CHECK(is_complex == 0);
  OK(weft_plan_count(p.plan, WEFT_SPECTRAL, &p.n_modes, &is_complex));
  CHECK(is_complex == 1);
  return p;
}

static double wave(double x, double y, double z) { return cos(2 * x - 3 * y + z); }
/* d/dx of it. */
static double wave_x(double x, double y, double z) { return -2 * sin(2 * x - 3 * y + z); }

static void store(const local_plan* p, void* array, int64_t i, double value) {
  if (p->single)
    ((float*)array)[i] = (float)value;
  else
    ((double*)array)[i] = value;
}
static double load(const local_plan* p, const void* array, int64_t i) {
  return p->single ? ((const float*)array)[i] : ((const double*)array)[i];
}

/* Calls with the index of every local point and its coordinates, which come from the plan. */
static void each_point(const local_plan* p, void* array, double (*f)(double, double, double), int fill, double bound) {
  double* at[3];
  int64_t n[3], i = 0;
  for (int axis = 0; axis < 3; axis++) {
    n[axis] = p->points.hi[axis] - p->points.lo[axis];
    at[axis] = room_for(n[axis], sizeof(double));
    OK(weft_plan_coordinates(p->plan, axis, at[axis], n[axis]));
  }
  for (int64_t x = 0; x < n[0]; x++)
    for (int64_t y = 0; y < n[1]; y++)
      for (int64_t z = 0; z < n[2]; z++, i++) {
        const double value = f(at[0][x], at[1][y], at[2][z]);
        if (fill)
          store(p, array, i, value);
        else
          NEAR(load(p, array, i), value, bound);
      }
  for (int axis = 0; axis < 3; axis++) free(at[axis]);
}

/* The cosine is half of the mode (2, -3, 1) and half of its mirror image, which r2c does not store; every other mode is
   0. The sum of |mode|^2 with weights is N times that of |point|^2 (Parseval). */
static void check_modes(const local_plan* p, const void* modes, double bound) {
  double *k[3], *weight[3], power = 0;
  int64_t n[3], i = 0;
  for (int axis = 0; axis < 3; axis++) {
    n[axis] = p->modes.hi[axis] - p->modes.lo[axis];
    k[axis] = room_for(n[axis], sizeof(double));
    weight[axis] = room_for(n[axis], sizeof(double));
    OK(weft_plan_wavenumbers(p->plan, axis, k[axis], n[axis]));
    OK(weft_plan_weights(p->plan, axis, weight[axis], n[axis]));
  }
  for (int64_t x = 0; x < n[0]; x++)
    for (int64_t y = 0; y < n[1]; y++)
      for (int64_t z = 0; z < n[2]; z++, i++) {
        const int ours = k[0][x] == 2 && k[1][y] == -3 && k[2][z] == 1;
        const double re = load(p, modes, 2 * i), im = load(p, modes, 2 * i + 1);
        NEAR(re, ours ? POINTS / 2.0 : 0, bound * POINTS);
        NEAR(im, 0, bound * POINTS);
        power += weight[0][x] * weight[1][y] * weight[2][z] * (re * re + im * im);
      }
  MPI_Allreduce(MPI_IN_PLACE, &power, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  NEAR(power / POINTS, POINTS / 2.0, bound * POINTS);
  for (int axis = 0; axis < 3; axis++) {
    free(k[axis]);
    free(weight[axis]);
  }
}

static void test_round_trip(const char* precision, const char* strategy, double epsilon) {
  local_plan p = make(precision, strategy);
  const size_t bytes = p.single ? sizeof(float) : sizeof(double);
  void *u = room_for(p.n_points, bytes), *modes = room_for(2 * p.n_modes, bytes), *back = room_for(p.n_points, bytes);
  each_point(&p, u, wave, 1, 0);
  OK(weft_plan_forward(p.plan, u, p.n_points, modes, p.n_modes));
  check_modes(&p, modes, rounding(epsilon));
  OK(weft_plan_backward(p.plan, modes, p.n_modes, back, p.n_points));
  each_point(&p, back, wave, 0, 2 * rounding(epsilon));
  free(u);
  free(modes);
  free(back);
  OK(weft_plan_destroy(&p.plan));
  CHECK(p.plan == NULL);
  OK(weft_plan_destroy(&p.plan));
}

/* The derivative along x with one factor per wavenumber of x, which repeats along y and z; then a real symbol that
   takes it back: k^2 over k^2. Rounding grows with the largest factor, 6. */
static void test_apply(void) {
  local_plan p = make("double", NULL);
  const int64_t n = p.modes.hi[0] - p.modes.lo[0], strides[3] = {1, 0, 0}, none[3] = {0, 0, 0};
  double* k = room_for(n, sizeof(double));
  double complex* ik = room_for(n, sizeof(double complex));
  double *u = room_for(p.n_points, sizeof(double)), *out = room_for(p.n_points, sizeof(double)), third = 1.0 / 3;
  const weft_symbol derivative = {ik, n, 1, strides}, constant = {&third, 1, 0, none}, short_of = {ik, n, 1, NULL};
  OK(weft_plan_wavenumbers(p.plan, 0, k, n));
  for (int64_t i = 0; i < n; i++) ik[i] = (2 * k[i] == -NX ? 0 : k[i]) * I;
  each_point(&p, u, wave, 1, 0);
  OK(weft_plan_apply(p.plan, u, out, p.n_points, &derivative));
  each_point(&p, out, wave_x, 0, 2 * 6 * rounding(DBL_EPSILON));
  OK(weft_plan_apply(p.plan, u, u, p.n_points, &constant));
  for (int64_t i = 0; i < p.n_points; i++) u[i] *= 3;
  each_point(&p, u, wave, 0, 2 * rounding(DBL_EPSILON));
  FAILS(weft_plan_apply(p.plan, u, out, p.n_points, &short_of), WEFT_ERROR_ARGUMENT, "symbol: it has");
  FAILS(weft_plan_apply(p.plan, u, out, p.n_points, NULL), WEFT_ERROR_ARGUMENT, "symbol: NULL");
  free(k);
  free(ik);
  free(u);
  free(out);
  OK(weft_plan_destroy(&p.plan));
}

static const double step = 2 * 3.14159265358979323846 / NX;
static double one_point(double x, double y, double z) { return fabs(x - step) < 1e-9 && y == 0 && z == 0 ? 1 : 0; }
static double wave_before(double x, double y, double z) { return wave(x - step, y, z); }
static double wave_behind(double x, double y, double z) { return wave(x + step, y, z); }

static double shifted(double x, double y, double z) { return x < step / 2 ? 0 : wave(x - step, y, z); }

/* The same without the other end: what a point shifts beyond the first one is gone, unless the origin goes with it. */
static void test_linear(local_plan* p, double* u, double* v, double* out) {
  const int64_t none[3] = {0, 0, 0}, one[3] = {1, 0, 0}, far[3] = {NX, 0, 0};
  each_point(p, v, wave, 1, 0);
  OK(weft_plan_convolve_linear(p->plan, u, v, out, p->n_points, none));
  each_point(p, out, shifted, 0, 3 * rounding(DBL_EPSILON));
  OK(weft_plan_convolve_linear(p->plan, u, v, out, p->n_points, one));
  each_point(p, out, wave, 0, 3 * rounding(DBL_EPSILON));
  OK(weft_plan_correlate_linear(p->plan, u, v, v, p->n_points, one));
  each_point(p, v, wave, 0, 3 * rounding(DBL_EPSILON));
  FAILS(weft_plan_convolve_linear(p->plan, u, v, out, p->n_points, far), WEFT_ERROR_ARGUMENT, "origin: ");
  FAILS(weft_plan_convolve_linear(p->plan, u, v, out, p->n_points, NULL), WEFT_ERROR_ARGUMENT, "origin: NULL");
  FAILS(weft_plan_correlate_linear(p->plan, u, v, out, p->n_points + 1, one), WEFT_ERROR_ARGUMENT, "a:");
}

static double two(double x, double y, double z) { return x * 0 + y * 0 + z * 0 + 2; }
static double wave_twice(double x, double y, double z) { return 2 * wave(x, y, z); }

/* The modes of 2 times those of a wave. */
static void test_product_of_modes(local_plan* p, double* u, double* v) {
  double complex* modes = room_for(p->n_modes, sizeof *modes);
  double complex* of_two = room_for(p->n_modes, sizeof *of_two);
  each_point(p, u, two, 1, 0);
  each_point(p, v, wave, 1, 0);
  OK(weft_plan_forward(p->plan, u, p->n_points, of_two, p->n_modes));
  OK(weft_plan_forward(p->plan, v, p->n_points, modes, p->n_modes));
  OK(weft_plan_product(p->plan, of_two, modes, modes, p->n_modes));
  OK(weft_plan_backward(p->plan, modes, p->n_modes, v, p->n_points));
  each_point(p, v, wave_twice, 0, 2 * 3 * rounding(DBL_EPSILON));
  FAILS(weft_plan_product(p->plan, of_two, modes, modes, p->n_points), WEFT_ERROR_ARGUMENT, "a:");
  free(modes);
  free(of_two);
}

/* A field of one point, the next one along x to the origin, shifts another one by a step: forward or backward. */
static void test_products(void) {
  local_plan p = make("double", NULL);
  double *u = room_for(p.n_points, sizeof(double)), *v = room_for(p.n_points, sizeof(double)),
         *out = room_for(p.n_points, sizeof(double));
  each_point(&p, u, one_point, 1, 0);
  each_point(&p, v, wave, 1, 0);
  OK(weft_plan_convolve(p.plan, u, v, out, p.n_points));
  each_point(&p, out, wave_before, 0, 3 * rounding(DBL_EPSILON));
  OK(weft_plan_correlate(p.plan, u, v, v, p.n_points));
  each_point(&p, v, wave_behind, 0, 3 * rounding(DBL_EPSILON));
  FAILS(weft_plan_convolve(p.plan, u, v, out, p.n_points + 1), WEFT_ERROR_ARGUMENT, "a:");
  test_linear(&p, u, v, out);
  test_product_of_modes(&p, u, v);
  free(u);
  free(v);
  free(out);
  OK(weft_plan_destroy(&p.plan));
}

/* Copies the points from or to the inside of a larger array. */
static void each_row(const int64_t* n, const int64_t* strides, double* inner, double* u, int inwards) {
  for (int64_t x = 0; x < n[0]; x++)
    for (int64_t y = 0; y < n[1]; y++)
      for (int64_t z = 0; z < n[2]; z++, u++) {
        double* there = &inner[x * strides[0] + y * strides[1] + z];
        if (inwards)
          *there = *u;
        else
          *u = *there;
      }
}

/* Points inside a larger array, with 2 ghost layers on either side of every axis, give the same bits; forward reads and
   backward writes them alone. */
static void test_ghost_layers(void) {
  local_plan p = make("double", NULL);
  int64_t wide[3], strides[3], mode_strides[3], n[3];
  double *u = room_for(p.n_points, sizeof(double)), *nothing = room_for(p.n_points, sizeof(double)), *inner, *ghosted;
  double complex *modes = room_for(p.n_modes, sizeof *modes), *same = room_for(p.n_modes, sizeof *same);
  for (int axis = 0; axis < 3; axis++) {
    n[axis] = p.points.hi[axis] - p.points.lo[axis];
    wide[axis] = n[axis] + 4;
  }
  strides[2] = mode_strides[2] = 1;
  for (int axis = 1; axis >= 0; axis--) {
    strides[axis] = strides[axis + 1] * wide[axis + 1];
    mode_strides[axis] = mode_strides[axis + 1] * (p.modes.hi[axis + 1] - p.modes.lo[axis + 1]);
  }
  ghosted = room_for(wide[0] * strides[0], sizeof(double));
  inner = ghosted + 2 * (strides[0] + strides[1] + strides[2]);
  each_point(&p, u, wave, 1, 0);
  each_row(n, strides, inner, u, 1);
  OK(weft_plan_forward(p.plan, u, p.n_points, modes, p.n_modes));
  OK(weft_plan_forward_strided(p.plan, inner, strides, same, mode_strides));
  CHECK(memcmp(modes, same, (size_t)p.n_modes * sizeof *modes) == 0);
  each_row(n, strides, inner, nothing, 1);
  OK(weft_plan_backward_strided(p.plan, same, mode_strides, inner, strides));
  each_row(n, strides, inner, u, 0);
  each_point(&p, u, wave, 0, 2 * rounding(DBL_EPSILON));
  each_row(n, strides, inner, nothing, 1);
  for (int64_t i = 0; i < wide[0] * strides[0]; i++) CHECK(ghosted[i] == 0);
  strides[2] = 2;
  FAILS(weft_plan_forward_strided(p.plan, inner, strides, same, mode_strides), WEFT_ERROR_ARGUMENT, "stride");
  FAILS(weft_plan_forward_strided(p.plan, inner, NULL, same, mode_strides), WEFT_ERROR_ARGUMENT, "in_strides: NULL");
  free(u);
  free(nothing);
  free(ghosted);
  free(modes);
  free(same);
  OK(weft_plan_destroy(&p.plan));
}

/* Mixed kinds by a list of names: one sine along x is one mode of the sine transform. */
static void test_kinds_of_axes(void) {
  const int64_t shape[2] = {8, 6};
  weft_plan* plan = NULL;
  weft_box box;
  int64_t count = 0, i = 0;
  int is_complex = 1;
  double *u, *modes;
  OK(weft_plan_create(MPI_COMM_WORLD, 2, shape, "dst2, none", NULL, &plan));
  OK(weft_plan_count(plan, WEFT_SPECTRAL, &count, &is_complex));
  CHECK(is_complex == 0);
  modes = room_for(count, sizeof(double));
  OK(weft_plan_count(plan, WEFT_PHYSICAL, &count, &is_complex));
  OK(weft_plan_box(plan, WEFT_PHYSICAL, &box));
  u = room_for(count, sizeof(double));
  for (int64_t x = box.lo[0]; x < box.hi[0]; x++)
    for (int64_t y = box.lo[1]; y < box.hi[1]; y++) u[i++] = sin(3 * pi * ((double)x + 0.5) / 8);
  OK(weft_plan_forward(plan, u, count, modes, count));
  OK(weft_plan_box(plan, WEFT_SPECTRAL, &box));
  i = 0;
  for (int64_t x = box.lo[0]; x < box.hi[0]; x++)
    for (int64_t y = box.lo[1]; y < box.hi[1]; y++) NEAR(modes[i++], x == 2 ? 8 : 0, 16 * rounding(DBL_EPSILON));
  free(u);
  free(modes);
  OK(weft_plan_destroy(&plan));
}

static void test_what_it_says(void) {
  const int64_t shape[3] = {NX, NY, NZ};
  local_plan p = make("double", NULL);
  weft_plan_options options;
  const char* text = NULL;
  weft_facts facts;
  int product = 1;
  OK(weft_plan_explain(p.plan, &text));
  CHECK(text != NULL && strstr(text, "r2c") != NULL);
  CHECK(strstr(text, " + axis 1 ") != NULL); /* two axes in one pass, unless options say otherwise */
  OK(weft_facts_init(&facts));
  OK(weft_plan_facts(p.plan, &facts));
  for (int i = 0; i < facts.grid_dims; i++) product *= facts.grid[i];
  CHECK(product == ranks);
  CHECK(facts.threads >= 1 && facts.chunks >= 1 && facts.workspace_bytes >= 0 && facts.strategy != NULL);
  OK(weft_plan_destroy(&p.plan));
  OK(weft_plan_options_init(&options));
  options.fuse = 0;
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &p.plan));
  OK(weft_plan_explain(p.plan, &text));
  CHECK(strstr(text, "r2c") != NULL && strstr(text, " + axis") == NULL);
  OK(weft_plan_destroy(&p.plan));
}

void test_plans(void) {
  test_round_trip("double", NULL, DBL_EPSILON);
  test_round_trip("float", NULL, FLT_EPSILON);
  test_round_trip("double", "alltoallv", DBL_EPSILON);
  test_apply();
  test_products();
  test_ghost_layers();
  test_kinds_of_axes();
  test_what_it_says();
}
