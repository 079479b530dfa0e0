// The functions of FFTW's interfaces that tests call in both precisions, under one name for each.
#pragma once

#include <fftw3-mpi.h>

namespace weft::testing {

#define WEFT_FFTW_PRECISION(Name, Number, fftw)                                  \
  struct Name {                                                                  \
    using Real = Number;                                                         \
    using Complex = fftw##_complex;                                              \
    using Plan = fftw##_plan;                                                    \
    static constexpr auto allocate = fftw##_malloc;                              \
    static constexpr auto free = fftw##_free;                                    \
    static constexpr auto execute = fftw##_execute;                              \
    static constexpr auto execute_on = fftw##_mpi_execute_dft;                   \
    static constexpr auto destroy = fftw##_destroy_plan;                         \
    static constexpr auto text = fftw##_sprint_plan;                             \
    static constexpr auto serial_line = fftw##_plan_dft_1d;                      \
    static constexpr auto serial_box = fftw##_plan_dft_3d;                       \
    static constexpr auto line = fftw##_mpi_plan_dft_1d;                         \
    static constexpr auto local_line = fftw##_mpi_local_size_1d;                 \
    static constexpr auto box = fftw##_mpi_plan_dft_3d;                          \
    static constexpr auto box_forward = fftw##_mpi_plan_dft_r2c_3d;              \
    static constexpr auto box_backward = fftw##_mpi_plan_dft_c2r_3d;             \
    static constexpr auto transpose = fftw##_mpi_plan_many_transpose;            \
    static constexpr auto local_transpose = fftw##_mpi_local_size_2d_transposed; \
  };
WEFT_FFTW_PRECISION(Double, double, fftw)
WEFT_FFTW_PRECISION(Single, float, fftwf)
#undef WEFT_FFTW_PRECISION

}  // namespace weft::testing
