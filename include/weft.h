/* The C interface of Weft: distributed Fourier-type transforms and Poisson solvers over MPI. C99; for C++ there is
   weft/weft.hpp. docs/c.md is the guide. */
#ifndef WEFT_H
#define WEFT_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

// A program that is compiled with one MPI and linked with a library for another one crashes without a message. The
// flags of the library (weft-c of pkg-config, weft::weft of CMake) name the MPI that it was built for.
#if defined(WEFT_MPI_mpich) && defined(OPEN_MPI)
#error "Weft was built for MPICH, and this mpi.h is Open MPI's: use the compiler of MPICH (Debian: mpicc.mpich)"
#elif defined(WEFT_MPI_openmpi) && defined(MPICH_VERSION)
#error "Weft was built for Open MPI, and this mpi.h is MPICH's: use the compiler of Open MPI (Debian: mpicc.openmpi)"
#elif defined(WEFT_MPI_mpich) && !defined(MPICH_VERSION)
#error "Weft was built for MPICH, and this mpi.h is of another: use the compiler of MPICH (Debian: mpicc.mpich)"
#elif defined(WEFT_MPI_openmpi) && !defined(OPEN_MPI)
#error "Weft was built for Open MPI, and this mpi.h is of another: use the compiler of Open MPI (Debian: mpicc.openmpi)"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// \file
/// Every function returns WEFT_SUCCESS or another weft_status. After an error weft_last_error() names the argument,
/// what was given, what is allowed and how to correct it. Functions marked collective are called by all ranks of the
/// communicator with which the object was made. An error on one rank is an error on every rank, before any work and
/// with nothing written. Only a null or destroyed handle is an error of the one rank that gives it.
///
/// Arrays are local: a rank's block of the global array with the extents of its box, contiguous in C order (the last
/// axis is contiguous). Axes count from 0. Elements are double or float, according to the precision of the object, or
/// pairs of them for complex numbers (double complex in C, std::complex in C++). Counts are elements, not bytes. A rank
/// without data may give NULL and 0.
///
/// Texts that are given are copied. Texts that are returned belong to the object and are valid until the same function
/// is called for it again or the object is destroyed. A NULL text in a struct stands for the default.

enum { WEFT_MAX_DIMS = 6 };    ///< largest number of axes of an array
enum { WEFT_SPACE_DIMS = 3 };  ///< largest number of axes of a Poisson problem

/// The status that a function returns.
typedef enum weft_status {
  WEFT_SUCCESS = 0,
  WEFT_ERROR_ARGUMENT = 1,  ///< an argument is not allowed
  WEFT_ERROR_FILE = 2,      ///< a file is missing, damaged, of another shape, or cannot be written
  WEFT_ERROR_RESOURCE = 3,  ///< the machine has too little of something (memory, shared memory, ...)
  WEFT_ERROR_INTERNAL = 4   ///< a fault of the library itself
} weft_status;

/// Text of the last error of this thread, empty if there was none. It is valid until the next error of the thread.
const char* weft_last_error(void);
/// "success", "argument", "file", "resource" or "internal"; "unknown" for any other number.
const char* weft_status_name(int status);
/// Version of the library, such as "0.1.0".
const char* weft_version(void);

/// The two sides of a transform.
typedef enum weft_side { WEFT_PHYSICAL = 0, WEFT_SPECTRAL = 1 } weft_side;

/// Half-open ranges of indices of a global array: lo[axis] <= i < hi[axis].
typedef struct weft_box {
  int dims;
  int64_t lo[WEFT_MAX_DIMS], hi[WEFT_MAX_DIMS];
} weft_box;

typedef struct weft_plan weft_plan;                      ///< a transform of a distributed array
typedef struct weft_poisson weft_poisson;                ///< a solver for scalars
typedef struct weft_vector_poisson weft_vector_poisson;  ///< a solver for vector fields
typedef struct weft_field weft_field;                    ///< memory that a plan or a solver works in place in
typedef struct weft_redistribution weft_redistribution;  ///< moves arrays between boxes
typedef struct weft_workspace weft_workspace;            ///< memory that plans share

