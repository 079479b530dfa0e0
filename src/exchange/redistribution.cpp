// The public Redistribution: checks of boxes, the choice of a strategy, and copies of elements that stay on a rank.
#include "weft/redistribution.hpp"

#include <cstdio>
#include <limits>
#include <utility>

#include "base/threads.hpp"
#include "base/wrap.hpp"
#include "exchange/block_mover.hpp"
#include "exchange/coverage.hpp"
#include "exchange/exchange_seconds.hpp"
#include "exchange/message_limit.hpp"
#include "exchange/sharing.hpp"
#include "transform/chosen_kernels.hpp"

namespace weft {

namespace {

std::string to_text(const RedistributionOptions& o) {
  return "strategy " + to_string(o.strategy) + ", send_batch " + std::to_string(o.send_batch) + ", max_pending " +
         std::to_string(o.max_pending) + ", node_ranks " + std::to_string(o.node_ranks) + ", between_nodes " +
         to_string(o.between_nodes) + ", message_limit " + std::to_string(message_limit(o.message_limit)) +
         ", shared_memory_limit " + std::to_string(o.shared_memory_limit);
}

// Throws Error if layouts give parts to ranks that do not exist, or describe different arrays. Collective.
Comm checked(MPI_Comm given, const Layout& from, const Layout& to) {
  Comm comm(given);
  comm.together([&] {
    for (const auto& [name, layout] : {std::pair("from", &from), std::pair("to", &to)})
      require(layout->ranks() <= comm.size(), std::string(name) + ": a layout of " + std::to_string(layout->ranks()) +
                                                  " ranks, and the communicator has " + std::to_string(comm.size()) +
                                                  "; give a layout of as many ranks or fewer");
    require(from.extents() == to.extents(), "to: a layout of " + to_string(to.extents()) +
                                                " elements, and from is one of " + to_string(from.extents()) +
                                                "; give layouts of one array");
  });
  return comm;
}

// The part that a layout gives to a rank, which may be outside the layout.
Box box_of(const Layout& layout, MPI_Comm comm) {
  const int rank = Comm(comm).rank();
  return rank < layout.ranks() ? layout.box(rank) : Box(layout.dims());
}

}  // namespace

struct Redistribution::State {
  State(const Comm& given, const Box& from, const Box& to, std::size_t bytes, const RedistributionOptions& wanted)
      : comm(given), options(wanted), element_bytes(static_cast<index_t>(bytes)), node(comm) {
    check_arguments(from, to, bytes);
    plan = {gather_boxes(comm, from), gather_boxes(comm, to), element_bytes};
    check_coverage();
    own = intersect(from, to);
    options.message_limit = message_limit(options.message_limit);
    threads = default_threads(comm, options.threads);
    make_mover();
  }

  const Box& from() const { return plan.from[static_cast<std::size_t>(comm.rank())]; }
  const Box& to() const { return plan.to[static_cast<std::size_t>(comm.rank())]; }

  void check_arguments(const Box& from, const Box& to, std::size_t bytes) const {
    std::string text;
    comm.together([&] {
      check_box("from", from);
      check_box("to", to);
      require(from.dims() == to.dims(), "to: " + to_string(to) + " has " + std::to_string(to.dims()) +
                                            " axes and from " + to_string(from) + " has " +
                                            std::to_string(from.dims()) + "; give boxes of one array");
      require(bytes >= 1 && bytes < (std::size_t{1} << 31),
              "element_bytes: " + std::to_string(bytes) + " is not allowed; give 1 to 2^31-1 bytes");
      check_options(options);
      text = to_text(options);
      (void)lane_kernels<double>();  // WEFT_SIMD may be wrong on a single rank
    });
    comm.require_same("the numbers of axes of boxes", std::to_string(from.dims()));
    comm.require_same("element_bytes", std::to_string(bytes));
    comm.require_same("options", text);
  }

  void check_coverage() {
    comm.together([&] {
      const int other = overlapping(from(), plan.from, comm.rank());
      require(other < 0, "from: " + to_string(from()) + " of rank " + std::to_string(comm.rank()) + " overlaps " +
                             (other < 0 ? "" : to_string(plan.from[static_cast<std::size_t>(other)])) + " of rank " +
                             std::to_string(other) + "; let every element belong to one rank");
    });
    comm.together([&] {
      const std::optional<Box> gap = missing(to(), plan.from);
      require(!gap, "to: rank " + std::to_string(comm.rank()) + " wants " + to_string(to()) +
                        ", but no rank has the elements " + (gap ? to_string(*gap) : "") +
                        "; let the boxes of `from` cover those of `to`");
    });
    overlaps = comm.max(index_t{overlapping(to(), plan.to, comm.rank()) >= 0}) > 0;
  }

  Comm alone() const { return comm.split("rank by rank", comm.rank(), 0); }

