/* Redistributions, halos, particles and tensor transforms. */
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

/* The element i of a local array of two components of 2 rows and 3 columns a rank, with a layer before and behind the
   rows, one before the columns and two behind: its global row, and the column counted from the first layer. */
static int64_t row_of(int64_t i) { return 2 * rank + i / 6 % 4 - 1; }
static int64_t column_of(int64_t i) { return i % 6; }
static int is_owned(int64_t i) {
  const int64_t x = row_of(i) - 2 * rank;
  return x >= 0 && x < 2 && column_of(i) >= 1 && column_of(i) < 4;
}
/* What a point shows: odd before the first row, nothing (-5) behind the last one, periodic along the columns. */
static double shown_at(int64_t i) {
  const int64_t x = row_of(i), y = (column_of(i) + 2) % 3;
  const double point = (double)(100 * (i / 24) + 10 * (x < 0 ? 0 : x) + y + 1);
  if (x >= 2 * ranks) return -5;
  return x < 0 ? -point : point;
}
/* What ones add up to at a point of this rank: every column has one layer, every row that of one neighbour at most, and
   the image of row 0 is subtracted. */
static double accumulated_at(int64_t i) {
  const int64_t x = row_of(i);
  const int has_neighbour = x == 2 * rank ? rank > 0 : rank < ranks - 1;
  return 2 * ((x == 0 ? 0 : 1) + (has_neighbour ? 1 : 0));
}

static void check_halo(weft_halo* halo, double* u, int64_t count) {
  weft_facts facts;
  const char* text = NULL;
  for (int64_t i = 0; i < count; i++) u[i] = is_owned(i) ? shown_at(i) : -5;
  OK(weft_halo_start(halo, u, count));
  OK(weft_halo_finish(halo));
  for (int64_t i = 0; i < count; i++) CHECK(u[i] == shown_at(i));
  for (int64_t i = 0; i < count; i++) u[i] = 1;
  OK(weft_halo_accumulate(halo, u, count));
  for (int64_t i = 0; i < count; i++) CHECK(u[i] == (is_owned(i) ? accumulated_at(i) : 1));
  OK(weft_halo_exchange(halo, u, count));
  OK(weft_halo_explain(halo, &text));
  CHECK(strstr(text, "last exchange") != NULL);
  OK(weft_facts_init(&facts));
  OK(weft_halo_facts(halo, &facts));
  CHECK(facts.strategy != NULL && facts.threads >= 1);
  FAILS(weft_halo_exchange(halo, u, count + 1), WEFT_ERROR_ARGUMENT, "array: the local array has");
}

static void test_halo(void) {
  const int64_t shape[2] = {2 * ranks, 3};
  const weft_box owned = {2, {2 * rank, 0}, {2 * rank + 2, 3}};
  weft_box padded;
  weft_halo_problem problem;
  weft_halo* halo = NULL;
  int64_t count = 0;
  double* u;
  OK(weft_halo_problem_init(&problem));
  problem.components = 2;
  problem.boundary[0][0] = "odd";
  problem.boundary[0][1] = "unbounded";
  problem.width[1][1] = 2;
  OK(weft_halo_create(MPI_COMM_WORLD, shape, &owned, &problem, &halo));
  OK(weft_halo_box(halo, &padded, &count));
  CHECK(count == 2 * 4 * 6 && padded.lo[0] == 2 * rank - 1 && padded.hi[1] == 5);
  u = room_for(count, sizeof(double));
  check_halo(halo, u, count);
  OK(weft_halo_destroy(&halo));
  problem.boundary[0][0] = "x";
  FAILS(weft_halo_create(MPI_COMM_WORLD, shape, &owned, &problem, &halo), WEFT_ERROR_ARGUMENT, "'x'");
  free(u);
}

/* Particles of all ranks in a periodic square: each goes to the rank that has the point nearest to it, their charge is
   on the mesh, ones are gathered as ones, and everything comes back. */
