/* Runs the tests of the C interface on whatever ranks there are. */
#include "check.h"

int failures = 0, rank = 0, ranks = 1;

void check(int holds, const char* what, const char* file, int line) {
  if (holds) return;
  failures++;
  fprintf(stderr, "%s:%d: rank %d: %s does not hold\n", file, line, rank, what);
}

void check_ok(int status, const char* what, const char* file, int line) {
  if (status == WEFT_SUCCESS) return;
  failures++;
  fprintf(stderr, "%s:%d: rank %d: %s failed: %s: %s\n", file, line, rank, what, weft_status_name(status),
          weft_last_error());
}

void check_fails(int status, int wanted, const char* words, const char* what, const char* file, int line) {
  if (status == wanted && strstr(weft_last_error(), words) != NULL) return;
  failures++;
  fprintf(stderr, "%s:%d: rank %d: %s gave %s and '%s'; wanted %s and '%s'\n", file, line, rank, what,
          weft_status_name(status), weft_last_error(), weft_status_name(wanted), words);
}

void check_near(double value, double wanted, double bound, const char* what, const char* file, int line) {
  const double error = value > wanted ? value - wanted : wanted - value;
  if (error <= bound) return; /* not for NaN */
  failures++;
  fprintf(stderr, "%s:%d: rank %d: %s is %.17g, not %.17g within %.3g\n", file, line, rank, what, value, wanted, bound);
}

void* room_for(int64_t count, size_t size) {
  void* memory = calloc((size_t)(count > 0 ? count : 1), size);
  if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  return memory;
}

double largest(double value) {
  double result = value;
  MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return result;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  test_structs();
  test_plans();
  test_fields();
  test_moves();
  test_solvers();
  test_vectors();
  test_variable();
  test_chebyshev();
  test_errors();
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("C interface %s on %d ranks: %d failures\n", weft_version(), ranks, failures);
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
