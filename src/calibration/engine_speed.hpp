// Compares the speed of the lane engine with FFTW: both sweep over all lines of one array, in turns.
#pragma once

#include <vector>

#include "weft/kind.hpp"

namespace weft {

/// The sweep that is timed: forward transforms of `length` points, from one array to another, on one thread.
struct SpeedSpec {
  Kind kind = Kind::c2c;
  index_t length = 0;
  bool strided = false;     ///< false: arrays [lines][length], contiguous lines; true: [length][lines]
  index_t bytes = 0;        ///< of the input array; rounded down to whole batches of 16 lines, at least one
  int turns = 0;            ///< timings of each contender
  double plan_seconds = 0;  ///< FFTW plans with FFTW_PATIENT until this time is over, then takes the best that it has
};

/// Longest transform that is timed.
inline constexpr index_t longest_speed_length = index_t{1} << 20;

/// Seconds of one sweep, one entry a turn.
struct EngineSpeed {
  index_t lines = 0;
  std::vector<double> lanes;  ///< a line pass with the lane engine
  std::vector<double> fftw;   ///< one FFTW plan for the whole array (fftw_plan_many_...), which preserves its input
  std::vector<double> copy;   ///< std::memcpy from one array to the other
  index_t copy_bytes = 0;     ///< that the copy moves; it reads and writes them
  double difference = 0;      ///< largest difference of the two results over the largest value of FFTW's
};

/// Times the sweep of both contenders and a copy alternately, so that all see the same state of the machine. Throws
/// Error when a member of `spec` is out of range. FFTW's planner must not be in use on another thread.
template <class Real>
EngineSpeed engine_speed(const SpeedSpec& spec);

}  // namespace weft
