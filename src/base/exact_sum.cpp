// Splits doubles into parts whose sums are exact, and rounds the whole.
#include "base/exact_sum.hpp"

#include <mpi.h>

#include <bit>
#include <cmath>
#include <limits>

namespace weft {

namespace {

constexpr int lowest = -1074;  // the exponent of the smallest double
constexpr int word_bits = 32;
constexpr std::int64_t low_bits = (std::int64_t{1} << word_bits) - 1;
// So many bits of a number are split off at a time: sums of ExactSum::most of them fit into the 53 bits of a double.
constexpr int part_bits = 52 - std::countr_zero(static_cast<std::uint64_t>(ExactSum::most));
// Beyond it the number that splits might overflow.
constexpr double largest = 0x1p1000;
// Words hold the overflow of so many additions.
constexpr int most_additions = 1 << 28;

struct Look {
  double top = 0;   // the largest magnitude
  double zero = 0;  // NaN where a value is not finite
};

Look look_at(std::span<const double> values) {
  double top = 0, zero = 0;
#pragma omp simd reduction(max : top) reduction(+ : zero)
  for (std::size_t i = 0; i < values.size(); i++) {
    const double magnitude = std::abs(values[i]);
    top = magnitude > top ? magnitude : top;
    zero += values[i] * 0.0;
  }
  return {top, zero};
}

// Takes multiples of the last bit of `splitter` off the values: adding it rounds to that bit. Returns their sum.
double split(std::span<double> values, double splitter, double& top) {
  double sum = 0, left = 0;
#pragma omp simd reduction(+ : sum) reduction(max : left)
  for (std::size_t i = 0; i < values.size(); i++) {
    const double part = (values[i] + splitter) - splitter;
    values[i] -= part;
    sum += part;
    const double magnitude = std::abs(values[i]);
    left = magnitude > left ? magnitude : left;
  }
  top = left;
  return sum;
}

// The double nearest to a positive sum in words that are below 2^32.
double nearest(std::span<const std::int64_t> words) {
  std::size_t top = words.size() - 1;
  while (top > 0 && words[top] == 0) top--;
  const auto word = [&](std::size_t below) {
    return below > top ? std::uint64_t{0} : static_cast<std::uint64_t>(words[top - below]);
  };
  // The highest 64 bits; the last of them says whether any below is set, and so which way halves go.
  std::uint64_t bits = word(0) << word_bits | word(1);
  const int empty = bits == 0 ? 0 : std::countl_zero(bits);
  const std::uint64_t joined = word(2) << empty;
  bits = bits << empty | joined >> word_bits;
  bool more = (joined & low_bits) != 0;
  for (std::size_t below = 3; below <= top; below++) more = more || word(below) != 0;
  const double magnitude = static_cast<double>(bits | (more ? 1 : 0));
  const int exponent = lowest + word_bits * (static_cast<int>(top) - 1) - empty;
  return std::ldexp(magnitude, exponent);
}

}  // namespace

void ExactSum::add(std::span<double> values) {
  const Look look = look_at(values);
  if (std::isnan(look.zero) || look.top > largest) {
    for (const double value : values) add(value);
    return;
  }
  for (double top = look.top; top > 0;) {
    int exponent = 0;
    (void)std::frexp(top, &exponent);
    const int unit = std::max(exponent - part_bits, lowest);
    // The factor 3/2 makes negative values round in the same way.
    const double sum = split(values, std::ldexp(1.5, unit + 52), top);
    add_multiple(static_cast<std::int64_t>(std::ldexp(sum, -unit)), unit);
  }
}

void ExactSum::add(double value) {
  constexpr int fraction_bits = 52, infinite_exponent = 0x7ff;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<int>(bits >> fraction_bits & infinite_exponent);
  if (exponent == infinite_exponent) {
    words_[std::isnan(value) ? undefined : value > 0 ? infinite : negative]++;
    return;
  }
  // The smallest numbers have no leading 1, and the exponent of the next ones.
  std::uint64_t digits = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  if (exponent > 0) digits |= std::uint64_t{1} << fraction_bits;
  const auto factor = static_cast<std::int64_t>(digits);
  add_multiple(std::signbit(value) ? -factor : factor, lowest + std::max(exponent, 1) - 1);
}

void ExactSum::add_multiple(std::int64_t factor, int exponent) {
  const int place = exponent - lowest, shift = place % word_bits;
  const auto word = static_cast<std::size_t>(place / word_bits);
  const std::int64_t low = factor & low_bits, high = factor >> word_bits;
  const std::uint64_t moved = static_cast<std::uint64_t>(low) << shift;
  words_[word] += static_cast<std::int64_t>(moved & low_bits);
  const std::int64_t next = static_cast<std::int64_t>(moved >> word_bits) + high * (std::int64_t{1} << shift);
  words_[word + 1] += next & low_bits;
  words_[word + 2] += next >> word_bits;
  if (++additions_ == most_additions) carry();
}

void ExactSum::carry() {
  std::int64_t over = 0;
  for (std::size_t word = 0; word + 1 < words; word++) {
    const std::int64_t all = words_[word] + over;
    words_[word] = all & low_bits;
    over = all >> word_bits;
  }
  words_[words - 1] += over;
  additions_ = 0;
}

const ExactSum::Words& ExactSum::carried() {
  carry();
  return words_;
}

void ExactSum::add(const ExactSum& other) {
  ExactSum whole = other;
  whole.carry();
  carry();
  for (std::size_t i = 0; i < words_.size(); i++) words_[i] += whole.words_[i];
}

void ExactSum::add_ranks(const Comm& comm) {
  const Words mine = carried();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(mine.data(), words_.data(), static_cast<int>(mine.size()), MPI_INT64_T, MPI_SUM, comm.handle(),
                 &request);
  comm.wait(request);
}

double ExactSum::rounded() const {
  if (words_[undefined] > 0 || (words_[infinite] > 0 && words_[negative] > 0))
    return std::numeric_limits<double>::quiet_NaN();
  if (words_[infinite] > 0) return std::numeric_limits<double>::infinity();
  if (words_[negative] > 0) return -std::numeric_limits<double>::infinity();
  ExactSum sum = *this;
  sum.carry();
  const bool is_negative = sum.words_[words - 1] < 0;
  if (is_negative) {
    for (std::size_t word = 0; word < words; word++) sum.words_[word] = -sum.words_[word];
    sum.carry();
  }
  const double magnitude = nearest(std::span<const std::int64_t>(sum.words_).first(words));
  return is_negative ? -magnitude : magnitude;
}

}  // namespace weft
