// Where a plan's buffers come from: memory of their own each, or one behind the other in a workspace.
#pragma once

#include <memory>

#include "weft/types.hpp"
#include "weft/workspace.hpp"

namespace weft {

/// A handle; copies go on where the others stopped. Without a workspace every piece is memory of its own.
class Arena {
 public:
  Arena() = default;
  /// Begins at the beginning of the workspace; none (null) is allowed.
  explicit Arena(std::shared_ptr<Workspace> workspace);

  /// Memory that begins on a cache line and is not initialised. What does not fit in the workspace any more is memory
  /// of its own, so that planning goes on until all that is needed is known.
  std::shared_ptr<void> take(index_t bytes) const;
  /// Throws Error (Fault::resource) if the workspace was too small, which says by how much. To be called when
  /// everything has been taken.
  void check() const;

 private:
  struct State {
    std::shared_ptr<Workspace> workspace;
    index_t taken = 0;
  };
  std::shared_ptr<State> state_;
};

}  // namespace weft
