// Sums of doubles without rounding: the same in every order, and thus for any number of ranks and threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "weft/comm.hpp"

namespace weft {

/// A sum of doubles, held as one integer in units of 2^-1074, of which every double is a multiple.
///
/// From a few numbers at a time the parts that are multiples of one power of two are split off and added; the
/// remainders are split again until they are zero. Each of these sums has so few terms and bits that it is exact
/// (compare Demmel and Nguyen, Parallel reproducible summation, IEEE Trans. Comput. 64, 2015).
class ExactSum {
 public:
  /// The most numbers that one call of add() takes. They stay in the nearest cache.
  static constexpr index_t most = 2048;
  // Words of 32 bits, the lowest first; one keeps its overflow until carry() moves it to the next. 2^1024
  // and carries of 2^63 terms need 68 of them. After them: how many terms are inf, -inf and NaN.
  static constexpr std::size_t words = 68, infinite = words, negative = words + 1, undefined = words + 2;
  /// A sum as whole numbers, which may be added to those of other sums.
  using Words = std::array<std::int64_t, words + 3>;

  ExactSum() = default;
  explicit ExactSum(const Words& given) : words_(given) {}

  /// Adds `values`, which are overwritten.
  void add(std::span<double> values);
  void add(double value);
  void add(const ExactSum& other);
  /// Adds the sums of all ranks. Collective.
  void add_ranks(const Comm& comm);
  /// The nearest double. Infinite and NaN terms give what additions in any order give.
  double rounded() const;

  /// Each below 2^32 but the last one, so that those of many sums can be added.
  const Words& carried();

 private:
  void add_multiple(std::int64_t factor, int exponent);
  void carry();

  Words words_{};
  int additions_ = 0;  // since the last carry()
};

/// The sum of term(i) for first <= i < end. Each term is asked for once.
template <class Term>
ExactSum exact_part(index_t first, index_t end, const Term& term) {
  ExactSum part;
  std::array<double, ExactSum::most> values;
  for (index_t from = first; from < end; from += ExactSum::most) {
    const index_t some = std::min(ExactSum::most, end - from);
    for (index_t i = 0; i < some; i++) values[static_cast<std::size_t>(i)] = term(from + i);
    part.add(std::span(values).first(static_cast<std::size_t>(some)));
  }
  return part;
}

/// The sum over all ranks of term(i), i = 0 to count - 1 on this rank, rounded once. Each term is asked for once, by
/// one of so many threads. Collective.
template <class Term>
double exact_sum(const Comm& comm, int threads, index_t count, const Term& term) {
  std::vector<ExactSum> parts(static_cast<std::size_t>(threads));
  on_threads(threads, [&](int thread) {
    parts[static_cast<std::size_t>(thread)] =
        exact_part(count * thread / threads, count * (thread + 1) / threads, term);
  });
  for (std::size_t other = 1; other < parts.size(); other++) parts.front().add(parts[other]);
  parts.front().add_ranks(comm);
  return parts.front().rounded();
}

}  // namespace weft
