// Reads what a run does.
#include "case.hpp"

#include <functional>
#include <map>
#include <sstream>

#include "weft/error.hpp"

namespace weft::simulation {

namespace {

double number(const std::string& name, const std::string& text) {
  std::istringstream stream(text);
  double value = 0;
  stream >> value;
  require(!stream.fail() && stream.eof() && value >= 0,
          name + ": '" + text + "' is not allowed; give a number of 0 or more");
  return value;
}

std::vector<int> numbers(const std::string& name, const std::string& text) {
  std::istringstream stream(text);
  std::vector<int> values;
  for (std::string item; std::getline(stream, item, ',');) values.push_back(static_cast<int>(number(name, item)));
  return values;
}

}  // namespace

Case parse_case(const std::vector<std::string>& arguments) {
  Case result;
  const auto whole = [](int& target) {
    return [&target](const std::string& name, const std::string& text) { target = numbers(name, text).at(0); };
  };
  const auto flag = [](bool& target) {
    return [&target](const std::string& name, const std::string& text) { target = numbers(name, text).at(0) != 0; };
  };
  const auto strategy = [](Strategy& target) {
    return [&target](const std::string& name, const std::string& text) { target = parse_strategy(text, name); };
  };
  const std::map<std::string, std::function<void(const std::string&, const std::string&)>> setters{
      {"extents",
       [&](const std::string& name, const std::string& text) {
         result.extents = Extents();
         for (const int size : numbers(name, text)) result.extents.push_back(size);
       }},
      {"grid", [&](const std::string& name, const std::string& text) { result.grid = numbers(name, text); }},
      {"strategy", strategy(result.strategy)},
      {"between", strategy(result.between_nodes)},
      {"chunks", whole(result.chunks)},
      {"node_ranks", whole(result.node_ranks)},
      {"rounds", whole(result.rounds)},
      {"redistribution", flag(result.redistribution)},
      {"damage", flag(result.damage)},
      {"compute", [&](const std::string& name, const std::string& text) { result.compute = number(name, text); }}};
  for (const std::string& argument : arguments) {
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string name = argument.substr(0, equals);
    const auto setter = setters.find(name);
    require(setter != setters.end() && equals < argument.size(), "'" + argument + "' is no argument; give name=value");
    setter->second(name, argument.substr(equals + 1));
  }
  require(result.extents.dims() == 3 && result.grid.size() == 2, "give extents=X,Y,Z and grid=P,Q");
  return result;
}

std::vector<ExchangePlan> Case::exchanges() const {
  const Layout first(extents, ProcessGrid(grid), {0, 1});
  const Layout second = first.with_cut(1, 2), third = second.with_cut(0, 1);
  std::vector<ExchangePlan> plans;
  if (grid[1] > 1) plans.push_back({1, first, second, 2, 1, 2, chunks, 0});
  if (grid[0] > 1) plans.push_back({0, second, third, 1, 0, 2, chunks, 2});
  return plans;
}

}  // namespace weft::simulation
