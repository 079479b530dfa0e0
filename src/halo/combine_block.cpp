// Combines blocks row by row. Threads share the rows, and vectors process rows without gaps on both sides.
#include "halo/combine_block.hpp"

#include <algorithm>

#include "base/threads.hpp"

namespace weft {

namespace {

constexpr index_t elements_per_thread = 1 << 14;  // fewer elements do not pay for a thread

// The last axis of a block: elements of `width` reals.
struct Row {
  index_t count, width, from, to;  // strides in reals
};

template <class Real, class Operation>
void combine_row(const Row& row, const Real* from, Real* to, const Operation& operation) {
  if (row.from == row.width && row.to == row.width) {
    for (index_t i = 0; i < row.count * row.width; i++) operation(from[i], to[i]);
    return;
  }
  for (index_t i = 0; i < row.count; i++)
    for (index_t part = 0; part < row.width; part++) operation(from[i * row.from + part], to[i * row.to + part]);
}

template <class Real, class Operation>
void combine_rows(const ByteArray<const char>& from, const ByteArray<char>& to, const Extents& extents, index_t width,
                  int threads, const Operation& operation) {
  constexpr index_t real = sizeof(Real);
  const int last = extents.dims() - 1, next = std::max(last - 1, 0);
  const Row row{extents[last], width, from.strides[last] / real, to.strides[last] / real};
  const index_t rows = extents.product() / extents[last];
  on_threads(threads, [&](int thread) {
    const index_t end = rows * (thread + 1) / threads;
    for (index_t i = rows * thread / threads; i < end;) {
      // The rows up to the end of the last but one axis: halos have many short rows, and a division takes as long.
      index_t rest = i, read = 0, written = 0, together = 1;
      for (int axis = last - 1; axis >= 0; axis--) {
        const index_t at = rest % extents[axis];
        rest /= extents[axis];
        read += at * from.strides[axis];
        written += at * to.strides[axis];
        if (axis == next) together = std::min(extents[axis] - at, end - i);
      }
      for (index_t j = 0; j < together; j++)
        combine_row(row, reinterpret_cast<const Real*>(from.data + read + j * from.strides[next]),
                    reinterpret_cast<Real*>(to.data + written + j * to.strides[next]), operation);
      i += together;
    }
  });
}

template <class Real>
void combine(Combine operation, const ByteArray<const char>& from, const ByteArray<char>& to, const Extents& extents,
             index_t width, int threads) {
  switch (operation) {
    case Combine::negate:
      return combine_rows<Real>(from, to, extents, width, threads, [](Real a, Real& b) { b = -a; });
    case Combine::add:
      return combine_rows<Real>(from, to, extents, width, threads, [](Real a, Real& b) { b += a; });
    case Combine::subtract:
      return combine_rows<Real>(from, to, extents, width, threads, [](Real a, Real& b) { b -= a; });
    case Combine::copy:
      return copy_block(from, to, extents, width * static_cast<index_t>(sizeof(Real)), {threads, false});
  }
}

}  // namespace

void combine_block(Combine operation, const ByteArray<const char>& from, const ByteArray<char>& to,
                   const Extents& extents, Element element, int threads) {
  if (extents.product() == 0) return;
  const index_t width = is_complex(element) ? 2 : 1;
  const int team = extents.product() < elements_per_thread * threads ? 1 : threads;
  if (bytes_of(element) / width == sizeof(float)) {
    combine<float>(operation, from, to, extents, width, team);
  } else {
    combine<double>(operation, from, to, extents, width, team);
  }
}

}  // namespace weft