  // Why the memory of the node cannot be used for blocks of all ranks (or of the ranks of this node); empty if it can.
  // The text is the same on all ranks of a machine.
  std::string refusal(bool one_node) const {
    const Comm near = node_within(comm, options.node_ranks);
    if (one_node && near.size() != comm.size())
      return "the " + std::to_string(comm.size()) + " ranks do not share a node";
    return shortage(comm, shared_block_bytes(comm, near, plan), options.shared_memory_limit);
  }

  // The strategy to use; alltoallv if automatic cannot share memory.
  Strategy choose() {
    const Strategy asked = options.strategy;
    if (asked != Strategy::automatic && asked != Strategy::shared && asked != Strategy::hierarchical) return asked;
    const std::string reason = refusal(asked != Strategy::hierarchical);
    if (comm.max(index_t{!reason.empty()}) == 0) return asked == Strategy::automatic ? Strategy::shared : asked;
    if (asked == Strategy::automatic) {
      note = reason.empty() ? "not shared: another node has too little memory" : "not shared: " + reason;
      return Strategy::alltoallv;
    }
    comm.together([&] {
      if (!reason.empty()) throw Error(Fault::resource, impossible(asked, reason));
    });
    throw Error(Fault::internal, "strategy: ranks disagree");  // a rank had a reason, so together() must have thrown
  }

  void make_mover() {
    for (std::size_t peer = 0; peer < plan.to.size(); peer++)
      if (static_cast<int>(peer) != comm.rank()) bytes_sent += intersect(from(), plan.to[peer]).size() * element_bytes;
    strategy = choose();
    quiet = comm.max(bytes_sent) == 0;
    const bool shares = strategy == Strategy::shared || strategy == Strategy::hierarchical;
    node = shares && !quiet ? node_within(comm, options.node_ranks) : alone();
    if (quiet) return;
    const index_t limit =
        std::min<index_t>(options.message_limit, std::numeric_limits<int>::max() / element_bytes) * element_bytes;
    if (strategy == Strategy::alltoallw) {
      mover = make_datatype_block_mover(comm, plan, limit);
      return;
    }
    const MoverOptions messages{shares ? options.between_nodes : strategy, options.send_batch, options.max_pending,
                                limit};
    mover = make_block_mover(comm, node, plan, {messages, threads});
  }

  // --- running -----------------------------------------------------------------------------------------------------

  ByteArray<const char> bytes(const void* data, Extents strides) const {
    for (index_t& stride : strides) stride *= element_bytes;
    return {static_cast<const char*>(data), strides};
  }
  ByteArray<char> bytes(void* data, Extents strides) const {
    for (index_t& stride : strides) stride *= element_bytes;
    return {static_cast<char*>(data), strides};
  }

  void check_strides(const Extents& in, const Extents& out) const {
    const auto check = [this](const char* name, const Extents& strides) {
      require(strides.dims() == own.dims(), std::string(name) + ": " + std::to_string(strides.dims()) +
                                                " strides for " + std::to_string(own.dims()) +
                                                " axes; give one per axis");
    };
    comm.together([&] {
      check("in_strides", in);
      check("out_strides", out);
    });
  }

  void run(Direction direction, const BlockArrays& arrays, const BlockSources* sources) {
    const double start = MPI_Wtime();
    const bool forward = direction == Direction::forward;
    require(forward || !overlaps,
            "backward: boxes of `to` overlap, so it is not clear whose elements to take; give boxes that do not");
    const Box &source = forward ? from() : to(), &target = forward ? to() : from();
    const CopyOptions copies{threads, target.size() * element_bytes > stream_copies_from};
    const auto keep_own = [&] {
      if (own.empty()) return;
      copy_block(part_of(arrays.in, source, own), part_of(arrays.out, target, own), own.extents(), element_bytes,
                 copies);
    };
    if (mover != nullptr) {
      mover->run(direction, arrays, sources, keep_own);
    } else {
      keep_own();
    }
    seconds = MPI_Wtime() - start;
    add_exchange_seconds(seconds);
  }

  // --- memory for sources ------------------------------------------------------------------------------------------

  // Rows and planes are padded if a cache line holds a whole number of elements.
  Extents source_strides(const Box& box) const {
    const Extents extents = box.extents();
    if (element_bytes % static_cast<index_t>(sizeof(double)) != 0 || 64 % element_bytes != 0) return c_strides(extents);
    const index_t width = element_bytes / static_cast<index_t>(sizeof(double));
    Extents strides = padded_strides<double>(extents, static_cast<int>(width));
    for (index_t& stride : strides) stride /= width;
    return strides;
  }