/// Options of plans and solvers. Fill the struct by weft_plan_options_init(), then set the members that are to differ.
/// The members have the meaning of the members of the same name of weft::PlanOptions (weft/options.hpp).
typedef struct weft_plan_options {
  size_t struct_size;             ///< set by weft_plan_options_init(): tells which members this program has
  const char* precision;          ///< "double" (default) or "float"
  const char* strategy;           ///< "auto", "alltoallv", "alltoallw", "persistent", "datatype", "cyclic", "pairwise",
                                  ///< "multistage", "shared", "hierarchical"
  const char* between_nodes;      ///< strategy of "hierarchical" for ranks of other nodes: "cyclic", ...
  const char* norm;               ///< "backward" (default: backward divides), "forward", "ortho"
  const char* effort;             ///< "estimate" (default), "measure", "patient"
  const char* engine;             ///< "auto", "lanes", "fftw"
  const char* wire;               ///< "same", or "single": messages in single precision
  const char* output;             ///< "transposed"; "natural": modes are cut like points; "scrambled": one c2c axis
  const char* scheme;             ///< how an axis is cut: "even", "first", "grouped", "block"
  const char* tuning;             ///< file of `weft tune`; default: the file of WEFT_TUNING, or none
  int chunks;                     ///< parts of an exchange, to overlap it with the passes; 0: chosen
  int threads;                    ///< per rank; 0: cores of the node / ranks of the communicator on it
  int in_place;                   ///< not 0: points and modes share one memory (weft_plan_field_create)
  int fuse;                       ///< not 0: two local axes may be transformed plane by plane
  int ranks;                      ///< ranks that transform, the first of the communicator; 0: all
  int send_batch;                 ///< messages started at a time; 0: all
  int max_pending;                ///< largest number of concurrent messages; 0: all
  int node_ranks;                 ///< ranks that count as one node; 0: as many as share a node
  int grid_dims;                  ///< entries of grid; 0: the process grid is chosen
  int grid[WEFT_MAX_DIMS];        ///< ranks per process axis; their product is the number of ranks
  int batch_count;                ///< entries of batch_axes
  int batch_axes[WEFT_MAX_DIMS];  ///< axes of kind none that no rank cuts
  int64_t modes[WEFT_MAX_DIMS];   ///< per axis: keep the modes of a transform of so many points; 0: all
  int64_t message_limit;          ///< elements per MPI message beyond which messages are split
  int64_t shared_memory_limit;    ///< most bytes of the node's shared memory to use; -1: all that is free
  const weft_box* physical_box;   ///< of a plan: this rank's part of the points; NULL (on all ranks): the plan's choice
  const weft_box* spectral_box;   ///< of a plan: this rank's part of the modes; NULL (on all ranks): the plan's choice
  const weft_workspace* workspace;  ///< memory to share with other plans; NULL: own
} weft_plan_options;

/// G(r, k) at distance r over the unbounded axes for the wavenumber k of the others; `data` is kernel_data of the
/// problem.
typedef double (*weft_distance_function)(double r, double k, void* data);
/// The factor of the mode of a wavenumber vector with `dims` entries, none of which is negative.
typedef double (*weft_wavenumber_function)(int dims, const double* wavenumber, void* data);

