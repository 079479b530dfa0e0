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

int ProductRing::Position::holder(int wanted) const {
  return static_cast<int>(std::upper_bound(skews.begin(), skews.end(), wanted) - skews.begin()) - 1;
}

ProductRing::Position ProductRing::position(const ProcessGrid& mesh, int rank) const {
  Position position{};
  const int across = mesh.coordinate(rank, across_);
  position.here = mesh.coordinate(rank, along_);
  position.next = mesh.neighbour(rank, along_, (position.here + 1) % steps_);
  position.prev = mesh.neighbour(rank, along_, (position.here + steps_ - 1) % steps_);
  const auto end = std::upper_bound(first_.begin(), first_.end(), across);
  for (int c = *(end - 1); c < *end; c++) {
    position.members.push_back(mesh.neighbour(rank, across_, c));
    position.skews.push_back(skew_[static_cast<std::size_t>(c)]);
  }
  position.skews.push_back(steps_);
  position.position = across - *(end - 1);
  const auto size = static_cast<int>(position.members.size());
  const auto at = [size](const auto& list, int i) { return list[static_cast<std::size_t>((i + size) % size)]; };
  const auto queue = [&](int i) {
    const auto p = static_cast<std::size_t>((i + size) % size);
    return position.skews[p + 1] - position.skews[p];
  };
  position.skew = at(position.skews, position.position);
  position.queue = queue(position.position);
  position.prev_queue = queue(position.position - 1);
  position.next_across = at(position.members, position.position + 1);
  position.prev_across = at(position.members, position.position - 1);
  return position;
}

}  // namespace weft
