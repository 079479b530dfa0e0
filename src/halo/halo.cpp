// The public Halo: checks, the choice between memory and messages, and the copies at both ends.
#include "weft/halo.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "base/threads.hpp"
#include "base/wrap.hpp"
#include "exchange/coverage.hpp"
#include "exchange/message_limit.hpp"
#include "exchange/sharing.hpp"
#include "halo/combine_block.hpp"
#include "halo/halo_arguments.hpp"
#include "halo/post.hpp"
#include "transform/chosen_kernels.hpp"

namespace weft {

namespace {

Box box_of(MPI_Comm given, const Layout& layout) {
  const Comm comm(given);
  comm.together([&] {
    require(layout.ranks() <= comm.size(), "layout: a layout of " + std::to_string(layout.ranks()) +
                                               " ranks, and the communicator has " + std::to_string(comm.size()) +
                                               "; give a layout of as many ranks or fewer");
  });
  return comm.rank() < layout.ranks() ? layout.box(comm.rank()) : Box(layout.dims());
}

Combine with_sign(Combine plain, bool negated) {
  if (!negated) return plain;
  return plain == Combine::add ? Combine::subtract : Combine::negate;
}

}  // namespace

struct Halo::State {
  State(MPI_Comm given, const Extents& points, const Box& owned, const HaloProblem& wanted, const HaloOptions& asked)
      : comm(given), shape(points), problem(wanted), options(asked) {
    check_halo(comm, shape, owned, problem, options);
    geometry = {halo_axes(shape, problem), halo_widths(shape, problem), gather_boxes(comm, owned)};
    padded = geometry.padded(comm.rank());
    element_bytes = bytes_of(problem.element);
    comm.together([&] {
      (void)lane_kernels<double>();  // WEFT_SIMD may be wrong on a single rank
      parcels = halo_parcels(geometry, comm.rank(), element_bytes);
    });
    threads = default_threads(comm, options.threads);
    for (const Parcel& parcel : parcels.shown) bytes_sent += parcel.bytes;
    const index_t limit =
        std::min<index_t>(message_limit(options.message_limit), std::numeric_limits<int>::max() / element_bytes);
    const Comm alone = comm.split("rank by rank", comm.rank(), 0), near = node_within(comm, options.node_ranks);
    post = std::make_unique<HaloPost>(comm, find_memory() ? near : alone, parcels, limit * element_bytes);
  }

