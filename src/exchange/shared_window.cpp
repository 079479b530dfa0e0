// Strategy shared: the near side of every rank lies in the shared memory of the node. Forward, the next pass loads from
// the parts of its peers; backward, it stores to them. Nothing is copied; what remains is a barrier.
#include "base/node_memory.hpp"
#include "exchange/exchange.hpp"

namespace weft {

namespace {

template <class Real>
class SharedWindow final : public Exchange<Real> {
 public:
  SharedWindow(const Comm& comm, const ExchangePlan& plan, int rank)
      : memory_(comm, shared_window_bytes<Real>(plan, rank)) {
    const Box near = plan.near.box(rank), far = plan.far.box(rank);
    near_.width = far_.width = plan.width;
    for (const Block& block : exchange_blocks(plan, rank)) {
      const int other = plan.near.grid().neighbour(rank, plan.process_axis, block.peer);
      near_.segments.push_back(part(near, block.send, plan.near_axis, near, comm.rank()));
      far_.segments.push_back(part(plan.near.box(other), block.receive, plan.far_axis, far, block.peer));
      if (block.peer != comm.rank()) bytes_sent_ += block.send.size() * plan.width * static_cast<index_t>(sizeof(Real));
    }
  }

  SegmentedView<Real> near() const override { return near_; }
  SegmentedView<Real> far() const override { return far_; }

  // After the other direction nobody touches what this one overwrites but the rank itself: forward leaves the peers
  // reading just what they will overwrite themselves, backward leaves every rank reading its own window.
  void open(Direction direction) override {
    if (used_ && last_ == direction) memory_.synchronise();
    used_ = true;
    last_ = direction;
  }
  void move(Direction) override { memory_.synchronise(); }

  std::string name() const override { return "shared"; }
  index_t workspace_bytes() const override { return memory_.bytes(); }
  index_t bytes_sent() const override { return bytes_sent_; }

 private:
  // The part `box` of the array of `owner`, which lies in the part of `peer`, as a segment of my array `mine`.
  Segment<Real> part(const Box& owner, const Box& box, int axis, const Box& mine, int peer) const {
    const Extents strides = padded_strides<Real>(owner.extents(), near_.width);
    Real* data = reinterpret_cast<Real*>(memory_.part(peer));
    for (int a = 0; a < box.dims(); a++) data += (box[a].lo - owner[a].lo) * strides[a];
    return {box[axis].lo - mine[axis].lo, box[axis].size(), data, strides};
  }

  NodeMemory memory_;
  index_t bytes_sent_ = 0;
  SegmentedView<Real> near_, far_;
  bool used_ = false;
  Direction last_ = Direction::forward;
};

}  // namespace

template <class Real>
index_t shared_window_bytes(const ExchangePlan& plan, int rank) {
  const Extents extents = plan.near.box(rank).extents();
  return reals_spanned(extents, padded_strides<Real>(extents, plan.width)) * static_cast<index_t>(sizeof(Real));
}

template <class Real>
std::unique_ptr<Exchange<Real>> make_shared_window(const Comm& comm, const ExchangePlan& plan, int rank) {
  return std::make_unique<SharedWindow<Real>>(comm, plan, rank);
}

template index_t shared_window_bytes<double>(const ExchangePlan&, int);
template index_t shared_window_bytes<float>(const ExchangePlan&, int);
template std::unique_ptr<Exchange<double>> make_shared_window<double>(const Comm&, const ExchangePlan&, int);
template std::unique_ptr<Exchange<float>> make_shared_window<float>(const Comm&, const ExchangePlan&, int);

}  // namespace weft
