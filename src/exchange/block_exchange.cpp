// The exchange of every strategy: blocks in the memory of the near side and of the far side, and messages between them.
// A block needs no message if its receiver is the rank itself or reads the memory of the sender. Such a block lies only
// on the near side of the sender, and both views show it there.
#include <algorithm>
#include <utility>

#include "base/node_memory.hpp"
#include "exchange/block_offsets.hpp"
#include "exchange/datatypes.hpp"
#include "exchange/sharing.hpp"
#include "exchange/strategy.hpp"
#include "exchange/wire.hpp"

namespace weft {

namespace {

bool everybody(int) { return true; }

template <class Real>
class BlockExchange final : public Exchange<Real> {
 public:
  BlockExchange(const Comm& line, const Comm& node, const ExchangePlan& plan, int rank, const ExchangeOptions& options)
      : plan_(plan),
        rank_(rank),
        options_(options),
        row_(row_of(options.strategy)),
        near_(block_offsets<Real>(plan, rank, ExchangeEnd::near, row_.near, everybody)) {
    find_sharers(line, node);
    const auto needs_message = [this](int peer) { return sharers_[static_cast<std::size_t>(peer)] < 0; };
    far_ = block_offsets<Real>(plan, rank, ExchangeEnd::far, row_.far, needs_message);
    const bool any = std::any_of(sharers_.begin(), sharers_.end(), [](int sharer) { return sharer < 0; });
    line.together([&] {
      if (!row_.shares_memory) near_memory_ = Buffer<Real>(near_.reals, options.arena);
      if (any) far_memory_ = Buffer<Real>(far_.reals, options.arena);
    });
    line.together([&] {  // if one node has too little memory, the others must not wait for its ranks
      if (row_.shares_memory)
        node_memory_ = std::make_unique<NodeMemory>(node, near_.reals * static_cast<index_t>(sizeof(Real)));
    });
    if (options.strategy != Strategy::shared) make_messages(line);
  }

  PassEndpoint<Real> near() const override {
    return make_endpoint(near_, plan_.near_axis, plan_.chunk_axis != plan_.near_axis,
                         [this](std::size_t chunk, std::size_t peer) {
                           const StoredBlock& stored = near_.chunks[chunk][peer];
                           return std::pair(stored, near_base() + stored.offset);
                         });
  }
  PassEndpoint<Real> far() const override {
    return make_endpoint(far_, plan_.far_axis, plan_.chunk_axis != plan_.far_axis,
                         [this](std::size_t chunk, std::size_t peer) { return far_block(chunk, peer); });
  }
  int chunks() const override { return plan_.chunks; }

  // After the opposite direction only the rank itself still uses the memory that this direction overwrites: after
  // forward, the peers of the node read only memory that they overwrite themselves; after backward, every rank reads
  // only its own memory.
  void open(Direction direction) override {
    if (node_memory_ != nullptr && used_ && last_ == direction) node_memory_->synchronise();
    used_ = true;
    last_ = direction;
  }
  void start(Direction direction, int chunk) override {
    if (mover_ != nullptr) mover_->start(direction, static_cast<std::size_t>(chunk));
  }
  void progress() override {
    if (mover_ != nullptr) mover_->progress();
  }
  void finish(Direction direction, int chunk) override {
    if (mover_ != nullptr) mover_->finish(direction, static_cast<std::size_t>(chunk));
    if (node_memory_ != nullptr) node_memory_->synchronise();
  }

  std::string name() const override { return to_string(options_.strategy); }
  std::string detail() const override {
    std::string text;
    const auto add = [&text](const std::string& more) { text += (text.empty() || more.empty() ? "" : ", ") + more; };
    if (options_.strategy == Strategy::hierarchical)
      add(messages_between_nodes(messages_, static_cast<int>(sharers_.size()), options_.between_nodes));
    if (mover_ != nullptr) add(mover_->detail());
    if (split_ && mover_->detail().empty()) add("at most " + std::to_string(options_.message_limit) + " reals at once");
    return text;
  }
  index_t workspace_bytes() const override {
    return (node_memory_ != nullptr ? node_memory_->bytes() : near_memory_.bytes()) + far_memory_.bytes() +
           (mover_ != nullptr ? mover_->workspace_bytes() : 0);
  }
  index_t bytes_sent() const override {
    index_t reals = 0;
    for (const auto& chunk : near_.chunks)
      for (std::size_t peer = 0; peer < chunk.size(); peer++)
        if (static_cast<int>(peer) != own_) reals += chunk[peer].box.size() * plan_.width;
    const std::size_t real_bytes = options_.wire == Wire::single && mover_ ? sizeof(float) : sizeof(Real);
    return reals * static_cast<index_t>(real_bytes) + (mover_ ? mover_->forwarded_bytes() : 0);
  }

