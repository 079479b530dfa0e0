// The engines there are. Nothing outside src/transform includes this file.
#pragma once

#include "line_engine.hpp"

namespace weft {

template <class Real>
std::shared_ptr<const LineEngine<Real>> make_lane_engine(const LineSpec& spec);

/// Collective: rank 0 plans, its wisdom is used by all.
template <class Real>
std::shared_ptr<const LineEngine<Real>> make_fftw_engine(const Comm& comm, const LineSpec& spec, Effort effort);

/// Version text of the FFTW library that is loaded.
std::string fftw_version();

}  // namespace weft
