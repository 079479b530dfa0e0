// Copies between lane blocks and memory: adjacent lines, contiguous lines, and lines of any stride. Included by
// lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "transform/simd/vector.hpp"

// Loads one point of L adjacent lines, or L points of one line: parts[0] receives the real parts, parts[stride] the
// imaginary parts. Lanes are in the order of the lines or, if `Shuffled`, in the order that shuffles within pairs of
// lanes leave (line_point_in_lane). That is less work, and sufficient if the results are stored with the same shuffles.
template <int Width, bool Shuffled = false, class Real>
WEFT_INLINE void split_parts(const Real* from, Vector<Real>* parts, int stride) {
  constexpr LaneIndices<Real> lanes{};
  const Vector<Real> a = load_unaligned(from);
  if constexpr (Width == 1) {
    parts[0] = a;
  } else {
    const Vector<Real> b = load_unaligned(from + lanes_of<Real>);
    parts[0] = Shuffled ? swapped_upper<1>(a, b, lanes) : pick<0>(a, b, lanes);
    parts[stride] = Shuffled ? swapped_lower<1>(a, b, lanes) : pick<1>(a, b, lanes);
  }
}

// The inverse. `finish` is applied to the vectors that are stored.
template <int Width, bool Stream, bool Shuffled = false, class Real, class Finish>
WEFT_INLINE void join_parts(Real* to, const Vector<Real>* parts, int stride, const Finish& finish) {
  constexpr LaneIndices<Real> lanes{};
  if constexpr (Width == 1) {
    put<Stream>(to, finish(parts[0]));
  } else {
    const Vector<Real> re = parts[0], im = parts[stride];
    put<Stream>(to, finish(Shuffled ? swapped_upper<1>(re, im, lanes) : interleave_low(re, im, lanes)));
    put<Stream>(to + lanes_of<Real>,
                finish(Shuffled ? swapped_lower<1>(re, im, lanes) : interleave_high(re, im, lanes)));
  }
}

// Prefetches the data at p for a later load or store: hardware prefetchers do not follow strides as large as those of
// lines. If p is not at the start of a cache line, its first line was the last one of the previous data, so the last
// real of every line is prefetched. Addresses outside the array are harmless: a prefetch never faults.
template <int Width, bool Write, class Real>
WEFT_INLINE void prefetch_vectors(const Real* p) {
  constexpr int cache_line = 64 / int(sizeof(Real)), count = Width * lanes_of<Real>;
  for (int i = 0; i < count; i += cache_line)
    __builtin_prefetch(p + (i + cache_line < count ? i + cache_line : count) - 1, Write ? 1 : 0, 2);
}

// Adjacent lines: one point of all lines is contiguous in memory.
template <int Width, class Real>
int64_t load_adjacent(const LineCopy<Real>& copy, Real* block) {
  const Real* from = copy.lines[0];
  Vector<Real>* to = rows_of(block) + copy.first * Width;
  for (int64_t j = 0; j < copy.count; j++) {
    if (copy.prefetch_distance != 0) prefetch_vectors<Width, false>(from + j * copy.step + copy.prefetch_distance);
    split_parts<Width>(from + j * copy.step, to + j * Width, 1);
  }
  return copy.count;
}

template <int Width, bool Stream, class Real>
int64_t store_adjacent(const LineCopy<Real>& copy, const Real* block, Real scale) {
  Real* to = copy.lines[0];
  const Vector<Real>* from = rows_of(block) + copy.first * Width;
  for (int64_t j = 0; j < copy.count; j++) {
    if (!Stream && copy.prefetch_distance != 0)
      prefetch_vectors<Width, true>(to + j * copy.step + copy.prefetch_distance);
    join_parts<Width, Stream>(to + j * copy.step, from + j * Width, 1,
                              [scale](Vector<Real> a) WEFT_ALWAYS { return scale * a; });
  }
  return copy.count;
}

// Loads L reals of each of L lines, transposed. The largest squares are swapped during the loads: at most half the work
// of swapping them in registers. store_rows() swaps them during the stores, too, where shuffles across halves are
// expensive. Elsewhere, and from registers, whole vectors are stored: the next pass often loads them soon, and would
// wait for the cache.
template <class Real>
WEFT_INLINE void load_rows(Real* const* lines, int64_t i, Vector<Real>* rows) {
  constexpr int lanes = lanes_of<Real>, half = lanes / 2;
  if constexpr (vector_bytes > 16) {  // halves that are registers, too
    WEFT_UNROLL
    for (int l = 0; l < half; l++) {
      rows[l] = load_halves<Real>(lines[l] + i, lines[l + half] + i);
      rows[l + half] = load_halves<Real>(lines[l] + i + half, lines[l + half] + i + half);
    }
    transpose_squares<1, half, Real>(rows);
  } else {
    WEFT_UNROLL
    for (int l = 0; l < lanes; l++) rows[l] = load_unaligned(lines[l] + i);
    transpose_elements<1, Real>(rows);
  }
}

