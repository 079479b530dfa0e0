// Copies of blocks: the loops over the axes are sorted, merged where both arrays allow it, and the innermost is left to
// a kernel: runs, a transposition of elements, or single elements.
#include "exchange/block_copy.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/buffer.hpp"
#include "base/threads.hpp"
#include "transform/chosen_kernels.hpp"

namespace weft {

namespace {

constexpr index_t piece_bytes = 256 << 10;      // of a run, so that threads share it
constexpr index_t elements_together = 1 << 14;  // of a row of elements, likewise

// One axis: the number of steps, and the bytes from one to the next on either side.
struct Loop {
  index_t count = 1, from = 0, to = 0;
};

class Loops {
 public:
  // Outermost first: the loop with the shortest step of the stored array is innermost.
  Loops(const Extents& extents, const Extents& from, const Extents& to) {
    for (int axis = 0; axis < extents.dims(); axis++)
      if (extents[axis] != 1) loops_[static_cast<std::size_t>(size_++)] = {extents[axis], from[axis], to[axis]};
    std::stable_sort(loops_.begin(), loops_.begin() + size_,
                     [](const Loop& a, const Loop& b) { return std::abs(a.to) > std::abs(b.to); });
    merge();
  }

  int size() const { return size_; }
  const Loop& operator[](int i) const { return loops_[static_cast<std::size_t>(i)]; }
  // Removes the innermost loop and returns it; a single element if there is no loop.
  Loop pop(index_t element_bytes) {
    return size_ > 0 ? loops_[static_cast<std::size_t>(--size_)] : Loop{1, element_bytes, element_bytes};
  }
  // Removes the loop whose elements are adjacent in the loaded array and returns it; count 1 if there is none.
  Loop take_contiguous_source(index_t element_bytes) {
    for (int i = 0; i < size_; i++) {
      const Loop loop = (*this)[i];
      if (loop.from != element_bytes) continue;
      std::copy(loops_.begin() + i + 1, loops_.begin() + size_, loops_.begin() + i);
      size_--;
      return loop;
    }
    return {};
  }
  index_t iterations() const {
    index_t product = 1;
    for (int i = 0; i < size_; i++) product *= (*this)[i].count;
    return product;
  }

 private:
  void merge() {
    int kept = 0;
    for (int i = 1; i < size_; i++) {
      Loop& outer = loops_[static_cast<std::size_t>(kept)];
      const Loop& inner = (*this)[i];
      if (outer.from == inner.from * inner.count && outer.to == inner.to * inner.count) {
        outer = {outer.count * inner.count, inner.from, inner.to};
      } else {
        loops_[static_cast<std::size_t>(++kept)] = inner;
      }
    }
    size_ = size_ == 0 ? 0 : kept + 1;
  }

  std::array<Loop, max_dims> loops_{};
  int size_ = 0;
};

// Counts through the loops with an addition or two per step instead of divisions.
class Odometer {
 public:
  Odometer(const Loops& loops, index_t start) : loops_(loops) {
    for (int i = loops.size() - 1; i >= 0; i--) {
      const index_t at = start % loops[i].count;
      start /= loops[i].count;
      at_[static_cast<std::size_t>(i)] = at;
      from_ += at * loops[i].from;
      to_ += at * loops[i].to;
    }
  }
  index_t from() const { return from_; }
  index_t to() const { return to_; }
  void next() {
    for (int i = loops_.size() - 1; i >= 0; i--) {
      index_t& at = at_[static_cast<std::size_t>(i)];
      from_ += loops_[i].from;
      to_ += loops_[i].to;
      if (++at < loops_[i].count) return;
      from_ -= at * loops_[i].from;
      to_ -= at * loops_[i].to;
      at = 0;
    }
  }

