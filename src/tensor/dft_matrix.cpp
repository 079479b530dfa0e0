// Entries of DFT matrices.
#include "tensor/dft_matrix.hpp"

#include <cmath>
#include <numbers>

namespace weft {

namespace {

struct CosineSine {
  long double cosine, sine;
};

// Cosine and sine of the angle 2 pi m / n, 0 <= m < n. The angle is reduced to an eighth of a turn in whole numbers, so
// that equal entries, and entries 0 and 1, are exact.
CosineSine of_turn(index_t m, index_t n) {
  index_t quarters = 4 * m;  // of the n-th part of a turn: n of them are a right angle
  const bool below = quarters > 2 * n;
  if (below) quarters = 4 * n - quarters;
  const bool left = quarters > n;
  if (left) quarters = 2 * n - quarters;
  const bool steep = 2 * quarters > n;
  if (steep) quarters = n - quarters;
  const long double angle =
      std::numbers::pi_v<long double> / 2 * static_cast<long double>(quarters) / static_cast<long double>(n);
  CosineSine result{std::cos(angle), std::sin(angle)};
  if (steep) std::swap(result.cosine, result.sine);
  if (left) result.cosine = -result.cosine;
  if (below) result.sine = -result.sine;
  return result;
}

template <class Visit>
void for_each(const AxisShare& share, Visit visit) {
  for (const Range& range : share.ranges)
    for (index_t n = range.lo; n < range.hi; n++) visit(n);
}

}  // namespace

DftMatrix::DftMatrix(index_t length, Direction direction, ProductKind kind, bool folded, double scale)
    : length_(length), direction_(direction), kind_(kind), folded_(folded), scale_(scale) {
  roots_.reserve(static_cast<std::size_t>(length));
  for (index_t m = 0; m < length; m++) {
    const CosineSine value = of_turn(m, length);
    roots_.push_back({value.cosine * scale_, value.sine * scale_});
  }
}

index_t DftMatrix::reals(const AxisShare& in, const AxisShare& out) const {
  if (folded_) return in.even.size() * out.even.size() + in.odd.size() * out.odd.size();
  return in.count() * out.count() * width_in(kind_) * width_out(kind_) /
         (kind_ == ProductKind::complex_to_complex ? 2 : 1);
}

long double DftMatrix::weight(index_t in) const {
  return kind_ == ProductKind::half_to_real && in > 0 && 2 * in != length_ ? 2 : 1;
}

template <class Real>
void DftMatrix::fill_folded(const AxisShare& in, const AxisShare& out, Real* block) const {
  for (index_t n = in.even.lo; n < in.even.hi; n++)
    for (index_t k = out.even.lo; k < out.even.hi; k++) *block++ = static_cast<Real>(weight(n) * root(n, k).cosine);
  for (index_t n = in.odd.lo; n < in.odd.hi; n++)
    for (index_t k = out.odd.lo; k < out.odd.hi; k++) *block++ = static_cast<Real>(weight(n) * root(n, k).sine);
}

// Two rows for each mode: the contributions of its real part and of its imaginary part to each point.
template <class Real>
void DftMatrix::fill_half_to_real(const AxisShare& in, const AxisShare& out, Real* block) const {
  for_each(in, [&](index_t k) {
    for_each(out, [&](index_t n) { *block++ = static_cast<Real>(weight(k) * root(n, k).cosine); });
    for_each(out, [&](index_t n) { *block++ = static_cast<Real>(-weight(k) * root(n, k).sine); });
  });
}

template <class Real>
void DftMatrix::fill(const AxisShare& in, const AxisShare& out, Real* block) const {
  if (folded_) return fill_folded(in, out, block);
  if (kind_ == ProductKind::half_to_real) return fill_half_to_real(in, out, block);
  const long double sign = direction_ == Direction::forward ? -1 : 1;
  for_each(in, [&](index_t n) {
    for_each(out, [&](index_t k) {
      *block++ = static_cast<Real>(root(n, k).cosine);
      *block++ = static_cast<Real>(sign * root(n, k).sine);
    });
  });
}

template void DftMatrix::fill(const AxisShare&, const AxisShare&, float*) const;
template void DftMatrix::fill(const AxisShare&, const AxisShare&, double*) const;

}  // namespace weft
