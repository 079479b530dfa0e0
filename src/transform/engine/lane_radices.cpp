// Chooses the radices of lane transforms by the costs of their stages.
#include <algorithm>
#include <limits>
#include <map>

#include "transform/engine/lane_tables.hpp"

namespace weft {

namespace {

// Relative times of a stage as the first, a middle, and the last one, in complex transforms and in those whose last
// stage separates the modes of real lines. The costs of complex transforms were fitted to times of 8000 sequences of
// radices, for lengths up to 4100, strided and contiguous, with AVX-512 and AVX2 on a Zen 5. The sequences they choose
// take 1.01 to 1.03 times as long as the best on average; for powers of two they are also the best on a Zen 4, where
// the costs of separating stages were measured. Few stages are best, with a small first radix and a large last one,
// since the last stage has no twiddle factors; but two butterflies that are separated have to fit into the registers.
// Radix 1 moves points between memory and the block, for lengths without another stage there (lane_stages.hpp).
struct StageCosts {
  int first, between, last;
};
struct RadixCosts {
  int radix;
  StageCosts complex, separating;
};
using CostsOf = StageCosts RadixCosts::*;
constexpr int no_stage = 1000;
constexpr int largest_radix = 12;  // of a single stage, or the last one of a convolution
constexpr RadixCosts radix_costs[] = {
    {1, {20, no_stage, 20}, {20, no_stage, 20}},
    {2, {34, 26, 36}, {40, 22, 36}},
    {3, {32, 24, 34}, {32, 14, 34}},
    {4, {34, 18, 28}, {34, 20, 34}},
    {5, {29, 17, 31}, {32, 16, 38}},
    {6, {32, 10, 26}, {34, 12, 80}},
    {7, {40, 32, 32}, {40, 34, 54}},
    {8, {46, 20, 22}, {44, 30, 46}},
    {9, {44, 24, 32}, {40, 24, 80}},
    {10, {no_stage, 17, 28}, {no_stage, 18, 80}},
    {11, {no_stage, 47, no_stage}, {no_stage, 50, no_stage}},
    {12, {no_stage, 23, 22}, {no_stage, 24, 80}},
    {13, {no_stage, 66, no_stage}, {no_stage, 60, no_stage}},
    {16, {no_stage, no_stage, 23}, {no_stage, no_stage, no_stage}},
};
// Subtracted where a contiguous line of two stages stays in the registers.
constexpr int square_bonus = 16;

// Added for each doubling of the parts that the first stage leaves beyond the nearest cache, i.e. beyond 23 KB of a
// lane block of AVX-512.
constexpr index_t near_points = 180;
constexpr int far_cost = 18;

constexpr double cycles_of_cost = 0.3;  // the unit of lane_stage_cost()

constexpr int not_served = std::numeric_limits<int>::max() / 4;

// The cheapest middle stages for a number of points, smallest radices first.
class StagesBetween {
 public:
  explicit StagesBetween(CostsOf costs) : costs_(costs) {}
  int cost(index_t n) { return choice(n).cost; }
  std::vector<int> radices(index_t n) {
    std::vector<int> result;
    for (; n > 1; n /= result.back()) result.push_back(choice(n).radix);
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  struct Choice {
    int cost, radix;
  };
  const Choice& choice(index_t n) {
    if (const auto known = choices_.find(n); known != choices_.end()) return known->second;
    Choice best{n == 1 ? 0 : not_served, 1};
    for (const RadixCosts& stage : radix_costs) {
      if (n % stage.radix != 0 || (stage.*costs_).between == no_stage) continue;
      const int cost = (stage.*costs_).between + choice(n / stage.radix).cost;
      if (cost <= best.cost) best = {cost, stage.radix};
    }
    return choices_[n] = best;
  }

  CostsOf costs_;
  std::map<index_t, Choice> choices_;
};

struct Stages {
  int cost = not_served;
  std::vector<int> radices;
};

// The cheapest stages whose first and last radix are at least `least`.
template <class Extra>
Stages cheapest_stages(index_t n, CostsOf costs, const Extra& extra, int least) {
  Stages best;
  StagesBetween between(costs);
  for (const RadixCosts& begin : radix_costs) {
    const index_t part = n / begin.radix;
    if (n % begin.radix != 0 || begin.radix < least || (begin.*costs).first == no_stage) continue;
    for (const RadixCosts& end : radix_costs) {
      if (part % end.radix != 0 || end.radix < least || (end.*costs).last == no_stage) continue;
      const int more = extra(begin.radix, part, end.radix);
      const int cost = (begin.*costs).first + between.cost(part / end.radix) + (end.*costs).last + more;
      if (more == not_served || cost >= best.cost) continue;
      best = {cost, between.radices(part / end.radix)};
      best.radices.insert(best.radices.begin(), begin.radix);
      best.radices.push_back(end.radix);
    }
  }
  return best;
}

// The cheapest stages, or the only one. extra(first radix, points after it, last radix) is an additional cost, or
// not_served for combinations that are not served.
template <class Extra>
Stages cheapest_stages(index_t n, CostsOf costs, const Extra& extra) {
  if (n == 1) return {0, {1}};
  for (const RadixCosts& stage : radix_costs)
    if (stage.radix == n && n <= largest_radix && (stage.*costs).last < no_stage)
      return {(stage.*costs).last, {stage.radix}};
  const Stages best = cheapest_stages(n, costs, extra, 2);
  return best.cost < not_served ? best : cheapest_stages(n, costs, extra, 1);
}

constexpr int odd_radices[] = {13, 11, 7, 5, 3};

int cost_of_parts(index_t points) {
  int cost = 0;
  for (; points > near_points; points /= 2) cost += far_cost;
  return cost;
}

// The cheapest stages whose first radix satisfies serves().
template <class Serves>
Stages complex_stages(index_t n, const Serves& serves) {
  return cheapest_stages(n, &RadixCosts::complex, [&](int first, index_t part, int last) {
    if (!serves(first)) return not_served;
    return cost_of_parts(part) - (first == part && part == last ? square_bonus : 0);
  });
}
Stages complex_stages(index_t n) {
  return complex_stages(n, [](int) { return true; });
}

}  // namespace

index_t smooth_part(index_t n) {
  index_t rest = n;
  for (const int radix : odd_radices)
    while (rest % radix == 0) rest /= radix;
  while (rest % 2 == 0) rest /= 2;
  return n / rest;
}

std::vector<int> lane_radices(index_t n) { return complex_stages(n).radices; }

std::vector<int> line_radices(index_t n, int lanes, index_t real_bytes) {
  const int least = lanes <= 4 ? 2 : 4;
  if (n % least != 0) return lane_radices(n);
  // Floats in long vectors begin with radix 8, unless their lines are transformed interleaved.
  const bool interleaved = n % 5 != 0 && n % 7 != 0 && n % 11 != 0 && n % 13 != 0;
  const bool eight = n % 8 == 0 && lanes > 4 && real_bytes == sizeof(float) && !interleaved;
  const auto serves = [&](int first) { return first == 8 || (!eight && (first == 4 || first == least)); };
  return complex_stages(n, serves).radices;
}

std::vector<int> convolving_radices(index_t n) {
  const auto extra = [](int, index_t part, int last) {
    return last > largest_radix ? not_served : cost_of_parts(part);
  };
  return cheapest_stages(n, &RadixCosts::complex, extra).radices;
}

std::vector<int> separating_radices(index_t n) {
  return cheapest_stages(n, &RadixCosts::separating, [](int, index_t, int) { return 0; }).radices;
}

double lane_stage_cost(index_t n) { return cycles_of_cost * complex_stages(n).cost; }

template class LaneTables<double>;
template class LaneTables<float>;

}  // namespace weft
