// Blocks that MPI reads and writes directly in the users' arrays (strategy alltoallw; Dalcin et al. 2019).
#include "exchange/block_mover.hpp"
#include "exchange/datatypes.hpp"

namespace weft {

namespace {

// The arguments of MPI_Ialltoallw for one array: a type for the block of each peer, which begins at the first element
// of the array. The types are made again only when the strides change.
class BlockTypes {
 public:
  explicit BlockTypes(int ranks)
      : types_(static_cast<std::size_t>(ranks)),
        handles_(types_.size(), MPI_BYTE),
        counts_(types_.size(), 0),
        displacements_(types_.size(), 0) {}

  const MPI_Datatype* handles() const { return handles_.data(); }
  const int* counts() const { return counts_.data(); }
  const int* displacements() const { return displacements_.data(); }

  // The blocks that the box of `rank` shares with those of others.
  void describe(const std::vector<Box>& mine, const std::vector<Box>& others, int rank, const Extents& strides,
                index_t element_bytes, index_t limit) {
    if (strides == strides_) return;
    const Box& box = mine[static_cast<std::size_t>(rank)];
    for (std::size_t peer = 0; peer < types_.size(); peer++) {
      const Box block = intersect(box, others[peer]);
      if (static_cast<int>(peer) == rank || block.empty()) continue;
      MPI_Aint start = 0;
      for (int axis = 0; axis < box.dims(); axis++)
        start += static_cast<MPI_Aint>((block[axis].lo - box[axis].lo) * strides[axis]);
      const Datatype shape = block_type(block.extents(), strides, element_bytes, limit);
      MPI_Datatype shifted = MPI_DATATYPE_NULL;
      MPI_Type_create_hindexed_block(1, 1, &start, shape.get(), &shifted);
      types_[peer] = Datatype(shifted);
      handles_[peer] = types_[peer].get();
      counts_[peer] = 1;
    }
    strides_ = strides;
  }

 private:
  std::vector<Datatype> types_;
  std::vector<MPI_Datatype> handles_;
  std::vector<int> counts_, displacements_;
  Extents strides_;  // of the last call
};

class DatatypeBlocks final : public BlockMover {
 public:
  DatatypeBlocks(const Comm& comm, const BlockPlan& plan, index_t message_limit)
      : comm_(comm), plan_(plan), limit_(message_limit), from_(comm.size()), to_(comm.size()) {}

  void run(Direction direction, const BlockArrays& arrays, const BlockSources*,
           const std::function<void()>& overlapped_work) override {
    const bool forward = direction == Direction::forward;
    BlockTypes &sends = forward ? from_ : to_, &receives = forward ? to_ : from_;
    const std::vector<Box>&sources = plan_.sources(direction), &targets = plan_.targets(direction);
    sends.describe(sources, targets, comm_.rank(), arrays.in.strides, plan_.element_bytes, limit_);
    receives.describe(targets, sources, comm_.rank(), arrays.out.strides, plan_.element_bytes, limit_);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ialltoallw(arrays.in.data, sends.counts(), sends.displacements(), sends.handles(), arrays.out.data,
                   receives.counts(), receives.displacements(), receives.handles(), comm_.handle(), &request);
    overlapped_work();
    comm_.wait(request);
  }

  index_t workspace_bytes() const override { return 0; }

 private:
  Comm comm_;
  BlockPlan plan_;
  index_t limit_;  // bytes
  BlockTypes from_, to_;
};

}  // namespace

std::unique_ptr<BlockMover> make_datatype_block_mover(const Comm& comm, const BlockPlan& plan, index_t message_limit) {
  return std::make_unique<DatatypeBlocks>(comm, plan, message_limit);
}

}  // namespace weft