 private:
  // The place of every peer in the memory of the node, or -1 if the peer needs messages.
  void find_sharers(const Comm& line, const Comm& node) {
    own_ = line.rank();
    sharers_.assign(static_cast<std::size_t>(line.size()), -1);
    sharers_[static_cast<std::size_t>(own_)] = 0;
    if (!row_.shares_memory) return;
    int sharer = 0;
    for (const index_t peer : node.all_gather(own_)) sharers_[static_cast<std::size_t>(peer)] = sharer++;
    for (const int found : sharers_) messages_ += found < 0 ? 1 : 0;
    for (int peer = 0; peer < line.size(); peer++)
      if (sharers_[static_cast<std::size_t>(peer)] >= 0)
        peers_near_.push_back(
            {peer, block_offsets<Real>(plan_, world_rank(peer), ExchangeEnd::near, row_.near, everybody)});
  }
  int world_rank(int peer) const { return plan_.near.grid().neighbour(rank_, plan_.process_axis, peer); }

  Real* near_base() const {
    if (node_memory_ == nullptr) return near_memory_.data();
    return reinterpret_cast<Real*>(node_memory_->part(sharers_[static_cast<std::size_t>(own_)]));
  }

  // The place on the far side of the block that a peer sends to this rank.
  std::pair<StoredBlock, Real*> far_block(std::size_t chunk, std::size_t peer) const {
    const auto own = static_cast<std::size_t>(own_);
    if (sharers_[peer] < 0) {
      const StoredBlock& stored = far_.chunks[chunk][peer];
      return {stored, far_memory_.data() + stored.offset};
    }
    if (node_memory_ == nullptr) return {near_.chunks[chunk][own], near_base() + near_.chunks[chunk][own].offset};
    const auto found = std::find_if(peers_near_.begin(), peers_near_.end(),
                                    [peer](const auto& near) { return near.peer == static_cast<int>(peer); });
    const StoredBlock& stored = found->blocks.chunks[chunk][own];
    return {stored, reinterpret_cast<Real*>(node_memory_->part(sharers_[peer])) + stored.offset};
  }

  // The view of an end: in one part, or by chunks if the chunks are cut along an axis of its batches.
  template <class Find>
  PassEndpoint<Real> make_endpoint(const BlockOffsets& blocks, int axis, bool by_chunk, const Find& find) const {
    PassEndpoint<Real> endpoint;
    const bool chunked = by_chunk && plan_.chunks > 1;
    endpoint.axis = chunked ? plan_.chunk_axis : -1;
    for (std::size_t chunk = 0; chunk < blocks.chunks.size(); chunk++) {
      if (chunked || chunk == 0) endpoint.parts.push_back({{}, {plan_.width, {}, false}});
      Part<Real>& part = endpoint.parts.back();
      for (std::size_t peer = 0; peer < blocks.chunks[chunk].size(); peer++) {
        const auto [stored, data] = find(chunk, peer);
        if (chunked && !stored.box.empty()) part.lines = local(stored.box[endpoint.axis], blocks.box[endpoint.axis]);
        if (!stored.box.empty()) part.view.segments.push_back(segment(stored, data, blocks.box, axis));
      }
    }
    return endpoint;
  }
  static Range local(Range range, Range all) { return {range.lo - all.lo, range.hi - all.lo}; }