/// The problem lap u - screening^2 u = f on a box of 2 or 3 axes. Fill the struct by weft_poisson_problem_init(). The
/// members have the meaning of those of weft::PoissonProblem (weft/poisson.hpp); docs/kernels.md describes the kernels.
typedef struct weft_poisson_problem {
  size_t struct_size;                        ///< set by weft_poisson_problem_init()
  int dims;                                  ///< 2 or 3
  int64_t cells[WEFT_SPACE_DIMS];            ///< N per axis; node-centred arrays and Chebyshev points have N+1
  double length[WEFT_SPACE_DIMS];            ///< L per axis; 1
  const char* boundary[WEFT_SPACE_DIMS][2];  ///< per axis and end: "periodic" (default), "even", "odd", "unbounded"
  const char* centring[WEFT_SPACE_DIMS];     ///< "cell" (default), "node", or "chebyshev" of one axis
  const char* kernel;                        ///< "chat2" (default), ...
  double alpha;                              ///< smoothing length of hej2 to hej10 in spacings; 2
  double screening;                          ///< lambda >= 0; 0
  const char* mean;                          ///< mean of f if it has to be zero: "remove" (default) or "error"
  weft_distance_function distance;           ///< a user's kernel instead of `kernel`: weft::Kernel::of_distance
  weft_wavenumber_function wavenumber;       ///< or a user's symbol: weft::Kernel::of_wavenumber
  void* kernel_data;                         ///< passed to these functions, which only create calls
  const double* widths[WEFT_SPACE_DIMS];     ///< of a finite-difference axis: widths of its cells; else NULL
  double robin[2];                           ///< at odd ends of it, or of a Chebyshev axis: u + robin du/dn = 0; 0
  double power;                              ///< p of -(screening^2 - lap)^p u = f, not 0; 1
  int64_t batch;                             ///< right-hand sides, counted by axis 0 of arrays; 0: one, no such axis
  int order;                                 ///< of the finite differences: 2 (default) or 4
  double shift[WEFT_SPACE_DIMS];             ///< per axis: solutions are those at points displaced by this length; 0
} weft_poisson_problem;

/// A problem for vector fields with as many components as axes. Fill the struct by weft_vector_problem_init(); see
/// weft::VectorProblem (weft/vector_poisson.hpp).
typedef struct weft_vector_problem {
  size_t struct_size;              ///< set by weft_vector_problem_init()
  int dims;                        ///< 2 or 3
  int64_t cells[WEFT_SPACE_DIMS];  ///< N per axis
  double length[WEFT_SPACE_DIMS];  ///< L per axis; 1
  /// Per component, axis and end. If all components except for 0 are NULL, component 0 stands for all of them.
  const char* boundary[WEFT_SPACE_DIMS][WEFT_SPACE_DIMS][2];
  const char* centring[WEFT_SPACE_DIMS];  ///< "cell" (default) or "node"
  const char* kernel;                     ///< "chat2" (default), ...
  double alpha;                           ///< smoothing length of hej2 to hej10 in spacings; 2
  double screening;                       ///< lambda >= 0; 0
  weft_distance_function distance;        ///< as in weft_poisson_problem
  weft_wavenumber_function wavenumber;    ///< as in weft_poisson_problem
  void* kernel_data;                      ///< as in weft_poisson_problem
  const char* derivative;                 ///< "spectral" (default), "2", "4", "6"
  int reversed;  ///< not 0: component 0 points along the last axis, for arrays whose axes are named last first
  double shift[WEFT_SPACE_DIMS];  ///< as in weft_poisson_problem: of solve, solve_gradient and biot_savart
  double power;                   ///< as in weft_poisson_problem, for these functions; 1
  int64_t batch;                  ///< fields of one call, counted by axis 0 of arrays; 0: one, no such axis
} weft_vector_problem;

/// Facts about an object on this rank. Members that have no meaning for it are 0. Fill the struct by weft_facts_init()
/// first.
typedef struct weft_facts {
  size_t struct_size;       ///< set by weft_facts_init()
  const char* strategy;     ///< exchange strategy in use: "shared", "none", or several joined by +
  int threads;              ///< threads in use
  int chunks;               ///< parts into which exchanges are cut
  int grid_dims;            ///< entries of grid
  int grid[WEFT_MAX_DIMS];  ///< ranks per process axis
  int64_t workspace_bytes;  ///< bytes held beyond the caller's arrays
  int64_t bytes_sent;       ///< bytes that this rank sends in one direction or one solve
  double setup_seconds;     ///< of solvers: the time of creation
} weft_facts;

/// The factors of modes: one factor of the plan's precision per mode, or fewer factors that repeat.
typedef struct weft_symbol {
  const void* data;        ///< the factor of this rank's first mode
  int64_t count;           ///< elements at data
  int is_complex;          ///< not 0: factors are complex, which needs complex modes
  const int64_t* strides;  ///< elements from one local mode to the next, per axis; 0 repeats; NULL: contiguous, C order
} weft_symbol;