template <bool Stream, class Real>
WEFT_INLINE void store_whole_rows(Real* const* lines, int used, int64_t i, Vector<Real>* rows) {
  transpose_elements<1, Real>(rows);
  WEFT_UNROLL
  for (int l = 0; l < lanes_of<Real>; l++)
    if (l < used) put<Stream>(lines[l] + i, rows[l]);
}

template <bool Stream, class Real>
WEFT_INLINE void store_rows(Real* const* lines, int used, int64_t i, Vector<Real>* rows) {
  constexpr int lanes = lanes_of<Real>, half = lanes / 2;
  if (has_cheap_halves && !Stream && used == lanes) {
    transpose_squares<1, half, Real>(rows);
    WEFT_UNROLL
    for (int l = 0; l < half; l++) {
      store_halves<Real>(lines[l] + i, lines[l + half] + i, rows[l]);
      store_halves<Real>(lines[l] + i + half, lines[l + half] + i + half, rows[l + half]);
    }
    return;
  }
  store_whole_rows<Stream>(lines, used, i, rows);
}

// Contiguous lines: L reals of L lines are transposed in registers; a complex point is two reals. Returns the number of
// points done.
template <int Width, class Real>
int64_t load_transposed(const LineCopy<Real>& copy, Real* block) {
  constexpr int lanes = lanes_of<Real>;
  Vector<Real>* to = rows_of(block) + copy.first * Width;
  int64_t i = 0;
  for (const int64_t reals = copy.count * Width; i + lanes <= reals; i += lanes) {
    Vector<Real> rows[lanes];
    load_rows(copy.lines, i, rows);
    if (copy.prefetch_distance != 0) {
      WEFT_UNROLL
      for (int l = 0; l < lanes; l++) prefetch_vectors<1, false>(copy.lines[l] + i + copy.prefetch_distance);
    }
    WEFT_UNROLL
    for (int l = 0; l < lanes; l++) to[i + l] = rows[l];
  }
  return i / Width;
}

template <int Width, bool Stream, class Real>
int64_t store_transposed(const LineCopy<Real>& copy, const Real* block, Real scale) {
  constexpr int lanes = lanes_of<Real>;
  const Vector<Real>* from = rows_of(block) + copy.first * Width;
  int64_t i = 0;
  for (const int64_t reals = copy.count * Width; i + lanes <= reals; i += lanes) {
    Vector<Real> rows[lanes];
    WEFT_UNROLL
    for (int l = 0; l < lanes; l++) rows[l] = scale * from[i + l];
    store_rows<Stream>(copy.lines, copy.used, i, rows);
  }
  return i / Width;
}

// Streams whole cache lines; copies what precedes and follows them through the cache.
template <class Real>
void stream_copy(const Real* from, Real* to, int64_t count, std::ptrdiff_t prefetch_distance) {
  constexpr int lanes = lanes_of<Real>, line = int(cache_line_bytes / sizeof(Real));
  int64_t i = 0;
  for (; i < count && reinterpret_cast<std::intptr_t>(to + i) % cache_line_bytes != 0; i++) to[i] = from[i];
  for (; i + line <= count; i += line) {
    __builtin_prefetch(from + i + prefetch_distance, 0, 2);
    WEFT_UNROLL
    for (int v = 0; v < line; v += lanes) put<true>(to + i + v, load_unaligned(from + i + v));
  }
  for (; i < count; i++) to[i] = from[i];
}

// Streams lines that begin inside a cache line, as in arrays of other libraries: pieces pass through a staging buffer
// in cache. Otherwise every cache line would be read before it is overwritten.
template <int Width, class Real>
int64_t stream_transposed(const LineCopy<Real>& copy, const Real* block, Real scale) {
  constexpr int lanes = lanes_of<Real>, piece = 1024 / int(sizeof(Real));
  alignas(cache_line_bytes) Real pieces[lanes][piece + cache_line_bytes / sizeof(Real)];
  Real* rows[lanes];
  for (int l = 0; l < lanes; l++) rows[l] = pieces[l];
  const int64_t full = copy.count * Width / lanes * lanes;
  for (int64_t i = 0; i < full; i += piece) {
    const int64_t count = full - i < piece ? full - i : piece;
    store_transposed<Width, false>({.lines = rows,
                                    .first = copy.first + i / Width,
                                    .count = count / Width,
                                    .step = Width,
                                    .width = Width,
                                    .used = lanes},
                                   block, scale);
    for (int l = 0; l < copy.used; l++) stream_copy(rows[l], copy.lines[l] + i, count, 0);
  }
  return full / Width;
}

