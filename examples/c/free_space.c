/* The potential of a Gaussian charge in free space, against the exact one.
   mpicc free_space.c $(pkg-config --cflags --libs weft-c) -lm -o free_space && mpiexec -n 2 ./free_space */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft.h>

static const double pi = 3.14159265358979323846, width = 0.08;

static void must(int status) {
  if (status == WEFT_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", weft_status_name(status), weft_last_error());
  MPI_Abort(MPI_COMM_WORLD, status);
}

/* Distance of a local point from the middle of the unit cube. */
static double distance(const weft_box* box, int64_t i, double h) {
  double square = 0;
  for (int axis = 2; axis >= 0; axis--) {
    const int64_t n = box->hi[axis] - box->lo[axis];
    square += pow(((double)(box->lo[axis] + i % n) + 0.5) * h - 0.5, 2);
    i /= n;
  }
  return sqrt(square);
}

int main(int argc, char** argv) {
  enum { N = 40 };
  const double h = 1.0 / N;
  weft_poisson_problem problem;
  weft_poisson* solver;
  weft_box box;
  int64_t points;
  double error = 0;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  must(weft_poisson_problem_init(&problem));
  for (int axis = 0; axis < 3; axis++) {
    problem.cells[axis] = N;
    problem.boundary[axis][0] = problem.boundary[axis][1] = "unbounded";
  }
  problem.kernel = "lgf4";
  must(weft_poisson_create(MPI_COMM_WORLD, &problem, NULL, &solver));
  must(weft_poisson_box(solver, &box, &points));
  double* u = malloc((size_t)(points + 1) * sizeof *u);
  for (int64_t i = 0; i < points; i++)
    u[i] = exp(-pow(distance(&box, i, h) / width, 2) / 2) / pow(2 * pi * width * width, 1.5);
  must(weft_poisson_solve(solver, u, u, points)); /* the solution overwrites the right-hand side */
  for (int64_t i = 0; i < points; i++) {
    const double r = distance(&box, i, h);
    error = fmax(error, fabs(u[i] + erf(r / (sqrt(2) * width)) / (4 * pi * r)));
  }
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("largest error %.2e\n", error);
  free(u);
  must(weft_poisson_destroy(&solver));
  MPI_Finalize();
  /* To leading order lgf4 errs by h^4/90 of the sixth derivatives of u along the axes, inverted: at most
     h^4 / (70 (2 pi)^1.5 width^5), in the middle. The next order is 3 % of that. */
  return error < 1.1 * pow(h, 4) / (70 * pow(2 * pi, 1.5) * pow(width, 5)) ? 0 : 1;
}
