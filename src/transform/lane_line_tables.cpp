// Twiddle factors of contiguous lines, one vector for each group of neighbouring points.
#include "lane_line_tables.hpp"

#include <algorithm>
#include <vector>

namespace weft {

namespace {

std::vector<int> behind_first(std::vector<int> radices) {
  radices.erase(radices.begin());
  return radices;
}

// Vectors of cos and of -sin of 2 pi of numerator(lane) / n, times a factor.
template <class Real, class Numerator>
void push_vectors(std::vector<Real>& to, int lanes, index_t n, long double factor, const Numerator& numerator) {
  std::vector<Real> pairs;
  for (int lane = 0; lane < lanes; lane++) push_root(pairs, numerator(line_point_in_lane(lane, lanes)), n, factor);
  for (std::size_t part = 0; part < 2; part++)
    for (std::size_t i = part; i < pairs.size(); i += 2) to.push_back(pairs[i]);
}

template <class Real>
Buffer<Real> aligned(const std::vector<Real>& values) {
  Buffer<Real> result(static_cast<index_t>(values.size()));
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

}  // namespace

template <class Real>
bool LaneLineTables<Real>::serves(index_t n, int lanes) {
  if (smooth_part(n) != n) return false;
  const std::vector<int> radices = lane_radices(n);
  const int first = radices.empty() ? 1 : radices.front();
  return (first == 2 || first == 4 || first == 8) && lanes <= 2 * first && n / first >= lanes;
}

template <class Real>
LaneLineTables<Real>::LaneLineTables(index_t n, int lanes)
    : rest_(n / lane_radices(n).front(), behind_first(lane_radices(n))) {
  const index_t points = rest_.plan().n, radix = n / points;
  std::vector<Real> roots;
  for (index_t group = 0; group < points; group += lanes) {
    const index_t begin = std::min(group, points - lanes);
    for (index_t r = 1; r < radix; r++)
      push_vectors(roots, lanes, n, 1, [&](index_t point) { return r * (begin + point); });
  }
  twiddles_ = aligned(roots);
  plan_ = {static_cast<int>(radix), rest_.plan(), twiddles_.data()};
}

template <class Real>
LaneRealLineTables<Real>::LaneRealLineTables(bool forward, index_t n, int lanes) : complex_(n, lanes) {
  std::vector<Real> roots;
  for (index_t mode = 1; mode <= n / 2; mode += lanes) {
    const index_t begin = std::min(mode, n / 2 + 1 - lanes);
    push_vectors(roots, lanes, 2 * n, forward ? 0.5L : 1, [&](index_t other) { return begin + other; });
  }
  split_ = aligned(roots);
  plan_ = {complex_.plan(), split_.data()};
}

template class LaneLineTables<double>;
template class LaneLineTables<float>;
template class LaneRealLineTables<double>;
template class LaneRealLineTables<float>;

}  // namespace weft
