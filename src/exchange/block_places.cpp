// Lays out the sides of exchanges.
#include "exchange/block_places.hpp"

namespace weft {

namespace {

// Rows and planes of a block are padded as those of any array of the library, unless that adds more than a part in
// `padding` to what is sent.
template <class Real>
Extents block_strides(const Box& box, const ExchangePlan& plan) {
  constexpr index_t padding = 16;
  const Extents extents = box.extents(), padded = padded_strides<Real>(extents, plan.width, plan.memory_order);
  const index_t reals = box.size() * plan.width;
  return reals_spanned(extents, padded) - reals <= reals / padding
             ? padded
             : real_strides(extents, plan.width, plan.memory_order);
}

BlockPlace place_in_array(const Box& block, const Box& array, const Extents& strides) {
  BlockPlace place{block, 0, strides, 0};
  if (block.empty()) return place;
  for (int axis = 0; axis < block.dims(); axis++) {
    place.offset += (block[axis].lo - array[axis].lo) * strides[axis];
    place.reals += (block[axis].size() - 1) * strides[axis];
  }
  return place;
}

}  // namespace

template <class Real>
SidePlaces side_places(const ExchangePlan& plan, int rank, SideName side, Storage storage,
                       const std::function<bool(int)>& has_room) {
  const bool near = side == SideName::near;
  SidePlaces result{near ? plan.near.box(rank) : plan.far.box(rank), {}, 0};
  const Extents extents = result.box.extents(), strides = work_strides<Real>(extents, plan.width, plan.memory_order);
  if (storage == Storage::array) result.reals = reals_spanned(extents, strides);
  for (int chunk = 0; chunk < plan.chunks; chunk++) {
    std::vector<BlockPlace>& places = result.chunks.emplace_back();
    for (const Block& block : exchange_blocks(plan, rank, chunk)) {
      const Box& box = near ? block.send : block.receive;
      if (storage == Storage::array) {
        places.push_back(place_in_array(box, result.box, strides));
        continue;
      }
      const Extents own = block_strides<Real>(box, plan);
      places.push_back({box, result.reals, own, reals_spanned(box.extents(), own)});
      if (has_room(block.peer)) result.reals += round_up(places.back().reals, cache_line_reals<Real>);
    }
  }
  return result;
}

template SidePlaces side_places<double>(const ExchangePlan&, int, SideName, Storage, const std::function<bool(int)>&);
template SidePlaces side_places<float>(const ExchangePlan&, int, SideName, Storage, const std::function<bool(int)>&);

}  // namespace weft
