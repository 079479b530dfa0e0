// Strategy alltoallv: every block is contiguous in a near and in a far buffer, one non-blocking collective moves them.
// The pass before stores straight into the buffer, the pass behind loads straight from it. A rank's own block lies in
// the far buffer from the start.
#include <algorithm>
#include <utility>

#include "exchange/exchange.hpp"

namespace weft {

namespace {

template <class Real>
MPI_Datatype mpi_real();
template <>
MPI_Datatype mpi_real<double>() {
  return MPI_DOUBLE;
}
template <>
MPI_Datatype mpi_real<float>() {
  return MPI_FLOAT;
}

// A committed datatype of `count` reals at `displacement` bytes, however many: MPI counts are ints.
class LargeType {
 public:
  LargeType(MPI_Datatype real, index_t count, index_t displacement) {
    constexpr index_t chunk = index_t{1} << 30;
    MPI_Datatype full = MPI_DATATYPE_NULL, chunks = MPI_DATATYPE_NULL, rest = MPI_DATATYPE_NULL;
    int real_size = 0;
    MPI_Type_size(real, &real_size);
    MPI_Type_contiguous(static_cast<int>(chunk), real, &full);
    MPI_Type_contiguous(static_cast<int>(count / chunk), full, &chunks);
    MPI_Type_contiguous(static_cast<int>(count % chunk), real, &rest);
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {displacement, displacement + count / chunk * chunk * real_size};
    const MPI_Datatype parts[2] = {chunks, rest};
    MPI_Type_create_struct(2, lengths, places, parts, &type_);
    MPI_Type_commit(&type_);
    for (MPI_Datatype* part : {&full, &chunks, &rest}) MPI_Type_free(part);
  }
  LargeType(LargeType&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  LargeType& operator=(LargeType&&) = delete;
  ~LargeType() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (type_ != MPI_DATATYPE_NULL && finalized == 0) MPI_Type_free(&type_);
  }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// One side of the exchange: the blocks of all peers, one behind the other.
template <class Real>
struct Side {
  Buffer<Real> data;
  SegmentedView<Real> view;
  std::vector<index_t> counts, offsets;  // reals per peer; the own block has none
  std::vector<int> int_counts, int_offsets;
  std::vector<LargeType> types;       // only when ints do not suffice
  std::vector<MPI_Datatype> handles;  // of these
};

template <class Real>
class Alltoallv final : public Exchange<Real> {
 public:
  Alltoallv(const Comm& comm, const ExchangePlan& plan, int rank, index_t message_limit)
      : comm_(comm), own_(plan.near.grid().coordinate(rank, plan.process_axis)) {
    const std::vector<Block> blocks = exchange_blocks(plan, rank);
    std::vector<Box> sends, receives;
    for (const Block& block : blocks) {
      sends.push_back(block.send);
      receives.push_back(block.receive);
    }
    lay_out(near_, sends, plan.near.box(rank)[plan.near_axis].lo, plan.near_axis, plan.width, true);
    lay_out(far_, receives, plan.far.box(rank)[plan.far_axis].lo, plan.far_axis, plan.width, false);
    share_own_block();
    large_ = std::max(most_reals(plan.near, plan.width), most_reals(plan.far, plan.width)) > message_limit;
    ones_.assign(near_.counts.size(), 1);
    zeros_.assign(near_.counts.size(), 0);
    for (Side<Real>* side : {&near_, &far_}) finish_counts(*side);
  }

  SegmentedView<Real> near() const override { return near_.view; }
  SegmentedView<Real> far() const override { return far_.view; }
  void open(Direction) override {}

  void move(Direction direction) override {
    const Side<Real>& from = direction == Direction::forward ? near_ : far_;
    const Side<Real>& to = direction == Direction::forward ? far_ : near_;
    MPI_Request request = MPI_REQUEST_NULL;
    if (large_) {
      start_large(from, to, request);
    } else {
      MPI_Ialltoallv(from.data.data(), from.int_counts.data(), from.int_offsets.data(), mpi_real<Real>(),
                     to.data.data(), to.int_counts.data(), to.int_offsets.data(), mpi_real<Real>(), comm_.handle(),
                     &request);
    }
    comm_.wait(request);
  }

