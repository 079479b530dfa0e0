// Counts the bytes that other orders of axes, places of exchanges and grids would send.
#include "poisson/choices.hpp"

#include <algorithm>
#include <optional>

#include "base/number.hpp"
#include "plan/schedule/traffic.hpp"
#include "plan/tune/candidates.hpp"
#include "poisson/line_systems.hpp"
#include "poisson/problem.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr std::size_t most_grids = 3;

// Bytes sent forward and backward; nothing if the grid does not fit.
std::optional<index_t> bytes_exchanged(const ScheduleInput& input, std::size_t bytes_per_real) {
  try {
    return 2 * traffic_of(make_schedule(input), 0).all * static_cast<index_t>(bytes_per_real);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string order_text(const std::vector<int>& order) {
  std::string text = "order of axes";
  for (const int axis : order) text += " " + std::to_string(axis);
  return text;
}

void sort_by_bytes(std::vector<Choice>& choices) {
  std::stable_sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) { return a.bytes < b.bytes; });
}

ScheduleInput like(const ScheduleInput& input, ScheduleInput other) {
  other.scheme = input.scheme;
  other.grid = input.grid;
  return other;
}

// The best of all other orders of axes, each with its better place of the exchange.
std::vector<Choice> best_other_order(const std::vector<DomainAxis>& domain, const ScheduleInput& input,
                                     std::size_t bytes_per_real) {
  std::vector<Choice> found;
  std::vector<int> order = input.order;
  std::sort(order.begin(), order.end());
  const int solved = solved_axis(domain);
  do {
    if (order == input.order || (solved >= 0 && order.back() != solved)) continue;
    for (const bool padded : {true, false}) {
      if (padded && order.size() < 3) continue;
      const auto bytes =
          bytes_exchanged(like(input, schedule_input(domain, bytes_per_real, order, padded)), bytes_per_real);
      if (bytes) found.push_back({order_text(order), *bytes});
    }
  } while (std::next_permutation(order.begin(), order.end()));
  sort_by_bytes(found);
  found.resize(std::min<std::size_t>(found.size(), 1));
  return found;
}

std::vector<Choice> other_grids(const ScheduleInput& input, std::size_t bytes_per_real) {
  std::vector<Choice> found;
  ScheduleInput other = input;
  for (const std::vector<int>& grid : factorisations(input.grid.size(), 2)) {
    other.grid = ProcessGrid(grid);
    if (other.grid == input.grid) continue;
    if (const auto bytes = bytes_exchanged(other, bytes_per_real))
      found.push_back({"grid " + to_string(other.grid), *bytes});
  }
  sort_by_bytes(found);
  found.resize(std::min(found.size(), most_grids));
  return found;
}

}  // namespace

std::vector<Choice> choices_of(const std::vector<DomainAxis>& domain, const ScheduleInput& input,
                               std::size_t bytes_per_real) {
  std::vector<Choice> choices;
  const auto add = [&](std::vector<Choice> more) { choices.insert(choices.end(), more.begin(), more.end()); };
  add({{order_text(input.order) + ", grid " + to_string(input.grid), *bytes_exchanged(input, bytes_per_real)}});
  add(best_other_order(domain, input, bytes_per_real));
  if (input.padded) {
    const ScheduleInput later = like(input, schedule_input(domain, bytes_per_real, input.order, false));
    if (const auto bytes = bytes_exchanged(later, bytes_per_real))
      add({{"exchanges placed as without unbounded ends", *bytes}});
  }
  add(other_grids(input, bytes_per_real));
  return choices;
}

std::string to_text(const std::vector<Choice>& choices) {
  const auto megabytes = [](index_t bytes) { return number("%.4g MB", static_cast<double>(bytes) * 1e-6); };
  std::string text =
      "all ranks together send " + megabytes(choices.front().bytes) + " in a solve: " + choices.front().name;
  for (std::size_t i = 1; i < choices.size(); i++)
    text += (i == 1 ? "; instead: " : ", ") + choices[i].name + " " + megabytes(choices[i].bytes);
  return text;
}

}  // namespace weft
