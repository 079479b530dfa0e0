// The engines there are; all others get theirs from make_engine(). And what FFTW learns, which files keep.
#pragma once

#include "transform/engine/line_engine.hpp"

namespace weft {

template <class Real>
std::shared_ptr<const LineEngine<Real>> make_lane_engine(const LineSpec& spec);

/// Collective: rank 0 plans, its wisdom is used by all.
template <class Real>
std::shared_ptr<const LineEngine<Real>> make_fftw_engine(const Comm& comm, const LineSpec& spec, Effort effort);

/// What FFTW has learnt while plans were measured in this process, as FFTW's own text; empty: nothing yet. Plans that
/// are measured later begin with it (that of rank 0).
template <class Real>
std::string fftw_wisdom();
/// Adds such a text. False if FFTW does not understand it.
template <class Real>
bool add_fftw_wisdom(const std::string& text);
/// Forgets it, in both precisions. Plans stay as they are.
void forget_fftw_wisdom();

/// Version text of the FFTW library that is loaded.
std::string fftw_version();

}  // namespace weft
