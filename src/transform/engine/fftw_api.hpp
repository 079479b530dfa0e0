// FFTW's C interface for both precisions under one name.
#pragma once

#include <fftw3.h>

#include "transform/kind_table.hpp"

namespace weft {

template <class Real>
struct FftwApi;

template <>
struct FftwApi<double> {
  using Plan = fftw_plan;
  using Dim = fftw_iodim64;
  using Complex = fftw_complex;
  static constexpr auto c2c = fftw_plan_guru64_split_dft;
  static constexpr auto r2c = fftw_plan_guru64_split_dft_r2c;
  static constexpr auto c2r = fftw_plan_guru64_split_dft_c2r;
  static constexpr auto r2r = fftw_plan_guru64_r2r;
  static constexpr auto many_c2c = fftw_plan_many_dft;
  static constexpr auto many_r2c = fftw_plan_many_dft_r2c;
  static constexpr auto many_r2r = fftw_plan_many_r2r;
  static constexpr auto set_timelimit = fftw_set_timelimit;
  static constexpr auto execute = fftw_execute;
  static constexpr auto run_c2c = fftw_execute_split_dft;
  static constexpr auto run_r2c = fftw_execute_split_dft_r2c;
  static constexpr auto run_c2r = fftw_execute_split_dft_c2r;
  static constexpr auto run_r2r = fftw_execute_r2r;
  static constexpr auto destroy = fftw_destroy_plan;
  static constexpr auto export_wisdom = fftw_export_wisdom_to_string;
  static constexpr auto import_wisdom = fftw_import_wisdom_from_string;
  static constexpr auto forget_wisdom = fftw_forget_wisdom;
};

template <>
struct FftwApi<float> {
  using Plan = fftwf_plan;
  using Dim = fftwf_iodim64;
  using Complex = fftwf_complex;
  static constexpr auto c2c = fftwf_plan_guru64_split_dft;
  static constexpr auto r2c = fftwf_plan_guru64_split_dft_r2c;
  static constexpr auto c2r = fftwf_plan_guru64_split_dft_c2r;
  static constexpr auto r2r = fftwf_plan_guru64_r2r;
  static constexpr auto many_c2c = fftwf_plan_many_dft;
  static constexpr auto many_r2c = fftwf_plan_many_dft_r2c;
  static constexpr auto many_r2r = fftwf_plan_many_r2r;
  static constexpr auto set_timelimit = fftwf_set_timelimit;
  static constexpr auto execute = fftwf_execute;
  static constexpr auto run_c2c = fftwf_execute_split_dft;
  static constexpr auto run_r2c = fftwf_execute_split_dft_r2c;
  static constexpr auto run_c2r = fftwf_execute_split_dft_c2r;
  static constexpr auto run_r2r = fftwf_execute_r2r;
  static constexpr auto destroy = fftwf_destroy_plan;
  static constexpr auto export_wisdom = fftwf_export_wisdom_to_string;
  static constexpr auto import_wisdom = fftwf_import_wisdom_from_string;
  static constexpr auto forget_wisdom = fftwf_forget_wisdom;
};

/// FFTW's name for a cosine or sine transform.
inline fftw_r2r_kind fftw_kind(Kind kind) { return static_cast<fftw_r2r_kind>(row_of(kind).fftw); }

}  // namespace weft
