// Workspace: memory that several plans use one after the other.
#pragma once

#include "weft/types.hpp"

namespace weft {

/// Memory of this rank for plans, given as PlanOptions::workspace. Every plan places its buffers at the beginning, so
/// that all plans together need as much as the largest of them. They may be used in any order, but not at the same time
/// by several threads. Plans keep the workspace alive. It does not contain memory that ranks of a node share, nor
/// memory of fields. Ranks may give workspaces of different sizes, or none.
class Workspace {
 public:
  /// An empty workspace. It grows when a plan needs more memory, without moving the memory of other plans. Throws Error
  /// (Fault::resource) if the system provides no addresses.
  Workspace();
  /// A workspace in memory of the user, which has to outlive the plans. Plans that need more than `bytes` are refused.
  Workspace(void* memory, index_t bytes);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  char* data() const { return data_; }
  /// Bytes that may be used. A workspace that grows has the bytes that plans have needed so far.
  index_t bytes() const { return bytes_; }
  /// Makes room for so many bytes in total. Returns false if that is not possible.
  bool grow(index_t bytes);

 private:
  char* data_ = nullptr;
  index_t bytes_ = 0;
  index_t reserved_ = 0;  // bytes of addresses; 0 if the memory is the user's
};

}  // namespace weft
