/* Poisson's equation by hand: lap v = u for periodic u, mode by mode, with the wavenumbers of the plan.
   mpicc periodic.c $(pkg-config --cflags --libs weft-c) -o periodic && mpiexec -n 2 ./periodic */
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

static double* list(const weft_plan* plan, const weft_box* box, int axis,
                    int (*get)(const weft_plan*, int, double*, int64_t)) {
  const int64_t n = box->hi[axis] - box->lo[axis];
  double* values = malloc((size_t)(n > 0 ? n : 1) * sizeof(double));
  if (values == NULL) MPI_Abort(MPI_COMM_WORLD, WEFT_ERROR_RESOURCE);
  must(get(plan, axis, values, n));
  return values;
}

int main(int argc, char** argv) {
  const int64_t shape[3] = {32, 24, 20};
  weft_plan* plan;
  weft_box points, modes;
  int64_t n_points, n_modes, i = 0;
  int is_complex;
  double *x[3], *k[3], error = 0;
  MPI_Init(&argc, &argv);
  must(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", NULL, &plan));
  must(weft_plan_box(plan, WEFT_PHYSICAL, &points));
  must(weft_plan_box(plan, WEFT_SPECTRAL, &modes));
  must(weft_plan_count(plan, WEFT_PHYSICAL, &n_points, &is_complex));
  must(weft_plan_count(plan, WEFT_SPECTRAL, &n_modes, &is_complex));
  for (int axis = 0; axis < 3; axis++) {
    x[axis] = list(plan, &points, axis, weft_plan_coordinates);
    k[axis] = list(plan, &modes, axis, weft_plan_wavenumbers);
  }
  double* u = malloc((size_t)(n_points + 1) * sizeof *u);
  double complex* spectrum = malloc((size_t)(n_modes + 1) * sizeof *spectrum);

  for (int64_t a = 0; a < points.hi[0] - points.lo[0]; a++)
    for (int64_t b = 0; b < points.hi[1] - points.lo[1]; b++)
      for (int64_t c = 0; c < points.hi[2] - points.lo[2]; c++) u[i++] = sin(x[0][a]) * cos(2 * x[1][b]) * cos(x[2][c]);
  must(weft_plan_forward(plan, u, n_points, spectrum, n_modes));
  i = 0;
  for (int64_t a = 0; a < modes.hi[0] - modes.lo[0]; a++)
    for (int64_t b = 0; b < modes.hi[1] - modes.lo[1]; b++)
      for (int64_t c = 0; c < modes.hi[2] - modes.lo[2]; c++, i++) {
        const double squared = k[0][a] * k[0][a] + k[1][b] * k[1][b] + k[2][c] * k[2][c];
        spectrum[i] = squared > 0 ? -spectrum[i] / squared : 0;
      }
  must(weft_plan_backward(plan, spectrum, n_modes, u, n_points));

  /* lap u = -(1 + 4 + 1) u, so v = -u / 6. */
  i = 0;
  for (int64_t a = 0; a < points.hi[0] - points.lo[0]; a++)
    for (int64_t b = 0; b < points.hi[1] - points.lo[1]; b++)
      for (int64_t c = 0; c < points.hi[2] - points.lo[2]; c++)
        error = fmax(error, fabs(u[i++] + sin(x[0][a]) * cos(2 * x[1][b]) * cos(x[2][c]) / 6));
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (points.lo[0] == 0 && points.lo[1] == 0 && points.lo[2] == 0) printf("largest error %.2e\n", error);
  for (int axis = 0; axis < 3; axis++) {
    free(x[axis]);
    free(k[axis]);
  }
  free(u);
  free(spectrum);
  must(weft_plan_destroy(&plan));
  MPI_Finalize();
  return error < 1e-14 ? 0 : 1; /* rounding alone: every mode is solved exactly */
}
