// Computes the offsets of the blocks at the ends of exchanges.
#include "exchange/block_offsets.hpp"

namespace weft {

namespace {

// Rows and planes of a block are padded like those of any internal array, unless the padding adds more than a part in
// `padding` to the sent data.
template <class Real>
Extents block_strides(const Box& box, const ExchangePlan& plan) {
  constexpr index_t padding = 16;
  const Extents extents = box.extents(), padded = padded_strides<Real>(extents, plan.width, plan.memory_order);
  const index_t reals = box.size() * plan.width;
  return reals_spanned(extents, padded) - reals <= reals / padding
             ? padded
             : real_strides(extents, plan.width, plan.memory_order);
}

StoredBlock block_in_array(const Box& block, const Box& array, const Extents& strides) {
  StoredBlock stored{block, 0, strides, 0};
  if (block.empty()) return stored;
  for (int axis = 0; axis < block.dims(); axis++) {
    stored.offset += (block[axis].lo - array[axis].lo) * strides[axis];
    stored.reals += (block[axis].size() - 1) * strides[axis];
  }
  return stored;
}

}  // namespace

template <class Real>
BlockOffsets block_offsets(const ExchangePlan& plan, int rank, ExchangeEnd end, Storage storage,
                           const std::function<bool(int)>& is_stored) {
  const bool near = end == ExchangeEnd::near;
  BlockOffsets result{near ? plan.near.box(rank) : plan.far.box(rank), {}, 0};
  const Extents extents = result.box.extents(), strides = work_strides<Real>(extents, plan.width, plan.memory_order);
  if (storage == Storage::array) result.reals = reals_spanned(extents, strides);
  for (int chunk = 0; chunk < plan.chunks; chunk++) {
    std::vector<StoredBlock>& blocks = result.chunks.emplace_back();
    for (const Block& block : exchange_blocks(plan, rank, chunk)) {
      const Box& box = near ? block.send : block.receive;
      if (storage == Storage::array) {
        blocks.push_back(block_in_array(box, result.box, strides));
        continue;
      }
      const Extents own = block_strides<Real>(box, plan);
      blocks.push_back({box, result.reals, own, reals_spanned(box.extents(), own)});
      if (is_stored(block.peer)) result.reals += round_up(blocks.back().reals, cache_line_reals<Real>);
    }
  }
  return result;
}

template BlockOffsets block_offsets<double>(const ExchangePlan&, int, ExchangeEnd, Storage,
                                            const std::function<bool(int)>&);
template BlockOffsets block_offsets<float>(const ExchangePlan&, int, ExchangeEnd, Storage,
                                           const std::function<bool(int)>&);

}  // namespace weft