 private:
  const Loops& loops_;
  std::array<index_t, max_dims> at_{};
  index_t from_ = 0, to_ = 0;
};

struct Job {
  const char* from;
  char* to;
  index_t element_bytes;
  CopyOptions options;
};

// Calls work(from, to, piece) for every iteration of the loops times `pieces`, shared among the threads.
template <class Work>
void for_each(const Job& job, const Loops& loops, index_t pieces, const Work& work) {
  const index_t total = loops.iterations() * pieces;
  const int threads = static_cast<int>(std::min<index_t>(job.options.threads, total));
  on_threads(threads, [&](int thread) {
    const index_t first = total * thread / threads, last = total * (thread + 1) / threads;
    Odometer at(loops, first / pieces);
    for (index_t i = first, piece = first % pieces; i < last; i++) {
      work(job.from + at.from(), job.to + at.to(), piece);
      if (++piece < pieces) continue;
      piece = 0;
      at.next();
    }
    if (job.options.stream) lane_kernels<double>().fence();
  });
}

bool is_aligned(const void* address, index_t bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(bytes) == 0;
}

// The bytes are copied as doubles or floats: vectors copy bits, whatever they mean.
void copy_run(const char* from, char* to, index_t bytes, bool stream, index_t prefetch_distance) {
  constexpr index_t real = sizeof(double);
  if (stream && bytes % real == 0 && is_aligned(from, real) && is_aligned(to, real)) {
    lane_kernels<double>().stream(reinterpret_cast<const double*>(from), reinterpret_cast<double*>(to), bytes / real,
                                  prefetch_distance / real);
  } else {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
}

void copy_runs(const Job& job, const Loops& loops, index_t bytes) {
  const index_t pieces = std::max<index_t>(1, bytes / piece_bytes);
  // The next short run is prefetched. The processor prefetches long runs itself, but not beyond a page.
  const index_t prefetch_distance =
      pieces > 1 || loops.size() == 0 ? 16 * cache_line_bytes : loops[loops.size() - 1].from;
  // Runs of less than a few cache lines consist mostly of edges.
  const bool stream = job.options.stream && bytes >= 4 * cache_line_bytes;
  for_each(job, loops, pieces, [&](const char* from, char* to, index_t piece) {
    if (pieces == 1) return copy_run(from, to, bytes, stream, prefetch_distance);
    const auto edge = [&](index_t i) {
      return i == pieces ? bytes : bytes * i / pieces / cache_line_bytes * cache_line_bytes;
    };
    copy_run(from + edge(piece), to + edge(piece), edge(piece + 1) - edge(piece), stream, prefetch_distance);
  });
}

template <class Real>
void transpose(const Job& job, const Loops& loops, const Loop& rows, const Loop& columns) {
  constexpr index_t real = sizeof(Real);
  // Parts of the columns are shared among the threads; each is a whole number of cache lines.
  const index_t line = cache_line_bytes / job.element_bytes;
  const index_t pieces = std::max<index_t>(1, columns.count / (8 * line));
  for_each(job, loops, pieces, [&](const char* from, char* to, index_t piece) {
    const auto edge = [&](index_t i) { return i == pieces ? columns.count : columns.count * i / pieces / line * line; };
    const index_t first = edge(piece);
    lane_kernels<Real>().transpose({reinterpret_cast<const Real*>(from + first * columns.from),
                                    reinterpret_cast<Real*>(to + first * columns.to), rows.count,
                                    edge(piece + 1) - first, rows.from / real, columns.to / real,
                                    static_cast<int>(job.element_bytes / real), job.options.stream});
  });
}

bool fits(const Job& job, const Loops& loops, const Loop& rows, const Loop& columns, index_t real) {
  bool in_reals = job.element_bytes % real == 0 && is_aligned(job.from, real) && is_aligned(job.to, real) &&
                  rows.from % real == 0 && columns.to % real == 0;
  for (int i = 0; i < loops.size(); i++) in_reals = in_reals && loops[i].from % real == 0 && loops[i].to % real == 0;
  return in_reals;
}

// Rows of the loaded array become columns of the stored one.
bool copy_transposed(const Job& job, const Loops& loops, const Loop& rows, const Loop& columns) {
  if (rows.count < 2 || columns.count < 2) return false;
  if ((job.element_bytes == 8 || job.element_bytes == 16) && fits(job, loops, rows, columns, 8)) {
    transpose<double>(job, loops, rows, columns);
    return true;
  }
  if (job.element_bytes == 4 && fits(job, loops, rows, columns, 4)) {
    transpose<float>(job, loops, rows, columns);
    return true;
  }
  return false;
}

// Bytes 0: a number that is not known when this is compiled.
template <index_t Bytes>
void copy_elements_of(const Job& job, const Loops& loops, const Loop& inner) {
  const auto bytes = static_cast<std::size_t>(Bytes > 0 ? Bytes : job.element_bytes);
  const index_t pieces = std::max<index_t>(1, inner.count / elements_together);
  for_each(job, loops, pieces, [&](const char* from, char* to, index_t piece) {
    const index_t end = inner.count * (piece + 1) / pieces;
    for (index_t i = inner.count * piece / pieces; i < end; i++)
      std::memcpy(to + i * inner.to, from + i * inner.from, bytes);
  });
}

void copy_elements(const Job& job, const Loops& loops, const Loop& inner) {
  switch (job.element_bytes) {
    case 1:
      return copy_elements_of<1>(job, loops, inner);
    case 2:
      return copy_elements_of<2>(job, loops, inner);
    case 4:
      return copy_elements_of<4>(job, loops, inner);
    case 8:
      return copy_elements_of<8>(job, loops, inner);
    case 16:
      return copy_elements_of<16>(job, loops, inner);
    default:
      return copy_elements_of<0>(job, loops, inner);
  }
}

}  // namespace

void copy_block(const ByteArray<const char>& from, const ByteArray<char>& to, const Extents& extents,
                index_t element_bytes, const CopyOptions& options) {
  if (extents.product() == 0) return;
  const Job job{from.data, to.data, element_bytes, options};
  Loops loops(extents, from.strides, to.strides);
  const Loop inner = loops.pop(element_bytes);
  if (inner.from == element_bytes && inner.to == element_bytes) {
    const index_t bytes = inner.count * element_bytes;
    if (bytes >= cache_line_bytes || loops.size() == 0) return copy_runs(job, loops, bytes);
    const Loop runs = loops.pop(bytes);  // short ones, such as those of a halo along the last axis, are elements
    return copy_elements({job.from, job.to, bytes, options}, loops, runs);
  }
  if (inner.to == element_bytes) {
    Loops outer = loops;
    const Loop columns = outer.take_contiguous_source(element_bytes);
    if (copy_transposed(job, outer, inner, columns)) return;
  }
  copy_elements(job, loops, inner);
}

}  // namespace weft
