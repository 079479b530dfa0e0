// Dense products of whole slices. A group of strips of columns is loaded into the nearest cache, multiplied by all
// panels of the matrix, and stored to memory. Included by dense_kernels.cpp only, inside the namespace of one
// instruction set.
#pragma once

#include "dense_store.hpp"

// Prefetches the columns that the next products take. Rows apart in memory are prefetched one cache line at a time:
// downwards from the first row during the sums, upwards from the last during the differences, since pairs lie in this
// order. Contiguous lines are prefetched one after another.
template <class Real>
class ColumnPrefetch {
 public:
  ColumnPrefetch(const DenseProduct<Real>& product, const DenseSlice<Real>& slice, int64_t column, int64_t columns)
      : transposed_(product.width != 0), pitch_(slice.from_pitch), rows_(product.rows_in), idle_(product.panels) {
    at_ = column < product.columns ? slice.from : slice.next;
    const int64_t first = column < product.columns ? column : 0;
    if (at_ != nullptr) at_ += transposed_ ? first / product.width * pitch_ : first;
    left_ = at_ == nullptr ? 0 : transposed_ ? columns / product.width * pitch_ : columns;
  }
  RowPrefetch<Real> beside_sums(int64_t depth) { return transposed_ ? beside_any(depth) : take(at_, pitch_); }
  RowPrefetch<Real> beside_differences(int64_t depth) {
    return transposed_ ? beside_any(depth) : RowPrefetch<Real>{last_, last_ == idle_ ? 0 : -pitch_};
  }

 private:
  static constexpr int64_t line = cache_line_bytes / int64_t(sizeof(Real));
  RowPrefetch<Real> take(const Real* at, int64_t step) {
    if (left_ <= 0) return {last_ = idle_, 0};
    last_ = at + (rows_ - 1) * pitch_;
    left_ -= line;
    at_ += line;
    return {at, step};
  }
  RowPrefetch<Real> beside_any(int64_t depth) {
    if (left_ <= 0) return {idle_, 0};
    const Real* const at = at_;
    left_ -= depth * line;
    at_ += depth * line;
    return {at, line};
  }

  bool transposed_;
  int64_t pitch_, rows_, left_;
  const Real *idle_, *at_, *last_ = nullptr;
};

// Multiplies a slice, one group of strips at a time.
template <class Real>
class SliceProduct {
 public:
  SliceProduct(const DenseProduct<Real>& product, const DenseSlice<Real>& slice)
      : product_(product),
        slice_(slice),
        manner_{product.accumulate, slice.stream && !product.accumulate && is_aligned(slice.to, slice.to_pitch)},
        scratch_(rows_of(slice.scratch)) {
    for (Vector<Real>*& tile : tiles_) tile = take(panel_rows);
    transposed_ = product.width == 0 || product.load == DenseLoad::rows ? nullptr : take(product.rows_in);
    for (int i = 0; i < product.group; i++) {
      strips_[i].packed = take(product.in.sums + product.in.pairs);
      strips_[i].to = product.width == 0 ? nullptr : reinterpret_cast<Real*>(take(product.rows_out));
    }
  }

  void run() {
    for (int64_t column = 0; column < product_.columns;) {
      int64_t next = column;
      int strips = 0;
      for (; strips < product_.group && next < product_.columns; next += strip_reals<Real>)
        load(strips_[strips++], next);
      ColumnPrefetch<Real> prefetch(product_, slice_, next, product_.group * strip_reals<Real>);
      multiply_group(strips, prefetch);
      for (int i = 0; product_.width != 0 && i < strips; i++) transpose_back(strips_[i]);
      column = next;
    }
  }

 private:
  Vector<Real>* take(int64_t rows) {
    Vector<Real>* const piece = scratch_;
    scratch_ += rows * strip_vectors;
    return piece;
  }

  void load(Strip<Real>& strip, int64_t column) {
    constexpr int lanes = lanes_of<Real>;
    const int64_t left = product_.columns - column;
    strip.column = column;
    strip.count = left < strip_reals<Real> ? left : strip_reals<Real>;
    strip.vectors = int(strip.count + lanes - 1) / lanes;
    Rows<Real> rows{slice_.from + column, slice_.from_pitch, int(strip.count) - (strip.vectors - 1) * lanes};
    if (product_.width == 0) {
      strip.to = slice_.to + column;
      strip.pitch = slice_.to_pitch;
    } else {
      strip.pitch = strip.vectors * lanes;
      Real* const transposed = reinterpret_cast<Real*>(transposed_ == nullptr ? strip.packed : transposed_);
      transpose(strip, transposed);
      rows = {transposed, strip.pitch, lanes};
    }
    strip.used = rows.used;
    strip.manner = product_.width == 0 ? manner_ : Manner{false, false};
    if (product_.width == 0 || transposed_ != nullptr) pack(strip, rows);
  }