  // A block as a segment of the array `mine`. Its base is where index 0 of the other axes would lie.
  static Segment<Real> segment(const StoredBlock& stored, Real* data, const Box& mine, int axis) {
    for (int a = 0; a < mine.dims(); a++)
      if (a != axis) data -= (stored.box[a].lo - mine[a].lo) * stored.strides[a];
    return {stored.box[axis].lo - mine[axis].lo, stored.box[axis].size(), data, stored.strides};
  }

  void make_messages(const Comm& line) {
    std::vector<ChunkMessages> traffic(near_.chunks.size());
    for (std::size_t chunk = 0; chunk < traffic.size(); chunk++)
      for (std::size_t peer = 0; peer < sharers_.size(); peer++) {
        const bool needed = sharers_[peer] < 0;
        traffic[chunk].near.push_back(message(needed, peer, near_.chunks[chunk][peer], near_base()));
        traffic[chunk].far.push_back(message(needed, peer, far_.chunks[chunk][peer], far_memory_.data()));
      }
    const bool hierarchical = options_.strategy == Strategy::hierarchical;
    const MoverOptions options{hierarchical ? options_.between_nodes : options_.strategy, options_.send_batch,
                               options_.max_pending, options_.message_limit, options_.arena};
    const bool narrow = options_.wire == Wire::single && sizeof(Real) > sizeof(float);
    if (narrow && row_.near != Storage::blocks)
      throw Error(Fault::internal, "wire: '" + to_string(options_.strategy) + "' has no packed messages to narrow");
    mover_ = narrow ? make_single_wire(line, std::move(traffic), options) : make_mover(line, traffic, options);
  }

  // Blocks that are padded alike on both sides are sent with their padding, all others as datatypes.
  Message message(bool needed, std::size_t peer, const StoredBlock& stored, Real* memory) {
    Message message{static_cast<int>(peer), nullptr, 0, mpi_real<Real>()};
    if (!needed || stored.box.empty()) return message;
    message.address = memory + stored.offset;
    split_ = split_ || stored.box.size() * plan_.width > options_.message_limit;
    if (row_.near == Storage::blocks) {
      message.count = stored.reals;
    } else {
      types_.push_back(array_type<Real>(stored.box.extents(), stored.strides, plan_.width, options_.message_limit));
      message.count = 1;
      message.type = types_.back().get();
    }
    return message;
  }

  // A sharer of the node's memory and its near side.
  struct PeerNear {
    int peer;
    BlockOffsets blocks;
  };

  ExchangePlan plan_;
  int rank_, own_ = 0;
  ExchangeOptions options_;
  const StrategyRow& row_;
  BlockOffsets near_, far_;
  std::vector<int> sharers_;
  std::vector<PeerNear> peers_near_;
  Buffer<Real> near_memory_, far_memory_;
  std::unique_ptr<NodeMemory> node_memory_;
  std::vector<Datatype> types_;
  std::unique_ptr<Mover> mover_;
  int messages_ = 0;
  bool split_ = false;
  bool used_ = false;
  Direction last_ = Direction::forward;
};

}  // namespace

template <class Real>
std::unique_ptr<Exchange<Real>> make_exchange(const Comm& line, const Comm& node, const ExchangePlan& plan, int rank,
                                              const ExchangeOptions& options) {
  return std::make_unique<BlockExchange<Real>>(line, node, plan, rank, options);
}

template <class Real>
index_t shared_bytes(const ExchangePlan& plan, int rank, Strategy strategy) {
  const StrategyRow& row = row_of(strategy);
  if (!row.shares_memory) return 0;
  return block_offsets<Real>(plan, rank, ExchangeEnd::near, row.near, everybody).reals *
         static_cast<index_t>(sizeof(Real));
}

template std::unique_ptr<Exchange<double>> make_exchange<double>(const Comm&, const Comm&, const ExchangePlan&, int,
                                                                 const ExchangeOptions&);
template std::unique_ptr<Exchange<float>> make_exchange<float>(const Comm&, const Comm&, const ExchangePlan&, int,
                                                               const ExchangeOptions&);
template index_t shared_bytes<double>(const ExchangePlan&, int, Strategy);
template index_t shared_bytes<float>(const ExchangePlan&, int, Strategy);

}  // namespace weft
