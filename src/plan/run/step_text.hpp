// What explain() says of the steps of a schedule, in the same words with ranks and without them.
#pragma once

#include <string>

#include "plan/schedule/traffic.hpp"
#include "plan/tune/cost.hpp"

namespace weft {

/// Both layouts, a line each.
std::string layouts_text(const Schedule& schedule);
/// "axis 2 r2c 64, 352 lines": one transform of a pass, as many times as a rank does it.
std::string lines_text(int axis, const AxisTransform& transform, index_t lines);
/// Floating-point operations of so many lines.
double lines_flops(const AxisTransform& transform, index_t lines);
/// What a pass loads and stores, and what it computes.
std::string work_text(double bytes, double flops);
/// ", axis 2 <-> axis 0"
std::string axes_text(const ExchangePlan& plan);
/// ", 1.2 MB sent"
std::string sent_text(index_t bytes);
/// How much goes to whom, before it is narrowed on the wire; nothing where there is nobody else.
std::string peers_text(const PeerTraffic& traffic);
/// Of what an exchange sends, the part that leaves the node, as numbers on the wire may be narrower. What ranks pass on
/// for others is not told apart.
std::string between_text(const PeerTraffic& traffic, index_t bytes_sent);
/// Nothing where an exchange is not cut.
std::string chunks_text(const ExchangePlan& plan);
/// An exchange in memory that all ranks share.
std::string in_place_text(const ExchangePlan& plan);
/// Nothing where nothing is predicted.
std::string predicted_text(const StepCost& cost);
/// The names of the strategies of all exchanges, each once, joined by "+"; "none" where none moves anything.
void add_strategy(std::string& names, const std::string& name);

}  // namespace weft
