// The four rules for cutting an axis, each with its inverse in O(1). Below, N is points, P is parts, B = N / P and
// R = N mod P.
#include "weft/partition.hpp"

#include <algorithm>
#include <limits>

#include "weft/error.hpp"

namespace weft {
namespace {

// floor(r N / P), split so that no product exceeds N or P^2.
index_t first_even(index_t n, index_t p, index_t r) { return r * (n / p) + r * (n % p) / p; }

// first(r) <= i holds if and only if r N < (i + 1) P, so the owner is the largest such r.
index_t owner_even(index_t n, index_t p, index_t i) { return ((i + 1) * p - 1) / n; }

index_t first_first(index_t n, index_t p, index_t r) { return r * (n / p) + std::min(r, n % p); }

index_t owner_first(index_t n, index_t p, index_t i) {
  const index_t small = n / p, more = n % p;
  const index_t in_large_parts = more * (small + 1);
  return i < in_large_parts ? i / (small + 1) : more + (i - in_large_parts) / small;
}

// FLUPS (2023), eq. (24): the last part of each of the first R groups of S = P / R parts has one point more. R = 0, for
// which S is infinite in the paper's terms, has no larger parts.
index_t first_grouped(index_t n, index_t p, index_t r) {
  const index_t small = n / p, more = n % p;
  return more == 0 ? r * small : r * small + std::min(r / (p / more), more);
}

// FLUPS (2023), eq. (25), which divides by zero for R = 0 and for B = 0. With B = 0 a group of parts has one point, on
// its last part.
index_t owner_grouped(index_t n, index_t p, index_t i) {
  const index_t small = n / p, more = n % p;
  if (more == 0) return i / small;
  const index_t group_parts = p / more, group_points = group_parts * small + 1;
  const index_t group = std::min(i / group_points, more);
  if (small == 0) return group * group_parts + group_parts - 1;
  const index_t part = (i - group * group_points) / small;
  return group * group_parts + (group < more ? std::min(part, group_parts - 1) : part);
}

index_t size_of_block(index_t n, index_t p) { return n / p + (n % p == 0 ? 0 : 1); }

index_t first_block(index_t n, index_t p, index_t r) { return std::min(n, r * size_of_block(n, p)); }

}  // namespace

Partition::Partition(index_t points, int parts, Scheme scheme) : points_(points), parts_(parts), scheme_(scheme) {
  if (points < 0) {
    throw Error(Fault::argument, "points = " + std::to_string(points) + " of an axis; give 0 or more");
  }
  if (parts < 1) {
    throw Error(Fault::argument, "parts = " + std::to_string(parts) + " of an axis; give at least 1");
  }
  if (points > std::numeric_limits<index_t>::max() / parts) {
    throw Error(Fault::argument, "points = " + std::to_string(points) + " of an axis cut in parts = " +
                                     std::to_string(parts) + ": the product exceeds 2^63 - 1; give fewer of either");
  }
}

index_t Partition::first(int part) const {
  if (part < 0 || part > parts_) {
    throw Error(Fault::argument, "part = " + std::to_string(part) + " of an axis; give 0 to " + std::to_string(parts_));
  }
  switch (scheme_) {
    case Scheme::first:
      return first_first(points_, parts_, part);
    case Scheme::grouped:
      return first_grouped(points_, parts_, part);
    case Scheme::block:
      return first_block(points_, parts_, part);
    default:
      return first_even(points_, parts_, part);
  }
}

int Partition::owner(index_t point) const {
  if (point < 0 || point >= points_) {
    throw Error(Fault::argument, "point = " + std::to_string(point) + " of an axis of " + std::to_string(points_) +
                                     " points; give 0 or more, and less than that number");
  }
  switch (scheme_) {
    case Scheme::first:
      return static_cast<int>(owner_first(points_, parts_, point));
    case Scheme::grouped:
      return static_cast<int>(owner_grouped(points_, parts_, point));
    case Scheme::block:
      return static_cast<int>(point / size_of_block(points_, parts_));
    default:
      return static_cast<int>(owner_even(points_, parts_, point));
  }
}

}  // namespace weft
