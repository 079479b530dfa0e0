/* A program in C for FLUPS's interface that makes the mistake which its argument names: the library ends it with a
 * message. Without an argument it solves, and ends with 0. */
#include <flups.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static FLUPS_BoundaryType periodic[3] = {PER, PER, PER}, other[3] = {PER, PER, PER};

static const char* mistake;
static int makes(const char* name) { return strcmp(mistake, name) == 0; }
static int takes_curl(void) { return makes("components") || makes("derivative") || makes("modes"); }

static FLUPS_Topology* make_topology(void) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int nglob[3] = {8, 8, 8}, nproc[3] = {1, 1, makes("parts") ? ranks + 1 : ranks};
  const int components = takes_curl() && !makes("components") ? 3 : 1;
  return flups_topo_new(0, components, nglob, nproc, false, NULL, FLUPS_ALIGNMENT, MPI_COMM_WORLD);
}

static FLUPS_Solver* make_solver(FLUPS_Topology* topology) {
  const double h[3] = {makes("spacing") ? 0.1 : 1.0 / 8, 1.0 / 8, 1.0 / 8}, L[3] = {1, 1, 1};
  const FLUPS_CenterType centre[3] = {CELL_CENTER, CELL_CENTER, CELL_CENTER};
  FLUPS_BoundaryType* bc[3][2] = {{other, other}, {periodic, periodic}, {periodic, periodic}};
  return flups_init(topology, bc, h, L, takes_curl() && !makes("derivative") ? SPE : NOD, centre);
}

/* cos(2 pi x) is -4 pi^2 times its inverse Laplacian. */
static int solves(FLUPS_Solver* solver, FLUPS_Topology* topology) {
  const double pi = 3.14159265358979323846;
  const int nmem[3] = {flups_topo_get_nmem(topology, 0), flups_topo_get_nmem(topology, 1),
                       flups_topo_get_nmem(topology, 2)};
  double* field = (double*)flups_malloc(sizeof(double) * flups_topo_get_memsize(topology));
  int right = field != NULL;
  for (int k = 0; k < flups_topo_get_nloc(topology, 2); k++)
    for (int j = 0; j < 8; j++)
      for (int i = 0; i < 8; i++) field[flups_locID(0, i, j, k, 0, 0, nmem, 1)] = cos(2 * pi * (i + 0.5) / 8);
  if (makes("finite")) field[0] = NAN;
  flups_solve(solver, field, field, takes_curl() ? ROT : STD);
  for (int k = 0; k < flups_topo_get_nloc(topology, 2); k++)
    for (int j = 0; j < 8; j++)
      for (int i = 0; i < 8; i++) {
        const double exact = -cos(2 * pi * (i + 0.5) / 8) / (4 * pi * pi);
        right = right && fabs(field[flups_locID(0, i, j, k, 0, 0, nmem, 1)] - exact) < 1e-15;
      }
  flups_free(field);
  return right;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  mistake = argc > 1 ? argv[1] : "";
  if (makes("condition")) other[0] = (FLUPS_BoundaryType)2;
  if (makes("modes")) other[0] = other[1] = other[2] = EVEN;
  FLUPS_Topology* topology = make_topology();
  FLUPS_Solver* solver = make_solver(topology);
  if (!makes("early")) flups_setup(solver, true);
  if (makes("late")) flups_set_greenType(solver, LGF_2);
  if (makes("modes")) flups_do_mult(solver, flups_get_innerBuffer(solver), ROT);
  const int right = solves(solver, topology);
  flups_cleanup_solver(solver);
  flups_topo_free(topology);
  MPI_Finalize();
  if (!right) printf("wrong\n");
  return right ? 0 : 1;
}
