// The arrays of all ranks of a node that come from fftw_malloc, as each of these ranks sees them.
#pragma once

#include <vector>

#include "fftw_mpi/memory.hpp"
#include "weft/comm.hpp"

namespace weft::fftw_mpi {

/// A global array of which each rank has a part in memory of its own. The parts that come from fftw_malloc are moved to
/// memory that the node shares, where they keep their contents and addresses, unless they are there already.
class SharedArray {
 public:
  SharedArray() = default;
  /// Collective over `comm`, whose ranks are on one node. `mine` is this rank's part, of so many bytes from its
  /// beginning.
  SharedArray(const Comm& comm, const void* mine, index_t bytes);

  /// Whether every rank sees the part of a rank; one without bytes has nothing to be seen.
  bool is_shared(int rank) const { return parts_[static_cast<std::size_t>(rank)].shared; }
  int shared_parts() const;
  /// The address of a part in this process; null if it is not shared.
  char* part(int rank) const { return parts_[static_cast<std::size_t>(rank)].address; }
  /// Whether this array is this rank's part, and the other ranks see it: the program may have freed that memory, and
  /// have other memory at its address.
  bool is_mine(const void* array) const;

 private:
  struct Part {
    bool shared = false;
    char* address = nullptr;
    File file{};
  };
  struct Facts;
  Facts gather(const Comm& comm, const Allocation& own) const;
  void take_known(const Comm& comm, const Facts& facts, const Allocation& own);
  void share_others(const Comm& comm, const Facts& facts, const Allocation& own);
  void take(const Facts& facts, const std::vector<File>& files, const std::vector<bool>& which);

  char* mine_ = nullptr;
  index_t bytes_ = 0;
  int rank_ = 0;
  std::vector<Part> parts_;
};

}  // namespace weft::fftw_mpi
