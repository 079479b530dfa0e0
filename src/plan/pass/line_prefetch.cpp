// Decides whether arrays are in cache, and how much of a row is prefetched at a time.
#include "plan/pass/line_prefetch.hpp"

#include <algorithm>

#include "base/buffer.hpp"
#include "transform/simd/processor.hpp"

namespace weft {

namespace {

constexpr double most_cached_bytes = 20 << 20;

// Bytes of a row that are prefetched together. Memory delivers stretches of 256 bytes 1.5 times as fast as those of 128
// on an Intel Xeon. On an AMD Zen 5, passes in place take 0.85 of the time with 128, except with short lines.
index_t prefetch_bytes(index_t elements) { return has_few_buffers() || elements <= 64 ? 256 : 128; }

}  // namespace

double second_cache() {
  // One megabyte if the system does not say.
  static const index_t said = second_cache_bytes();
  return static_cast<double>(said > 0 ? said : 1 << 20);
}

double all_caches() { return std::min(10 * second_cache(), most_cached_bytes); }

double stream_from_bytes() { return has_far_third_cache() ? 2.5 * second_cache() : most_cached_bytes; }

double meet_from_bytes() { return has_far_third_cache() ? second_cache() : most_cached_bytes; }

Memory memory_of(double bytes) {
  return bytes > (has_far_third_cache() ? second_cache() : all_caches()) ? Memory::main : Memory::cache;
}

template <class Real>
PrefetchRange prefetch_range(const RowPosition& row, index_t elements, index_t reals, index_t distance) {
  constexpr index_t cache_line = cache_line_reals<Real>;
  const index_t wanted = prefetch_bytes(elements) / (reals * static_cast<index_t>(sizeof(Real)));
  const index_t group = std::clamp<index_t>(wanted, 1, row.before + row.after + 1);
  const index_t part = row.before % group, next = group - part;
  const auto lines = [&](index_t sets) { return static_cast<int>((sets * reals + cache_line - 1) / cache_line); };
  if (row.after >= next)
    return {elements * part / group, elements * (part + 1) / group, next * reals,
            lines(std::min(group, row.after - next + 1))};
  if (row.after > 0 || distance == 0) return {};
  return {0, elements, distance, lines(group)};
}

template PrefetchRange prefetch_range<double>(const RowPosition&, index_t, index_t, index_t);
template PrefetchRange prefetch_range<float>(const RowPosition&, index_t, index_t, index_t);

}  // namespace weft
