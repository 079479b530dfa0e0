// Memory that the ranks of a node share. POSIX shared memory instead of MPI_Win_allocate_shared: every rank frees its
// mapping alone (freeing a window is collective, and garbage-collected languages drop their arrays in any order), a
// node that runs out of memory gives an error instead of a bus error, and it is made a hundred times faster.
#pragma once

#include <vector>

#include "weft/comm.hpp"

namespace weft {

/// One stretch of zeroed memory, cut into a part per rank; the parts lie one behind the other in the order of the
/// ranks. With a single rank it is ordinary memory, in huge pages where it is large.
class NodeMemory {
 public:
  /// Collective. All ranks of `comm` are on one node. `my_bytes` is rounded up to whole cache lines. Every rank throws
  /// the same Error (Fault::resource) when the node has too little shared memory (/dev/shm) left.
  NodeMemory(const Comm& comm, index_t my_bytes);
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  /// The part of a rank. The address differs between processes.
  char* part(int rank) const { return memory_ + offsets_[static_cast<std::size_t>(rank)]; }
  /// Bytes of this rank's part.
  index_t bytes() const { return bytes_; }
  /// Collective: what any rank stored before it is seen by all ranks behind it.
  void synchronise() const;

 private:
  index_t total() const { return offsets_.back(); }
  void share();
  void map(int file);
  void release();

  Comm comm_;
  index_t bytes_ = 0;
  std::vector<index_t> offsets_;  // of every part, and the end
  char* memory_ = nullptr;
};

/// Bytes of shared memory that are free on this node.
index_t free_shared_memory();

}  // namespace weft
