/* Poisson's equation by hand: lap v = u for periodic u, mode by mode, with the wavenumbers of the plan.
   mpicc periodic.c $(pkg-config --cflags --libs weft-c) -lm -o periodic && mpiexec -n 2 ./periodic */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft.h>

/* Stops all ranks with the library's own words. */
static void must(int status) {
  if (status == WEFT_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", weft_status_name(status), weft_last_error());
  MPI_Abort(MPI_COMM_WORLD, status);
}

/* One side of the plan on this rank: its box, its elements, and where they are along each axis. */
typedef struct side {
  weft_box box;
  int64_t count;
  double* place[3];
} side;

static side side_of(const weft_plan* plan, int which, int (*places)(const weft_plan*, int, double*, int64_t)) {
  side s;
  int is_complex;
  must(weft_plan_box(plan, which, &s.box));
  must(weft_plan_count(plan, which, &s.count, &is_complex));
  for (int axis = 0; axis < 3; axis++) {
    const int64_t n = s.box.hi[axis] - s.box.lo[axis];
    s.place[axis] = malloc((size_t)(n + 1) * sizeof(double));
    must(places(plan, axis, s.place[axis], n));
  }
  return s;
}

/* The coordinates or wavenumbers of element i; the last axis is contiguous. */
static void place_of(const side* s, int64_t i, double at[3]) {
  for (int axis = 2; axis >= 0; axis--) {
    const int64_t n = s->box.hi[axis] - s->box.lo[axis];
    at[axis] = s->place[axis][i % n];
    i /= n;
  }
}

static double wave(const side* points, int64_t i) {
  double x[3];
  place_of(points, i, x);
  return sin(x[0]) * cos(2 * x[1]) * cos(x[2]);
}

int main(int argc, char** argv) {
  const int64_t shape[3] = {32, 24, 20};
  weft_plan* plan;
  double error = 0, k[3];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  must(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", NULL, &plan));
  side points = side_of(plan, WEFT_PHYSICAL, weft_plan_coordinates);
  side modes = side_of(plan, WEFT_SPECTRAL, weft_plan_wavenumbers);
  double* u = malloc((size_t)(points.count + 1) * sizeof *u);
  double complex* spectrum = malloc((size_t)(modes.count + 1) * sizeof *spectrum);

  for (int64_t i = 0; i < points.count; i++) u[i] = wave(&points, i);
  must(weft_plan_forward(plan, u, points.count, spectrum, modes.count));
  for (int64_t i = 0; i < modes.count; i++) {
    place_of(&modes, i, k);
    const double squared = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    spectrum[i] = squared > 0 ? -spectrum[i] / squared : 0;
  }
  must(weft_plan_backward(plan, spectrum, modes.count, u, points.count));

  /* lap u = -(1 + 4 + 1) u, so v = -u / 6. */
  for (int64_t i = 0; i < points.count; i++) error = fmax(error, fabs(u[i] + wave(&points, i) / 6));
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("largest error %.2e\n", error);
  for (int axis = 0; axis < 3; axis++) {
    free(points.place[axis]);
    free(modes.place[axis]);
  }
  free(u);
  free(spectrum);
  must(weft_plan_destroy(&plan));
  MPI_Finalize();
  return error < 1e-14 ? 0 : 1; /* rounding alone: every mode is solved exactly */
}
