// Shapes of networks from text, and as the cost model sees them.
#include "topology.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "weft/error.hpp"

namespace weft::simulation {

namespace {

std::vector<int> numbers(const std::string& text) {
  std::istringstream stream(text);
  std::vector<int> values;
  for (int value = 0; stream >> value; stream.ignore(1, ',')) values.push_back(value);
  return values;
}

}  // namespace

NetworkShape parse_shape(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  NetworkShape shape{parse_topology(text.substr(0, colon)), numbers(text.substr(std::min(colon + 1, text.size())))};
  require(shape.topology != Topology::flat && shape.sizes.size() == 3 &&
              *std::min_element(shape.sizes.begin(), shape.sizes.end()) > 0,
          "topology: '" + text +
              "' is not allowed; give a fat tree, dragonfly or torus and three sizes of 1 or more, " +
              "such as 'torus:4,2,2'");
  require(shape.topology != Topology::dragonfly || shape.sizes[0] <= shape.sizes[1],
          "topology: '" + text + "' has more groups than routers in a group; give at most as many");
  return shape;
}

NetworkShape simulated_shape() {
  const char* text = std::getenv("WEFT_TOPOLOGY");
  return parse_shape(text == nullptr ? "" : text);
}

int NetworkShape::nodes() const { return sizes[0] * sizes[1] * (topology == Topology::fat_tree ? 1 : sizes[2]); }

int NetworkShape::most_links() const {
  if (topology == Topology::fat_tree) return 4;
  if (topology == Topology::dragonfly) return 5;
  return 2 + sizes[0] / 2 + sizes[1] / 2 + sizes[2] / 2;
}

Network NetworkShape::network(const Rates& rates) const {
  Network network{topology, rates.network, {}, 0, {}};
  switch (topology) {
    case Topology::fat_tree:
      network.groups = {{sizes[0], static_cast<double>(sizes[2])}};
      break;
    case Topology::dragonfly:
      network.groups = {{sizes[1] * sizes[2], static_cast<double>(sizes[0] - 1)}};
      network.pair_links = 1;
      break;
    default:
      network.extents = {sizes[2], sizes[1], sizes[0]};
  }
  return network;
}

}  // namespace weft::simulation
