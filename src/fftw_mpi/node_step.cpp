// Transforms whose input and output are cut along one axis, by ranks that share a node: the passes work in the arrays
// of all ranks where these lie. A rank whose array the others cannot see has a window, memory of the node of the same
// size.
#include <algorithm>
#include <utility>

#include "base/buffer.hpp"
#include "base/node_memory.hpp"
#include "fftw_mpi/plan_axes.hpp"
#include "fftw_mpi/shared_array.hpp"
#include "fftw_mpi/slab_passes.hpp"
#include "plan/schedule/plan_shape.hpp"

namespace weft::fftw_mpi {

namespace {

// The strides of a side in reals, in the order of the plan's axes.
Extents strides_of(const Side& side, const PlanAxes& axes) {
  Extents strides = axes.of(side.strides);
  for (index_t& stride : strides) stride *= side.width();
  return strides;
}

// A problem whose arrays are cut alike, and the schedule of its plan.
struct SlabProblem {
  Sides sides;
  Direction direction;
  Schedule schedule;
  PlanOptions options;

  const Side& points() const { return points_of(sides, direction); }
  const Side& modes() const { return modes_of(sides, direction); }
};

template <class Real>
class NodeStep final : public Step<Real> {
 public:
  NodeStep(MPI_Comm user, const Problem& problem, const SlabProblem& slabs, const Planning& planning)
      : comm_(user),
        problem_(problem),
        planning_(planning),
        direction_(slabs.direction),
        in_reals_(slabs.sides.in.reals(comm_.rank())),
        out_reals_(slabs.sides.out.reals(comm_.rank())),
        in_place_(comm_.max(index_t{!planning.in_place() && in_reals_ > 0}) == 0),
        passes_(
            comm_, slabs.schedule,
            {strides_of(slabs.points(), PlanAxes(slabs.points())), strides_of(slabs.modes(), PlanAxes(slabs.points()))},
            slabs.options),
        said_(comm_, cache_line_bytes),
        target_(comm_, planning.out, bytes(out_reals_)) {
    if (has_source()) source_ = SharedArray(comm_, planning.in, bytes(in_reals_));
  }

  // Ranks whose array the others do not see.
  int hidden() const { return comm_.size() - target_.shared_parts(); }
  // Collective.
  void make_windows() { windows_ = std::make_unique<NodeMemory>(comm_, bytes(std::max(in_reals_, out_reals_))); }

  void allocate() override {}

  void run(const Real* in, Real* out) override {
    agree(in, out);
    if (needs_windows() && windows_ == nullptr) {
      said_.synchronise();  // a rank without messages must not say more before all have read this
      return others_->run(in, out);
    }
    direction_ == Direction::forward ? forward(in, out) : backward(in, out);
  }

  std::string strategy() const override {
    if (hidden() == 0) return "shared, in the arrays of all ranks";
    return "shared, in windows of " + std::to_string(hidden()) + " of " + std::to_string(comm_.size()) + " ranks";
  }

 private:
  // What a rank says of its arrays in a run: it shows the others its output; its input is where they expect it.
  static constexpr index_t shows_target = 1, shows_source = 2;

  static index_t bytes(index_t reals) { return reals * static_cast<index_t>(sizeof(Real)); }
  // Backward begins along the axis that is cut, with all ranks' input. In place that is the output.
  bool has_source() const { return direction_ == Direction::backward && !in_place_; }
  bool says(std::size_t rank, index_t what) const { return (said_by_[rank] & what) != 0; }
  bool all_say(index_t what) const {
    return std::all_of(said_by_.begin(), said_by_.end(), [what](index_t said) { return (said & what) != 0; });
  }
  bool needs_windows() const { return !all_say(shows_target); }

  // Collective. All ranks learn where the arrays of this run are, and that they are filled.
  void agree(const Real* in, const Real* out) {
    const bool target = target_.is_mine(out);
    const bool source = in_reals_ == 0 || (has_source() ? in != out && source_.is_mine(in) : in == out && target);
    const auto said = [this](int rank) { return reinterpret_cast<index_t*>(said_.part(rank)); };
    *said(comm_.rank()) = (target ? shows_target : 0) | (source ? shows_source : 0);
    said_.synchronise();
    said_by_.clear();
    for (int rank = 0; rank < comm_.size(); rank++) said_by_.push_back(*said(rank));
    if (needs_windows() && windows_ == nullptr && others_ == nullptr) make_windows_or_others();
  }

  // Without memory for windows there is another step, which sends messages.
  void make_windows_or_others() {
    try {
      make_windows();
    } catch (const Error& error) {
      if (error.fault() != Fault::resource) throw;
      Planning planning = planning_;
      planning.effort = Effort::estimate;
      planning.strategy = Strategy::alltoallv;
      others_ = transform_step<Real>(comm_.handle(), problem_, planning);
      comm_.together([this] { others_->allocate(); });
    }
  }

