// The parcels that a rank exchanges with its neighbours in a halo: blocks of the local array, one after the other.
#pragma once

#include <vector>

#include "halo/pieces.hpp"

namespace weft {

/// A block of the local array. Bytes from its beginning; strides may be negative.
struct PlacedBlock {
  index_t at = 0;
  Extents strides;
};

/// A block on its way; it is packed in C order of the points that it shows.
struct PackedBlock {
  PlacedBlock place;
  Extents extents;
  index_t offset = 0;  ///< bytes from the beginning of the parcel
  bool negated = false;
};

/// All blocks for or from one rank.
struct Parcel {
  int peer = 0;
  std::vector<PackedBlock> blocks;
  index_t bytes = 0;
};

/// A block of the halo that shows points of the same rank.
struct OwnBlock {
  PlacedBlock source, target;
  Extents extents;
  bool negated = false;
};

/// The part of one rank in an exchange. Parcels are in the order of ranks; none is empty. Blocks are in the order of
/// their places in memory.
struct HaloParcels {
  std::vector<Parcel> shown;  ///< this rank's points in the halos of others
  std::vector<Parcel> halo;   ///< this rank's halo
  std::vector<OwnBlock> own;
};

HaloParcels halo_parcels(const HaloGeometry& geometry, int rank, index_t element_bytes);

}  // namespace weft
