// Sums and differences, of whole rows or, where points lie along rows, transposing the slice on the way.
#include "tensor/folding.hpp"

#include <algorithm>
#include <type_traits>

namespace weft {

namespace {

// The order of a share: `first` sums without a difference, then `pairs`, then the other sums. The partner of pair j
// lies at `last_partner` - j.
struct Pairs {
  index_t sums, pairs, first, last_partner;
  explicit Pairs(const AxisShare& share)
      : sums(share.even.size()),
        pairs(share.odd.size()),
        first(std::min(share.odd.lo - share.even.lo, sums)),
        last_partner(sums + pairs - 1) {}
  // Calls visit(i) for the sums that have no difference.
  template <class Visit>
  void singles(Visit visit) const {
    for (index_t i = 0; i < first; i++) visit(i);
    for (index_t i = first + pairs; i < sums; i++) visit(i);
  }
};

template <class Real>
void fold_rows(const Pairs& p, index_t row, const Real* slice, index_t pitch, Real* folded) {
  Real* const differences = folded + p.sums * row;
  p.singles([&](index_t i) { std::copy_n(slice + i * pitch, row, folded + i * row); });
  for (index_t j = 0; j < p.pairs; j++) {
    const Real* const a = slice + (p.first + j) * pitch;
    const Real* const b = slice + (p.last_partner - j) * pitch;
    Real* const sum = folded + (p.first + j) * row;
    Real* const difference = differences + j * row;
    for (index_t c = 0; c < row; c++) {
      sum[c] = a[c] + b[c];
      difference[c] = a[c] - b[c];
    }
  }
}

// Lines that fill a cache line of a row of the folded slice are transposed together. Their number is a compile-time
// constant of work(group, first).
template <int Planes, class Real, class Work>
void in_groups(index_t lines, Work work) {
  constexpr int group = 64 / static_cast<int>(sizeof(Real)) / Planes;
  index_t line = 0;
  for (; line + group <= lines; line += group) work(std::integral_constant<int, group>{}, line);
  for (; line < lines; line++) work(std::integral_constant<int, 1>{}, line);
}

template <int Width, class Real>
void fold_lines(const Pairs& p, index_t lines, const Real* slice, index_t pitch, Real* folded) {
  const index_t row = lines * Width;
  in_groups<Width, Real>(lines, [&](auto group, index_t first_line) {
    const Real* const from = slice + first_line * pitch;
    Real* const sums = folded + first_line * Width;
    Real* const differences = sums + p.sums * row;
    p.singles([&](index_t i) {
      for (int c = 0; c < group * Width; c++) sums[i * row + c] = from[c / Width * pitch + i * Width + c % Width];
    });
    for (index_t j = 0; j < p.pairs; j++) {
      const Real* const a = from + (p.first + j) * Width;
      const Real* const b = from + (p.last_partner - j) * Width;
      for (int c = 0; c < group * Width; c++) {
        const index_t at = c / Width * pitch + c % Width;
        sums[(p.first + j) * row + c] = a[at] + b[at];
        differences[j * row + c] = a[at] - b[at];
      }
    }
  });
}

template <class Real>
void fold_half_lines(const Pairs& p, index_t lines, const Real* slice, index_t pitch, Real* folded) {
  in_groups<1, Real>(lines, [&](auto group, index_t first_line) {
    const Real* const from = slice + first_line * pitch;
    Real* const sums = folded + first_line;
    Real* const differences = sums + p.sums * lines;
    for (index_t i = 0; i < p.sums; i++)
      for (int c = 0; c < group; c++) sums[i * lines + c] = from[c * pitch + 2 * i];
    for (index_t j = 0; j < p.pairs; j++)
      for (int c = 0; c < group; c++) differences[j * lines + c] = from[c * pitch + 2 * (p.first + j) + 1];
  });
}

// a -+ i b for a row of complex numbers: `rotation` is 1 forward, -1 backward.
template <class Real>
void unfold_rows(const Pairs& p, Real rotation, index_t row, const Real* folded, Real* slice, index_t pitch) {
  const Real* const sines = folded + p.sums * row;
  p.singles([&](index_t i) { std::copy_n(folded + i * row, row, slice + i * pitch); });
  for (index_t j = 0; j < p.pairs; j++) {
    const Real* const a = folded + (p.first + j) * row;
    const Real* const b = sines + j * row;
    Real* const y = slice + (p.first + j) * pitch;
    Real* const partner = slice + (p.last_partner - j) * pitch;
    for (index_t c = 0; c < row; c += 2) {
      const Real re = rotation * b[c + 1], im = rotation * b[c];
      y[c] = a[c] + re;
      y[c + 1] = a[c + 1] - im;
      partner[c] = a[c] - re;
      partner[c + 1] = a[c + 1] + im;
    }
  }
}

template <class Real>
void unfold_lines(const Pairs& p, Real rotation, index_t lines, const Real* folded, Real* slice, index_t pitch) {
  const index_t row = 2 * lines;
  in_groups<2, Real>(lines, [&](auto group, index_t first_line) {
    const Real* const cosines = folded + 2 * first_line;
    const Real* const sines = cosines + p.sums * row;
    Real* const to = slice + first_line * pitch;
    p.singles([&](index_t i) {
      for (int c = 0; c < 2 * group; c++) to[c / 2 * pitch + 2 * i + c % 2] = cosines[i * row + c];
    });
    for (index_t j = 0; j < p.pairs; j++) {
      const Real* const a = cosines + (p.first + j) * row;
      const Real* const b = sines + j * row;
      Real* const y = to + 2 * (p.first + j);
      Real* const partner = to + 2 * (p.last_partner - j);
      for (int c = 0; c < group; c++) {
        const Real re = rotation * b[2 * c + 1], im = rotation * b[2 * c];
        y[c * pitch] = a[2 * c] + re;
        y[c * pitch + 1] = a[2 * c + 1] - im;
        partner[c * pitch] = a[2 * c] - re;
        partner[c * pitch + 1] = a[2 * c + 1] + im;
      }
    }
  });
}

template <class Real>
void unfold_real_lines(const Pairs& p, index_t lines, const Real* folded, Real* slice, index_t pitch) {
  in_groups<1, Real>(lines, [&](auto group, index_t first_line) {
    const Real* const cosines = folded + first_line;
    const Real* const sines = cosines + p.sums * lines;
    Real* const to = slice + first_line * pitch;
    p.singles([&](index_t i) {
      for (int c = 0; c < group; c++) to[c * pitch + i] = cosines[i * lines + c];
    });
    for (index_t j = 0; j < p.pairs; j++)
      for (int c = 0; c < group; c++) {
        const Real a = cosines[(p.first + j) * lines + c], b = sines[j * lines + c];
        to[c * pitch + p.first + j] = a - b;
        to[c * pitch + p.last_partner - j] = a + b;
      }
  });
}

template <class Real>
void unfold_half_lines(const Pairs& p, index_t lines, const Real* folded, Real* slice, index_t pitch) {
  in_groups<1, Real>(lines, [&](auto group, index_t first_line) {
    const Real* const cosines = folded + first_line;
    const Real* const sines = cosines + p.sums * lines;
    Real* const to = slice + first_line * pitch;
    p.singles([&](index_t i) {
      for (int c = 0; c < group; c++) to[c * pitch + 2 * i + 1] = 0;
    });
    for (index_t i = 0; i < p.sums; i++)
      for (int c = 0; c < group; c++) to[c * pitch + 2 * i] = cosines[i * lines + c];
    for (index_t j = 0; j < p.pairs; j++)
      for (int c = 0; c < group; c++) to[c * pitch + 2 * (p.first + j) + 1] = -sines[j * lines + c];
  });
}

}  // namespace

template <class Real>
void fold(const FoldShape& shape, ProductKind kind, const AxisShare& share, const Real* slice, index_t pitch,
          Real* folded) {
  if (share.count() == 0) return;  // a rank without points may have no memory
  const Pairs pairs(share);
  if (!shape.along_rows)
    fold_rows(pairs, shape.row(), slice, pitch, folded);
  else if (kind == ProductKind::complex_to_complex)
    fold_lines<2>(pairs, shape.lines, slice, pitch, folded);
  else if (kind == ProductKind::real_to_half)
    fold_lines<1>(pairs, shape.lines, slice, pitch, folded);
  else
    fold_half_lines(pairs, shape.lines, slice, pitch, folded);
}

template <class Real>
void unfold(const FoldShape& shape, ProductKind kind, Direction direction, const AxisShare& share, const Real* folded,
            Real* slice, index_t pitch) {
  if (share.count() == 0) return;
  const Pairs pairs(share);
  const Real rotation = direction == Direction::forward ? 1 : -1;
  if (!shape.along_rows)
    unfold_rows(pairs, rotation, shape.row(), folded, slice, pitch);
  else if (kind == ProductKind::complex_to_complex)
    unfold_lines(pairs, rotation, shape.lines, folded, slice, pitch);
  else if (kind == ProductKind::real_to_half)
    unfold_half_lines(pairs, shape.lines, folded, slice, pitch);
  else
    unfold_real_lines(pairs, shape.lines, folded, slice, pitch);
}

template void fold(const FoldShape&, ProductKind, const AxisShare&, const float*, index_t, float*);
template void fold(const FoldShape&, ProductKind, const AxisShare&, const double*, index_t, double*);
template void unfold(const FoldShape&, ProductKind, Direction, const AxisShare&, const float*, float*, index_t);
template void unfold(const FoldShape&, ProductKind, Direction, const AxisShare&, const double*, double*, index_t);

}  // namespace weft