  void make_source() {
    const index_t my_bytes = reals_spanned(from().extents(), source_strides(from())) * element_bytes;
    std::string reason;
    if (comm.max(index_t{node.size()}) > 1)
      reason = shortage(comm, my_bytes, options.shared_memory_limit, shared_block_bytes(comm, node, plan));
    std::unique_ptr<NodeMemory> node_memory;
    comm.together([&] {
      if (!reason.empty()) throw Error(Fault::resource, "source: " + reason + "; give forward() arrays of your own");
      node_memory = std::make_unique<NodeMemory>(node, my_bytes);
    });
    memory = std::move(node_memory);
    std::vector<ByteArray<const char>> arrays(plan.from.size());
    const std::vector<index_t> ranks = node.all_gather(comm.rank());
    for (std::size_t i = 0; i < ranks.size(); i++) {
      const auto rank = static_cast<std::size_t>(ranks[i]);
      arrays[rank] =
          bytes(static_cast<const void*>(memory->part(static_cast<int>(i))), source_strides(plan.from[rank]));
    }
    sources = std::make_unique<BlockSources>(BlockSources{*memory, std::move(arrays)});
  }

  Comm comm;
  RedistributionOptions options;
  index_t element_bytes;
  Comm node;  // the ranks whose memory this one reads
  BlockPlan plan;
  Box own;                // elements that stay on this rank
  bool overlaps = false;  // boxes of `to` overlap
  bool quiet = false;     // no rank needs elements of others
  int threads = 1;
  Strategy strategy = Strategy::automatic;
  std::string note;  // why automatic has chosen this strategy
  index_t bytes_sent = 0;
  std::unique_ptr<BlockMover> mover;  // null if quiet
  std::unique_ptr<NodeMemory> memory;
  std::unique_ptr<BlockSources> sources;
  double seconds = 0;
};

Redistribution::Redistribution(const Comm& comm, const Box& from, const Box& to, std::size_t element_bytes,
                               const RedistributionOptions& options)
    : state_(std::make_unique<State>(comm, from, to, element_bytes, options)) {}
Redistribution::Redistribution(MPI_Comm comm, const Box& from, const Box& to, std::size_t element_bytes,
                               const RedistributionOptions& options)
    : Redistribution(Comm(comm), from, to, element_bytes, options) {}
Redistribution::Redistribution(MPI_Comm comm, const Layout& from, const Layout& to, std::size_t element_bytes,
                               const RedistributionOptions& options)
    : Redistribution(checked(comm, from, to), box_of(from, comm), box_of(to, comm), element_bytes, options) {}
Redistribution::~Redistribution() = default;
Redistribution::Redistribution(Redistribution&&) noexcept = default;
Redistribution& Redistribution::operator=(Redistribution&&) noexcept = default;

void Redistribution::forward(const void* in, const Extents& in_strides, void* out, const Extents& out_strides) {
  state_->check_strides(in_strides, out_strides);
  state_->run(Direction::forward, {state_->bytes(in, in_strides), state_->bytes(out, out_strides)}, nullptr);
}
void Redistribution::forward(const void* in, void* out) {
  forward(in, c_strides(from().extents()), out, c_strides(to().extents()));
}
void Redistribution::backward(const void* in, const Extents& in_strides, void* out, const Extents& out_strides) {
  state_->check_strides(in_strides, out_strides);
  state_->run(Direction::backward, {state_->bytes(in, in_strides), state_->bytes(out, out_strides)}, nullptr);
}
void Redistribution::backward(const void* in, void* out) {
  backward(in, c_strides(to().extents()), out, c_strides(from().extents()));
}

Redistribution::Source Redistribution::source() {
  if (state_->memory == nullptr) state_->make_source();
  return {state_->memory->part(state_->node.rank()), state_->source_strides(from())};
}
void Redistribution::forward_source(void* out, const Extents& out_strides) {
  const Source in = source();
  state_->check_strides(in.strides, out_strides);
  state_->run(Direction::forward,
              {state_->bytes(static_cast<const void*>(in.data), in.strides), state_->bytes(out, out_strides)},
              state_->sources.get());
}

const Box& Redistribution::from() const { return state_->from(); }
const Box& Redistribution::to() const { return state_->to(); }
std::size_t Redistribution::element_bytes() const { return static_cast<std::size_t>(state_->element_bytes); }
std::string Redistribution::strategy() const { return state_->quiet ? "none" : to_string(state_->strategy); }
int Redistribution::threads() const { return state_->threads; }
index_t Redistribution::workspace_bytes() const {
  return (state_->mover != nullptr ? state_->mover->workspace_bytes() : 0) +
         (state_->memory != nullptr ? state_->memory->bytes() : 0);
}
index_t Redistribution::bytes_sent() const { return state_->bytes_sent; }

std::string Redistribution::explain() const {
  char numbers[80];
  (void)std::snprintf(numbers, sizeof numbers, ", %.1f MB sent", static_cast<double>(bytes_sent()) * 1e-6);
  std::string text = to_string(from()) + " -> " + to_string(to()) + ", " + strategy() + numbers;
  if (!state_->note.empty()) text += " (" + state_->note + ")";
  if (state_->seconds > 0) {
    (void)std::snprintf(numbers, sizeof numbers, ", last run %.3f ms", state_->seconds * 1e3);
    text += numbers;
  }
  return wrapped(text);
}

}  // namespace weft
