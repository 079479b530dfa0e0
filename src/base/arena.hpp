// The source of a plan's buffers: each has memory of its own, or they follow each other in a workspace.
#pragma once

#include <memory>

#include "weft/types.hpp"
#include "weft/workspace.hpp"

namespace weft {

/// A handle; a copy continues where the others stopped. Without a workspace every piece is memory of its own.
class Arena {
 public:
  Arena() = default;
  /// Starts at the beginning of the workspace, which may be null.
  explicit Arena(std::shared_ptr<Workspace> workspace);

  /// Memory that begins on a cache line and is not initialised. A piece that does not fit in the workspace gets memory
  /// of its own, so that planning can continue until the total size is known.
  std::shared_ptr<void> take(index_t bytes) const;
  /// Throws Error (Fault::resource) if the workspace was too small; the text says by how much. Call it after all pieces
  /// have been taken.
  void check() const;

 private:
  struct State {
    std::shared_ptr<Workspace> workspace;
    index_t taken = 0;
  };
  std::shared_ptr<State> state_;
};

}  // namespace weft
