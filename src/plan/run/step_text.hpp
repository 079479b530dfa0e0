// The texts of explain() for the steps of a schedule, in the same words for existing and for absent ranks.
#pragma once

#include <string>

#include "plan/schedule/traffic.hpp"
#include "plan/tune/cost.hpp"

namespace weft {

/// Both layouts, a line each.
std::string layouts_text(const Schedule& schedule);
/// "axis 2 r2c 64, 352 lines": one transform of a pass, with the number of lines of a rank.
std::string lines_text(int axis, const AxisTransform& transform, index_t lines);
/// Floating-point operations of `lines` lines.
double lines_flops(const AxisTransform& transform, index_t lines);
/// The bytes that a pass loads and stores, and its operations.
std::string work_text(double bytes, double flops);
/// ", axis 2 <-> axis 0"
std::string axes_text(const ExchangePlan& plan);
/// ", 1.2 MB sent"
std::string sent_text(index_t bytes);
/// The bytes for each peer, before numbers are narrowed on the wire; empty without other ranks.
std::string peers_text(const PeerTraffic& traffic);
/// The part of the sent data that leaves the node; numbers on the wire may be narrower. Data that ranks forward for
/// others are included.
std::string between_text(const PeerTraffic& traffic, index_t bytes_sent);
/// The number of chunks; empty if the exchange is not cut.
std::string chunks_text(const ExchangePlan& plan);
/// An exchange in memory that all ranks share.
std::string in_place_text(const ExchangePlan& plan);
/// The predicted time; empty without a prediction.
std::string predicted_text(const StepCost& cost);
/// Adds the strategy of an exchange to the names of all, each once, joined by "+"; "none" if no exchange moves data.
void add_strategy(std::string& names, const std::string& name);

}  // namespace weft
