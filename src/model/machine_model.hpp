// The times of elementary operations of a machine, and files that contain them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/closed_forms.hpp"
#include "model/fingerprint.hpp"
#include "model/network.hpp"
#include "weft/options.hpp"

namespace weft {

/// Sending between two ranks, in seconds: a word of 8 bytes, and starting a message.
struct MessageTimes {
  double t_w = 0, t_s = 0;
};

/// The use that a strategy makes of the network between nodes.
struct StrategyTimes {
  Strategy strategy = Strategy::alltoallv;
  double speed = 1;       ///< of its messages, relative to plain messages
  double overlapped = 0;  ///< part of a transfer that other work hides if exchanges are cut into chunks
};

/// Seconds of one core for copying a word of 8 bytes: while one core of the node works, and while all cores work.
struct CopyTimes {
  double alone = 0, together = 0;
};

/// Elementary times of a machine (Ayala and Wang 2013, appendix A), inside a node and between nodes. The defaults are
/// rough values of a common machine: predictions only order candidates, and measurements decide.
struct MachineModel {
  std::string name = "standard";        ///< for people
  std::string source;                   ///< where the numbers come from
  std::string fitted;                   ///< which numbers are fitted or assumed, and to what
  std::optional<Machine> machine = {};  ///< the machine of the measurements; empty: published numbers
  int node_cores = 1;

  double t_c =
      1.25e-10;  ///< a flop of one thread in lane blocks; a complex line of n counts 5 n log2 n, a real one half
  /// Measured values of t_c for these lengths, in rising order. Where they are empty, t_c holds for every length.
  std::vector<double> lengths = {}, complex_t_c = {}, real_t_c = {};
  CopyTimes memory{1.6e-9, 1.6e-9};
  double core_cache_bytes = 1 << 20;  ///< of the last level private to a core; t_c holds for data that fit it
  double cache_bytes = 0;             ///< of the last level, of a node; 0: not known
  CopyTimes cache{};                  ///< of arrays that fit it
  /// Planes between two fused axes that a core's cache does not hold: seconds for a word stored and loaded, by the
  /// bytes of the planes of all cores at work, in rising order; empty: as copies of that size.
  std::vector<double> plane_bytes = {}, plane_t_a = {};
  double hidden_memory = 1;  ///< part of the shorter time of a pass, memory or arithmetic, that the longer one hides
  double shared_t_a = 0;     ///< extra time for a word that another rank of the node reads in place
  MessageTimes inside{8 / 3e9, 1e-6}, between{8 / 1.5e9, 3e-6};
  double least_t_w = 0;            ///< of an idle network, if `between` is for a loaded one; 0: not known
  double datatype_share = 0.4;     ///< speed of messages that MPI gathers by element, relative to plain messages
  double overlapped_share = 0.75;  ///< part of a transfer between nodes that other work can hide
  std::vector<StrategyTimes> strategies = {};  ///< measured between nodes; others use the shares above
  Network network = {};

  bool measured(Strategy strategy) const;
  /// The measured times of a strategy, or the defaults.
  StrategyTimes strategy_times(Strategy strategy) const;
  /// The elementary times of the closed forms, with messages between nodes.
  ElementaryTimes elementary() const { return {t_c, memory.together, between.t_w, between.t_s}; }
  /// Seconds of a flop of lines of n points.
  double line_t_c(bool complex_lines, double n) const;
  /// Seconds of one core for copying a word, while `cores` of the node work and a pass touches so many bytes on each.
  double copy_seconds(double bytes, int cores) const;
  /// Seconds of one core for a word that goes through a plane of so many bytes, while `cores` of the node work.
  double plane_seconds(double bytes, int cores) const;
};

std::string to_toml(const MachineModel& model);
/// The inverse of to_toml. Throws Error (Fault::file) that names the file and the line where it is damaged.
MachineModel parse_machine(const std::string& text, const std::string& path);
/// Reads a file and parses it. Throws Error (Fault::file) that names the file if it cannot be read.
MachineModel read_machine(const std::string& path);

}  // namespace weft
