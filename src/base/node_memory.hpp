// Memory that the ranks of a node share. POSIX shared memory instead of MPI_Win_allocate_shared: every rank frees its
// mapping alone (freeing a window is collective, and garbage-collected languages drop their arrays in any order), a
// node without memory gives an error instead of a bus error, and creation is a hundred times faster.
#pragma once

#include <vector>

#include "weft/comm.hpp"

namespace weft {

/// Contiguous zeroed memory with a part for each rank, in the order of the ranks. With a single rank it is ordinary
/// memory, in huge pages if it is large.
class NodeMemory {
 public:
  /// Collective. All ranks of `comm` are on one node. `my_bytes` is rounded up to whole cache lines. Every rank throws
  /// the same Error (Fault::resource) if the node has too little free shared memory (/dev/shm).
  NodeMemory(const Comm& comm, index_t my_bytes);
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  /// The part of a rank. The address differs between processes.
  char* part(int rank) const { return memory_ + offsets_[static_cast<std::size_t>(rank)]; }
  /// Bytes of this rank's part.
  index_t bytes() const { return bytes_; }
  /// A barrier: all ranks see afterwards what any rank has stored before. Collective.
  void synchronise() const;

 private:
  index_t total() const { return offsets_.back(); }
  void share();
  void map(int file);
  void release();

  Comm comm_;
  index_t bytes_ = 0;
  std::vector<index_t> offsets_;  // of every part, then the end
  char* memory_ = nullptr;
};

/// Bytes of free shared memory (/dev/shm) of this node.
index_t free_shared_memory();

}  // namespace weft
