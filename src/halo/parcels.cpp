// Sorts the pieces of all halos by the rank that this one exchanges them with.
#include "halo/parcels.hpp"

#include <algorithm>

#include "base/buffer.hpp"

namespace weft {

namespace {

// The local array of a rank.
class PlacedArray {
 public:
  PlacedArray(const HaloGeometry& geometry, int rank, index_t element_bytes)
      : box_(geometry.padded(rank)), element_bytes_(element_bytes), strides_(c_strides(box_.extents())) {
    for (index_t& stride : strides_) stride *= element_bytes;
  }

  PlacedBlock of_source(const HaloPiece& piece) const {
    PlacedBlock place{piece.component * box_.size() * element_bytes_, strides_};
    for (int axis = 0; axis < box_.dims(); axis++) place.at += (piece.source[axis].lo - box_[axis].lo) * strides_[axis];
    return place;
  }
  // In the order of the points that it shows.
  PlacedBlock of_target(const HaloPiece& piece) const {
    PlacedBlock place{piece.component * box_.size() * element_bytes_, strides_};
    for (int axis = 0; axis < box_.dims(); axis++) {
      const bool reversed = piece.reversed[static_cast<std::size_t>(axis)];
      const index_t first = reversed ? piece.target[axis].hi - 1 : piece.target[axis].lo;
      place.at += (first - box_[axis].lo) * strides_[axis];
      if (reversed) place.strides[axis] = -strides_[axis];
    }
    return place;
  }
  void add(Parcel& parcel, const HaloPiece& piece, const PlacedBlock& place) const {
    parcel.blocks.push_back({place, piece.source.extents(), parcel.bytes, piece.negated});
    parcel.bytes += piece.source.size() * element_bytes_;
  }

 private:
  Box box_;
  index_t element_bytes_;
  Extents strides_;
};

// A row of less than a few cache lines costs as much as those lines. Both ends of an axis have such rows, often in the
// same or in adjacent lines. Blocks of short rows are therefore cut, and their parts are taken in the order of memory.
constexpr index_t short_row_bytes = 4 * cache_line_bytes, rows_together = 256;

// The outermost axis along which a block can be cut.
int cut_axis(const Extents& extents) {
  int axis = 0;
  while (axis < extents.dims() - 1 && extents[axis] == 1) axis++;
  return axis;
}

// Indices of each part along the cut axis.
index_t part_length(const Extents& extents, index_t element_bytes) {
  const int last = extents.dims() - 1, axis = cut_axis(extents);
  if (axis == last || extents[last] * element_bytes >= short_row_bytes) return extents[axis];
  const index_t rows = extents.product() / extents[last];
  return std::max<index_t>(1, rows_together * extents[axis] / rows);
}

// Calls add(range of the cut axis, extents of the part) for every part of a block.
template <class Add>
void for_each_part(const Extents& extents, index_t element_bytes, const Add& add) {
  const int axis = cut_axis(extents);
  const index_t length = part_length(extents, element_bytes);
  for (index_t first = 0; first < extents[axis]; first += length) {
    Extents part = extents;
    part[axis] = std::min(length, extents[axis] - first);
    add(first, part);
  }
}

PlacedBlock from_index(PlacedBlock place, int axis, index_t first) {
  place.at += first * place.strides[axis];
  return place;
}

void put_in_order(Parcel& parcel, index_t element_bytes) {
  std::vector<PackedBlock> parts;
  for (const PackedBlock& block : parcel.blocks) {
    const int axis = cut_axis(block.extents);
    const index_t bytes = block.extents.product() / block.extents[axis] * element_bytes;  // of an index along the axis
    for_each_part(block.extents, element_bytes, [&](index_t first, const Extents& extents) {
      parts.push_back({from_index(block.place, axis, first), extents, block.offset + first * bytes, block.negated});
    });
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const PackedBlock& a, const PackedBlock& b) { return a.place.at < b.place.at; });
  parcel.blocks = std::move(parts);
}

void put_in_order(std::vector<OwnBlock>& blocks, index_t element_bytes) {
  std::vector<OwnBlock> parts;
  for (const OwnBlock& block : blocks) {
    const int axis = cut_axis(block.extents);
    for_each_part(block.extents, element_bytes, [&](index_t first, const Extents& extents) {
      parts.push_back(
          {from_index(block.source, axis, first), from_index(block.target, axis, first), extents, block.negated});
    });
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const OwnBlock& a, const OwnBlock& b) { return a.target.at < b.target.at; });
  blocks = std::move(parts);
}

}  // namespace

HaloParcels halo_parcels(const HaloGeometry& geometry, int rank, index_t element_bytes) {
  HaloParcels parcels;
  const PlacedArray place(geometry, rank, element_bytes);
  const std::vector<HaloPiece> mine = geometry.pieces(rank);
  const Box& owned = geometry.owned[static_cast<std::size_t>(rank)];
  for (int peer = 0; peer < static_cast<int>(geometry.owned.size()); peer++) {
    Parcel halo{peer, {}}, shown{peer, {}};
    for (const HaloPiece& piece : mine) {
      const std::optional<HaloPiece> part = part_showing(piece, geometry.owned[static_cast<std::size_t>(peer)]);
      if (!part || (peer == rank && is_in_place(*part))) continue;
      if (peer == rank) {
        parcels.own.push_back({place.of_source(*part), place.of_target(*part), part->source.extents(), part->negated});
      } else {
        place.add(halo, *part, place.of_target(*part));
      }
    }
    if (peer != rank && !owned.empty()) {
      for (const HaloPiece& piece : geometry.pieces(peer))
        if (const std::optional<HaloPiece> part = part_showing(piece, owned))
          place.add(shown, *part, place.of_source(*part));
    }
    if (!halo.blocks.empty()) parcels.halo.push_back(std::move(halo));
    if (!shown.blocks.empty()) parcels.shown.push_back(std::move(shown));
  }
  for (std::vector<Parcel>* side : {&parcels.shown, &parcels.halo})
    for (Parcel& parcel : *side) put_in_order(parcel, element_bytes);
  put_in_order(parcels.own, element_bytes);
  return parcels;
}

}  // namespace weft
