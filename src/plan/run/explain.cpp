// The explanation of a pipeline: every step with its lines, memory traffic and times.
#include <algorithm>

#include "base/copy_speed.hpp"
#include "base/number.hpp"
#include "plan/run/pipeline.hpp"
#include "plan/run/step_text.hpp"

namespace weft {

namespace {

std::string timed(double seconds) { return seconds > 0 ? number(", last run %.3f ms", seconds * 1e3) : std::string(); }

}  // namespace

template <class Real>
std::string Pipeline<Real>::strategy() const {
  if (shares_memory_) return comm_.size() > 1 ? "shared" : "none";
  std::string text;
  for (const auto& exchange : exchanges_) add_strategy(text, exchange->name());
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
  for (const ExchangePlan& plan : schedule_.exchanges) bytes += sent_to_peers(plan).all;
  return bytes;
}

template <class Real>
PeerTraffic Pipeline<Real>::sent_to_peers(const ExchangePlan& plan) const {
  return peer_traffic(plan, comm_.rank(), sizeof(Real), [this](int peer) { return near_ranks_.count(peer) > 0; });
}

template <class Real>
std::string Pipeline<Real>::explain_exchange(std::size_t i) const {
  const ExchangePlan& plan = schedule_.exchanges[i];
  if (shares_memory_) return in_place_text(plan) + predicted_text(predicted_.exchanges[i]) + timed(times_.exchanges[i]);
  const Exchange<Real>& exchange = *exchanges_[i];
  std::string text = exchange.name() + axes_text(plan) + sent_text(exchange.bytes_sent());
  if (exchange.name() != "none") {
    const PeerTraffic traffic = sent_to_peers(plan);
    const bool one_node = static_cast<int>(near_ranks_.size()) == comm_.size();
    text += peers_text(traffic) + (one_node ? "" : between_text(traffic, exchange.bytes_sent()));
  }
  text += chunks_text(plan);
  if (!exchange.detail().empty()) text += ", " + exchange.detail();
  if (!notes_[i].empty()) text += " (" + notes_[i] + ")";
  return text + predicted_text(predicted_.exchanges[i]) + timed(times_.exchanges[i]);
}

template <class Real>
std::string Pipeline<Real>::explain() const {
  const bool ran = std::any_of(times_.passes.begin(), times_.passes.end(), [](double t) { return t > 0; });
  const double copy = ran ? copy_speed(threads_) : 0;
  std::string text = layouts_text(schedule_) + std::to_string(comm_.size()) + " ranks, " + std::to_string(threads_) +
                     " threads each, workspace " + std::to_string((workspace_bytes() + (1 << 20) - 1) >> 20) +
                     " MB on rank " + std::to_string(comm_.rank());
  if (ran) text += number(", memory copied at %.1f GB/s (read and written)", copy);
  text += "; per direction, on this rank:\n";
  if (groups_.axis >= 0)
    text += "  group     " + std::to_string(groups_.size) + " of " + std::to_string(groups_.all) + " indices of axis " +
            std::to_string(groups_.axis) + " take all passes before the next do\n";
  for (std::size_t i = 0; i < passes_.size(); i++) {
    const LocalPass<Real>& pass = *passes_[i];
    text += "  pass      " + pass.describe() + "; " + std::to_string(pass.batches()) + " batches of " +
            std::to_string(lane_kernels<Real>().lanes) + ", " + work_text(pass.bytes(), pass.flops()) +
            predicted_text(predicted_.passes[i]) + timed(times_.passes[i]);
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
