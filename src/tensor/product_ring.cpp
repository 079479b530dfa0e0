// Rings of ranks for one product.
#include "tensor/product_ring.hpp"

#include <algorithm>

namespace weft {

ProductRing::ProductRing(const ProcessGrid& mesh, int along, int across, bool own_blocks)
    : along_(along), across_(across), steps_(mesh[along]) {
  const int ranks = mesh[across];
  const int rings = own_blocks ? ranks : (ranks + steps_ - 1) / steps_;
  for (int ring = 0; ring <= rings; ring++) first_.push_back(ranks * ring / rings);
  for (int ring = 0; ring < rings; ring++) {
    const int members = first_[static_cast<std::size_t>(ring) + 1] - first_[static_cast<std::size_t>(ring)];
    for (int member = 0; member < members; member++) skew_.push_back(member * steps_ / members);
  }
}

int ProductRing::Place::holder(int wanted) const {
  return static_cast<int>(std::upper_bound(skews.begin(), skews.end(), wanted) - skews.begin()) - 1;
}

ProductRing::Place ProductRing::place(const ProcessGrid& mesh, int rank) const {
  Place place{};
  const int across = mesh.coordinate(rank, across_);
  place.here = mesh.coordinate(rank, along_);
  place.next = mesh.neighbour(rank, along_, (place.here + 1) % steps_);
  place.prev = mesh.neighbour(rank, along_, (place.here + steps_ - 1) % steps_);
  const auto end = std::upper_bound(first_.begin(), first_.end(), across);
  for (int c = *(end - 1); c < *end; c++) {
    place.members.push_back(mesh.neighbour(rank, across_, c));
    place.skews.push_back(skew_[static_cast<std::size_t>(c)]);
  }
  place.skews.push_back(steps_);
  place.position = across - *(end - 1);
  const auto size = static_cast<int>(place.members.size());
  const auto at = [size](const auto& list, int position) {
    return list[static_cast<std::size_t>((position + size) % size)];
  };
  const auto queue = [&](int position) {
    const auto p = static_cast<std::size_t>((position + size) % size);
    return place.skews[p + 1] - place.skews[p];
  };
  place.skew = at(place.skews, place.position);
  place.queue = queue(place.position);
  place.prev_queue = queue(place.position - 1);
  place.next_across = at(place.members, place.position + 1);
  place.prev_across = at(place.members, place.position - 1);
  return place;
}

}  // namespace weft
