// What a pipeline says about itself: every step with its lines, memory traffic and times.
#include <algorithm>
#include <map>

#include "base/copy_speed.hpp"
#include "base/number.hpp"
#include "plan/pipeline.hpp"

namespace weft {

namespace {

// Bytes that a rank sends to each of its peers in an exchange, all chunks together, by their ranks.
std::map<int, index_t> bytes_to_peers(const ExchangePlan& plan, int rank, std::size_t bytes_per_real) {
  const ProcessGrid& grid = plan.near.grid();
  std::map<int, index_t> bytes;
  if (plan.process_axis < 0) return bytes;
  for (int peer = 0; peer < grid[plan.process_axis]; peer++) {
    const int other = grid.neighbour(rank, plan.process_axis, peer);
    const index_t elements = intersect(plan.near.box(rank), plan.far.box(other)).size();
    if (other != rank) bytes[other] = elements * plan.width * static_cast<index_t>(bytes_per_real);
  }
  return bytes;
}

// How much goes to whom, before it is narrowed on the wire.
std::string peers_text(const std::map<int, index_t>& bytes) {
  if (bytes.empty()) return {};
  const auto [least, most] =
      std::minmax_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto megabytes = [](const char* format, index_t value) {
    return number(format, static_cast<double>(value) * 1e-6);
  };
  const std::string peers = std::to_string(bytes.size()) + (bytes.size() == 1 ? " peer, " : " peers, ");
  return " to " + peers + (least->second == most->second ? "" : megabytes("%.4g to ", least->second)) +
         megabytes("%.4g MB each", most->second);
}

std::string predicted_text(const StepCost& cost) {
  if (cost.seconds() <= 0 || !cost.possible) return {};
  std::string text = number(", predicted %.3f ms", cost.seconds() * 1e3);
  if (cost.network <= 0) return text;
  return text + number(" (%.3f between nodes", cost.network * 1e3) +
         (cost.hidden > 0 ? number(", %.3f of it behind passes)", cost.hidden * 1e3) : ")");
}

std::string timed(double seconds) { return seconds > 0 ? number(", last run %.3f ms", seconds * 1e3) : std::string(); }

}  // namespace

template <class Real>
std::string Pipeline<Real>::strategy() const {
  if (shares_memory_) return comm_.size() > 1 ? "shared" : "none";
  std::string text;
  for (const auto& exchange : exchanges_) {
    const std::string name = exchange->name();
    if (name != "none" && text.find(name) == std::string::npos) text += (text.empty() ? "" : "+") + name;
  }
  return text.empty() ? "none" : text;
}

template <class Real>
int Pipeline<Real>::chunks() const {
  int chunks = 1;
  for (const auto& exchange : exchanges_) chunks = std::max(chunks, exchange->chunks());
  return chunks;
}

template <class Real>
index_t Pipeline<Real>::workspace_bytes() const {
  index_t bytes = 0;
  for (const auto& exchange : exchanges_) bytes += exchange->workspace_bytes();
  for (const auto& w : workspaces_) bytes += w.blocks.bytes() + w.plane.bytes();
  return bytes + field_workspace_bytes();
}

template <class Real>
index_t Pipeline<Real>::bytes_sent() const {
  index_t bytes = 0;
  for (const auto& exchange : exchanges_) bytes += exchange->bytes_sent();
  if (!shares_memory_) return bytes;
  for (const ExchangePlan& plan : schedule_.exchanges)
    for (const auto& [peer, to_peer] : bytes_to_peers(plan, comm_.rank(), sizeof(Real))) bytes += to_peer;
  return bytes;
}

// Of what an exchange sends, the part that leaves this rank's node, as numbers on the wire may be narrower. What ranks
// pass on for others is not told apart.
template <class Real>
std::string Pipeline<Real>::between_text(std::size_t i) const {
  if (static_cast<int>(near_ranks_.size()) == comm_.size()) return {};
  index_t all = 0, between = 0;
  for (const auto& [peer, bytes] : bytes_to_peers(schedule_.exchanges[i], comm_.rank(), sizeof(Real))) {
    all += bytes;
    if (near_ranks_.count(peer) == 0) between += bytes;
  }
  const auto sent = static_cast<double>(exchanges_[i]->bytes_sent());
  if (all == 0 || sent > static_cast<double>(all)) return {};
  return number(", %.6g MB to other nodes", static_cast<double>(between) * sent / static_cast<double>(all) * 1e-6);
}

template <class Real>
std::string Pipeline<Real>::explain_exchange(std::size_t i) const {
  const ExchangePlan& plan = schedule_.exchanges[i];
  const std::string axes = ", axis " + std::to_string(plan.near_axis) + " <-> axis " + std::to_string(plan.far_axis);
  if (shares_memory_)
    return (plan.process_axis < 0 || comm_.size() == 1 ? "none, in place" : "none, in place, one barrier") + axes +
           predicted_text(predicted_.exchanges[i]) + timed(times_.exchanges[i]);
  const Exchange<Real>& exchange = *exchanges_[i];
  std::string text = exchange.name() + axes;
  text += number(", %.4g MB sent", static_cast<double>(exchange.bytes_sent()) * 1e-6);
  if (exchange.name() != "none") text += peers_text(bytes_to_peers(plan, comm_.rank(), sizeof(Real))) + between_text(i);
  if (plan.chunks > 1)
    text += ", in " + std::to_string(plan.chunks) + " chunks along axis " + std::to_string(plan.chunk_axis);
  if (!exchange.detail().empty()) text += ", " + exchange.detail();
  if (!notes_[i].empty()) text += " (" + notes_[i] + ")";
  return text + predicted_text(predicted_.exchanges[i]) + timed(times_.exchanges[i]);
}

template <class Real>
std::string Pipeline<Real>::explain() const {
  const bool ran = std::any_of(times_.passes.begin(), times_.passes.end(), [](double t) { return t > 0; });
  const double copy = ran ? copy_speed(threads_) : 0;
  std::string text =
      "physical " + to_string(schedule_.physical) + (schedule_.width_physical == 2 ? ", complex" : ", real") +
      "\nspectral " + to_string(schedule_.spectral) + (schedule_.width_spectral == 2 ? ", complex" : ", real") + "\n" +
      std::to_string(comm_.size()) + " ranks, " + std::to_string(threads_) + " threads each, workspace " +
      std::to_string((workspace_bytes() + (1 << 20) - 1) >> 20) + " MB on rank " + std::to_string(comm_.rank());
  if (ran) text += number(", memory copied at %.1f GB/s (read and written)", copy);
  text += "; per direction, on this rank:\n";
  for (std::size_t i = 0; i < passes_.size(); i++) {
    const FusedPass<Real>& pass = passes_[i];
    text += "  pass      " + pass.describe() + "; " + std::to_string(pass.batches()) + " batches of " +
            std::to_string(lane_kernels<Real>().lanes) + number(", %.1f MB of memory, ", pass.bytes() * 1e-6) +
            number("%.1f Mflop", pass.flops() * 1e-6) + predicted_text(predicted_.passes[i]) + timed(times_.passes[i]);
    if (times_.passes[i] > 0) {
      const double speed = pass.bytes() * 1e-9 / times_.passes[i];
      text += number(", %.1f GB/s", speed) + number(" (%.0f%% of a copy)", 100 * speed / copy);
    }
    text += "\n";
    if (i + 1 < passes_.size()) text += "  exchange  " + explain_exchange(i) + "\n";
  }
  return text;
}

template std::string Pipeline<double>::explain() const;
template std::string Pipeline<float>::explain() const;
template std::string Pipeline<double>::strategy() const;
template std::string Pipeline<float>::strategy() const;
template int Pipeline<double>::chunks() const;
template int Pipeline<float>::chunks() const;
template index_t Pipeline<double>::workspace_bytes() const;
template index_t Pipeline<float>::workspace_bytes() const;
template index_t Pipeline<double>::bytes_sent() const;
template index_t Pipeline<float>::bytes_sent() const;

}  // namespace weft