/// The values given at one end of an axis, see weft::EndValues (weft/poisson.hpp): u at an odd end, its slope at an
/// even one, for this rank's points without the axis.
typedef struct weft_end_values {
  int axis;            ///< of the problem
  int right;           ///< 0: the left end
  const void* values;  ///< in C order
  int64_t count;       ///< elements at values
} weft_end_values;

/// \cond
int weft_plan_options_init_sized(weft_plan_options* options, size_t size);
int weft_poisson_problem_init_sized(weft_poisson_problem* problem, size_t size);
int weft_vector_problem_init_sized(weft_vector_problem* problem, size_t size);
int weft_facts_init_sized(weft_facts* facts, size_t size);
/// \endcond

/// Sets the defaults. The size of the struct in this program is stored. A library with more members gives them their
/// defaults, and a library with fewer members refuses members that are set and unknown to it.
static inline int weft_plan_options_init(weft_plan_options* options) {
  return weft_plan_options_init_sized(options, sizeof(weft_plan_options));
}
/// Sets the defaults of a scalar problem.
static inline int weft_poisson_problem_init(weft_poisson_problem* problem) {
  return weft_poisson_problem_init_sized(problem, sizeof(weft_poisson_problem));
}
/// Sets the defaults of a vector problem.
static inline int weft_vector_problem_init(weft_vector_problem* problem) {
  return weft_vector_problem_init_sized(problem, sizeof(weft_vector_problem));
}
/// Prepares a struct for weft_plan_facts() and similar functions.
static inline int weft_facts_init(weft_facts* facts) { return weft_facts_init_sized(facts, sizeof(weft_facts)); }

/* Plans: weft::Plan, weft/plan.hpp. */

/// Collective. `shape`: points of the global array, `dims` of them. `kinds`: one transform for all axes ("r2c": the
/// last axis r2c, the others c2c), or one per axis with commas between: "none", "c2c", "r2c", "dct1" to "dct4", "dst1"
/// to "dst4". `options` may be NULL.
int weft_plan_create(MPI_Comm comm, int dims, const int64_t* shape, const char* kinds, const weft_plan_options* options,
                     weft_plan** plan);
/// Frees a plan and sets the handle to NULL. A NULL handle is allowed and has no effect. Not collective.
int weft_plan_destroy(weft_plan** plan);
/// This rank's part of the global array of points or modes (weft_side).
int weft_plan_box(const weft_plan* plan, int side, weft_box* box);
/// The number of elements of this rank's part, and whether they are complex.
int weft_plan_count(const weft_plan* plan, int side, int64_t* count, int* is_complex);
/// Transforms points to modes, unscaled by default. Collective. Counts are those of weft_plan_count(). Either `in` and
/// `out` do not overlap, and `in` is preserved, or they are the same array, if weft::Plan::forward allows it.
int weft_plan_forward(weft_plan* plan, const void* in, int64_t in_count, void* out, int64_t out_count);
/// Transforms modes to points, divided by the number of points by default. Collective.
int weft_plan_backward(weft_plan* plan, const void* in, int64_t in_count, void* out, int64_t out_count);
/// Transforms points to modes in arrays with gaps. Strides are elements from one index to the next, per axis; the
/// stride of the last axis is 1. Collective.
int weft_plan_forward_strided(weft_plan* plan, const void* in, const int64_t* in_strides, void* out,
                              const int64_t* out_strides);
/// Transforms modes to points in arrays with gaps. Collective.
int weft_plan_backward_strided(weft_plan* plan, const void* in, const int64_t* in_strides, void* out,
                               const int64_t* out_strides);
