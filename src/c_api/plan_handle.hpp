// The plans and fields of handles.
#pragma once

#include <complex>

#include "c_api/two_sides.hpp"
#include "weft/plan.hpp"
#include "weft/poisson.hpp"

struct weft_plan : weft::c_api::Handle<weft::Plan> {};
struct weft_poisson : weft::c_api::Handle<weft::Poisson> {};

/// The memory of an in-place plan, real or complex on either side, or of a solver, in either precision.
struct weft_field {
  template <class Real, class Complex = std::complex<Real>>
  using Of = std::variant<weft::InPlaceField<Real, Real, Real>, weft::InPlaceField<Real, Complex, Real>,
                          weft::InPlaceField<Complex, Complex, Real>, weft::SolverField<Real>>;
  std::variant<Of<double>, Of<float>> of;
};

namespace weft::c_api {

/// The place of one side of a field in this rank's memory.
struct FieldMemory {
  void* data;
  Extents strides;  ///< in elements
  Box box;
  bool is_complex;
  std::size_t real_bytes;
};
/// The place of a side. Throws Error for the modes of a solver's field, which has none.
FieldMemory memory_of_field(const weft_field& field, bool physical);

/// The factors of a symbol for the modes of a plan. Throws Error if they are too few.
template <class Real>
typename Plan<Real>::Symbol symbol_from(const weft_symbol* given, const Plan<Real>& plan);
/// Throws the Error of symbol_from without applying the symbol. Call it where ranks agree on errors.
void check_symbol(const weft_plan& plan, const weft_symbol* given);

}  // namespace weft::c_api
