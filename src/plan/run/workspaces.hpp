// The work space of the threads that run the passes of a plan.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "plan/pass/line_prefetch.hpp"
#include "plan/pass/local_pass.hpp"

namespace weft {

/// Makes the work space of the threads: lane blocks for every pass and, unless all passes work in one memory, planes
/// between two axes and staging buffers.
template <class Real>
typename LocalPass<Real>::Workspaces workspaces_of(const std::vector<std::unique_ptr<LocalPass<Real>>>& passes,
                                                   int threads, const Arena& arena, bool one_memory) {
  index_t block = 0, points = 0, plane = 0, stage = 0;
  for (const auto& pass : passes) {
    block = std::max(block, pass->block_reals());
    points = std::max(points, pass->most_points());
    if (one_memory) continue;
    plane = std::max(plane, pass->plane_reals());
    if (pass->bytes() > stream_from_bytes()) stage = stage_bytes / static_cast<index_t>(sizeof(Real));
  }
  typename LocalPass<Real>::Workspaces result;
  for (int thread = 0; thread < threads; thread++)
    result.push_back({PassWorkspace<Real>(block, points, arena, stage), Buffer<Real>(plane, arena)});
  if (!result.empty()) result.front().repeated.make_room();  // passes of several threads are not repeated
  return result;
}

}  // namespace weft