  std::string name() const override { return "alltoallv"; }
  std::string detail() const override { return large_ ? "64-bit counts" : ""; }
  index_t workspace_bytes() const override { return near_.data.bytes() + far_.data.bytes(); }
  index_t bytes_sent() const override {
    index_t reals = 0;
    for (const index_t count : near_.counts) reals += count;
    return reals * static_cast<index_t>(sizeof(Real));
  }

 private:
  // Rows and planes of a block are padded as those of any array of the library, unless that adds more than a part in
  // `padding` to what is sent.
  static constexpr index_t padding = 16;
  static Extents block_strides(const Box& box, int width) {
    const Extents extents = box.extents(), padded = padded_strides<Real>(extents, width);
    const index_t reals = box.size() * width;
    return reals_spanned(extents, padded) - reals <= reals / padding ? padded : real_strides(extents, width);
  }
  static constexpr index_t cache_line = 64 / static_cast<index_t>(sizeof(Real));

  // `lower` is where the rank's box begins along the view's axis. The near buffer has no room for the own block.
  void lay_out(Side<Real>& side, const std::vector<Box>& boxes, index_t lower, int axis, int width, bool skip_own) {
    index_t reals = 0;
    for (std::size_t peer = 0; peer < boxes.size(); peer++) {
      const bool own = static_cast<int>(peer) == own_;
      const index_t size = reals_spanned(boxes[peer].extents(), block_strides(boxes[peer], width));
      side.offsets.push_back(reals);
      side.counts.push_back(own ? 0 : size);
      if (!own || !skip_own) reals += round_up(size, cache_line);
    }
    side.data = Buffer<Real>(reals);
    side.view.width = width;
    for (std::size_t peer = 0; peer < boxes.size(); peer++) {
      const Range range = boxes[peer][axis];
      side.view.segments.push_back(
          {range.lo - lower, range.size(), side.data.data() + side.offsets[peer], block_strides(boxes[peer], width)});
    }
  }

  void share_own_block() {
    const auto own = static_cast<std::size_t>(own_);
    near_.view.segments[own].base = far_.view.segments[own].base;
  }

  // No count or offset of any rank is larger; the same on all ranks, as the choice of the MPI call has to be.
  static index_t most_reals(const Layout& layout, int width) {
    index_t reals = width, peers = 1;
    for (int axis = 0; axis < layout.dims(); axis++) {
      const int process_axis = layout.process_axis(axis);
      const int parts = process_axis == Layout::uncut ? 1 : layout.grid()[process_axis];
      reals *= Partition(layout.extents()[axis], parts, layout.scheme()).largest();
      peers *= parts;
    }
    return reals + reals / padding + peers * cache_line;
  }

  void finish_counts(Side<Real>& side) {
    for (std::size_t peer = 0; peer < side.counts.size(); peer++) {
      if (large_) {
        side.types.emplace_back(mpi_real<Real>(), side.counts[peer],
                                side.offsets[peer] * static_cast<index_t>(sizeof(Real)));
        side.handles.push_back(side.types.back().get());
      } else {
        side.int_counts.push_back(static_cast<int>(side.counts[peer]));
        side.int_offsets.push_back(static_cast<int>(side.offsets[peer]));
      }
    }
  }

  void start_large(const Side<Real>& from, const Side<Real>& to, MPI_Request& request) const {
    MPI_Ialltoallw(from.data.data(), ones_.data(), zeros_.data(), from.handles.data(), to.data.data(), ones_.data(),
                   zeros_.data(), to.handles.data(), comm_.handle(), &request);
  }

  Comm comm_;
  int own_;
  Side<Real> near_, far_;
  bool large_ = false;
  std::vector<int> ones_, zeros_;  // one element of a LargeType to each peer, at no offset
};

}  // namespace

template <class Real>
std::unique_ptr<Exchange<Real>> make_alltoallv(const Comm& comm, const ExchangePlan& plan, int rank,
                                               index_t message_limit) {
  return std::make_unique<Alltoallv<Real>>(comm, plan, rank, message_limit);
}

template std::unique_ptr<Exchange<double>> make_alltoallv<double>(const Comm&, const ExchangePlan&, int, index_t);
template std::unique_ptr<Exchange<float>> make_alltoallv<float>(const Comm&, const ExchangePlan&, int, index_t);

}  // namespace weft
