// Half-open index boxes. Their intersection is the only geometric operation that the library needs.
#pragma once

#include <string>
#include <vector>

#include "weft/types.hpp"

namespace weft {

/// Half-open range lo..hi of indices of one axis.
struct Range {
  index_t lo = 0, hi = 0;
  index_t size() const { return hi > lo ? hi - lo : 0; }
  bool contains(index_t i) const { return lo <= i && i < hi; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// The intersection of two ranges, which may be an empty range (lo == hi).
Range intersect(Range a, Range b);

/// One Range per axis.
class Box {
 public:
  Box() = default;
  explicit Box(int dims) : ranges_(static_cast<std::size_t>(dims)) {}
  /// The whole array: 0..extent along every axis.
  explicit Box(const Extents& extents);

  int dims() const { return static_cast<int>(ranges_.size()); }
  Range& operator[](int axis) { return ranges_[static_cast<std::size_t>(axis)]; }
  const Range& operator[](int axis) const { return ranges_[static_cast<std::size_t>(axis)]; }
  Extents extents() const;
  Extents lower() const;
  index_t size() const { return extents().product(); }
  bool empty() const { return size() == 0; }
  friend bool operator==(const Box&, const Box&) = default;

 private:
  std::vector<Range> ranges_;
};

/// The intersection of two boxes. Throws Error if they have different numbers of axes.
Box intersect(const Box& a, const Box& b);
/// A text such as "[0, 32) x [16, 32)".
std::string to_string(const Box& box);

}  // namespace weft
