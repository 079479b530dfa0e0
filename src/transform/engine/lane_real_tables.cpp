// Computes the tables of real lane transforms.
#include "transform/engine/lane_real_tables.hpp"

#include <algorithm>

#include "transform/engine/lane_line_tables.hpp"
#include "transform/engine/roots.hpp"
#include "transform/kind_table.hpp"

namespace weft {

namespace {

bool is_backward_dft(Kind kind, Direction direction) { return kind == Kind::r2c && direction == Direction::backward; }

// A type I of an even number of intervals has no complex transform of its own: its halves have theirs.
index_t complex_length(const KindRow& row, index_t n) {
  const index_t intervals = n + row.period_shift;
  if (row.lane.half != Kind::none) return intervals % 2 == 0 ? 1 : intervals;
  return n % 2 == 0 ? n / 2 : n;
}

// Radices of the complex transform. Real DFTs take those of contiguous lines if there are kernels for such lines: the
// bits of a line must not depend on its place. Other kinds whose modes are separated do so in the last stage.
template <class Real>
std::vector<int> complex_radices(const KindRow& row, Direction direction, index_t n, int lanes) {
  const index_t length = complex_length(row, n), smooth = smooth_part(length);
  if (n % 2 != 0) return lane_radices(smooth);
  if (row.kind == Kind::r2c && LaneRealLineTables<Real>::serves(length, lanes))
    return line_radices(smooth, lanes, sizeof(Real));
  const bool separates = row.lane.separates && !is_backward_dft(row.kind, direction);
  return separates ? separating_radices(smooth) : lane_radices(smooth);
}

// Appends cos and sin of 2 pi p / n, times `factor`.
template <class Real>
void push_cosine(std::vector<Real>& to, index_t p, index_t n, long double factor) {
  push_root(to, p, n, factor);
  to.back() = -to.back();
}

template <class Real>
void push_stretches(std::vector<Real>& to, const LaneRecipe& recipe, index_t n) {
  for (const RootStretch& stretch : recipe.roots)
    for (index_t k = 0; stretch.turn != 0 && 2 * k <= n; k++)
      push_cosine(to, stretch.first + stretch.step * k, stretch.turn * n, stretch.factor);
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
LaneRealTables<Real>::LaneRealTables(Kind kind, Direction direction, index_t n, int width, index_t count, int lanes)
    : LaneRealTables(row_of(direction == Direction::forward ? kind : inverse(kind)), direction, n, width, count,
                     lanes) {}

template <class Real>
LaneRealTables<Real>::LaneRealTables(const KindRow& row, Direction direction, index_t n, int width, index_t count,
                                     int lanes)
    : complex_(complex_length(row, n), complex_radices<Real>(row, direction, n, lanes)) {
  const LaneRecipe& recipe = row.lane;
  const bool even = n % 2 == 0, backward = is_backward_dft(row.kind, direction);
  scratch_points_ = complex_.scratch_points() + (row.kind == Kind::r2c && even ? 0 : complex_.plan().n);
  if (recipe.half != Kind::none && (n + row.period_shift) % 2 == 0) {
    const index_t half = (n + row.period_shift) / 2, points = half - row.period_shift;
    const auto make = [&](Kind of, index_t length) {
      auto tables = std::make_unique<LaneRealTables>(of, Direction::forward, length, width);
      scratch_points_ = std::max(scratch_points_, tables->scratch_points());
      return tables;
    };
    type2_ = make(recipe.half, half);
    if (points > 0) type1_ = make(row.kind, points);
  }
  for (index_t k = 0; even && recipe.split != 0 && 4 * k <= n; k++)
    push_root(split_, k, n, backward ? 1 : recipe.split);
  recipe.reorders != 0 && !even ? set_order(recipe.reorders, n) : push_stretches(roots_, recipe, n);
  for (index_t j = 0; j < n; j++) block_.push_back(&any_block_ + j * lanes * width);
  plan_ = {row.kind,
           backward,
           n,
           width,
           complex_.plan(),
           split_.data(),
           roots_.data(),
           order_.data(),
           type1_ == nullptr ? nullptr : &type1_->plan(),
           type2_ == nullptr ? nullptr : &type2_->plan(),
           count,
           block_.data()};
}

// With 1 = u n + 8 v modulo 8n, the angle 2 pi a b / 8n is the sum of 2 pi u a b / 8 and 2 pi v a b / n. a b is 1
// modulo 8, u is n modulo 8, and mode m of the real DFT is the b whose remainder modulo n is 8 m.
template <class Real>
void LaneRealTables<Real>::set_order(int odd_modes, index_t n) {
  for (index_t t = 0; t < n; t++) {
    const Odd point = odd_with_remainder(t, n);
    order_.push_back(point.index);
    roots_.insert(roots_.end(), {static_cast<Real>(point.sign), Real(0)});
  }
  for (index_t m = 0; m < n; m++) {
    const Odd mode = odd_with_remainder(8 * m % n, n);
    order_.push_back(mode.index);
    push_cosine(roots_, n % 8, 8, 2 * mode.sign * (mode.index % 2 != 0 ? odd_modes : 1));
  }
}

template class LaneRealTables<double>;
template class LaneRealTables<float>;

}  // namespace weft
