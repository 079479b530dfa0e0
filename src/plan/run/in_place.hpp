// Memory of an in-place plan: one array whose elements are points or modes, as the last transform left them.
#pragma once

#include <string>

#include "base/buffer.hpp"
#include "base/node_memory.hpp"
#include "plan/schedule/schedule.hpp"

namespace weft {

/// If all ranks share a node, the whole global array lies in shared memory in C order, and every pass works in place on
/// the lines that its rank owns: nothing is moved. Otherwise every rank has an array of its own, large enough for
/// either side, with exchanges between passes. Rows are padded: a half spectrum lies over its reals.
template <class Real>
class InPlaceMemory {
 public:
  /// Collective over `holders`, the ranks that share the memory: all of `comm`, or this one alone. Throws Error
  /// (Fault::resource) if there is too little.
  InPlaceMemory(const Comm& comm, const Comm& holders, const Schedule& schedule);

  bool shared() const { return shared_; }
  LocalArray<Real> physical() const { return at(schedule_physical_, width_physical_); }
  LocalArray<Real> spectral() const { return at(schedule_spectral_, width_spectral_); }
  /// The address of the memory in this process.
  const void* begin() const { return memory_.part(0); }
  /// The block of this rank in any layout between the two.
  LocalArray<Real> at(const Layout& layout, int width) const;
  /// A barrier, see NodeMemory. Collective.
  void synchronise() const { memory_.synchronise(); }
  /// Bytes of this rank's share.
  index_t bytes() const { return memory_.bytes(); }
  /// Whether this memory has the shape that a schedule needs for a rank.
  bool fits(const Schedule& schedule, bool shared, int rank) const {
    return rank == rank_ && shared == shared_ && schedule.physical == schedule_physical_ &&
           schedule.spectral == schedule_spectral_ && schedule.width_physical == width_physical_ &&
           schedule.width_spectral == width_spectral_;
  }

 private:
  int rank_;
  bool shared_;
  Layout schedule_physical_, schedule_spectral_;
  int width_physical_, width_spectral_;
  Extents strides_;  // of the shared array, in reals; that of the last axis is the width of a side
  NodeMemory memory_;
};

/// Bytes of this rank's share of the memory.
template <class Real>
index_t in_place_bytes(const Comm& comm, const Schedule& schedule, bool shared);

/// Throws Error if the transforms cannot be done in place.
void check_in_place(const Schedule& schedule);

}  // namespace weft
