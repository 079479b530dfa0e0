// Packed blocks: peers of the node read them in place, all other ranks receive them as messages.
#include "exchange/block_mover.hpp"

#include <algorithm>

namespace weft {

namespace {

// What this rank and a peer exchange, as a part of one of this rank's boxes.
struct Parcel {
  int peer;
  Box box;
  index_t bytes;
  char* packed = nullptr;         // where this rank packs it
  const char* arrives = nullptr;  // where it finds what the peer has packed for it
};

index_t bytes_of(const Box& box, const BlockPlan& plan) { return box.size() * plan.element_bytes; }

// The offset of the block of each rank of the node in the part of `owner`, in the order of `node`, then the end.
std::vector<index_t> offsets_in_part(const std::vector<int>& node, int owner, const BlockPlan& plan,
                                     Direction direction) {
  const Box& source = plan.sources(direction)[static_cast<std::size_t>(owner)];
  std::vector<index_t> offsets{0};
  for (const int peer : node) {
    const Box block = intersect(source, plan.targets(direction)[static_cast<std::size_t>(peer)]);
    offsets.push_back(offsets.back() + (peer == owner ? 0 : round_up(bytes_of(block, plan), cache_line_bytes)));
  }
  return offsets;
}

// The ranks of `node`, as ranks of `comm`.
std::vector<int> members(const Comm& comm, const Comm& node) {
  std::vector<int> ranks;
  for (const index_t rank : node.all_gather(comm.rank())) ranks.push_back(static_cast<int>(rank));
  return ranks;
}

index_t part_bytes(const std::vector<int>& node, int rank, const BlockPlan& plan) {
  return std::max(offsets_in_part(node, rank, plan, Direction::forward).back(),
                  offsets_in_part(node, rank, plan, Direction::backward).back());
}

class PackedBlocks final : public BlockMover {
 public:
  PackedBlocks(const Comm& comm, const Comm& node, const BlockPlan& plan, const BlockMoverOptions& options)
      : rank_(comm.rank()), plan_(plan), threads_(options.threads), node_(members(comm, node)) {
    comm.together([&] {  // if one node has too little memory, the others must not wait for its ranks
      if (node.size() > 1) memory_ = std::make_unique<NodeMemory>(node, part_bytes(node_, rank_, plan_));
    });
    comm.together([&] {
      for (const Direction sent : {Direction::forward, Direction::backward}) add_parcels(sent, comm.size());
    });
    if (comm.max(near_.messages.size() + far_.messages.size() > 0 ? index_t{1} : index_t{0}) > 0)
      mover_ = make_mover(comm, {{traffic(near_, comm.size()), traffic(far_, comm.size())}}, options.messages);
  }

  void run(Direction direction, const BlockArrays& arrays, const BlockSources* sources,
           const std::function<void()>& overlapped_work) override {
    const BoxParcels &source = parcels_of(direction == Direction::forward),
                     &target = parcels_of(direction != Direction::forward);
    pack(source.messages, arrays.in, source.box);
    if (mover_ != nullptr) mover_->start(direction, 0);
    if (sources != nullptr) {
      read(*sources, target, arrays.out, overlapped_work);
    } else {
      share(source, target, arrays, overlapped_work);
    }
    if (mover_ != nullptr) mover_->finish(direction, 0);
    unpack(target.messages, arrays.out, target.box);
  }

  index_t workspace_bytes() const override {
    return near_.buffer.bytes() + far_.buffer.bytes() + (memory_ != nullptr ? memory_->bytes() : 0) +
           (mover_ != nullptr ? mover_->workspace_bytes() : 0);
  }

 private:
  // The blocks and messages of one of the two boxes of this rank.
  struct BoxParcels {
    Box box;
    std::vector<Parcel> messages, shared;
    Buffer<char> buffer;  // of the messages
  };

  BoxParcels& parcels_of(bool near) { return near ? near_ : far_; }

  // `sent`: the direction in which ranks send these blocks.
  void add_parcels(Direction sent, int ranks) {
    BoxParcels& mine = parcels_of(sent == Direction::forward);
    mine.box = plan_.sources(sent)[static_cast<std::size_t>(rank_)];
    for (int peer = 0; peer < ranks; peer++) {
      const Box box = intersect(mine.box, plan_.targets(sent)[static_cast<std::size_t>(peer)]);
      if (peer == rank_ || box.empty()) continue;
      const bool is_near = memory_ != nullptr && std::find(node_.begin(), node_.end(), peer) != node_.end();
      (is_near ? mine.shared : mine.messages).push_back({peer, box, bytes_of(box, plan_)});
    }
    place_shared(sent, mine);
    place_messages(mine);
  }

