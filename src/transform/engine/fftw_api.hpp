// FFTW's C interface for both precisions under one name.
#pragma once

#include <fftw3.h>

#include "transform/kind_table.hpp"

namespace weft {

template <class Real>
struct FftwApi;

#define WEFT_FFTW_API(Real, prefix)                                           \
  template <>                                                                 \
  struct FftwApi<Real> {                                                      \
    using Plan = prefix##_plan;                                               \
    using Dim = prefix##_iodim64;                                             \
    using Complex = prefix##_complex;                                         \
    static constexpr auto c2c = prefix##_plan_guru64_split_dft;               \
    static constexpr auto r2c = prefix##_plan_guru64_split_dft_r2c;           \
    static constexpr auto c2r = prefix##_plan_guru64_split_dft_c2r;           \
    static constexpr auto r2r = prefix##_plan_guru64_r2r;                     \
    static constexpr auto many_c2c = prefix##_plan_many_dft;                  \
    static constexpr auto many_r2c = prefix##_plan_many_dft_r2c;              \
    static constexpr auto many_r2r = prefix##_plan_many_r2r;                  \
    static constexpr auto set_timelimit = prefix##_set_timelimit;             \
    static constexpr auto execute = prefix##_execute;                         \
    static constexpr auto run_c2c = prefix##_execute_split_dft;               \
    static constexpr auto run_r2c = prefix##_execute_split_dft_r2c;           \
    static constexpr auto run_c2r = prefix##_execute_split_dft_c2r;           \
    static constexpr auto run_r2r = prefix##_execute_r2r;                     \
    static constexpr auto destroy = prefix##_destroy_plan;                    \
    static constexpr auto export_wisdom = prefix##_export_wisdom_to_string;   \
    static constexpr auto import_wisdom = prefix##_import_wisdom_from_string; \
    static constexpr auto forget_wisdom = prefix##_forget_wisdom;             \
  };
WEFT_FFTW_API(double, fftw)
WEFT_FFTW_API(float, fftwf)
#undef WEFT_FFTW_API

/// FFTW's name for a cosine or sine transform.
inline fftw_r2r_kind fftw_kind(Kind kind) { return static_cast<fftw_r2r_kind>(row_of(kind).fftw); }

}  // namespace weft
