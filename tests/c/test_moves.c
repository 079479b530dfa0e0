/* Redistributions and tensor transforms. */
#include <float.h>
#include <math.h>

#include "check.h"

enum { N = 6 };

static weft_box slab(int axis) {
  weft_box box = {2, {0, 0}, {N, N}};
  box.lo[axis] = N * rank / ranks;
  box.hi[axis] = N * (rank + 1) / ranks;
  return box;
}

/* Numbers that say where they belong, from rows to columns and back; the columns lie in memory the other way round. */
static void test_redistribution(void) {
  const weft_box rows = slab(0), columns = slab(1);
  const int64_t height = rows.hi[0] - rows.lo[0], width = columns.hi[1] - columns.lo[1];
  const int64_t turned[2] = {1, N};
  int32_t *has = room_for(height * N, sizeof(int32_t)), *wants = room_for(width * N, sizeof(int32_t));
  weft_redistribution* moves = NULL;
  const char* text = NULL;
  weft_facts facts;
  for (int64_t i = 0; i < height * N; i++) has[i] = (int32_t)(rows.lo[0] * N + i);
  OK(weft_redistribution_create(MPI_COMM_WORLD, &rows, &columns, sizeof(int32_t), NULL, &moves));
  OK(weft_redistribution_forward(moves, has, NULL, wants, turned));
  for (int64_t y = 0; y < width; y++)
    for (int64_t x = 0; x < N; x++) CHECK(wants[y * N + x] == x * N + columns.lo[1] + y);
  memset(has, 0, (size_t)(height * N) * sizeof *has);
  OK(weft_redistribution_backward(moves, wants, turned, has, NULL));
  for (int64_t i = 0; i < height * N; i++) CHECK(has[i] == rows.lo[0] * N + i);
  OK(weft_redistribution_explain(moves, &text));
  CHECK(strlen(text) > 0);
  OK(weft_facts_init(&facts));
  OK(weft_redistribution_facts(moves, &facts));
  CHECK(facts.strategy != NULL && facts.threads >= 1);
  OK(weft_redistribution_destroy(&moves));
  FAILS(weft_redistribution_create(MPI_COMM_WORLD, &rows, NULL, 4, NULL, &moves), WEFT_ERROR_ARGUMENT, "to: NULL");
  free(has);
  free(wants);
}

/* One exponential is one mode, of N^3. */
static void test_tensor(const char* precision) {
  const int64_t shape[3] = {N, N, N};
  const int single = strcmp(precision, "float") == 0;
  /* Sums of N^3 products of numbers of at most 1, in three steps of N terms each (Higham 2002, section 3.1). */
  const double bound = (single ? FLT_EPSILON : DBL_EPSILON) * 3 * (N + 4) * N * N * N;
  weft_tensor_options options;
  weft_tensor* tensor = NULL;
  weft_box box;
  int64_t count = 0, i = 0;
  int is_complex = 0;
  void *u, *modes;
  OK(weft_tensor_options_init(&options));
  options.precision = precision;
  OK(weft_tensor_create(MPI_COMM_WORLD, shape, "c2c", &options, &tensor));
  OK(weft_tensor_box(tensor, WEFT_PHYSICAL, &box));
  OK(weft_tensor_count(tensor, WEFT_PHYSICAL, &count, &is_complex));
  CHECK(is_complex == 1);
  u = room_for(2 * count, sizeof(double));
  modes = room_for(2 * count, sizeof(double));
  for (int64_t x = box.lo[0]; x < box.hi[0]; x++)
    for (int64_t y = box.lo[1]; y < box.hi[1]; y++)
      for (int64_t z = box.lo[2]; z < box.hi[2]; z++, i += 2) {
        const double angle = 8 * atan(1.0) * (double)(x + 2 * y + 3 * z) / N;
        for (int part = 0; part < 2; part++) {
          const double value = part == 0 ? cos(angle) : sin(angle);
          if (single)
            ((float*)u)[i + part] = (float)value;
          else
            ((double*)u)[i + part] = value;
        }
      }
  OK(weft_tensor_forward(tensor, u, count, modes, count));
  i = 0;
  for (int64_t x = box.lo[0]; x < box.hi[0]; x++)
    for (int64_t y = box.lo[1]; y < box.hi[1]; y++)
      for (int64_t z = box.lo[2]; z < box.hi[2]; z++, i += 2)
        NEAR(single ? ((float*)modes)[i] : ((double*)modes)[i], x == 1 && y == 2 && z == 3 ? N * N * N : 0, bound);
  FAILS(weft_tensor_backward(tensor, modes, count + 1, u, count), WEFT_ERROR_ARGUMENT, "in: the local array has");
  OK(weft_tensor_destroy(&tensor));
  free(u);
  free(modes);
}

void test_moves(void) {
  test_redistribution();
  test_tensor("double");
  test_tensor("float");
}
