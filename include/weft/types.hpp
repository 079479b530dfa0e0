// The integer and multi-index types of all other headers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace weft {

/// Counts and positions. They have 64 bits everywhere, so that arrays may have more than 2^31 elements.
using index_t = std::int64_t;

/// The largest number of axes of an array.
inline constexpr int max_dims = 6;

/// A multi-index or the extents of an array: one number per axis, axis 0 first (slowest in memory), at most max_dims.
/// Throws Error when given more axes than that.
class Extents {
 public:
  Extents() = default;
  Extents(std::initializer_list<index_t> values) : dims_(checked(static_cast<int>(values.size()))) {
    std::copy(values.begin(), values.end(), values_.begin());
  }
  explicit Extents(int dims, index_t value = 0) : dims_(checked(dims)) { std::fill_n(values_.begin(), dims, value); }

  int dims() const { return dims_; }
  index_t& operator[](int axis) { return values_[static_cast<std::size_t>(axis)]; }
  index_t operator[](int axis) const { return values_[static_cast<std::size_t>(axis)]; }
  index_t* begin() { return values_.data(); }
  index_t* end() { return values_.data() + dims_; }
  const index_t* begin() const { return values_.data(); }
  const index_t* end() const { return values_.data() + dims_; }
  void push_back(index_t value) {
    dims_ = checked(dims_ + 1);
    values_[static_cast<std::size_t>(dims_ - 1)] = value;
  }

  /// Number of elements of an array of these extents (1 for no axes).
  index_t product() const {
    index_t result = 1;
    for (index_t value : *this) result *= value;
    return result;
  }

  friend bool operator==(const Extents& a, const Extents& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static int checked(int dims) {
    if (dims < 0 || dims > max_dims) refuse(dims);
    return dims;
  }
  [[noreturn]] static void refuse(int dims);

  std::array<index_t, max_dims> values_{};
  int dims_ = 0;
};

/// A text such as "256 x 256 x 129", used by every message that names a shape.
std::string to_string(const Extents& extents);

/// Strides, in elements, of a C-ordered array (last axis contiguous) of the given extents.
Extents c_strides(const Extents& extents);

}  // namespace weft