  void place_shared(Direction sent, BoxParcels& mine) {
    const Direction other = sent == Direction::forward ? Direction::backward : Direction::forward;
    const auto place = [this](int rank) { return std::find(node_.begin(), node_.end(), rank) - node_.begin(); };
    if (mine.shared.empty()) return;
    const std::vector<index_t> offsets = offsets_in_part(node_, rank_, plan_, sent);
    for (Parcel& parcel : mine.shared) {
      const auto theirs = offsets_in_part(node_, parcel.peer, plan_, other);
      const auto peer = static_cast<std::size_t>(place(parcel.peer)), me = static_cast<std::size_t>(place(rank_));
      parcel.packed = memory_->part(static_cast<int>(me)) + offsets[peer];
      parcel.arrives = memory_->part(static_cast<int>(peer)) + theirs[me];
    }
  }

  static void place_messages(BoxParcels& mine) {
    index_t bytes = 0;
    for (const Parcel& parcel : mine.messages) bytes += round_up(parcel.bytes, cache_line_bytes);
    mine.buffer = Buffer<char>(bytes);
    char* next = mine.buffer.data();
    for (Parcel& parcel : mine.messages) {
      parcel.packed = next;
      parcel.arrives = next;
      next += round_up(parcel.bytes, cache_line_bytes);
    }
  }

  static std::vector<Message> traffic(const BoxParcels& mine, int ranks) {
    std::vector<Message> messages;
    messages.reserve(static_cast<std::size_t>(ranks));
    for (int peer = 0; peer < ranks; peer++) messages.push_back({peer, nullptr, 0, MPI_BYTE});
    for (const Parcel& parcel : mine.messages)
      messages[static_cast<std::size_t>(parcel.peer)] = {parcel.peer, parcel.packed, parcel.bytes, MPI_BYTE};
    return messages;
  }

  CopyOptions copy_options(const Box& box) const { return {threads_, bytes_of(box, plan_) > stream_copies_from}; }

  void pack(const std::vector<Parcel>& parcels, const ByteArray<const char>& array, const Box& box) const {
    for (const Parcel& parcel : parcels) {
      const Extents extents = parcel.box.extents();
      copy_block(part_of(array, box, parcel.box), {parcel.packed, packed_strides(extents, plan_.element_bytes)},
                 extents, plan_.element_bytes, copy_options(box));
    }
  }

  void unpack(const std::vector<Parcel>& parcels, const ByteArray<char>& array, const Box& box) const {
    for (const Parcel& parcel : parcels) {
      const Extents extents = parcel.box.extents();
      copy_block({parcel.arrives, packed_strides(extents, plan_.element_bytes)}, part_of(array, box, parcel.box),
                 extents, plan_.element_bytes, copy_options(box));
    }
  }

  // Through the memory of the node. Peers may still be reading the blocks of the last run there.
  void share(const BoxParcels& source, const BoxParcels& target, const BlockArrays& arrays,
             const std::function<void()>& overlapped_work) {
    if (memory_ != nullptr && used_) memory_->synchronise();
    used_ = true;
    pack(source.shared, arrays.in, source.box);
    if (memory_ != nullptr) memory_->synchronise();
    unpack(target.shared, arrays.out, target.box);
    overlapped_work();
  }

  // Directly from the arrays of the peers.
  void read(const BlockSources& sources, const BoxParcels& target, const ByteArray<char>& out,
            const std::function<void()>& overlapped_work) const {
    sources.memory.synchronise();
    for (const Parcel& parcel : target.shared) {
      const auto peer = static_cast<std::size_t>(parcel.peer);
      copy_block(part_of(sources.arrays[peer], plan_.from[peer], parcel.box), part_of(out, target.box, parcel.box),
                 parcel.box.extents(), plan_.element_bytes, copy_options(target.box));
    }
    overlapped_work();
    sources.memory.synchronise();
  }

  int rank_;
  BlockPlan plan_;
  int threads_;
  std::vector<int> node_;
  std::unique_ptr<NodeMemory> memory_;  // null if this rank is alone on its node
  BoxParcels near_, far_;               // of the boxes `from` and `to`
  std::unique_ptr<Mover> mover_;        // null if no rank sends a message
  bool used_ = false;
};

}  // namespace

index_t shared_block_bytes(const Comm& comm, const Comm& node, const BlockPlan& plan) {
  return part_bytes(members(comm, node), comm.rank(), plan);
}

std::unique_ptr<BlockMover> make_block_mover(const Comm& comm, const Comm& node, const BlockPlan& plan,
                                             const BlockMoverOptions& options) {
  return std::make_unique<PackedBlocks>(comm, node, plan, options);
}

}  // namespace weft