static void test_particles(void) {
  enum { COUNT = 9 };
  const int64_t shape[2] = {2 * ranks, 5};
  const weft_box owned = {2, {2 * rank, 0}, {2 * rank + 2, 5}};
  double x[2 * COUNT], back[2 * COUNT], density[10], ones[10], total = 0, *here, *charges;
  weft_particle_problem problem;
  weft_particle_mesh* mesh = NULL;
  weft_migration* moves = NULL;
  weft_facts facts;
  const char* text = NULL;
  int64_t count = 0;
  OK(weft_particle_problem_init(&problem));
  problem.order = 3;
  OK(weft_particle_mesh_create(MPI_COMM_WORLD, shape, &owned, &problem, &mesh));
  for (int i = 0; i < COUNT; i++) {
    x[2 * i] = fmod(0.37 * i + 1.3 * rank, 2.0 * ranks);
    x[2 * i + 1] = 0.55 * i - 3;
  }
  OK(weft_migration_create(mesh, x, COUNT, &moves, &count));
  here = room_for(2 * count, sizeof(double));
  charges = room_for(count, sizeof(double));
  OK(weft_migration_forward(moves, x, here, 2 * sizeof(double)));
  OK(weft_migration_backward(moves, here, back, 2 * sizeof(double)));
  CHECK(memcmp(x, back, sizeof x) == 0);
  for (int64_t i = 0; i < count; i++) {
    CHECK((int)floor(here[2 * i] + 0.5) % (2 * ranks) / 2 == rank);
    charges[i] = 2;
  }
  OK(weft_particle_mesh_deposit(mesh, here, charges, count, density, 10));
  for (int i = 0; i < 10; i++) {
    total += density[i];
    ones[i] = 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  /* Sums of at most COUNT * ranks shares and of 10 * ranks points. */
  NEAR(total, 2.0 * COUNT * ranks, DBL_EPSILON * (COUNT + 10) * ranks * 2 * COUNT * ranks);
  OK(weft_particle_mesh_gather(mesh, here, count, ones, 10, 1, charges));
  for (int64_t i = 0; i < count; i++) NEAR(charges[i], 1, 16 * DBL_EPSILON);
  OK(weft_particle_mesh_explain(mesh, &text));
  CHECK(strstr(text, "order 3") != NULL);
  OK(weft_facts_init(&facts));
  OK(weft_particle_mesh_facts(mesh, &facts));
  CHECK(facts.strategy != NULL && facts.threads >= 1);
  FAILS(weft_particle_mesh_deposit(mesh, here, charges, count, density, 9), WEFT_ERROR_ARGUMENT, "density: the local");
  OK(weft_migration_destroy(&moves));
  OK(weft_particle_mesh_destroy(&mesh));
  problem.order = 0;
  FAILS(weft_particle_mesh_create(MPI_COMM_WORLD, shape, &owned, &problem, &mesh), WEFT_ERROR_ARGUMENT, "order: 0");
  free(here);
  free(charges);
}

static int is_float(const weft_tensor_options* options) {
  return options->precision != NULL && strcmp(options->precision, "float") == 0;
}

/* Goes through the real and imaginary parts of a box of points, or of modes, which are factor times exp(i), or the
   wave that this mode stands for: stores them where the bound is 0, else compares. */
static void each_number(const weft_box* box, int single, void* array, int is_mode, double factor, double bound) {
  int64_t i = 0;
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
      for (int64_t z = box->lo[2]; z < box->hi[2]; z++)
        for (int part = 0; part < 2; part++, i++) {
          const int ours = !is_mode || (x == 1 && y == 2 && z == 3);
          const double turn = is_mode ? 0 : (double)((x + 2 * y + 3 * z) % N) / N, angle = 8 * atan(1.0) * turn + 1;
          const double value = !ours ? 0 : factor * (part == 0 ? cos(angle) : sin(angle));
          if (bound > 0)
            NEAR(single ? ((float*)array)[i] : ((double*)array)[i], value, bound);
          else if (single)
            ((float*)array)[i] = (float)value;
          else
            ((double*)array)[i] = value;
        }
}

/* exp(i (x + 2 y + 3 z) 2 pi / N + i) is one mode, N^3 exp(i) times a factor of the norm, and comes back from it. The
   words are those of an option in what the transform says of itself.

   A mode sums N^3 products of numbers of at most 1, in three steps of N terms each (Higham 2002, section 3.1), which
   errs by 3 (N + 4) epsilon N^3; 8 more for the wave, whose angle of at most 6.3 is rounded four times, 2 for the
   factor. Backward, every point gets the mean of N^3 such errors, sqrt(2) times as long as complex numbers, and a new
   one, N^3 times smaller. */
static void test_tensor(const weft_tensor_options* options, double factor, const char* words) {
  const int64_t shape[3] = {N, N, N}, all = N * N * N;
  const int single = is_float(options);
  const double error = (single ? FLT_EPSILON : DBL_EPSILON) * (3 * (N + 4) + 10) * (double)all;
  const char* text = NULL;
  weft_tensor* tensor = NULL;
  weft_box points, box;
  int64_t count = 0;
  int is_complex = 0;
  void *u, *modes, *back;
  OK(weft_tensor_create(MPI_COMM_WORLD, shape, "c2c", options, &tensor));
  OK(weft_tensor_box(tensor, WEFT_PHYSICAL, &points));
  OK(weft_tensor_count(tensor, WEFT_PHYSICAL, &count, &is_complex));
  CHECK(is_complex == 1);
  u = room_for(2 * count, sizeof(double));
  modes = room_for(2 * count, sizeof(double));
  back = room_for(2 * count, sizeof(double));
  each_number(&points, single, u, 0, 1, 0);
  OK(weft_tensor_forward(tensor, u, count, modes, count));
  OK(weft_tensor_box(tensor, WEFT_SPECTRAL, &box));
  each_number(&box, single, modes, 1, factor * (double)all, error * factor);
  OK(weft_tensor_backward(tensor, modes, count, back, count));
  each_number(&points, single, back, 0, 1, 2 * error);
  OK(weft_tensor_explain(tensor, &text));
  CHECK(strstr(text, words) != NULL);
  FAILS(weft_tensor_backward(tensor, modes, count + 1, u, count), WEFT_ERROR_ARGUMENT, "in: the local array has");
  OK(weft_tensor_destroy(&tensor));
  free(u);
  free(modes);
  free(back);
}

static weft_tensor_options fresh(void) {
  weft_tensor_options options;
  OK(weft_tensor_options_init(&options));
  return options;
}

static void test_tensors(void) {
  weft_tensor_options options = fresh();
  test_tensor(&options, 1, "cannon\nmatrix blocks: circulate");
  options.precision = "float";
  test_tensor(&options, 1, "tensor transform of 6 x 6 x 6 (c2c)");
  options = fresh();
  options.algorithm = "transpose";
  options.norm = "forward";
  test_tensor(&options, 1.0 / (N * N * N), "transpose\nmatrix blocks: circulate");
  options = fresh();
  options.matrix = "own";
  options.folding = "on";
  options.norm = "ortho";
  test_tensor(&options, pow(N, -1.5), "cannon\nmatrix blocks: own");
  test_tensor(&options, pow(N, -1.5), "folded, ");
  options.folding = "off";
  test_tensor(&options, pow(N, -1.5), "plain, ");
  options.threads = 2;
  options.communication_thread = 1;
  test_tensor(&options, pow(N, -1.5), "2 threads, one of them for messages");
}

/* All ranks along the last axis, which the library's own choice takes last. */
static void test_mesh(void) {
  const int64_t shape[3] = {N, N, N};
  weft_tensor_options options = fresh();
  weft_tensor* tensor = NULL;
  weft_box box;
  options.mesh[0] = options.mesh[1] = 1;
  options.mesh[2] = ranks;
  OK(weft_tensor_create(MPI_COMM_WORLD, shape, "c2c", &options, &tensor));
  OK(weft_tensor_box(tensor, WEFT_PHYSICAL, &box));
  CHECK(box.lo[0] == 0 && box.hi[0] == N && box.lo[1] == 0 && box.hi[1] == N);
  CHECK(box.lo[2] == N * rank / ranks && box.hi[2] == N * (rank + 1) / ranks);
  OK(weft_tensor_destroy(&tensor));
}

/* A transform whose options have this one value that is not allowed. */
#define REFUSED(member, value, words)                                                                   \
  do {                                                                                                  \
    weft_tensor_options chosen = fresh();                                                               \
    weft_tensor* made = NULL;                                                                           \
    chosen.member = (value);                                                                            \
    FAILS(weft_tensor_create(MPI_COMM_WORLD, cube, "c2c", &chosen, &made), WEFT_ERROR_ARGUMENT, words); \
  } while (0)

static void test_refusals(void) {
  const int64_t cube[3] = {N, N, N};
  weft_tensor_options options = fresh();
  weft_tensor* tensor = NULL;
  REFUSED(precision, "x", "precision: unknown value 'x'");
  REFUSED(algorithm, "x", "algorithm: unknown value 'x'");
  REFUSED(matrix, "x", "matrix: unknown value 'x'");
  REFUSED(folding, "x", "folding: unknown value 'x'");
  REFUSED(norm, "x", "norm: unknown value 'x'");
  REFUSED(threads, -1, "threads: -1 is not allowed");
  REFUSED(mesh[1], 2, "mesh: 0 x 2 x 0 has an entry below 1");
  options.mesh[0] = options.mesh[1] = 1;
  options.mesh[2] = ranks + 1;
  FAILS(weft_tensor_create(MPI_COMM_WORLD, cube, "c2c", &options, &tensor), WEFT_ERROR_ARGUMENT, "mesh: 1 x 1 x ");
  options = fresh();
  options.threads = 1;
  options.communication_thread = 1;
  FAILS(weft_tensor_create(MPI_COMM_WORLD, cube, "c2c", &options, &tensor), WEFT_ERROR_ARGUMENT,
        "communication_thread: it needs at least 2 threads");
  FAILS(weft_tensor_create(MPI_COMM_WORLD, cube, "dct2", NULL, &tensor), WEFT_ERROR_ARGUMENT, "kind: 'dct2'");
}

void test_moves(void) {
  test_redistribution();
  test_halo();
  test_particles();
  test_tensors();
  test_mesh();
  test_refusals();
}
