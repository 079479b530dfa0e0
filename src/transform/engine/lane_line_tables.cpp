// Tables of contiguous lines: twiddle factors, one vector for each group of adjacent points.
#include "transform/engine/lane_line_tables.hpp"

#include <algorithm>
#include <vector>

#include "transform/engine/roots.hpp"

namespace weft {

namespace {

// Vectors of this size are cache lines.
constexpr index_t wide_bytes = 64;
// Two lines are transformed together if their numbers fit into half of the nearest cache.
constexpr index_t two_lines_bytes = 16384;

template <class Real>
std::vector<int> radices_of(index_t n, int lanes) {
  return line_radices(n, lanes, sizeof(Real));
}

std::vector<int> after_first(std::vector<int> radices) {
  radices.erase(radices.begin());
  return radices.empty() ? std::vector{1} : radices;
}

// Signs of factors in even and in odd lanes.
struct Signs {
  int cos_even = 1, cos_odd = 1, sin_even = 1, sin_odd = 1;
};

// Appends a vector of cos and one of -sin of 2 pi number(lane) / n, times `factor` and the signs.
template <class Real, class Number>
void push_vectors(std::vector<Real>& to, int lanes, index_t n, const Number& number, long double factor = 1,
                  Signs signs = {}) {
  std::vector<Real> sines;
  for (int lane = 0; lane < lanes; lane++) {
    const Extended root = root_of_unity(number(lane), n);
    const bool even = lane % 2 == 0;
    to.push_back(static_cast<Real>(factor * (even ? signs.cos_even : signs.cos_odd) * root.real()));
    sines.push_back(static_cast<Real>(factor * (even ? signs.sin_even : signs.sin_odd) * root.imag()));
  }
  to.insert(to.end(), sines.begin(), sines.end());
}

template <class Real>
Buffer<Real> aligned(const std::vector<Real>& values) {
  Buffer<Real> result(static_cast<index_t>(values.size()));
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

// Whether the modes of `butterflies` butterflies of the first radix fill a vector of `numbers` numbers, and at least
// that many points, and one more stage, remain after the first stage.
template <class Real>
bool fills(index_t n, int lanes, int numbers, int butterflies = 1) {
  if (smooth_part(n) != n) return false;
  const int first = radices_of<Real>(n, lanes).front();
  return (first == 2 || first == 4 || first == 8) && numbers <= butterflies * first &&
         n / first >= std::max(numbers, 2);
}

// Vectors of this size hold too little of a line.
constexpr index_t short_bytes = 16;

// Whether lines, one in each lane, stay in the registers: those with a kernel that fill a vector.
template <class Real>
bool stays_in_registers(index_t n, int lanes) {
  return n % 2 == 0 && n >= 4 && (n <= 12 || n == 16) && 2 * n >= lanes &&
         lanes * static_cast<index_t>(sizeof(Real)) > short_bytes;
}

// Whether a line is a square of its radix. Such lines stay in the registers if they fit.
bool is_square(const std::vector<int>& radices) { return radices.size() == 2 && radices.front() == radices.back(); }

// Radices with prime factors 2 and 3 only.
bool has_interleaved_butterflies(int radix) { return 144 % radix == 0; }

}  // namespace

template <class Real>
std::optional<LaneLineForm> LaneLineTables<Real>::form(index_t n, int lanes) {
  // 16 complex doubles have measured no faster.
  if (stays_in_registers<Real>(n, lanes) && (n < 16 || sizeof(Real) == sizeof(float))) return LaneLineForm::across;
  return interleaves(n, lanes) ? LaneLineForm::interleaved : split_form(n, lanes);
}

template <class Real>
std::optional<LaneLineForm> LaneLineTables<Real>::split_form(index_t n, int lanes) {
  const auto size = static_cast<index_t>(sizeof(Real));
  const bool two = lanes * size == wide_bytes && 4 * n * size <= two_lines_bytes, split = fills<Real>(n, lanes, lanes);
  if ((two || !split) && fills<Real>(n, lanes, lanes / 2)) return LaneLineForm::split_two_lines;
  return split ? std::optional(LaneLineForm::split) : std::nullopt;
}

template <class Real>
bool LaneLineTables<Real>::interleaves(index_t n, int lanes) {
  if (lanes * static_cast<index_t>(sizeof(Real)) != wide_bytes || !fills<Real>(n, lanes, lanes / 2, 2)) return false;
  const std::vector<int> radices = radices_of<Real>(n, lanes);
  return (is_square(radices) || sizeof(Real) == sizeof(float)) &&
         std::all_of(radices.begin(), radices.end(), has_interleaved_butterflies);
}

template <class Real>
LaneLineTables<Real>::LaneLineTables(index_t n, int lanes, LaneLineForm form)
    : rest_(n / radices_of<Real>(n, lanes).front(), after_first(radices_of<Real>(n, lanes))) {
  const index_t points = rest_.plan().n, radix = n / points;
  const bool split = form == LaneLineForm::split;
  const index_t numbers = split ? lanes : lanes / 2;
  std::vector<Real> roots;
  const bool across = form == LaneLineForm::across;
  for (index_t p = 0; across && p < points; p++)
    for (index_t r = 1; r < radix; r++) push_root(roots, p * r, n);
  for (index_t group = 0; !across && group < points; group += numbers) {
    const index_t begin = std::min(group, points - numbers);
    for (index_t r = 1; r < radix; r++)
      push_vectors(roots, lanes, n, [&](int lane) {
        return r * (begin + (split ? line_point_in_lane(lane, lanes) : lane / 2));  // else each number in two lanes
      });
  }
  twiddles_ = aligned(roots);
  plan_ = {form, static_cast<int>(radix), rest_.plan(), twiddles_.data()};
}

template <class Real>
bool LaneRealLineTables<Real>::serves(index_t n, int lanes) {
  constexpr index_t few_vectors = 4;
  const std::optional<LaneLineForm> possible = form(n, lanes);
  if (possible == LaneLineForm::interleaved || possible == LaneLineForm::across) return true;
  return possible.has_value() && lanes * static_cast<index_t>(sizeof(Real)) > short_bytes && n >= few_vectors * lanes;
}

// Interleaved lines with an odd number of vectors, the middle one with both modes of pairs, have measured no faster.
template <class Real>
std::optional<LaneLineForm> LaneRealLineTables<Real>::form(index_t n, int lanes) {
  if (stays_in_registers<Real>(n, lanes)) return LaneLineForm::across;
  return n % lanes == 0 ? LaneLineTables<Real>::form(n, lanes) : LaneLineTables<Real>::split_form(n, lanes);
}

template <class Real>
LaneRealLineTables<Real>::LaneRealLineTables(bool forward, index_t n, int lanes)
    : complex_(n, lanes, form(n, lanes).value()) {
  std::vector<Real> roots;
  const bool across = complex_.plan().form == LaneLineForm::across;
  for (index_t mode = 0; across && mode <= n / 2; mode++) push_root(roots, mode, 2 * n, forward ? 0.5L : 1);
  const Signs signs = forward ? Signs{1, -1, 1, 1} : Signs{1, 1, -1, 1};
  for (index_t mode = 0; !across && mode <= n / 2; mode += lanes / 2)
    push_vectors(
        roots, lanes, 2 * n, [&](int lane) { return mode + lane / 2; }, forward ? 0.5L : 1, signs);
  split_ = aligned(roots);
  plan_ = {complex_.plan(), split_.data()};
}

template class LaneLineTables<double>;
template class LaneLineTables<float>;
template class LaneRealLineTables<double>;
template class LaneRealLineTables<float>;

}  // namespace weft
