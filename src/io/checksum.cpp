// Sums of hashed words. The order of additions does not matter, so the sums do not depend on ranks and boxes.
#include "io/checksum.hpp"

#include <algorithm>
#include <cstring>

#include "io/agree.hpp"
#include "io/blocks.hpp"

namespace weft::io {
namespace {

constexpr index_t most_sums = 64;

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

template <class Word>
std::uint64_t sum_of(const char* bytes, index_t count, index_t first) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  std::uint64_t sum = 0, place = (static_cast<std::uint64_t>(first) + 1) * golden;
  for (index_t i = 0; i < count; ++i, place += golden) {
    Word word;
    std::memcpy(&word, bytes + i * static_cast<index_t>(sizeof word), sizeof word);
    sum += mixed(word + place);
  }
  return sum;
}

}  // namespace

Sums no_sums(const Extents& extents) {
  const index_t planes = std::max<index_t>(1, (extents[0] + most_sums - 1) / most_sums);
  return {planes, std::vector<std::uint64_t>(static_cast<std::size_t>((extents[0] + planes - 1) / planes))};
}

void add_to_sums(Sums& sums, Element element, const Extents& extents, const Box& box, const void* data) {
  const index_t words = is_complex(element) ? 2 : 1, bytes = bytes_of(element) / words;
  const auto sum = bytes == 8 ? sum_of<std::uint64_t> : sum_of<std::uint32_t>;
  const index_t sum_length = sums.planes * c_strides(extents)[0];
  const char* next = static_cast<const char*>(data);
  for_each_run(extents, box, extents.product(), [&](index_t first, index_t count) {
    for (const index_t end = first + count; first < end;) {
      const index_t part = std::min(end, (first / sum_length + 1) * sum_length) - first;
      sums.values[static_cast<std::size_t>(first / sum_length)] += sum(next, part * words, first * words);
      next += part * words * bytes;
      first += part;
    }
  });
}

void add_over_ranks(const Comm& comm, Sums& sums) {
  const std::vector<std::uint64_t> mine = make_on_all_ranks(comm, [&] { return sums.values; });
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(mine.data(), sums.values.data(), static_cast<int>(mine.size()), MPI_UINT64_T, MPI_SUM, comm.handle(),
                 &request);
  comm.wait(request);
}

std::string first_difference(const Sums& a, const Sums& b, const Extents& extents) {
  if (a.planes != b.planes || a.values.size() != b.values.size()) return "its checksums";
  const auto place = std::mismatch(a.values.begin(), a.values.end(), b.values.begin()).first - a.values.begin();
  const index_t first = place * a.planes, last = std::min(first + a.planes, extents[0]) - 1;
  return "indices " + std::to_string(first) + " to " + std::to_string(last) + " of axis 0";
}

}  // namespace weft::io
