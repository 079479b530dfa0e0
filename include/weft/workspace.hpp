// Workspace: memory that several plans work in, one after the other.
#pragma once

#include "weft/types.hpp"

namespace weft {

/// Memory of this rank that is given to plans as PlanOptions::workspace. Every plan lays its buffers out from the
/// beginning, so that all of them together take as much as the largest: they may be used in any order, but not at the
/// same time by several threads. Plans keep the workspace alive. Memory that ranks of a node share, and memory of
/// fields, does not lie in it. Ranks may give workspaces of different sizes, or none.
class Workspace {
 public:
  /// Empty; grows whenever a plan is made that needs more, without moving what plans work in. Throws Error
  /// (Fault::resource) when the system grants no addresses.
  Workspace();
  /// The user's own memory, which has to live as long as the plans do. Plans that need more than `bytes` are refused.
  Workspace(void* memory, index_t bytes);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  char* data() const { return data_; }
  /// Bytes that may be used; of an own workspace, those that plans have needed so far.
  index_t bytes() const { return bytes_; }
  /// Makes room for so many bytes in all; false where that is not possible.
  bool grow(index_t bytes);

 private:
  char* data_ = nullptr;
  index_t bytes_ = 0;
  index_t reserved_ = 0;  // bytes of addresses; none where the memory is the user's
};

}  // namespace weft
