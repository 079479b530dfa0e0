/* FFTW 3.3's interface for distributed transforms, in double and single precision, served by Weft
 * (weft_fftw3_mpi). Shapes, distributions, flags and scaling are those of FFTW's manual, chapter 6; the serial part of
 * the interface is FFTW's own fftw3.h. */
#ifndef FFTW3_MPI_H
#define FFTW3_MPI_H

#include <fftw3.h>
#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FFTW_MPI_DEFAULT_BLOCK (0)
#define FFTW_MPI_SCRAMBLED_IN (1U << 27)
#define FFTW_MPI_SCRAMBLED_OUT (1U << 28)
#define FFTW_MPI_TRANSPOSED_IN (1U << 29)
#define FFTW_MPI_TRANSPOSED_OUT (1U << 30)

/* X(name): a function or type of the precision; R and C: its real and complex types. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
#define WEFT_FFTW_MPI_INTERFACE(X, R, C)                                                                               \
  void X(mpi_init)(void);                                                                                              \
  void X(mpi_cleanup)(void);                                                                                           \
                                                                                                                       \
  ptrdiff_t X(mpi_local_size_many_transposed)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,       \
                                              ptrdiff_t block1, MPI_Comm comm, ptrdiff_t* local_n0,                    \
                                              ptrdiff_t* first_0, ptrdiff_t* local_n1, ptrdiff_t* first_1);            \
  ptrdiff_t X(mpi_local_size_many)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0, MPI_Comm comm,   \
                                   ptrdiff_t* local_n0, ptrdiff_t* first_0);                                           \
  ptrdiff_t X(mpi_local_size_transposed)(int rank, const ptrdiff_t* n, MPI_Comm comm, ptrdiff_t* local_n0,             \
                                         ptrdiff_t* first_0, ptrdiff_t* local_n1, ptrdiff_t* first_1);                 \
  ptrdiff_t X(mpi_local_size)(int rank, const ptrdiff_t* n, MPI_Comm comm, ptrdiff_t* local_n0, ptrdiff_t* first_0);   \
  ptrdiff_t X(mpi_local_size_many_1d)(ptrdiff_t n0, ptrdiff_t howmany, MPI_Comm comm, int sign, unsigned flags,        \
                                      ptrdiff_t* local_ni, ptrdiff_t* first_i, ptrdiff_t* local_no,                    \
                                      ptrdiff_t* first_o);                                                             \
  ptrdiff_t X(mpi_local_size_1d)(ptrdiff_t n0, MPI_Comm comm, int sign, unsigned flags, ptrdiff_t* local_ni,           \
                                 ptrdiff_t* first_i, ptrdiff_t* local_no, ptrdiff_t* first_o);                         \
  ptrdiff_t X(mpi_local_size_2d)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t* local_n0, ptrdiff_t* first_0);  \
  ptrdiff_t X(mpi_local_size_2d_transposed)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t* local_n0,            \
                                            ptrdiff_t* first_0, ptrdiff_t* local_n1, ptrdiff_t* first_1);              \
  ptrdiff_t X(mpi_local_size_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm, ptrdiff_t* local_n0,         \
                                 ptrdiff_t* first_0);                                                                  \
  ptrdiff_t X(mpi_local_size_3d_transposed)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm,                   \
                                            ptrdiff_t* local_n0, ptrdiff_t* first_0, ptrdiff_t* local_n1,              \
                                            ptrdiff_t* first_1);                                                       \
                                                                                                                       \
  X(plan) X(mpi_plan_many_transpose)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t howmany, ptrdiff_t block0,                  \
                                     ptrdiff_t block1, R* in, R* out, MPI_Comm comm, unsigned flags);                  \
  X(plan) X(mpi_plan_transpose)(ptrdiff_t n0, ptrdiff_t n1, R* in, R* out, MPI_Comm comm, unsigned flags);             \
                                                                                                                       \
  X(plan) X(mpi_plan_many_dft)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock, ptrdiff_t oblock,    \
                               C* in, C* out, MPI_Comm comm, int sign, unsigned flags);                                \
  X(plan) X(mpi_plan_dft)(int rank, const ptrdiff_t* n, C* in, C* out, MPI_Comm comm, int sign, unsigned flags);       \
  X(plan) X(mpi_plan_dft_1d)(ptrdiff_t n0, C* in, C* out, MPI_Comm comm, int sign, unsigned flags);                    \
  X(plan) X(mpi_plan_dft_2d)(ptrdiff_t n0, ptrdiff_t n1, C* in, C* out, MPI_Comm comm, int sign, unsigned flags);      \
  X(plan) X(mpi_plan_dft_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, C* in, C* out, MPI_Comm comm, int sign,         \
                             unsigned flags);                                                                          \
                                                                                                                       \
  X(plan) X(mpi_plan_many_r2r)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock, ptrdiff_t oblock,    \
                               R* in, R* out, MPI_Comm comm, const X(r2r_kind) * kinds, unsigned flags);               \
  X(plan) X(mpi_plan_r2r)(int rank, const ptrdiff_t* n, R* in, R* out, MPI_Comm comm, const X(r2r_kind) * kinds,       \
                          unsigned flags);                                                                             \
  X(plan) X(mpi_plan_r2r_2d)(ptrdiff_t n0, ptrdiff_t n1, R* in, R* out, MPI_Comm comm, X(r2r_kind) kind0,              \
                             X(r2r_kind) kind1, unsigned flags);                                                       \
  X(plan) X(mpi_plan_r2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, R* in, R* out, MPI_Comm comm,                   \
                             X(r2r_kind) kind0, X(r2r_kind) kind1, X(r2r_kind) kind2, unsigned flags);                 \
                                                                                                                       \
  X(plan) X(mpi_plan_many_dft_r2c)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,                  \
                                   ptrdiff_t oblock, R* in, C* out, MPI_Comm comm, unsigned flags);                    \
  X(plan) X(mpi_plan_dft_r2c)(int rank, const ptrdiff_t* n, R* in, C* out, MPI_Comm comm, unsigned flags);             \
  X(plan) X(mpi_plan_dft_r2c_2d)(ptrdiff_t n0, ptrdiff_t n1, R* in, C* out, MPI_Comm comm, unsigned flags);            \
  X(plan) X(mpi_plan_dft_r2c_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, R* in, C* out, MPI_Comm comm,               \
                                 unsigned flags);                                                                      \
                                                                                                                       \
  X(plan) X(mpi_plan_many_dft_c2r)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,                  \
                                   ptrdiff_t oblock, C* in, R* out, MPI_Comm comm, unsigned flags);                    \
  X(plan) X(mpi_plan_dft_c2r)(int rank, const ptrdiff_t* n, C* in, R* out, MPI_Comm comm, unsigned flags);             \
  X(plan) X(mpi_plan_dft_c2r_2d)(ptrdiff_t n0, ptrdiff_t n1, C* in, R* out, MPI_Comm comm, unsigned flags);            \
  X(plan) X(mpi_plan_dft_c2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, C* in, R* out, MPI_Comm comm,               \
                                 unsigned flags);                                                                      \
                                                                                                                       \
  void X(mpi_gather_wisdom)(MPI_Comm comm);                                                                            \
  void X(mpi_broadcast_wisdom)(MPI_Comm comm);                                                                         \
                                                                                                                       \
  void X(mpi_execute_dft)(X(plan) plan, C* in, C* out);                                                                \
  void X(mpi_execute_dft_r2c)(X(plan) plan, R* in, C* out);                                                            \
  void X(mpi_execute_dft_c2r)(X(plan) plan, C* in, R* out);                                                            \
  void X(mpi_execute_r2r)(X(plan) plan, R* in, R* out);

/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

#define WEFT_FFTW_DOUBLE(name) fftw_##name
#define WEFT_FFTW_SINGLE(name) fftwf_##name
WEFT_FFTW_MPI_INTERFACE(WEFT_FFTW_DOUBLE, double, fftw_complex)
WEFT_FFTW_MPI_INTERFACE(WEFT_FFTW_SINGLE, float, fftwf_complex)

#ifdef __cplusplus
}
#endif

#endif
