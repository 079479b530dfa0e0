// The simulated machine, in the simulator's words: hosts on a fat tree, a dragonfly or a torus, whose routes are the
// simulator's own. It is loaded as a platform (smpirun -platform); WEFT_TOPOLOGY says which. A node is one host with a
// memory bus, which all messages inside it share, and has a core for each of its ranks.
#include <simgrid/s4u.hpp>

#include <string>
#include <utility>
#include <vector>

#include "topology.hpp"

namespace sg4 = simgrid::s4u;
using weft::Topology;
using weft::simulation::NetworkShape;
using weft::simulation::Rates;

namespace {

constexpr double core_speed = 1e9;  // what smpi/host-speed says, so that a second is a second
constexpr int cores = 1024;

using NetPoint = simgrid::kernel::routing::NetPoint;
using Coordinates = const std::vector<unsigned long>&;

sg4::Host* make_host(sg4::NetZone* zone, unsigned long id) {
  return zone->create_host("node-" + std::to_string(id), core_speed)->set_core_count(cores);
}

sg4::Link* make_bus(sg4::NetZone* zone, unsigned long id, const Rates& rates) {
  return zone->create_link("memory-" + std::to_string(id), rates.memory)->set_latency(rates.latency_memory)->seal();
}

// Nodes of networks in which a link leads from every node to its switch.
sg4::ClusterCallbacks plain_nodes(const Rates& rates) {
  const auto node = [](sg4::NetZone* zone, Coordinates, unsigned long id) {
    return std::make_pair(make_host(zone, id)->seal()->get_netpoint(), static_cast<NetPoint*>(nullptr));
  };
  const auto bus = [rates](sg4::NetZone* zone, Coordinates, unsigned long id) { return make_bus(zone, id, rates); };
  return sg4::ClusterCallbacks(node, bus, {});
}

// Nodes of a torus: a host, and the link from it to the router where the links of the torus meet.
sg4::ClusterCallbacks nodes_with_routers(const Rates& rates) {
  const auto node = [rates](sg4::NetZone* torus, Coordinates, unsigned long id) {
    sg4::NetZone* zone = sg4::create_star_zone("zone-" + std::to_string(id))->set_parent(torus);
    sg4::Host* host = make_host(zone, id);
    NetPoint* router = zone->create_router("router-" + std::to_string(id));
    sg4::SplitDuplexLink* card = zone->create_split_duplex_link("card-" + std::to_string(id), rates.network);
    card->set_latency(rates.latency_network)->seal();
    const sg4::LinkInRoute out(card, sg4::LinkInRoute::Direction::UP), bus(make_bus(zone, id, rates));
    zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {out}, true);
    zone->add_route(host->get_netpoint(), host->get_netpoint(), nullptr, nullptr, {bus}, false);
    host->seal();
    zone->seal();
    return std::make_pair(zone->get_netpoint(), router);
  };
  return sg4::ClusterCallbacks(node);
}

sg4::NetZone* make_network(const NetworkShape& shape) {
  const Rates rates;
  const auto size = [&](std::size_t i) { return static_cast<unsigned int>(shape.sizes[i]); };
  const auto both_ways = sg4::Link::SharingPolicy::SPLITDUPLEX;
  switch (shape.topology) {
    case Topology::fat_tree:
      return sg4::create_fatTree_zone("network", nullptr, {2, {size(0), size(1)}, {1, size(2)}, {1, 1}},
                                      plain_nodes(rates), rates.network, rates.latency_network, both_ways);
    case Topology::dragonfly:
      return sg4::create_dragonfly_zone("network", nullptr, {{size(0), 1}, {1, 1}, {size(1), 1}, size(2)},
                                        plain_nodes(rates), rates.network, rates.latency_network, both_ways);
    default:
      return sg4::create_torus_zone("network", nullptr, {size(0), size(1), size(2)}, nodes_with_routers(rates),
                                    rates.network, rates.latency_network, both_ways);
  }
}

}  // namespace

extern "C" void load_platform(const sg4::Engine&) { make_network(weft::simulation::simulated_shape())->seal(); }
