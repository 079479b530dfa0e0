/* Coefficients that vary, from C: weft::VariablePoisson, weft/variable_poisson.hpp. A part of weft.h, which includes
   it. */
#ifndef WEFT_VARIABLE_H
#define WEFT_VARIABLE_H

#ifdef __cplusplus
extern "C" {
#endif

/// \file
/// Solves div(a grad u) - c u = f with a > 0 and c >= 0 that differ from cell to cell, by conjugate gradients.

typedef struct weft_variable_poisson weft_variable_poisson;  ///< a solver for coefficients that vary

/// The problem div(a grad u) - c u = f on cells of a box of 2 or 3 axes. Fill the struct by
/// weft_variable_problem_init(). The members have the meaning of those of weft::VariableProblem.
typedef struct weft_variable_problem {
  size_t struct_size;                        ///< set by weft_variable_problem_init()
  int dims;                                  ///< 2 or 3
  int64_t cells[WEFT_SPACE_DIMS];            ///< N per axis
  double length[WEFT_SPACE_DIMS];            ///< L per axis; 1
  const char* boundary[WEFT_SPACE_DIMS][2];  ///< per axis and end: "periodic" (default), "even", "odd"
  const char* form;                          ///< "finite-volume" (default) or "spectral"
  const char* faces;                         ///< a on faces: the "harmonic" (default) or "arithmetic" mean of cells
  const char* around;                        ///< "scaled" (default), best for smooth a, or "laplacian", for jumps
  const char* mean;                          ///< mean of f if it has to be zero: "remove" (default) or "error"
  double tolerance;                          ///< of the residual's 2-norm over that of f; 1e-10
  int most_iterations;                       ///< a solve gives up after this many; 500
} weft_variable_problem;

/// Called after each iteration with its number, 0 before the first, and the residual; `data` is that of the solve.
typedef void (*weft_iteration_report)(int iteration, double residual, void* data);

/// \cond
int weft_variable_problem_init_sized(weft_variable_problem* problem, size_t size);
/// \endcond
/// Sets the defaults.
static inline int weft_variable_problem_init(weft_variable_problem* problem) {
  return weft_variable_problem_init_sized(problem, sizeof(weft_variable_problem));
}

/// Collective. In `options` (may be NULL) in_place and the members that weft_poisson_create() refuses are refused.
int weft_variable_poisson_create(MPI_Comm comm, const weft_variable_problem* problem, const weft_plan_options* options,
                                 weft_variable_poisson** solver);
int weft_variable_poisson_destroy(weft_variable_poisson** solver);
/// This rank's part of the cells, and their number.
int weft_variable_poisson_box(const weft_variable_poisson* solver, weft_box* box, int64_t* count);
/// Coordinates of the middles of this rank's cells along an axis.
int weft_variable_poisson_points(const weft_variable_poisson* solver, int axis, double* values, int64_t count);
/// Copies the coefficients of the next solves, `count` elements each; `c` may be NULL, for 0. Collective.
int weft_variable_poisson_set_coefficients(weft_variable_poisson* solver, const void* a, const void* c, int64_t count);
/// result = div(a grad u) - c u. Collective. Both arrays have `count` elements and may be the same.
int weft_variable_poisson_apply(weft_variable_poisson* solver, const void* u, void* result, int64_t count);
/// Solves for u. Collective. Arrays have `count` elements. The iteration begins at `guess`, or at 0 if it is NULL; `u`
/// may be `f` or `guess`. `report` may be NULL; it is called on the ranks that give it.
int weft_variable_poisson_solve(weft_variable_poisson* solver, const void* f, void* u, int64_t count, const void* guess,
                                weft_iteration_report report, void* data);
/// The iterations of the last solve, and the 2-norm of its residual over that of f; either may be NULL.
int weft_variable_poisson_outcome(const weft_variable_poisson* solver, int* iterations, double* residual);
int weft_variable_poisson_explain(const weft_variable_poisson* solver, const char** text);
int weft_variable_poisson_facts(const weft_variable_poisson* solver, weft_facts* facts);

#ifdef __cplusplus
}
#endif

#endif
