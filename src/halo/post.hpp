// Brings the parcels of a halo to their ranks: through the memory of the node, or as messages.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "base/node_memory.hpp"
#include "exchange/mover.hpp"
#include "halo/parcels.hpp"

namespace weft {

/// Parcels go from `shown` blocks to `halo` blocks (forward) or from `halo` to `shown` (backward), one direction at a
/// time. The order of calls: pack() for every parcel, start(), finish(), arrived() for every parcel.
///
/// Ranks of a node read parcels in place; a message of one byte in each direction announces them. Two banks of memory
/// alternate: when a rank packs into a bank, its neighbours have sent it a message after they read that bank.
class HaloPost {
 public:
  /// Collective. `node`: the ranks that share memory with this one, or only itself if it shares none.
  HaloPost(const Comm& comm, const Comm& node, const HaloParcels& parcels, index_t message_limit);

  /// The address for packing the outgoing parcel i of this direction.
  char* packed(Direction direction, std::size_t i) const;
  void start(Direction direction);
  void finish(Direction direction);
  /// The address of the incoming parcel i of this direction, valid until the next start().
  const char* arrived(Direction direction, std::size_t i) const;

  index_t workspace_bytes() const;
  /// "shared", "persistent", "shared+persistent" or "none".
  std::string strategy() const;

 private:
  struct Slot {
    int peer;
    index_t bytes;
    int place = -1;                       // of the peer in the node; -1: parcels go as messages
    char* message = nullptr;              // in a buffer of this rank
    std::array<char*, 2> mine{};          // in its part of the node's memory, by bank
    std::array<const char*, 2> theirs{};  // in that of the peer
    bool is_shared() const { return place >= 0; }
  };
  // All parcels of one side: of shown points, or of the halo.
  struct Side {
    std::vector<Slot> slots;
    Buffer<char> buffer;
  };

  void add_slots(Side& side, const std::vector<Parcel>& parcels);
  static void place_messages(Side& side);
  void share(const Comm& node);
  index_t shared_bytes() const;
  std::vector<Message> messages(const Side& side, std::size_t first_token);
  const Slot& slot(Direction direction, bool sent, std::size_t i) const;

  Comm comm_;              // of halos alone: other messages may be under way between start() and finish()
  std::vector<int> node_;  // ranks of comm that share memory with this one, in the order of the node
  Side shown_, halo_;
  std::unique_ptr<NodeMemory> memory_;
  std::unique_ptr<Mover> mover_;  // null if no rank has neighbours
  std::size_t bank_ = 0;          // where the next parcels are packed
  std::vector<char> tokens_;      // two for each rank of the node: one is sent, the other received
};

}  // namespace weft