  void transpose(const Strip<Real>& strip, Real* to) {
    const int64_t pitch = slice_.from_pitch, first = strip.column / product_.width;
    const Real* const from = slice_.from + first * pitch;
    if (product_.width == 1)
      transpose_in<1>(from, pitch, strip.count, product_.rows_in, to, strip.pitch);
    else
      transpose_in<2>(from, pitch, strip.count / 2, product_.rows_in, to, strip.pitch);
  }

  void transpose_back(const Strip<Real>& strip) {
    const int64_t pitch = slice_.to_pitch, first = strip.column / product_.width;
    Real* const to = slice_.to + first * pitch;
    if (product_.width == 1)
      transpose_out<1>(strip.to, strip.pitch, strip.count, product_.rows_out, to, pitch, manner_);
    else
      transpose_out<2>(strip.to, strip.pitch, strip.count / 2, product_.rows_out, to, pitch, manner_);
  }

  void pack(const Strip<Real>& strip, const Rows<Real>& rows) {
    with_vectors(strip.vectors, [&](auto vectors) {
      constexpr int count = vectors.value;
      if (product_.load == DenseLoad::rows)
        load_as_they_are<count>(product_.in.sums + product_.in.pairs, rows, strip.packed);
      else if (product_.load == DenseLoad::pairs)
        load_pairs<count>(product_.in, rows, strip.packed);
      else
        load_halves<count>(product_.in, rows, strip.packed);
    });
  }

  // Panels of pairs hold their rows for sums, then those for differences. Panels of single rows follow all of these.
  void multiply_group(int strips, ColumnPrefetch<Real>& prefetch) {
    const DensePairs &in = product_.in, &out = product_.out;
    const Real* panel = product_.panels;
    for (int64_t j = 0; j < out.pairs; j += panel_rows) {
      const int rows = int(out.pairs - j < panel_rows ? out.pairs - j : panel_rows);
      for (int i = 0; i < strips; i++) multiply_pairs(strips_[i], j, rows, panel, prefetch);
      panel += rows * (in.sums + in.pairs);
    }
    const int64_t singles = out.sums - out.pairs;
    for (int64_t j = 0; j < singles; j += panel_rows) {
      const int rows = int(singles - j < panel_rows ? singles - j : panel_rows);
      for (int i = 0; i < strips; i++) multiply_singles(strips_[i], j, rows, panel, prefetch);
      panel += rows * in.sums;
    }
  }

  // Prefetches the memory that the products of a block are stored to, so that stores need not wait for it: rows of the
  // slice, or an equally large part of the lines that receive them after transposition.
  void expect(const Strip<Real>& strip, int64_t row, int64_t rows) const {
    constexpr int64_t line = cache_line_bytes / int64_t(sizeof(Real));
    if (manner_.stream) return;
    const bool transposed = product_.width != 0;
    const Real* at = transposed ? slice_.to + strip.column / product_.width * slice_.to_pitch : strip.to;
    const int64_t step = transposed ? strip.count : strip.pitch;
    at += row * step;
    for (int64_t r = 0; r < rows; r++, at += step)
      for (int64_t c = 0; c < strip.count; c += line) __builtin_prefetch(at + c, 0, 2);
  }

  void multiply_pairs(const Strip<Real>& strip, int64_t first, int rows, const Real* panel,
                      ColumnPrefetch<Real>& prefetch) {
    const int64_t sums = product_.in.sums, differences = product_.in.pairs;
    const int64_t other =
        product_.store == DenseStore::rows ? product_.out.sums + first : product_.rows_out - first - rows;
    expect(strip, product_.out.first + first, rows);
    expect(strip, other, rows);
    with_vectors(strip.vectors, [&](auto vectors) {
      constexpr int count = vectors.value;
      multiply_rows<count>(rows, sums, panel, strip.packed, tiles_[0], prefetch.beside_sums(sums));
      multiply_rows<count>(rows, differences, panel + rows * sums, strip.packed + sums * count, tiles_[1],
                           prefetch.beside_differences(differences));
      store_pairs<count>(product_, strip, first, rows, tiles_[0], tiles_[1]);
    });
  }

  void multiply_singles(const Strip<Real>& strip, int64_t first, int rows, const Real* panel,
                        ColumnPrefetch<Real>& prefetch) {
    const int64_t sums = product_.in.sums;
    product_.store == DenseStore::complex ? expect(strip, first / 2, rows / 2) : expect(strip, first, rows);
    with_vectors(strip.vectors, [&](auto vectors) {
      constexpr int count = vectors.value;
      multiply_rows<count>(rows, sums, panel, strip.packed, tiles_[0], prefetch.beside_sums(sums));
      store_singles<count>(product_, strip, first, rows, tiles_[0]);
    });
  }

  const DenseProduct<Real>& product_;
  const DenseSlice<Real>& slice_;
  Manner manner_;
  Vector<Real>* scratch_;
  Vector<Real>* tiles_[2];
  Vector<Real>* transposed_;
  Strip<Real> strips_[largest_dense_group];
};

template <class Real>
void multiply_slice(const DenseProduct<Real>& product, const DenseSlice<Real>& slice) {
  SliceProduct<Real>(product, slice).run();
}
