/* The C interface of FLUPS 2.4, with the names, types and values of FLUPS, for programs that are written for it.
 * libweft_flups serves its calls with Weft's solvers. See docs/migrate_flups.md.
 *
 * Directions are numbered 0, 1, 2 (x, y, z). In memory the direction `axis` of a topology runs fastest, then
 * (axis + 1) % 3, then (axis + 2) % 3, then the components. Numbers are double; a complex number is two of them.
 * Errors end the program: one message on stderr, then MPI_Abort. */
#ifndef WEFT_FLUPS_H
#define WEFT_FLUPS_H

#include <mpi.h>

/* Programs in C++ for FLUPS count on these two. */
#ifdef __cplusplus
#include <cmath>
#include <iostream>
extern "C" {
#else
#include <stdbool.h>
#include <stddef.h>
#endif

#define FLUPS_FORWARD (-1)
#define FLUPS_BACKWARD 1
#define FLUPS_BACKWARD_DIFF 2
/* Bytes that rows of a topology are multiples of, and that flups_malloc aligns to at least. */
#define FLUPS_ALIGNMENT 8

/* The condition at one end of a direction; NONE for a direction of one point, which the problem does not have. */
enum BoundaryType { EVEN = 0, ODD = 1, PER = 3, UNB = 4, NONE = 9 };

/* The Green's function: chat2, lgf2 ... of Weft (docs/kernels.md). */
enum GreenType {
  CHAT_2 = 0,
  LGF_2 = 1,
  HEJ_2 = 2,
  HEJ_4 = 3,
  HEJ_6 = 4,
  HEJ_8 = 5,
  HEJ_10 = 6,
  HEJ_0 = 7,
  LGF_4 = 8,
  LGF_6 = 9,
  LGF_8 = 10,
  MEHR_4L = 11,
  MEHR_6L = 12,
  MEHR_4F = 13,
  MEHR_6F = 14
};

/* STD: lap field = rhs for each component. ROT: lap field = curl rhs, the velocity of the vorticity -rhs, for 3
 * components in 3 directions or in a plane, whose fields do not change along the direction that is NONE. Each component
 * of rhs goes on beyond the box by its own conditions, and the curl is that of all space. */
enum SolverType { STD = 0, ROT = 1 };

/* First derivatives of ROT: none are needed, spectral, differences of order 2, 4 and 6. */
enum DiffType { NOD = 0, SPE = 1, FD2 = 2, FD4 = 4, FD6 = 6 };

/* Points of N cells: at i h, i = 0 ... N, or at (i + 1/2) h, i = 0 ... N - 1. */
enum CenterType { NODE_CENTER = 0, CELL_CENTER = 1 };

typedef enum BoundaryType FLUPS_BoundaryType;
typedef enum GreenType FLUPS_GreenType;
typedef enum SolverType FLUPS_SolverType;
typedef enum DiffType FLUPS_DiffType;
typedef enum CenterType FLUPS_CenterType;

typedef struct Solver FLUPS_Solver;
typedef struct Topology FLUPS_Topology;
typedef struct Profiler FLUPS_Profiler;

/* Memory. ---------------------------------------------------------------------------------------------------------- */

/* `size` bytes of zeros, to be freed by flups_free; NULL where there is no memory left. */
void* flups_malloc(size_t size);
void flups_free(void* data);

/* Rank 0 of MPI_COMM_WORLD writes PROGRAM.flups.info: version, ranks and arguments. */
void flups_info(int argc, char** argv);

/* The place in doubles of the point (i0, i1, i2) of component `lia`, where i0 counts along direction axsrc, i1 along
 * the next one. `size` is flups_topo_get_nmem of directions 0, 1, 2; `axtrg` the axis of the topology; `nf` the doubles
 * of a number. */
static inline size_t flups_locID(const int axsrc, const int i0, const int i1, const int i2, const int lia,
                                 const int axtrg, const int size[3], const int nf) {
  const int given[3] = {i0, i1, i2};
  size_t place = (size_t)lia;
  for (int slower = 2; slower >= 0; slower--) {
    const int direction = (axtrg + slower) % 3;
    place = place * (size_t)size[direction] + (size_t)given[(3 + direction - axsrc) % 3];
  }
  return place * (size_t)nf;
}

/* is[j]: the number of the mode (i0, i1, i2) of a rank along direction (axtrg + j) % 3, without sign. `istart` is that
 * of flups_topo_get_istartGlob, `symstart` that of flups_get_spectralInfo. */
static inline void flups_symID(const int axsrc, const int i0, const int i1, const int i2, const int istart[3],
                               const double symstart[3], const int axtrg, int is[3]) {
  const int given[3] = {i0, i1, i2};
  for (int j = 0; j < 3; j++) {
    const int direction = (axtrg + j) % 3;
    const int mode = istart[direction] + given[(3 + direction - axsrc) % 3];
    is[j] = mode;
    if (symstart[direction] != 0.0 && mode > symstart[direction]) {
      const int folded = (int)(2.0 * symstart[direction]) - mode;
      const int positive = folded < 0 ? -folded : folded;
      is[j] = positive > 1 ? positive : 1;
    }
  }
}

/* Topologies. ------------------------------------------------------------------------------------------------------ */

/* `lda` components on nglob points, cut in nproc parts per direction, which make up the ranks of comm. The rank counts
 * parts along direction axproc[0] fastest (NULL: 0, 1, 2), or is that of a Cartesian communicator. Rows are padded to
 * multiples of `alignment` bytes. */
FLUPS_Topology* flups_topo_new(const int axis, const int lda, const int nglob[3], const int nproc[3],
                               const bool isComplex, const int axproc[3], const int alignment, MPI_Comm comm);
void flups_topo_free(const FLUPS_Topology* t);

bool flups_topo_get_isComplex(const FLUPS_Topology* t);
int flups_topo_get_lda(const FLUPS_Topology* t);
int flups_topo_get_axis(const FLUPS_Topology* t);
/* Points of all ranks, of this rank, and of this rank's memory, padding included, along direction `dim`. */
int flups_topo_get_nglob(const FLUPS_Topology* t, const int dim);
int flups_topo_get_nloc(const FLUPS_Topology* t, const int dim);
int flups_topo_get_nmem(const FLUPS_Topology* t, const int dim);
int flups_topo_get_nproc(const FLUPS_Topology* t, const int dim);
/* The first point of this rank. */
void flups_topo_get_istartGlob(const FLUPS_Topology* t, int istart[3]);
/* Doubles of this rank's points of one component, and of its memory for all components. */
size_t flups_topo_get_locsize(const FLUPS_Topology* t);
size_t flups_topo_get_memsize(const FLUPS_Topology* t);
/* The part that has a point, and the first point of a part, along direction `id`. */
int flups_topo_cmpt_rank_fromid(const FLUPS_Topology* t, const int global_id, const int id);
int flups_topo_cmpt_start_id_from_rank(const FLUPS_Topology* t, const int rank_id, const int id);
MPI_Comm flups_topo_get_comm(FLUPS_Topology* t);
/* From a rank to its part along each direction, and back. */
void flups_topo_ranksplit(const FLUPS_Topology* t, const int rank, int rankd[3]);
int flups_topo_rankindex(const FLUPS_Topology* topo, const int rankd[3]);

/* Solvers. --------------------------------------------------------------------------------------------------------- */

/* A solver for fields on the topology `t`, which may be freed afterwards. bc[direction][end][component] are the
 * conditions of the right-hand side; h = L / cells. */
FLUPS_Solver* flups_init(FLUPS_Topology* t, FLUPS_BoundaryType* bc[3][2], const double h[3], const double L[3],
                         FLUPS_DiffType orderDiff, const FLUPS_CenterType center_type[3]);
/* The same: all solvers are timed, and `prof` is not used. */
FLUPS_Solver* flups_init_timed(FLUPS_Topology* t, FLUPS_BoundaryType* bc[3][2], const double h[3], const double L[3],
                               const FLUPS_DiffType orderDiff, const FLUPS_CenterType center_type[3],
                               FLUPS_Profiler* prof);
/* These free a solver. Solvers share nothing that the backend's would have to free. */
void flups_cleanup(FLUPS_Solver* s);
void flups_cleanup_solver(FLUPS_Solver* s);
void flups_cleanup_all(FLUPS_Solver* s);
void flups_cleanup_backend(void);

/* Before flups_setup: the Green's function (CHAT_2 unless it is called), and the smoothing length of HEJ_2 ... HEJ_10
 * in spacings (2). */
void flups_set_greenType(FLUPS_Solver* s, const FLUPS_GreenType type);
void flups_set_alpha(FLUPS_Solver* s, const double alpha);
/* For GPUs; does nothing. */
void flups_set_stream(FLUPS_Solver* s, void* stream);

/* Makes plans and Green's function. Collective. The communicator of the topology stays as it is. */
void flups_setup(FLUPS_Solver* s, const bool changeComm);
/* Collective. field may be rhs; otherwise rhs is kept. */
void flups_solve(FLUPS_Solver* s, double* field, double* rhs, const FLUPS_SolverType type);

/* Solves in parts, after flups_setup: ----------------------------------------------------------------------------- */

/* Doubles of the inner buffer, which points and modes both fit into; the buffer itself. */
size_t flups_get_allocSize(FLUPS_Solver* s);
double* flups_get_innerBuffer(FLUPS_Solver* s);
/* The wavenumber of mode i along a direction is (i + koffset) kfact, i from flups_symID. */
void flups_get_spectralInfo(FLUPS_Solver* s, double kfact[3], double koffset[3], double symstart[3]);
/* The distributions that solves work in, of points and of modes. They belong to the solver. */
FLUPS_Topology* flups_get_innerTopo_physical(FLUPS_Solver* s);
FLUPS_Topology* flups_get_innerTopo_spectral(FLUPS_Solver* s);
/* From here on fields are on the inner topology of points. */
void flups_skip_firstSwitchtopo(FLUPS_Solver* s);
/* Copies a field on `topo` into the inner buffer (FLUPS_FORWARD) or out of it. */
void flups_do_copy(FLUPS_Solver* s, const FLUPS_Topology* topo, double* data, const int sign);
/* Points to modes or back in `data`, of the size of the inner buffer, without scaling. FLUPS_BACKWARD_DIFF goes back to
 * a field with ODD in place of EVEN and EVEN in place of ODD, such as the curl. Collective. */
void flups_do_FFT(FLUPS_Solver* s, double* data, const int sign);
/* Modes times the Green's function (STD), or those of the curl times it (ROT), and the scaling of transforms there and
 * back. The modes of a curl are those of its components only if they have mirror symmetry. Collective. */
void flups_do_mult(FLUPS_Solver* s, double* data, const FLUPS_SolverType type);
/* The order in which directions are transformed. */
void flups_pencilDirs(const FLUPS_BoundaryType* bc[3][2], int dirs[3]);
/* Rank 0 prints how the solver works. */
void flups_switchtopo_info(FLUPS_Solver* s);

/* Profilers: NULL, for which the macros of programs (m_profStart) do nothing, or with WEFT_FLUPS_PROFILERS=1 in the
 * environment a pointer that is not for these macros. The times are those of the process since the last profiler was
 * made. flups_profiler_disp prints a table: the calls of the functions init, setup and solve; in solves and in
 * flups_do_FFT SwitchTopo (all exchanges) and fftw (the rest: transforms, in solves also the product with the Green's
 * function); flups_do_copy (copy rhs) and flups_do_mult (domagic); the largest number of calls of a rank; seconds of a
 * rank, their mean, least and most; and their part of the time of all calls. It writes prof/NAME_time.csv if there is a
 * folder prof, with FLUPS's columns; NAME is "default" without a name. Collective over MPI_COMM_WORLD. */
FLUPS_Profiler* flups_profiler_new(void);
FLUPS_Profiler* flups_profiler_new_n(const char name[]);
void flups_profiler_free(FLUPS_Profiler* p);
void flups_profiler_disp(FLUPS_Profiler* p);

/* Writes data/FILENAME.h5, with the dataset data [slowest direction][...][fastest direction][component], complex ones
 * as data_real and data_imag, and data/FILENAME.xmf for ParaView. Collective. */
void flups_hdf5_dump(const FLUPS_Topology* topo, const char filename[], const double* data);
/* Every rank prints its points, row by row. */
void flups_print_data(const FLUPS_Topology* topo, double* data);

#ifdef __cplusplus
}
#endif

#endif
