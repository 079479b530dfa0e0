// Computes the tables of real lane transforms.
#include "transform/engine/lane_real_tables.hpp"

#include <algorithm>
#include <numbers>

#include "transform/engine/lane_line_tables.hpp"
#include "transform/engine/roots.hpp"

namespace weft {

namespace {

bool is_type1(LaneRealKind kind) { return kind == LaneRealKind::dct1 || kind == LaneRealKind::dst1; }
bool is_type2(LaneRealKind kind) { return kind == LaneRealKind::dct2 || kind == LaneRealKind::dst2; }
bool is_type3(LaneRealKind kind) { return kind == LaneRealKind::dct3 || kind == LaneRealKind::dst3; }
bool is_type4(LaneRealKind kind) { return kind == LaneRealKind::dct4 || kind == LaneRealKind::dst4; }

index_t intervals(LaneRealKind kind, index_t n) { return kind == LaneRealKind::dct1 ? n - 1 : n + 1; }

// A type I of an even number of intervals has no complex transform of its own: its halves have theirs.
index_t complex_length(LaneRealKind kind, index_t n) {
  if (!is_type1(kind)) return n % 2 == 0 ? n / 2 : n;
  return intervals(kind, n) % 2 == 0 ? 1 : intervals(kind, n);
}

// Radices of the complex transform. Real DFTs take those of contiguous lines if there are kernels for such lines: the
// bits of a line must not depend on its place. Other kinds whose modes are separated do so in the last stage.
template <class Real>
std::vector<int> complex_radices(LaneRealKind kind, index_t n, int lanes) {
  const index_t length = complex_length(kind, n), smooth = smooth_part(length);
  const bool even = n % 2 == 0, forward = kind == LaneRealKind::forward;
  if (even && (forward || kind == LaneRealKind::backward) && LaneRealLineTables<Real>::serves(length, lanes))
    return line_radices(smooth, lanes, sizeof(Real));
  return even && (forward || is_type2(kind)) ? separating_radices(smooth) : lane_radices(smooth);
}

// Appends cos and sin of 2 pi p / n, times `factor`.
template <class Real>
void push_cosine(std::vector<Real>& to, index_t p, index_t n, long double factor) {
  push_root(to, p, n, factor);
  to.back() = -to.back();
}

// Angles 2 pi a b / 8n with a, b and n odd. Except for the sign of a and of its cosines, each a equals one that is 1
// modulo 8, and there is one of these for each remainder modulo n.
struct Odd {
  index_t index;  // of the point or mode; a = 2 index + 1
  int sign;
};

Odd odd_with_remainder(index_t remainder, index_t n) {
  const index_t half = (n + 1) / 2 % n, eighth = half * half % n * half % n;  // inverses of 2 and 8 modulo n
  index_t a = 1 + 8 * ((remainder + n - 1) % n * eighth % n);
  if (a > 4 * n) a = 8 * n - a;
  const bool beyond = a > 2 * n;
  return {((beyond ? 4 * n - a : a) - 1) / 2, beyond ? -1 : 1};
}

}  // namespace

template <class Real>
LaneRealTables<Real>::LaneRealTables(LaneRealKind kind, index_t n, int width, index_t count, int lanes)
    : complex_(complex_length(kind, n), complex_radices<Real>(kind, n, lanes)) {
  const index_t points = complex_.plan().n;
  const bool in_place = (kind == LaneRealKind::forward || kind == LaneRealKind::backward) && n % 2 == 0;
  scratch_points_ = complex_.scratch_points() + (in_place ? 0 : points);
  if (is_type1(kind)) set_halves(kind, n, width);
  if (!is_type1(kind) && n % 2 == 0) set_split(kind, n);
  is_type4(kind) && n % 2 != 0 ? set_order(kind, n) : set_roots(kind, n);
  plan_ = {kind,
           n,
           width,
           complex_.plan(),
           split_.data(),
           roots_.data(),
           order_.data(),
           type1_ == nullptr ? nullptr : &type1_->plan(),
           type2_ == nullptr ? nullptr : &type2_->plan(),
           count};
}

template <class Real>
void LaneRealTables<Real>::set_halves(LaneRealKind kind, index_t n, int width) {
  if (intervals(kind, n) % 2 != 0) return;
  const index_t half = intervals(kind, n) / 2;
  const bool cosine = kind == LaneRealKind::dct1;
  type2_ = std::make_unique<LaneRealTables>(cosine ? LaneRealKind::dct2 : LaneRealKind::dst2, half, width);
  scratch_points_ = std::max(scratch_points_, type2_->scratch_points());
  if (!cosine && half == 1) return;  // no points between the ends
  type1_ = std::make_unique<LaneRealTables>(kind, cosine ? half + 1 : half - 1, width);
  scratch_points_ = std::max(scratch_points_, type1_->scratch_points());
}

template <class Real>
void LaneRealTables<Real>::set_split(LaneRealKind kind, index_t n) {
  const bool to_points = kind == LaneRealKind::backward || is_type3(kind);
  for (index_t k = 0; 4 * k <= n; k++) push_root(split_, k, n, to_points ? 1 : 0.5L);
}

template <class Real>
void LaneRealTables<Real>::set_roots(LaneRealKind kind, index_t n) {
  if (is_type2(kind) || is_type3(kind))
    for (index_t k = 0; 2 * k <= n; k++) push_cosine(roots_, k, 4 * n, is_type2(kind) ? 2 : 1);
  if (!is_type4(kind)) return;
  for (index_t j = 0; 2 * j < n; j++) push_cosine(roots_, 4 * j + 1, 8 * n, 1);
  for (index_t k = 0; 2 * k < n; k++) push_cosine(roots_, k, 2 * n, 2);
}

// With 1 = u n + 8 v modulo 8n, the angle 2 pi a b / 8n is the sum of 2 pi u a b / 8 and 2 pi v a b / n. a b is 1
// modulo 8, u is n modulo 8, and mode m of the real DFT is the b whose remainder modulo n is 8 m.
template <class Real>
void LaneRealTables<Real>::set_order(LaneRealKind kind, index_t n) {
  for (index_t t = 0; t < n; t++) {
    const Odd point = odd_with_remainder(t, n);
    order_.push_back(point.index);
    roots_.insert(roots_.end(), {static_cast<Real>(point.sign), Real(0)});
  }
  for (index_t m = 0; m < n; m++) {
    const Odd mode = odd_with_remainder(8 * m % n, n);
    order_.push_back(mode.index);
    const bool negated = kind == LaneRealKind::dst4 && mode.index % 2 != 0;
    push_cosine(roots_, n % 8, 8, 2 * (negated ? -mode.sign : mode.sign));
  }
}

template class LaneRealTables<double>;
template class LaneRealTables<float>;

}  // namespace weft
