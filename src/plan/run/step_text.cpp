// Texts of explain() for layouts, passes and exchanges.
#include "plan/run/step_text.hpp"

#include <algorithm>
#include <cmath>

#include "base/number.hpp"

namespace weft {

std::string layouts_text(const Schedule& schedule) {
  const auto elements = [](int width) { return width == 2 ? ", complex" : ", real"; };
  return "physical " + to_string(schedule.physical) + elements(schedule.width_physical) + "\nspectral " +
         to_string(schedule.spectral) + elements(schedule.width_spectral) + "\n";
}

std::string lines_text(int axis, const AxisTransform& transform, index_t lines) {
  std::string text =
      "axis " + std::to_string(axis) + " " + to_string(transform.kind) + " " + std::to_string(transform.length);
  if (transform.count != transform.length) text += " (of which " + std::to_string(transform.count) + " data)";
  if (transform.is_truncated()) text += " (of which " + std::to_string(transform.modes) + " modes kept)";
  return text + ", " + std::to_string(lines) + " lines";
}

double lines_flops(const AxisTransform& transform, index_t lines) {
  const auto n = static_cast<double>(transform.length);
  const bool complex_lines = transform.kind == Kind::c2c;
  const double levels = transform.kind == Kind::none ? 2 : std::log2(std::max(n, 2.0));
  return static_cast<double>(lines) * (complex_lines ? 5 : 2.5) * n * levels;
}

std::string work_text(double bytes, double flops) {
  return number("%.1f MB of memory, ", bytes * 1e-6) + number("%.1f Mflop", flops * 1e-6);
}

std::string axes_text(const ExchangePlan& plan) {
  return ", axis " + std::to_string(plan.near_axis) + " <-> axis " + std::to_string(plan.far_axis);
}

std::string sent_text(index_t bytes) { return number(", %.4g MB sent", static_cast<double>(bytes) * 1e-6); }

std::string peers_text(const PeerTraffic& traffic) {
  if (traffic.peers == 0) return {};
  const auto megabytes = [](const char* format, index_t value) {
    return number(format, static_cast<double>(value) * 1e-6);
  };
  const std::string peers = std::to_string(traffic.peers) + (traffic.peers == 1 ? " peer, " : " peers, ");
  return " to " + peers + (traffic.least == traffic.most ? "" : megabytes("%.4g to ", traffic.least)) +
         megabytes("%.4g MB each", traffic.most);
}

std::string between_text(const PeerTraffic& traffic, index_t bytes_sent) {
  const auto sent = static_cast<double>(bytes_sent), all = static_cast<double>(traffic.all);
  if (traffic.all == 0 || sent > all) return {};
  return number(", %.6g MB to other nodes", static_cast<double>(traffic.between) * sent / all * 1e-6);
}

std::string chunks_text(const ExchangePlan& plan) {
  if (plan.chunks <= 1) return {};
  return ", in " + std::to_string(plan.chunks) + " chunks along axis " + std::to_string(plan.chunk_axis);
}

std::string in_place_text(const ExchangePlan& plan) {
  const bool alone = plan.process_axis < 0 || plan.near.ranks() == 1;
  return (alone ? "none, in place" : "none, in place, one barrier") + axes_text(plan);
}

std::string predicted_text(const StepCost& cost) {
  if (cost.seconds() <= 0 || !cost.possible) return {};
  std::string text = number(", predicted %.3f ms", cost.seconds() * 1e3);
  if (cost.network <= 0) return text;
  return text + number(" (%.3f between nodes", cost.network * 1e3) +
         (cost.hidden > 0 ? number(", %.3f of it during passes)", cost.hidden * 1e3) : ")");
}

void add_strategy(std::string& names, const std::string& name) {
  if (name != "none" && names.find(name) == std::string::npos) names += (names.empty() ? "" : "+") + name;
}

}  // namespace weft
