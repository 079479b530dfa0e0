/* Versions of structs: a program may have been compiled with an older or a newer header than the library. */
#include <stddef.h>

#include "check.h"

/* weft_plan_options as a first version might have ended: behind the texts. */
#define OLD_SIZE offsetof(weft_plan_options, chunks)

static const int64_t shape[3] = {8, 6, 5};

/* The members that an old program does not have are rubbish behind its struct; the library must neither read nor write
   them. */
static void test_older_program(void) {
  weft_plan_options options;
  weft_plan* plan = NULL;
  weft_facts facts;
  memset(&options, 0x5a, sizeof options);
  OK(weft_plan_options_init_sized(&options, OLD_SIZE));
  CHECK(options.struct_size == OLD_SIZE);
  CHECK(options.chunks == 0x5a5a5a5a);
  options.strategy = "alltoallv";
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan));
  OK(weft_facts_init(&facts));
  OK(weft_plan_facts(plan, &facts));
  CHECK(facts.chunks == 1);
  CHECK(ranks == 1 || strcmp(facts.strategy, "alltoallv") == 0);
  OK(weft_plan_destroy(&plan));
}

typedef struct newer_options {
  weft_plan_options known;
  int64_t unknown;
} newer_options;

static void test_newer_program(void) {
  newer_options options;
  weft_plan* plan = NULL;
  memset(&options, 0x5a, sizeof options);
  OK(weft_plan_options_init_sized(&options.known, sizeof options));
  CHECK(options.unknown == 0);
  CHECK(options.known.shared_memory_limit == -1);
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options.known, &plan));
  OK(weft_plan_destroy(&plan));
  options.unknown = 7;
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options.known, &plan), WEFT_ERROR_ARGUMENT,
        "members that this library");
  CHECK(plan == NULL);
}

static void test_never_initialised(void) {
  weft_plan_options options;
  weft_facts facts;
  weft_plan* plan = NULL;
  memset(&options, 0, sizeof options);
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan), WEFT_ERROR_ARGUMENT,
        "weft_plan_options_init()");
  memset(&options, 0x5a, sizeof options);
  FAILS(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", &options, &plan), WEFT_ERROR_ARGUMENT,
        "weft_plan_options_init()");
  OK(weft_plan_create(MPI_COMM_WORLD, 3, shape, "r2c", NULL, &plan));
  memset(&facts, 0, sizeof facts);
  FAILS(weft_plan_facts(plan, &facts), WEFT_ERROR_ARGUMENT, "weft_facts_init()");
  OK(weft_plan_destroy(&plan));
  FAILS(weft_plan_options_init(NULL), WEFT_ERROR_ARGUMENT, "NULL");
}

static void test_defaults(void) {
  weft_plan_options options;
  weft_poisson_problem problem;
  weft_vector_problem vectors;
  OK(weft_plan_options_init(&options));
  CHECK(options.strategy == NULL && options.workspace == NULL);
  CHECK(options.chunks == 1 && options.fuse == 1 && options.in_place == 0);
  CHECK(options.message_limit == 2147483647);
  OK(weft_poisson_problem_init(&problem));
  CHECK(problem.dims == 3 && problem.length[2] == 1 && problem.alpha == 2 && problem.screening == 0);
  CHECK(problem.boundary[2][1] == NULL && problem.distance == NULL);
  OK(weft_vector_problem_init(&vectors));
  CHECK(vectors.alpha == 2 && vectors.reversed == 0 && vectors.derivative == NULL);
}

void test_structs(void) {
  test_defaults();
  test_older_program();
  test_newer_program();
  test_never_initialised();
}