/// Computes out = backward(symbol * forward(in)) without storing the spectrum. Collective. Both arrays have `count`
/// elements, and `out` may be `in`.
int weft_plan_apply(weft_plan* plan, const void* in, void* out, int64_t count, const weft_symbol* symbol);
/// Computes the cyclic convolution out_i = sum over j of a_j b_(i-j), or the cross-correlation out_i = sum over j of
/// conj(a_j) b_(j+i), for any norm. Collective. All arrays have `count` elements, and `out` may be `a` or `b`. Kinds
/// are c2c, r2c and none.
int weft_plan_convolve(weft_plan* plan, const void* a, const void* b, void* out, int64_t count);
int weft_plan_correlate(weft_plan* plan, const void* a, const void* b, void* out, int64_t count);
/// Computes the linear convolution out_i = sum over j of a_j b_(i+o-j), or cross-correlation out_i = sum over j of
/// conj(a_j) b_(j+i-o), with fields that are 0 outside their points. `origin`: o, one per axis of the plan, 0 to n - 1
/// (weft::Plan::convolve). Collective.
int weft_plan_convolve_linear(weft_plan* plan, const void* a, const void* b, void* out, int64_t count,
                              const int64_t* origin);
int weft_plan_correlate_linear(weft_plan* plan, const void* a, const void* b, void* out, int64_t count,
                               const int64_t* origin);
/// The modes of the product of two fields from their modes, `count` each, without aliasing (weft::Plan::product).
/// Collective.
int weft_plan_product(weft_plan* plan, const void* a, const void* b, void* out, int64_t count);
/// Mode numbers of this rank's modes along an axis, as many as the box has there. They are signed and in units of
/// 2 pi / L for c2c and r2c, and in units of pi / L for cosine and sine kinds.
int weft_plan_wavenumbers(const weft_plan* plan, int axis, double* values, int64_t count);
/// The weight of each of these modes in a sum over the whole spectrum: 2 for the doubled modes of r2c, else 1.
int weft_plan_weights(const weft_plan* plan, int axis, double* values, int64_t count);
/// Coordinates of this rank's points along an axis of length 2 pi (c2c, r2c, none) or pi (cosine and sine kinds).
int weft_plan_coordinates(const weft_plan* plan, int axis, double* values, int64_t count);
/// A text with every step: its lines, bytes, flops and the time of the last run.
int weft_plan_explain(const weft_plan* plan, const char** text);
int weft_plan_facts(const weft_plan* plan, weft_facts* facts);

/// Makes memory of zeros for the points and the modes of a plan made with in_place. Collective. It may outlive the
/// plan.
int weft_plan_field_create(weft_plan* plan, weft_field** field);
/// Transforms points to modes in the field. Collective. Store new points only after all ranks have used the modes.
int weft_plan_forward_field(weft_plan* plan, weft_field* field);
int weft_plan_backward_field(weft_plan* plan, weft_field* field);
/// Computes backward(symbol * forward(points)) in the field. Collective.
int weft_plan_apply_field(weft_plan* plan, weft_field* field, const weft_symbol* symbol);
/// The address of the points or the modes of a field, and the elements from one index to the next, one per axis. The
/// field of a solver has points only.
int weft_field_array(const weft_field* field, int side, void** data, int64_t* strides);
int weft_field_destroy(weft_field** field);

/* Solvers: weft::Poisson, weft/poisson.hpp. */

/// Collective. In `options` (may be NULL) modes, batch_axes, boxes, ranks and output are refused.
int weft_poisson_create(MPI_Comm comm, const weft_poisson_problem* problem, const weft_plan_options* options,
                        weft_poisson** solver);
int weft_poisson_destroy(weft_poisson** solver);
/// This rank's part of the points, and their number.
int weft_poisson_box(const weft_poisson* solver, weft_box* box, int64_t* count);
/// Coordinates of this rank's points along an axis of the problem.
int weft_poisson_points(const weft_poisson* solver, int axis, double* values, int64_t count);
/// The weights of these points in means over the domain, relative to others along the axis (weft::Poisson::weights).
int weft_poisson_weights(const weft_poisson* solver, int axis, double* values, int64_t count);
/// Collective. Both arrays have `count` elements and may be the same. NaN or Inf in `rhs` is an error.
int weft_poisson_solve(weft_poisson* solver, const void* rhs, void* solution, int64_t count);
/// Solves with values and slopes at ends that are not 0. Collective; all ranks give the same ends.
int weft_poisson_solve_ends(weft_poisson* solver, const void* rhs, void* solution, int64_t count,
                            const weft_end_values* ends, int end_count);
