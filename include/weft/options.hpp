// The options of a plan. The defaults are suitable for most uses.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/partition.hpp"

namespace weft {

class Workspace;

/// How an exchange moves its blocks. All strategies give the same bits.
///  automatic     the fastest one by measurement, by a tuning file, or by estimate: shared if all ranks of an exchange
///                share a node with enough shared memory, else alltoallv
///  alltoallv     MPI_Ialltoallv; packing is part of the pass before, unpacking of the pass after (FLUPS "a2a")
///  alltoallw     MPI_Ialltoallw of subarray datatypes: no buffers, no copies except for MPI's own (Dalcin et al. 2019)
///  persistent    persistent requests, made once at planning (FLUPS "nb")
///  datatype      MPI_Isend of a datatype out of the array, received contiguously (FLUPS "isr")
///  cyclic        rank r exchanges with r+1, r+2, ... in turn (Ayala and Wang 2013)
///  pairwise      a round-robin tournament of pairs (Ayala and Wang 2013; Dmitruk et al. 2001)
///  multistage    ceil(log2 P) stages of larger messages, for slow starts (Plimpton; Bruck et al. 1997)
///  shared        shared memory of the node: the next pass reads the data of its peers directly, without copies
///  hierarchical  shared inside a node, messages by the strategy `between_nodes` to all other ranks
enum class Strategy {
  automatic,
  alltoallv,
  alltoallw,
  persistent,
  datatype,
  cyclic,
  pairwise,
  multistage,
  shared,
  hierarchical
};

/// The place of the factor 1/(round trip): in backward, in forward, or its square root in both.
enum class Norm { backward, forward, ortho };

/// How long the planner may search for the fastest plan: not at all, some seconds, or until all candidates are tried.
enum class Effort { estimate, measure, patient };

/// The engine of the 1-D transforms: the lane engine unless FFTW is estimated or measured to be faster (automatic),
/// always the lane engine, or always FFTW.
enum class EngineChoice { automatic, lanes, fftw };

/// The precision of messages: that of the plan, or single. In single precision every exchange adds a relative error of
/// up to 2^-24 = 6e-8 to each real that it moves.
enum class Wire { same, single };

/// The distribution of the modes: as after the last transform (transposed, one exchange less), or cut along the same
/// axes as the points (natural). A single c2c axis may leave its modes in another order (scrambled, one exchange less),
/// which Plan::wavenumbers tells.
enum class Output { transposed, natural, scrambled };

/// All strategies except for automatic.
const std::vector<Strategy>& all_strategies();

std::string to_string(Strategy strategy);
std::string to_string(Norm norm);
std::string to_string(Effort effort);
std::string to_string(EngineChoice engine);
std::string to_string(Scheme scheme);
std::string to_string(Wire wire);
std::string to_string(Output output);
/// The inverses of to_string ("auto" is automatic). They throw an Error that names the argument and lists what is
/// allowed.
Strategy parse_strategy(const std::string& text, const std::string& argument = "strategy");
inline Strategy parse_between_nodes(const std::string& text) { return parse_strategy(text, "between_nodes"); }
Norm parse_norm(const std::string& text);
Effort parse_effort(const std::string& text);
EngineChoice parse_engine(const std::string& text);
Scheme parse_scheme(const std::string& text);
Wire parse_wire(const std::string& text);
Output parse_output(const std::string& text);

struct PlanOptions {
  std::vector<int> grid;  ///< process grid, product = ranks, at most one entry fewer than axes; empty: chosen
  Strategy strategy = Strategy::automatic;
  int chunks = 1;   ///< parts of each exchange, to overlap it with the neighbouring passes; 0: chosen
  int threads = 0;  ///< per rank; 0: cores of the node / ranks of the communicator on it
  Norm norm = Norm::backward;
  Effort effort = Effort::estimate;
  EngineChoice engine = EngineChoice::automatic;
  bool in_place = false;         ///< points and modes share one memory, which the plan makes (Plan::in_place_field)
  bool fuse = true;              ///< two local axes may be transformed plane by plane
  Scheme scheme = Scheme::even;  ///< how axes are cut if the ranks do not divide them
  Wire wire = Wire::same;
  Output output = Output::transposed;
  std::vector<int> batch_axes;  ///< axes of kind none that no rank cuts: vector components, batches
  /// Per axis: keep only the modes of a transform of this many points N <= n; 0 or empty: all. Forward truncates, and
  /// backward pads with zeros, which gives the trigonometric interpolation of N points (the 3/2 rule: n = 3N/2). c2c
  /// keeps the modes -N/2 .. (N-1)/2 in the order of numpy's fftfreq(N), r2c 0 .. N/2, the real-to-real kinds the first
  /// N. If the last mode stands for two modes of the longer transform (N/2 and -N/2 for an even N of c2c and r2c, N-1
  /// and its mirror image for dct1 and dst2), forward stores their sum and backward gives half to each, so that real
  /// fields remain real. The scaling is that of transforms of n points.
  std::vector<index_t> modes;
  int ranks = 0;        ///< ranks that transform, the first of the communicator; 0: all
  int send_batch = 0;   ///< messages that a rank starts at a time (persistent, datatype); 0: all
  int max_pending = 0;  ///< largest number of concurrent messages of a rank (persistent, datatype); 0: all
  int node_ranks = 0;   ///< ranks that count as one node; 0: as many as share a node
  Strategy between_nodes = Strategy::cyclic;       ///< strategy of hierarchical for ranks of other nodes
  index_t message_limit = (index_t{1} << 31) - 1;  ///< elements per MPI message beyond which messages are split
  index_t shared_memory_limit = -1;  ///< most bytes of the node's shared memory to use; -1: all that is free
  std::string tuning;                ///< file of save_tuning() or `weft tune`; empty: the file of WEFT_TUNING, or none
  std::shared_ptr<Workspace> workspace;  ///< memory to share with other plans; null: own; may differ between ranks
};

/// \cond
// Lists of the options above, by which ranks compare them and C and Python read them: weft_plan_options of weft.h has
// members of these names. Each calls visit(name) for its options: names, which parse_<option> reads, numbers and flags,
// and lists of numbers.
#define WEFT_NAMED_OPTIONS(visit) \
  visit(strategy) visit(between_nodes) visit(norm) visit(effort) visit(engine) visit(wire) visit(output) visit(scheme)
#define WEFT_NUMBER_OPTIONS(visit)                                                                           \
  visit(chunks) visit(threads) visit(in_place) visit(fuse) visit(ranks) visit(send_batch) visit(max_pending) \
      visit(node_ranks) visit(message_limit) visit(shared_memory_limit)
#define WEFT_LIST_OPTIONS(visit) visit(grid) visit(batch_axes) visit(modes)
/// \endcond

}  // namespace weft
