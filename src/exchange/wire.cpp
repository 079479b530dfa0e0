// Rounds messages to single precision before they are sent and widens them when they have arrived.
#include "exchange/wire.hpp"

#include <algorithm>
#include <utility>

#include "base/buffer.hpp"

namespace weft {

namespace {

class SingleWire final : public Mover {
 public:
  SingleWire(const Comm& comm, std::vector<ChunkMessages> chunks, const MoverOptions& options)
      : chunks_(std::move(chunks)) {
    std::vector<ChunkMessages> narrow = chunks_;
    comm.together([&] {
      for (ChunkMessages& chunk : narrow)
        for (auto* side : {&chunk.near, &chunk.far})
          for (Message& message : *side) narrow_down(message, options.arena);
    });
    narrow_ = std::move(narrow);
    mover_ = make_mover(comm, narrow_, options);
  }

  void start(Direction direction, std::size_t chunk) override {
    convert<double, float>(sent(chunks_[chunk], direction), sent(narrow_[chunk], direction));
    mover_->start(direction, chunk);
  }
  void progress() override { mover_->progress(); }
  void finish(Direction direction, std::size_t chunk) override {
    mover_->finish(direction, chunk);
    const Direction other = direction == Direction::forward ? Direction::backward : Direction::forward;
    convert<float, double>(sent(narrow_[chunk], other), sent(chunks_[chunk], other));
  }
  index_t forwarded_bytes() const override { return mover_->forwarded_bytes(); }
  index_t workspace_bytes() const override {
    index_t bytes = mover_->workspace_bytes();
    for (const auto& buffer : buffers_) bytes += buffer.bytes();
    return bytes;
  }

 private:
  void narrow_down(Message& message, const Arena& arena) {
    message.type = MPI_FLOAT;
    if (message.count == 0) return;
    buffers_.emplace_back(message.count, arena);
    message.address = buffers_.back().data();
  }

  // The messages sent in one direction are those received in the other.
  static const std::vector<Message>& sent(const ChunkMessages& messages, Direction direction) {
    return direction == Direction::forward ? messages.near : messages.far;
  }

  template <class From, class To>
  static void convert(const std::vector<Message>& from, const std::vector<Message>& to) {
    for (std::size_t peer = 0; peer < from.size(); peer++) {
      const auto* values = static_cast<const From*>(from[peer].address);
      std::transform(values, values + from[peer].count, static_cast<To*>(to[peer].address),
                     [](From value) { return static_cast<To>(value); });
    }
  }

  std::vector<ChunkMessages> chunks_, narrow_;
  std::vector<Buffer<float>> buffers_;
  std::unique_ptr<Mover> mover_;
};

}  // namespace

std::unique_ptr<Mover> make_single_wire(const Comm& comm, std::vector<ChunkMessages> chunks,
                                        const MoverOptions& options) {
  return std::make_unique<SingleWire>(comm, std::move(chunks), options);
}

}  // namespace weft