// Complex points from point j on of lines with any stride, gathered one by one.
template <class Real>
void load_numbers(const LineCopy<Real>& copy, int64_t j, Real* block) {
  constexpr int lanes = lanes_of<Real>, half = lanes / 2;
  constexpr LaneIndices<Real> all{};
  Vector<Real>* to = rows_of(block) + 2 * (copy.first + j);
  for (; j < copy.count; j++, to += 2) {
    const Vector<Real> low = gather_pairs<half, Real>(copy.lines, j * copy.step);
    const Vector<Real> high = gather_pairs<half, Real>(copy.lines + half, j * copy.step);
    to[0] = pick<0>(low, high, all);
    to[1] = pick<1>(low, high, all);
  }
}

template <class Real>
void store_numbers(const LineCopy<Real>& copy, int64_t j, const Real* block, Real scale) {
  constexpr int lanes = lanes_of<Real>, half = lanes / 2;
  constexpr LaneIndices<Real> all{};
  const Vector<Real>* from = rows_of(block) + 2 * (copy.first + j);
  for (; j < copy.count; j++, from += 2) {
    const Vector<Real> re = scale * from[0], im = scale * from[1];
    scatter_pairs<half, Real>(copy.lines, j * copy.step, copy.used, interleave_low(re, im, all));
    scatter_pairs<half, Real>(copy.lines + half, j * copy.step, copy.used - half, interleave_high(re, im, all));
  }
}

template <int Width, class Real>
void load_lines(const LineCopy<Real>& copy, Real* block) {
  constexpr int lanes = lanes_of<Real>;
  int64_t j = copy.adjacent        ? load_adjacent<Width>(copy, block)
              : copy.step == Width ? load_transposed<Width>(copy, block)
                                   : 0;
  if constexpr (Width == 2) return load_numbers(copy, j, block);
  for (; j < copy.count; j++)
    for (int l = 0; l < copy.used; l++) block[(copy.first + j) * lanes + l] = copy.lines[l][j * copy.step];
}

template <class Real>
bool is_aligned(const LineCopy<Real>& copy) {
  if (copy.adjacent) return is_aligned(copy.lines[0], copy.step);
  bool aligned = true;
  for (int l = 0; l < copy.used; l++) aligned = aligned && is_aligned(copy.lines[l], 0);
  return aligned;
}

// Stores with whole vectors where possible, and streams if asked to and if the alignment allows it. Returns the number
// of points done.
template <int Width, class Real>
int64_t store_vectors(const LineCopy<Real>& copy, const Real* block, Real scale) {
  const bool stream = copy.stream && is_aligned(copy);
  if (copy.adjacent)
    return stream ? store_adjacent<Width, true>(copy, block, scale) : store_adjacent<Width, false>(copy, block, scale);
  if (copy.step != Width) return 0;
  if (stream) return store_transposed<Width, true>(copy, block, scale);
  return copy.stream ? stream_transposed<Width>(copy, block, scale)
                     : store_transposed<Width, false>(copy, block, scale);
}

template <int Width, class Real>
void store_lines(const LineCopy<Real>& copy, const Real* block, Real scale) {
  constexpr int lanes = lanes_of<Real>;
  int64_t j = store_vectors<Width>(copy, block, scale);
  if constexpr (Width == 2) return store_numbers(copy, j, block, scale);
  for (; j < copy.count; j++)
    for (int l = 0; l < copy.used; l++) copy.lines[l][j * copy.step] = scale * block[(copy.first + j) * lanes + l];
}

void fence() { finish_streaming_stores(); }

template <class Real>
void load(const LineCopy<Real>& copy, Real* block) {
  copy.width == 1 ? load_lines<1>(copy, block) : load_lines<2>(copy, block);
}

template <class Real>
void store(const LineCopy<Real>& copy, const Real* block, Real scale) {
  copy.width == 1 ? store_lines<1>(copy, block, scale) : store_lines<2>(copy, block, scale);
}

template <class Real>
void mark_non_finite(Real* const* lines, int count, int64_t reals, Real* sum) {
  constexpr int lanes = lanes_of<Real>;
  Vector<Real> even = *rows_of(sum), odd{};
  for (int l = 0; l < count; l++) {
    const Real* from = lines[l];
    int64_t i = 0;
    for (; i + 2 * lanes <= reals; i += 2 * lanes) {
      even += Real(0) * load_unaligned(from + i);
      odd += Real(0) * load_unaligned(from + i + lanes);
    }
    if (i + lanes <= reals) odd += Real(0) * load_unaligned(from + i);
    if (reals % lanes != 0) even += Real(0) * load_unaligned(from + reals - lanes);
  }
  *rows_of(sum) = even + odd;
}
