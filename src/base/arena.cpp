// Pieces of memory for the buffers of a plan.
#include "base/arena.hpp"

#include <utility>

#include "base/buffer.hpp"
#include "weft/error.hpp"
#include "weft/memory.hpp"

namespace weft {

Arena::Arena(std::shared_ptr<Workspace> workspace) {
  if (workspace != nullptr) state_ = std::make_shared<State>(State{std::move(workspace)});
}

std::shared_ptr<void> Arena::take(index_t bytes) const {
  if (state_ != nullptr) {
    const index_t begin = state_->taken;
    state_->taken += round_up(bytes, cache_line_bytes);
    if (state_->workspace->grow(state_->taken)) return {state_->workspace, state_->workspace->data() + begin};
  }
  return {allocate_aligned(static_cast<std::size_t>(bytes)), free_aligned};
}

void Arena::check() const {
  if (state_ == nullptr || state_->taken <= state_->workspace->bytes()) return;
  throw Error(Fault::resource, "workspace: it has " + std::to_string(state_->workspace->bytes()) +
                                   " bytes from its first cache line on, this plan needs " +
                                   std::to_string(state_->taken) +
                                   "; give at least that, or a workspace that grows (without memory of yours)");
}

}  // namespace weft
