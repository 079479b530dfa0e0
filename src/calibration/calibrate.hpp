// Measures the elementary times of the machine that it runs on (Ayala and Wang 2013, appendix A).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/machine_model.hpp"
#include "weft/comm.hpp"

namespace weft {

struct CalibrationOptions {
  int turns = 15;                                            ///< timings of each operation; the fastest counts
  double turn_seconds = 2e-3;                                ///< short operations are repeated for so long in each
  index_t far_bytes = 64 << 20;                              ///< of the arrays of a rank that are copied in memory
  std::vector<index_t> far_cubes{160, 192, 224};             ///< edges of arrays that are transformed in memory
  std::vector<index_t> shared_cubes{96, 160, 192};           ///< of arrays that all ranks of a node transform together
  std::vector<index_t> solved_cubes{64, 96, 160, 200, 240};  ///< edges of arrays that are solved for in free space
  index_t networked_cube = 112;                              ///< of arrays that all nodes transform together
  /// Called on every rank before each kind of measurement; it may not throw.
  std::function<void(const std::string& what)> progress = {};
};

/// Options for a quick calibration with small arrays.
inline CalibrationOptions quick_calibration(int turns) { return {turns, 1e-3, 16 << 20, {96}, {64}, {64, 96}, 48, {}}; }

/// Use as many ranks as cores. t_c is measured by passes over arrays that fit a core's cache, with all ranks at work,
/// by length; t_a by memcpy, on rank 0 alone and on all ranks; the overlap of both by transforms of arrays in memory;
/// shared memory by transforms by all ranks of a node; planes by solves in free space; t_w and t_s by MPI_Sendrecv in
/// pairs, inside a node and between two, by one pair alone and by all ranks of a node; strategies between nodes by
/// transforms by all nodes, in one and in several chunks. Collective; the result is that of the slowest rank, on all.
MachineModel calibrated(const Comm& comm, const CalibrationOptions& options = {});

}  // namespace weft
