// Transposition of blocks for ParaView.
#include "io/view.hpp"

#include <algorithm>

namespace weft::io {
namespace {

Box view_box(const Box& box) {
  Box result(Extents{1, 1, 1});
  for (int axis = 0; axis < box.dims(); ++axis) result[2 - axis] = box[axis];
  return result;
}

// out[z][y][x] = in[x][y][z] for the piece [z][y][x] of a block, in tiles that stay in the cache.
template <class Real>
void transpose(const Real* in, const Box& block, const Box& piece, float* out) {
  constexpr index_t tile = 16;
  const Extents to = c_strides(piece.extents());
  const index_t step_y = block[0].size(), step_x = block[1].size() * step_y;
  for (index_t y = piece[1].lo; y < piece[1].hi; ++y) {
    const Real* from = in + (y - block[1].lo) * step_y;
    for (index_t z0 = piece[0].lo; z0 < piece[0].hi; z0 += tile) {
      for (index_t x = piece[2].lo; x < piece[2].hi; ++x) {
        for (index_t z = z0; z < std::min(z0 + tile, piece[0].hi); ++z) {
          out[(z - piece[0].lo) * to[0] + (y - piece[1].lo) * to[1] + x - piece[2].lo] =
              static_cast<float>(from[(x - block[2].lo) * step_x + z - block[0].lo]);
        }
      }
    }
  }
}

}  // namespace

Extents view_extents(const Extents& extents) {
  Extents result(3, 1);
  for (int axis = 0; axis < extents.dims(); ++axis) result[2 - axis] = extents[axis];
  return result;
}

template <class Real>
Source view_source(const Box& mine, const Real* data) {
  const Box block = view_box(mine);
  return {block, nullptr, [block, data](const Box& piece, void* elements) {
            transpose(data, block, piece, static_cast<float*>(elements));
          }};
}

template Source view_source<float>(const Box&, const float*);
template Source view_source<double>(const Box&, const double*);

}  // namespace weft::io