  // The arrays that are stored to along the axis that is cut: each rank's output, or its window.
  std::vector<Real*> targets() const {
    std::vector<Real*> result;
    for (int rank = 0; rank < comm_.size(); rank++) {
      const bool seen = says(static_cast<std::size_t>(rank), shows_target);
      result.push_back(reinterpret_cast<Real*>(seen ? target_.part(rank) : windows_->part(rank)));
    }
    return result;
  }
  Real* own(const std::vector<Real*>& arrays) const { return arrays[static_cast<std::size_t>(comm_.rank())]; }

  void forward(const Real* in, Real* out) {
    const std::vector<Real*> arrays = targets();
    // A view serves loads and stores; a const array is only loaded from.
    passes_.run_within(direction_, const_cast<Real*>(in), own(arrays));  // NOLINT
    said_.synchronise();
    passes_.run_across(direction_, arrays, arrays);
    said_.synchronise();
    if (own(arrays) != out) std::copy_n(own(arrays), out_reals_, out);
  }

  void backward(const Real* in, Real* out) {
    const std::vector<Real*> to = targets();
    std::vector<Real*> from = to;
    for (std::size_t rank = 0; has_source() && rank < from.size(); rank++)
      if (says(rank, shows_source)) from[rank] = reinterpret_cast<Real*>(source_.part(static_cast<int>(rank)));
    if (!all_say(shows_source)) {
      if (own(from) == own(to) && in != own(to)) std::copy_n(in, in_reals_, own(to));
      said_.synchronise();
    }
    passes_.run_across(direction_, from, to);
    said_.synchronise();
    passes_.run_within(direction_, own(to), out);
  }

  Comm comm_;
  Problem problem_;
  Planning planning_;
  Direction direction_;
  index_t in_reals_, out_reals_;
  bool in_place_;  // on every rank that has data; the others may have null for both arrays
  SlabPasses<Real> passes_;
  NodeMemory said_;
  SharedArray target_, source_;
  std::unique_ptr<NodeMemory> windows_;  // null until an array is not seen
  std::unique_ptr<Step<Real>> others_;   // if there is no memory for windows
  std::vector<index_t> said_by_;         // by every rank in this run
};

// Whether input and output are cut alike, and passes can work in both.
bool is_cut_alike(const Problem& problem, const Sides& sides, int ranks) {
  return ranks > 1 && problem.n.dims() > 1 && sides.in.cut.axis == sides.out.cut.axis &&
         has_default_blocks(sides.in, ranks) && has_default_blocks(sides.out, ranks) && rows_coincide(sides);
}

// Whether a copy between every rank's array and its window takes longer than an exchange that has none: it does where
// both leave the cache.
template <class Real>
bool is_slow_in_windows(const Sides& sides, int ranks, int windows) {
  constexpr double most_bytes = 20 << 20;
  int with_data = 0;
  for (int rank = 0; rank < ranks; rank++) with_data += sides.out.reals(rank) > 0 ? 1 : 0;
  const auto reals = static_cast<double>(sides.in.reals(0) + sides.out.reals(0));  // of the largest part
  return windows == with_data && reals * sizeof(Real) > most_bytes;
}

}  // namespace

template <class Real>
std::unique_ptr<Step<Real>> node_step(MPI_Comm user, const Problem& problem, const Planning& planning) {
  const Comm comm(user);
  const Sides sides = sides_of(problem);
  if (!is_cut_alike(problem, sides, comm.size()) || comm.node().size() != comm.size()) return nullptr;
  if (comm.max(index_t{may_share() ? 0 : 1}) > 0) return nullptr;
  SlabProblem slabs{sides, direction_of(problem), {}, {}};
  const PlanAxes axes(slabs.points());
  slabs.options = options_of(problem, slabs.points(), comm.size(), planning);
  const ScheduleInput input =
      checked_input(comm, axes.of(slabs.points().extents), axes.of(kinds_of(problem)), slabs.options, sizeof(Real));
  slabs.schedule = planned_schedule(input, slabs.options, comm.size());
  if (!SlabPasses<Real>::fits(slabs.schedule)) return nullptr;
  try {
    auto step = std::make_unique<NodeStep<Real>>(user, problem, slabs, planning);
    if (step->hidden() == 0) return step;
    if (is_slow_in_windows<Real>(sides, comm.size(), step->hidden())) return nullptr;
    step->make_windows();
    return step;
  } catch (const Error& error) {
    if (error.fault() != Fault::resource) throw;
    return nullptr;  // too little memory to share
  }
}

template std::unique_ptr<Step<float>> node_step(MPI_Comm, const Problem&, const Planning&);
template std::unique_ptr<Step<double>> node_step(MPI_Comm, const Problem&, const Planning&);

}  // namespace weft::fftw_mpi