int weft_poisson_explain(const weft_poisson* solver, const char** text);
int weft_poisson_facts(const weft_poisson* solver, weft_facts* facts);
/// Makes a field of zeros for a solver made with in_place, and solves in it. Collective.
int weft_poisson_field_create(weft_poisson* solver, weft_field** field);
int weft_poisson_solve_field(weft_poisson* solver, weft_field* field);

/* Vector fields: weft::VectorPoisson, weft/vector_poisson.hpp. Arrays are [component][x][y][z],
   with a batch [field][component][x][y][z]. */

/// Sets problem->boundary of vector fields that are gradients of scalars. The boundaries of the scalars are those set
/// for component 0. Even ends become walls, which the field does not cross.
int weft_vector_boundary(weft_vector_problem* problem);
/// Collective. In `options` (may be NULL) in_place, chunks, workspace and the members that weft_poisson_create()
/// refuses are refused.
int weft_vector_poisson_create(MPI_Comm comm, const weft_vector_problem* problem, const weft_plan_options* options,
                               weft_vector_poisson** solver);
int weft_vector_poisson_destroy(weft_vector_poisson** solver);
/// This rank's part of the points, which is the same for all components, and the number of points.
int weft_vector_poisson_box(const weft_vector_poisson* solver, weft_box* box, int64_t* count);
int weft_vector_poisson_points(const weft_vector_poisson* solver, int axis, double* values, int64_t count);
/// Solves lap u - screening^2 u = f for each component. This function and all below are collective. Counts are
/// elements: points times components for vectors, points for scalars, of all fields of a batch. `out` may be `in` if
/// the counts agree.
int weft_vector_poisson_solve(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                              int64_t out_count);
/// The velocity with the given curl and zero divergence. In two dimensions `in` is a scalar.
int weft_vector_poisson_biot_savart(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                                    int64_t out_count);
/// The curl of a vector field. In two dimensions `out` is a scalar.
int weft_vector_poisson_curl(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                             int64_t out_count);
int weft_vector_poisson_divergence(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                                   int64_t out_count);
int weft_vector_poisson_gradient(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                                 int64_t out_count);
/// The gradient of the solution for a scalar right-hand side.
int weft_vector_poisson_solve_gradient(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                                       int64_t out_count);
/// The divergence-free part of a field.
int weft_vector_poisson_project(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                                int64_t out_count);
int weft_vector_poisson_explain(const weft_vector_poisson* solver, const char** text);
int weft_vector_poisson_facts(const weft_vector_poisson* solver, weft_facts* facts);

/* Redistribution, workspaces: weft/redistribution.hpp, workspace.hpp. */

/// Collective. The boxes are the part that this rank has and the part that it receives. Of `options` (may be NULL) the
/// strategy, the threads, and the members for messages and nodes have an effect.
int weft_redistribution_create(MPI_Comm comm, const weft_box* from, const weft_box* to, size_t element_bytes,
                               const weft_plan_options* options, weft_redistribution** redistribution);
int weft_redistribution_destroy(weft_redistribution** redistribution);
/// Moves the parts that ranks have to the parts that they receive. Collective. Strides are in elements and arbitrary;
/// NULL means contiguous in C order.
int weft_redistribution_forward(weft_redistribution* redistribution, const void* in, const int64_t* in_strides,
                                void* out, const int64_t* out_strides);
int weft_redistribution_backward(weft_redistribution* redistribution, const void* in, const int64_t* in_strides,
                                 void* out, const int64_t* out_strides);
int weft_redistribution_explain(const weft_redistribution* redistribution, const char** text);
int weft_redistribution_facts(const weft_redistribution* redistribution, weft_facts* facts);

/// Makes an empty workspace that grows with the plans that use it. Plans keep it alive.
int weft_workspace_create(weft_workspace** workspace);
int weft_workspace_destroy(weft_workspace** workspace);

#ifdef __cplusplus
}
#endif

#include "weft/chebyshev.h"
#include "weft/halo.h"
#include "weft/particles.h"
#include "weft/tensor.h"
#include "weft/variable.h"

#endif
