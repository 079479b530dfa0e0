// Strategy shared: the near side of every rank lies in an MPI-3 shared window of the node. Forward, the next pass loads
// from the windows of its peers; backward, it stores to them. Nothing is copied; what remains is a barrier.
#include <cstring>

#include "exchange/exchange.hpp"

namespace weft {

namespace {

constexpr index_t page = 4096;

template <class Real>
class SharedWindow final : public Exchange<Real> {
 public:
  SharedWindow(const Comm& comm, const ExchangePlan& plan, int rank)
      : comm_(comm), bytes_(shared_window_bytes<Real>(plan, rank)) {
    allocate();
    const Box near = plan.near.box(rank), far = plan.far.box(rank);
    near_.width = far_.width = plan.width;
    for (const Block& block : exchange_blocks(plan, rank)) {
      const int other = plan.near.grid().neighbour(rank, plan.process_axis, block.peer);
      near_.segments.push_back(part(near, block.send, plan.near_axis, near, base(comm_.rank())));
      far_.segments.push_back(part(plan.near.box(other), block.receive, plan.far_axis, far, base(block.peer)));
      if (block.peer != comm_.rank())
        bytes_sent_ += block.send.size() * plan.width * static_cast<index_t>(sizeof(Real));
    }
  }
  ~SharedWindow() override {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized != 0) return;
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  SharedWindow(const SharedWindow&) = delete;
  SharedWindow& operator=(const SharedWindow&) = delete;

  SegmentedView<Real> near() const override { return near_; }
  SegmentedView<Real> far() const override { return far_; }

  // After the other direction nobody touches what this one overwrites but the rank itself: forward leaves the peers
  // reading just what they will overwrite themselves, backward leaves every rank reading its own window.
  void open(Direction direction) override {
    if (used_ && last_ == direction) synchronise();
    used_ = true;
    last_ = direction;
  }
  void move(Direction) override { synchronise(); }

  std::string name() const override { return "shared"; }
  index_t workspace_bytes() const override { return bytes_; }
  index_t bytes_sent() const override { return bytes_sent_; }

 private:
  // The part `box` of the array of `owner` that lies at `data`, as a segment of my array `mine` along `axis`.
  Segment<Real> part(const Box& owner, const Box& box, int axis, const Box& mine, Real* data) const {
    const Extents strides = padded_strides<Real>(owner.extents(), near_.width);
    for (int a = 0; a < box.dims(); a++) data += (box[a].lo - owner[a].lo) * strides[a];
    return {box[axis].lo - mine[axis].lo, box[axis].size(), data, strides};
  }

  void allocate() {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    void* mine = nullptr;
    MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes_), 1, info, comm_.handle(), static_cast<void*>(&mine),
                            &window_);
    MPI_Info_free(&info);
    // MPI_Win_sync is only allowed inside an access epoch.
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
    // Touched now, so that the next plan sees how much shared memory is really left.
    std::memset(mine, 0, static_cast<std::size_t>(bytes_));
  }

  Real* base(int peer) const {
    MPI_Aint size = 0;
    int unit = 0;
    void* address = nullptr;
    MPI_Win_shared_query(window_, peer, &size, &unit, static_cast<void*>(&address));
    const index_t past = reinterpret_cast<std::intptr_t>(address) % page;
    return reinterpret_cast<Real*>(static_cast<char*>(address) + (past == 0 ? 0 : page - past));
  }

  void synchronise() const {
    MPI_Win_sync(window_);
    comm_.barrier();
    MPI_Win_sync(window_);
  }

  Comm comm_;
  index_t bytes_;
  index_t bytes_sent_ = 0;
  MPI_Win window_ = MPI_WIN_NULL;
  SegmentedView<Real> near_, far_;
  bool used_ = false;
  Direction last_ = Direction::forward;
};

}  // namespace

template <class Real>
index_t shared_window_bytes(const ExchangePlan& plan, int rank) {
  const Extents extents = plan.near.box(rank).extents();
  const index_t reals = reals_spanned(extents, padded_strides<Real>(extents, plan.width));
  return round_up(reals * static_cast<index_t>(sizeof(Real)), page) + page;
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
