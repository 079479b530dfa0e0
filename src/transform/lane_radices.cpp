// Chooses the radices of lane transforms by what their stages cost.
#include <algorithm>
#include <limits>
#include <map>

#include "lane_tables.hpp"

namespace weft {

namespace {

// What a stage takes of the time as the first one, as one between, and as the last one: of complex transforms, and of
// those whose last stage separates the modes of real lines. Fitted to the times of 3000 sequences of radices, of
// lengths up to 1024, strided and contiguous, with AVX-512 and AVX2 on a Zen 4, that of 16 set beside them: such a sum
// is within a tenth of most, and what it chooses takes 1.01 (complex) and 1.03 (separating) of the time of the best on
// average. So few stages are best, the first of them small, and the last large, since it has no twiddle factors; but
// two butterflies that are separated have to fit into the registers.
struct StageCosts {
  int first, between, last;
};
struct RadixCosts {
  int radix;
  StageCosts complex, separating;
};
using CostsOf = StageCosts RadixCosts::*;
constexpr int no_stage = 1000;
constexpr RadixCosts radix_costs[] = {
    {2, {20, 11, 16}, {20, 11, 18}},
    {3, {16, 6, 15}, {16, 7, 17}},
    {4, {17, 10, 14}, {17, 10, 17}},
    {5, {16, 8, 16}, {16, 8, 19}},
    {6, {17, 6, 13}, {17, 6, 40}},
    {7, {20, 17, 16}, {20, 17, 27}},
    {8, {23, 10, 11}, {22, 15, 23}},
    {9, {20, 12, 16}, {20, 12, 40}},
    {10, {23, 9, 15}, {23, 9, 40}},
    {11, {32, 25, 30}, {32, 25, 40}},
    {12, {25, 12, 12}, {25, 12, 40}},
    {13, {38, 30, 36}, {38, 30, 40}},
    {16, {no_stage, no_stage, 10}, {no_stage, no_stage, no_stage}},
};
// Less where a contiguous line of two stages never leaves the registers.
constexpr int square_bonus = 8;

// More where the first stage leaves parts that have no room in the nearest cache, 23 KB of a lane block of AVX-512, for
// each doubling of them.
constexpr index_t near_points = 180;
constexpr int far_cost = 7;

constexpr double cycles_of_cost = 0.6;  // what lane_stage_cost() counts

constexpr int no_way = std::numeric_limits<int>::max() / 4;

// The stages between that multiply to a number of points, smallest radices first.
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
    Choice best{n == 1 ? 0 : no_way, 1};
    for (const RadixCosts& stage : radix_costs) {
      if (n % stage.radix != 0) continue;
      const int cost = (stage.*costs_).between + choice(n / stage.radix).cost;
      if (cost <= best.cost) best = {cost, stage.radix};
    }
    return choices_[n] = best;
  }

  CostsOf costs_;
  std::map<index_t, Choice> choices_;
};

struct Stages {
  int cost = no_way;
  std::vector<int> radices;
};

// The cheapest ones, or the only one. `extra` is what else the first radix, the points behind it and the last radix
// cost, no_way where they are not served.
template <class Extra>
Stages cheapest_stages(index_t n, CostsOf costs, const Extra& extra) {
  if (n == 1) return {0, {}};
  for (const RadixCosts& stage : radix_costs)
    if (stage.radix == n && (stage.*costs).first < no_stage) return {(stage.*costs).last, {stage.radix}};
  Stages best;
  StagesBetween between(costs);
  for (const RadixCosts& begin : radix_costs) {
    const index_t part = n / begin.radix;
    if (n % begin.radix != 0) continue;
    for (const RadixCosts& end : radix_costs) {
      if (part % end.radix != 0) continue;
      const int more = extra(begin.radix, part, end.radix);
      const int cost = (begin.*costs).first + between.cost(part / end.radix) + (end.*costs).last + more;
      if (more == no_way || cost >= best.cost) continue;
      best = {cost, between.radices(part / end.radix)};
      best.radices.insert(best.radices.begin(), begin.radix);
      best.radices.push_back(end.radix);
    }
  }
  return best;
}

constexpr int odd_radices[] = {13, 11, 7, 5, 3};

int cost_of_parts(index_t points) {
  int cost = 0;
  for (; points > near_points; points /= 2) cost += far_cost;
  return cost;
}

// Contiguous lines want a power of two first, whose modes fill vectors: those of floats an eight, but where they are
// worked on as they lie in memory.
Stages complex_stages(index_t n, index_t real_bytes) {
  const bool interleaved = n % 5 != 0 && n % 7 != 0 && n % 11 != 0 && n % 13 != 0;
  const bool eight = n % 8 == 0 && real_bytes == sizeof(float) && !interleaved;
  return cheapest_stages(n, &RadixCosts::complex, [&](int first, index_t part, int last) {
    if (n % 4 == 0 && first != 8 && (first != 4 || eight)) return no_way;
    return cost_of_parts(part) - (first == part && part == last ? square_bonus : 0);
  });
}

}  // namespace

index_t smooth_part(index_t n) {
  index_t rest = n;
  for (const int radix : odd_radices)
    while (rest % radix == 0) rest /= radix;
  while (rest % 2 == 0) rest /= 2;
  return n / rest;
}

std::vector<int> lane_radices(index_t n, index_t real_bytes) { return complex_stages(n, real_bytes).radices; }

std::vector<int> separating_radices(index_t n) {
  return cheapest_stages(n, &RadixCosts::separating, [](int, index_t, int) { return 0; }).radices;
}

double lane_stage_cost(index_t n) { return cycles_of_cost * complex_stages(n, sizeof(double)).cost; }

}  // namespace weft
