// Aligned memory that is counted, and views of arrays as runs of points along one axis.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "weft/memory.hpp"
#include "weft/types.hpp"

namespace weft {

/// Bytes of a cache line, and of a huge page.
constexpr index_t cache_line_bytes = 64, huge_page_bytes = index_t{2} << 20;
/// Reals in a cache line.
template <class Real>
constexpr index_t cache_line_reals = cache_line_bytes / static_cast<index_t>(sizeof(Real));

/// Bytes of memory of this machine, and bytes available now without swapping other programs out. Swap counts as memory.
index_t physical_memory();
index_t available_memory();

/// Advises the system to use huge pages for this memory. If it has none or refuses, small pages work as well.
void advise_huge_pages(void* memory, index_t bytes);

inline index_t round_up(index_t n, index_t unit) { return (n + unit - 1) / unit * unit; }

/// Aligned memory of known size, owned or part of a workspace. It is not initialised.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(index_t count, const Arena& arena = {}) : count_(count) {
    if (count > 0) data_ = std::static_pointer_cast<T>(arena.take(bytes()));
  }
  Buffer(Buffer&&) noexcept = default;
  Buffer& operator=(Buffer&&) noexcept = default;
  T* data() const { return data_.get(); }
  index_t size() const { return count_; }
  index_t bytes() const { return count_ * static_cast<index_t>(sizeof(T)); }

 private:
  std::shared_ptr<T> data_;
  index_t count_ = 0;
};

/// A rank's block of a global array somewhere in memory.
template <class Real>
struct LocalArray {
  Real* data = nullptr;
  Extents strides;  ///< reals from one index to the next, per axis
};

/// Points first .. first+count along the axis of a view, for every index of the other axes, somewhere in memory.
template <class Real>
struct Segment {
  index_t first = 0, count = 0;
  Real* base = nullptr;  ///< address of the point `first` at index 0 of the other axes
  Extents stride;        ///< reals from one index to the next, per axis
};

/// A local array as seen by a pass along one axis. An ordinary array has one segment; the buffers of an exchange and
/// the memory of peers have one per peer.
template <class Real>
struct SegmentedView {
  int width = 1;  ///< reals per element: 1 real, 2 complex
  std::vector<Segment<Real>> segments;
  bool stream = false;  ///< use streaming stores
  bool cached = false;  ///< in cache from one pass to the next, however large the whole array is
};
/// The view from an index of axis 0 on, as if that were the first.
template <class Real>
SegmentedView<Real> from_index(SegmentedView<Real> view, index_t index) {
  for (Segment<Real>& segment : view.segments) segment.base += index * segment.stride[0];
  return view;
}

/// Strides in reals of an array of elements of `width` reals. `order` lists the axes from the slowest to the contiguous
/// one; empty: C order. `pitch` gives the distance between the beginnings of rows, planes, ... of so many reals.
template <class Pitch>
Extents pitched_strides(const Extents& extents, int width, const std::vector<int>& order, const Pitch& pitch) {
  Extents strides(extents.dims());
  index_t stride = width;
  for (int i = extents.dims() - 1; i >= 0; i--) {
    const int axis = order.empty() ? i : order[static_cast<std::size_t>(i)];
    strides[axis] = stride;
    stride = pitch(stride * extents[axis]);
  }
  return strides;
}

/// The strides in reals of an array without gaps.
inline Extents real_strides(const Extents& extents, int width, const std::vector<int>& order = {}) {
  return pitched_strides(extents, width, order, [](index_t reals) { return reals; });
}

/// The view of a whole array along `axis`.
template <class Real>
SegmentedView<Real> whole_view(Real* data, const Extents& extents, const Extents& strides, int width, int axis) {
  return {width, {{0, extents[axis], data, strides}}, false};
}

/// A pitch of at least so many reals that is an odd number of cache lines. Short rows, such as tuples of a few numbers,
/// have no gaps between them: a pass then handles the rows of a plane as one row, whose lines fill whole vectors.
template <class Real>
index_t padded_pitch(index_t reals) {
  constexpr index_t line = cache_line_reals<Real>, short_row = 4 * line;
  return reals > short_row ? (reals + line - 1) / line / 2 * 2 * line + line : reals;
}

/// Strides in reals of an internal array. Rows begin on cache lines, and every pitch (of rows, planes, ...) is an odd
/// number of cache lines, so that the points along an axis spread over all sets of the cache. `order` is that of
/// pitched_strides().
template <class Real>
Extents padded_strides(const Extents& extents, int width, const std::vector<int>& order = {}) {
  return pitched_strides(extents, width, order, padded_pitch<Real>);
}

/// Whether an array fits in the second-level cache of most processors.
template <class Real>
bool is_small(const Extents& extents, int width) {
  constexpr index_t most_bytes = 1 << 20;
  return extents.product() * width * static_cast<index_t>(sizeof(Real)) <= most_bytes;
}

/// Strides of an array that passes work in. If it is small, its rows have no gaps between them: a pass then handles the
/// rows of a plane as one row, since many rows are shorter than a vector or leave a remainder.
template <class Real>
Extents work_strides(const Extents& extents, int width, const std::vector<int>& order = {}) {
  if (extents.dims() < 3 || !is_small<Real>(extents, width)) return padded_strides<Real>(extents, width, order);
  bool rows = true;
  return pitched_strides(extents, width, order,
                         [&](index_t reals) { return std::exchange(rows, false) ? reals : padded_pitch<Real>(reals); });
}

/// Strides of a padded array of the user's. A small one has no padding, for the same reason.
template <class Real>
Extents user_strides(const Extents& extents, int width) {
  return is_small<Real>(extents, width) ? real_strides(extents, width) : padded_strides<Real>(extents, width);
}

/// Reals that an array with these strides occupies.
inline index_t reals_spanned(const Extents& extents, const Extents& strides) {
  if (extents.product() == 0) return 0;
  index_t reals = 0;
  for (int axis = 0; axis < extents.dims(); axis++) reals = std::max(reals, extents[axis] * strides[axis]);
  return reals;
}

}  // namespace weft