  // Pending messages use memory that is about to be freed.
  ~State() {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (under_way && finalised == 0) post->finish(Direction::forward);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // Whether this node has memory for its parcels. The answer is the same on all ranks of a machine.
  bool find_memory() {
    index_t bytes = 0;
    for (const auto* side : {&parcels.shown, &parcels.halo})
      for (const Parcel& parcel : *side) bytes += round_up(parcel.bytes, cache_line_bytes);
    const std::string reason = shortage(comm, 2 * bytes, options.shared_memory_limit);
    if (!reason.empty()) note = "not shared: " + reason;
    return reason.empty();
  }

  // --- running -----------------------------------------------------------------------------------------------------

  ByteArray<const char> from(const PlacedBlock& block) const { return {array + block.at, block.strides}; }
  ByteArray<char> to(const PlacedBlock& block) const { return {array + block.at, block.strides}; }

  Extents packed_strides(const Extents& extents) const {
    Extents strides = c_strides(extents);
    for (index_t& stride : strides) stride *= element_bytes;
    return strides;
  }

  void combine(Combine operation, const ByteArray<const char>& source, const ByteArray<char>& target,
               const Extents& extents) const {
    combine_block(operation, source, target, extents, problem.element, threads);
  }

  const std::vector<Parcel>& sent(Direction direction) const {
    return direction == Direction::forward ? parcels.shown : parcels.halo;
  }
  const std::vector<Parcel>& received(Direction direction) const {
    return direction == Direction::forward ? parcels.halo : parcels.shown;
  }

  void begin(Direction direction, void* given) {
    require(!under_way,
            "array: an exchange is under way; call finish() before the next start(), exchange() or accumulate()");
    require(given != nullptr || padded.empty(), "array: NULL was given; give the local array of " +
                                                    std::to_string(padded.size() * problem.components) + " elements");
    started = MPI_Wtime();
    array = static_cast<char*>(given);
    under_way = true;
    for (std::size_t i = 0; i < sent(direction).size(); i++) {
      char* const parcel = post->packed(direction, i);
      for (const PackedBlock& block : sent(direction)[i].blocks)
        combine(Combine::copy, from(block.place), {parcel + block.offset, packed_strides(block.extents)},
                block.extents);
    }
    post->start(direction);
    for (const OwnBlock& block : parcels.own) {
      if (direction == Direction::forward) {
        combine(with_sign(Combine::copy, block.negated), from(block.source), to(block.target), block.extents);
      } else {
        combine(with_sign(Combine::add, block.negated), from(block.target), to(block.source), block.extents);
      }
    }
  }

  void end(Direction direction) {
    const Combine operation = direction == Direction::forward ? Combine::copy : Combine::add;
    post->finish(direction);
    for (std::size_t i = 0; i < received(direction).size(); i++) {
      const char* const parcel = post->arrived(direction, i);
      for (const PackedBlock& block : received(direction)[i].blocks)
        combine(with_sign(operation, block.negated), {parcel + block.offset, packed_strides(block.extents)},
                to(block.place), block.extents);
    }
    under_way = false;
    seconds = MPI_Wtime() - started;
  }

  Comm comm;
  Extents shape;
  HaloProblem problem;
  HaloOptions options;
  HaloGeometry geometry;
  Box padded;
  index_t element_bytes = 0;
  HaloParcels parcels;
  int threads = 1;
  index_t bytes_sent = 0;
  std::string note;  // why the memory of the node is not used
  std::unique_ptr<HaloPost> post;
  char* array = nullptr;  // of the pending exchange, or of the last one
  bool under_way = false;
  double started = 0, seconds = 0;
};

Halo::Halo(MPI_Comm comm, const Extents& shape, const Box& owned, const HaloProblem& problem,
           const HaloOptions& options)
    : state_(std::make_unique<State>(comm, shape, owned, problem, options)) {}
Halo::Halo(MPI_Comm comm, const Layout& layout, const HaloProblem& problem, const HaloOptions& options)
    : Halo(comm, layout.extents(), box_of(comm, layout), problem, options) {}
Halo::~Halo() = default;
Halo::Halo(Halo&&) noexcept = default;
Halo& Halo::operator=(Halo&&) noexcept = default;

void Halo::start(void* array) { state_->begin(Direction::forward, array); }
void Halo::finish() {
  require(state_->under_way, "finish: no exchange is under way; call start() before");
  state_->end(Direction::forward);
}
void Halo::exchange(void* array) {
  start(array);
  finish();
}
void Halo::accumulate(void* array) {
  state_->begin(Direction::backward, array);
  state_->end(Direction::backward);
}

const Box& Halo::owned() const { return state_->geometry.owned[static_cast<std::size_t>(state_->comm.rank())]; }
const Box& Halo::padded() const { return state_->padded; }
const Extents& Halo::shape() const { return state_->shape; }
int Halo::components() const { return state_->problem.components; }
Element Halo::element() const { return state_->problem.element; }
std::string Halo::strategy() const { return state_->post->strategy(); }
int Halo::threads() const { return state_->threads; }
index_t Halo::workspace_bytes() const { return state_->post->workspace_bytes(); }
index_t Halo::bytes_sent() const { return state_->bytes_sent; }

std::string Halo::explain() const {
  char numbers[80];
  (void)std::snprintf(numbers, sizeof numbers, ", %.3f MB sent", static_cast<double>(bytes_sent()) * 1e-6);
  std::string text =
      to_string(owned()) + " in " + to_string(padded()) + " of " + to_string(shape()) + ", " + strategy() + numbers;
  if (!state_->note.empty()) text += " (" + state_->note + ")";
  if (state_->seconds > 0) {
    (void)std::snprintf(numbers, sizeof numbers, ", last exchange %.3f ms", state_->seconds * 1e3);
    text += numbers;
  }
  return wrapped(text);
}

}  // namespace weft
