// Chooses the instruction set at run time and computes radices, twiddle factors and output order of lane transforms.
#include "lane_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "weft/error.hpp"

namespace weft {

namespace {

struct Variant {
  const char* name;
  bool runs;
  const LaneKernels<double>* kernels_double;
  const LaneKernels<float>* kernels_float;
};

std::vector<Variant> variants() {
  std::vector<Variant> result;
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                      __builtin_cpu_supports("avx512vl") != 0;
  result.push_back({"avx512", avx512, &avx512::kernels_double, &avx512::kernels_float});
  result.push_back({"avx2", avx2, &avx2::kernels_double, &avx2::kernels_float});
#endif
  result.push_back({"baseline", true, &baseline::kernels_double, &baseline::kernels_float});
  return result;
}

Variant choose_variant() {
  const char* asked = std::getenv("WEFT_SIMD");
  for (const Variant& variant : variants())
    if (variant.runs && (asked == nullptr || std::string(asked) == variant.name)) return variant;
  std::string allowed;
  for (const std::string& name : available_simd()) allowed += (allowed.empty() ? "" : ", ") + name;
  throw Error(Fault::argument, "WEFT_SIMD: '" + std::string(asked) + "' is not available here; use one of " + allowed);
}

const Variant& chosen_variant() {
  static const Variant variant = choose_variant();
  return variant;
}

constexpr int odd_radices[] = {13, 11, 7, 5, 3};

}  // namespace

index_t smooth_part(index_t n) {
  index_t rest = n;
  for (const int radix : odd_radices)
    while (rest % radix == 0) rest /= radix;
  while (rest % 2 == 0) rest /= 2;
  return n / rest;
}

namespace {

// 2^exponent as few radices 8, 4 and 2, of nearly equal size.
std::vector<int> powers_of_two(int exponent) {
  std::vector<int> result;
  for (int left = (exponent + 2) / 3; left > 0; left--) {
    const int bits = (exponent + left - 1) / left;
    result.push_back(1 << bits);
    exponent -= bits;
  }
  return result;
}

// The radices of n that read the same in both directions, or none. They let a transform sort its results where they
// are.
std::vector<int> mirrored_radices(index_t n) {
  std::vector<int> odd, middle;
  for (const int radix : odd_radices) {
    for (; n % (index_t{radix} * radix) == 0; n /= index_t{radix} * radix) odd.push_back(radix);
    if (n % radix == 0) middle.push_back(radix);
    while (n % radix == 0) n /= radix;
  }
  int exponent = 0;
  for (; n % 2 == 0; n /= 2) exponent++;
  if (const int stages = (exponent + 2) / 3; middle.empty() && stages % 2 != 0) {
    const int bits = std::min(exponent, exponent % 2 == 0 ? 2 : 3);
    middle.push_back(1 << bits);
    exponent -= bits;
  }
  if (middle.size() > 1 || exponent % 2 != 0) return {};
  std::vector<int> outer = powers_of_two(exponent / 2);
  outer.insert(outer.end(), odd.begin(), odd.end());
  std::vector<int> result = outer;
  result.insert(result.end(), middle.begin(), middle.end());
  result.insert(result.end(), outer.rbegin(), outer.rend());
  return result;
}

// Calls even(exponent) for the radices whose product is the power of two in n, and puts the odd ones behind the first.
template <class Even>
std::vector<int> with_odd_radices(index_t n, const Even& even) {
  std::vector<int> odd;
  for (const int radix : odd_radices) {
    for (; n % radix == 0; n /= radix) odd.push_back(radix);
  }
  int exponent = 0;
  for (; n % 2 == 0; n /= 2) exponent++;
  std::vector<int> result = even(exponent);
  result.insert(result.begin() + (result.empty() ? 0 : 1), odd.begin(), odd.end());
  return result;
}

// As few stages as possible, the smallest power of two first.
std::vector<int> fewest_radices(index_t n) {
  return with_odd_radices(n, [](int exponent) {
    std::vector<int> result = powers_of_two(exponent);
    std::reverse(result.begin(), result.end());
    return result;
  });
}

// Fours, the first one an eight or a two where that is what is left.
std::vector<int> radices_of_four(index_t n) {
  return with_odd_radices(n, [](int exponent) {
    std::vector<int> result(static_cast<std::size_t>(exponent / 2), 4);
    if (exponent % 2 != 0) result.empty() ? result.push_back(2) : void(result.front() = 8);
    return result;
  });
}

}  // namespace

// Even radices first and last where there are any: they spare work on padding, and let contiguous lines fill vectors.
// Lines that are sorted in a cache need no mirrored radices, and are sooner done with a large one last: butterflies of
// few points without twiddle factors wait for their stores (128 points in place: 4, 4, 8 in 0.8 of the time of 4, 8,
// 4).
std::vector<int> lane_radices(index_t n) {
  constexpr index_t cached_points = 128;
  std::vector<int> mirrored = mirrored_radices(n), fewest = fewest_radices(n);
  if (mirrored.empty() || mirrored.size() > fewest.size()) return fewest;
  return n <= cached_points && fewest.back() > mirrored.back() ? fewest : mirrored;
}

// A last stage of radix 8 that separates modes has no room for two butterflies in the registers: one of radix 4 has
// taken 0.84 to 0.95 of the time. Where lines are too long for the nearest cache, so do fours before it, in up to four
// stages. 128 points are best by 4, 4, 8 with AVX2, and no worse with AVX-512.
std::vector<int> separating_radices(index_t n) {
  constexpr index_t as_ever = 128, cached_points = 192;
  constexpr std::size_t most_stages = 4;
  if (n == as_ever) return lane_radices(n);
  std::vector<int> fours = radices_of_four(n);
  if (n > cached_points && n % 2 == 0 && fours.size() <= most_stages) return fours;
  return with_odd_radices(n, powers_of_two);
}

template <>
const LaneKernels<double>& lane_kernels<double>() {
  return *chosen_variant().kernels_double;
}
template <>
const LaneKernels<float>& lane_kernels<float>() {
  return *chosen_variant().kernels_float;
}

std::vector<std::string> available_simd() {
  std::vector<std::string> result;
  for (const Variant& variant : variants())
    if (variant.runs) result.emplace_back(variant.name);
  return result;
}

template <class Real>
LaneTables<Real>::LaneTables(index_t n, const std::vector<int>& radices) {
  index_t length = n;
  for (const int radix : radices) {
    add_stage(radix, length);
    length /= radix;
  }
  set_order();
  const bool sorts = (stages_.empty() || stages_.front().radix <= largest_sorting_radix) &&
                     std::equal(stages_.begin(), stages_.end(), stages_.rbegin(),
                                [](const LaneStage& a, const LaneStage& b) { return a.radix == b.radix; });
  plan_ = {n,    static_cast<int>(stages_.size()), stages_.data(), twiddles_.data(), order_.data(), block_of_.data(),
           sorts};
}

template <class Real>
void LaneTables<Real>::add_stage(int radix, index_t length) {
  const index_t count = length / radix;
  stages_.push_back({radix, length, count, static_cast<index_t>(twiddles_.size())});
  for (index_t p = 0; p < count; p++)
    for (int r = 1; r < radix; r++) push_root(twiddles_, p * r, length);
}

// Stage by stage, the place of a result in memory says which residue of the mode number it has.
template <class Real>
void LaneTables<Real>::set_order() {
  if (stages_.empty()) return;
  const LaneStage& first = stages_.front();
  const int last_radix = stages_.back().radix;
  for (index_t place = 0; place < first.length; place += last_radix) {
    index_t mode = 0, weight = 1, rest = place;
    for (const LaneStage& stage : stages_) {
      mode += weight * (rest / stage.count);
      rest %= stage.count;
      weight *= stage.radix;
    }
    order_.push_back(mode);
  }
  block_of_.resize(order_.size());
  for (std::size_t block = 0; block < order_.size(); block++)
    block_of_[static_cast<std::size_t>(order_[block])] = static_cast<index_t>(block);
}

template <class Real>
void push_root(std::vector<Real>& to, index_t p, index_t n, long double factor) {
  const long double angle =
      2 * std::numbers::pi_v<long double> * static_cast<long double>(p) / static_cast<long double>(n);
  to.push_back(static_cast<Real>(factor * std::cos(angle)));
  to.push_back(static_cast<Real>(-factor * std::sin(angle)));
}

template void push_root<double>(std::vector<double>&, index_t, index_t, long double);
template void push_root<float>(std::vector<float>&, index_t, index_t, long double);
template class LaneTables<double>;
template class LaneTables<float>;

}  // namespace weft
