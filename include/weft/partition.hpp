// The partition of an axis of n points over p processes, with the owner of a point in O(1).
#pragma once

#include "weft/box.hpp"

namespace weft {

/// Rules for cutting an axis (derived in docs/design.md).
///  even     first(r) = floor(r n / p), owner(i) = floor(((i+1) p - 1) / n): sizes differ by at most one and are
///           spread evenly over the ranks. This is the default.
///  first    the first n mod p ranks have one point more.
///  grouped  FLUPS (2023), eqs. (24)-(25), corrected for n mod p = 0 and n < p: one larger part per group.
///  block    ceil(n / p) points each, as in FFTW's MPI transforms; the last parts are smaller, or empty.
enum class Scheme { even, first, grouped, block };

class Partition {
 public:
  /// Throws Error unless points >= 0, parts >= 1 and points * parts fits in 63 bits.
  Partition(index_t points, int parts, Scheme scheme = Scheme::even);

  index_t points() const { return points_; }
  int parts() const { return parts_; }
  Scheme scheme() const { return scheme_; }
  /// First point of part r, 0 <= r <= parts(); first(parts()) == points(). Throws Error for other r.
  index_t first(int part) const;
  Range range(int part) const { return {first(part), first(part + 1)}; }
  /// The part that holds point i, 0 <= i < points(). Throws Error for other i.
  int owner(index_t point) const;
  /// The size of the largest part.
  index_t largest() const { return (points_ + parts_ - 1) / parts_; }
  friend bool operator==(const Partition&, const Partition&) = default;

 private:
  index_t points_;
  int parts_;
  Scheme scheme_;
};

}  // namespace weft
