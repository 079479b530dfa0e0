// Slots for parcels in buffers and in the memory of the node, and the messages that fill or announce them.
#include "halo/post.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace weft {

namespace {

index_t slot_bytes(index_t bytes) { return round_up(bytes, cache_line_bytes); }

}  // namespace

HaloPost::HaloPost(const Comm& comm, const Comm& node, const HaloParcels& parcels, index_t message_limit)
    : comm_(comm.split("halos", 0, comm.rank())) {
  for (const index_t rank : node.all_gather(comm.rank())) node_.push_back(static_cast<int>(rank));
  comm.together([&] {
    add_slots(shown_, parcels.shown);
    add_slots(halo_, parcels.halo);
    tokens_.assign(2 * node_.size(), 0);
  });
  comm.together([&] {  // if one node has too little memory, the others must not wait for its ranks
    if (node.max(shared_bytes()) > 0) share(node);
  });
  const bool alone = shown_.slots.empty() && halo_.slots.empty();
  if (comm.max(index_t{!alone}) == 0) return;
  MoverOptions options{Strategy::persistent};
  options.message_limit = message_limit;
  mover_ = make_mover(comm_, {{messages(shown_, 0), messages(halo_, node_.size())}}, options);
}

void HaloPost::add_slots(Side& side, const std::vector<Parcel>& parcels) {
  for (const Parcel& parcel : parcels) {
    const auto place = std::find(node_.begin(), node_.end(), parcel.peer);
    side.slots.push_back({parcel.peer, parcel.bytes});
    if (place != node_.end()) side.slots.back().place = static_cast<int>(place - node_.begin());
  }
  place_messages(side);
}

void HaloPost::place_messages(Side& side) {
  index_t bytes = 0;
  for (const Slot& slot : side.slots) bytes += slot.is_shared() ? 0 : slot_bytes(slot.bytes);
  side.buffer = Buffer<char>(bytes);
  char* next = side.buffer.data();
  for (Slot& slot : side.slots) {
    if (slot.is_shared()) continue;
    slot.message = next;
    next += slot_bytes(slot.bytes);
  }
}

index_t HaloPost::shared_bytes() const {
  index_t bytes = 0;
  for (const Side* side : {&shown_, &halo_})
    for (const Slot& slot : side->slots) bytes += slot.is_shared() ? slot_bytes(slot.bytes) : 0;
  return bytes;
}

// A part begins with a table: the offsets of its parcels for each rank of the node and side, and the bytes of a bank.
void HaloPost::share(const Comm& node) {
  const std::size_t ranks = node_.size(), entries = 2 * ranks + 1;
  const index_t table = slot_bytes(static_cast<index_t>(entries * sizeof(index_t))), bank = shared_bytes();
  memory_ = std::make_unique<NodeMemory>(node, table + 2 * bank);
  char* const part = memory_->part(node.rank());
  std::vector<index_t> offsets(entries, 0);
  offsets.back() = bank;
  index_t next = table;
  for (Side* side : {&shown_, &halo_}) {
    for (Slot& slot : side->slots) {
      if (!slot.is_shared()) continue;
      offsets[static_cast<std::size_t>(slot.place) + (side == &halo_ ? ranks : 0)] = next;
      slot.mine = {part + next, part + next + bank};
      next += slot_bytes(slot.bytes);
    }
  }
  std::memcpy(part, offsets.data(), entries * sizeof(index_t));
  memory_->synchronise();
  for (Side* side : {&shown_, &halo_}) {
    for (Slot& slot : side->slots) {
      if (!slot.is_shared()) continue;
      const char* const peer = memory_->part(slot.place);
      std::memcpy(offsets.data(), peer, entries * sizeof(index_t));
      // The points in the halo of this rank are shown points of the peer.
      const index_t at = offsets[static_cast<std::size_t>(node.rank()) + (side == &shown_ ? ranks : 0)];
      slot.theirs = {peer + at, peer + at + offsets.back()};
    }
  }
}

std::vector<Message> HaloPost::messages(const Side& side, std::size_t first_token) {
  std::vector<Message> messages;
  messages.reserve(static_cast<std::size_t>(comm_.size()));
  for (int peer = 0; peer < comm_.size(); peer++) messages.push_back({peer, nullptr, 0, MPI_BYTE});
  for (const Side* any : {&shown_, &halo_})
    for (const Slot& slot : any->slots)
      if (slot.is_shared())
        messages[static_cast<std::size_t>(slot.peer)] = {
            slot.peer, &tokens_[first_token + static_cast<std::size_t>(slot.place)], 1, MPI_BYTE};
  for (const Slot& slot : side.slots)
    if (!slot.is_shared())
      messages[static_cast<std::size_t>(slot.peer)] = {slot.peer, slot.message, slot.bytes, MPI_BYTE};
  return messages;
}

const HaloPost::Slot& HaloPost::slot(Direction direction, bool sent, std::size_t i) const {
  return ((direction == Direction::forward) == sent ? shown_ : halo_).slots[i];
}

char* HaloPost::packed(Direction direction, std::size_t i) const {
  const Slot& to = slot(direction, true, i);
  return to.is_shared() ? to.mine[bank_] : to.message;
}

const char* HaloPost::arrived(Direction direction, std::size_t i) const {
  const Slot& from = slot(direction, false, i);
  return from.is_shared() ? from.theirs[1 - bank_] : from.message;
}

void HaloPost::start(Direction direction) {
  bank_ = 1 - bank_;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (mover_ != nullptr) mover_->start(direction, 0);
}

void HaloPost::finish(Direction direction) {
  if (mover_ != nullptr) mover_->finish(direction, 0);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

index_t HaloPost::workspace_bytes() const {
  return shown_.buffer.bytes() + halo_.buffer.bytes() + (memory_ != nullptr ? memory_->bytes() : 0);
}

std::string HaloPost::strategy() const {
  if (shown_.slots.empty() && halo_.slots.empty()) return "none";
  const bool by_memory = shared_bytes() > 0, by_messages = shown_.buffer.bytes() + halo_.buffer.bytes() > 0;
  return by_memory && by_messages ? "shared+persistent" : by_memory ? "shared" : "persistent";
}

}  // namespace weft
