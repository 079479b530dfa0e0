// The run-time choices of a plan: every one has a default that is right for most uses.
#pragma once

#include <string>
#include <vector>

#include "weft/partition.hpp"

namespace weft {

/// How an exchange moves its blocks.
///  automatic  shared where all ranks of an exchange share a node with enough shared memory, else alltoallv
///  alltoallv  MPI_Ialltoallv; packing is part of the pass before, unpacking of the pass behind
///  shared     shared memory of the node: the next pass reads its peers' data where they are, nothing is copied
enum class Strategy { automatic, alltoallv, shared };

/// Where the factor 1/(round trip) goes: all of it to backward, all to forward, or its root to both.
enum class Norm { backward, forward, ortho };

/// How long the planner may look for a fast algorithm: not at all, some seconds at most, longer. Only engines that
/// plan by measuring (FFTW) take notice.
enum class Effort { estimate, measure, patient };

/// Who does the 1-D transforms: the lane engine except where FFTW is estimated or measured to be faster (automatic),
/// always the lane engine, or always FFTW.
enum class EngineChoice { automatic, lanes, fftw };

std::string to_string(Strategy strategy);
std::string to_string(Norm norm);
std::string to_string(Effort effort);
std::string to_string(EngineChoice engine);
/// The inverses of to_string ("auto" is automatic). Throw Error that lists what is allowed.
Strategy parse_strategy(const std::string& text);
Norm parse_norm(const std::string& text);
Effort parse_effort(const std::string& text);
EngineChoice parse_engine(const std::string& text);

struct PlanOptions {
  std::vector<int> grid;  ///< process grid, product = ranks, at most one entry fewer than axes; empty: chosen
  Strategy strategy = Strategy::automatic;
  int threads = 0;  ///< per rank; 0: cores of the node / ranks on the node
  Norm norm = Norm::backward;
  Effort effort = Effort::measure;
  EngineChoice engine = EngineChoice::automatic;
  bool in_place = false;  ///< points and modes share one memory, which the plan makes (Plan::in_place_field)
  Scheme scheme = Scheme::even;
  index_t message_limit = (index_t{1} << 31) - 1;  ///< elements per MPI message beyond which large counts are used
  index_t shared_memory_limit = -1;  ///< bytes of the node's shared memory to use at most; -1: what is free
};

}  // namespace weft
