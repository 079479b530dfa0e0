// The engines, which other files obtain from make_engine(), and FFTW's wisdom, which tuning files keep.
#pragma once

#include "transform/engine/line_engine.hpp"

namespace weft {

template <class Real>
std::shared_ptr<const LineEngine<Real>> make_lane_engine(const LineSpec& spec);

/// Collective: rank 0 plans, all ranks use its wisdom.
template <class Real>
std::shared_ptr<const LineEngine<Real>> make_fftw_engine(const Comm& comm, const LineSpec& spec, Effort effort);

/// The wisdom of all plans measured in this process, as FFTW's own text; empty if there is none yet. Plans measured
/// later start from the wisdom of rank 0.
template <class Real>
std::string fftw_wisdom();
/// Adds wisdom text. Returns false if FFTW does not understand it.
template <class Real>
bool add_fftw_wisdom(const std::string& text);
/// Forgets the wisdom of both precisions. Existing plans do not change.
void forget_fftw_wisdom();

/// Version text of the loaded FFTW library.
std::string fftw_version();

}  // namespace weft
