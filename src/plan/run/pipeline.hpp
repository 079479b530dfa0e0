// A schedule with engines and memory: runs forward, backward, and forward-symbol-backward.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/threads.hpp"
#include "exchange/exchange.hpp"
#include "plan/pass/local_pass.hpp"
#include "plan/run/in_place.hpp"
#include "plan/run/inner_transform.hpp"
#include "plan/schedule/schedule.hpp"
#include "plan/schedule/traffic.hpp"
#include "plan/space.hpp"
#include "plan/tune/cost.hpp"

namespace weft {

/// Seconds of every step of the last run, for explain().
struct StepTimes {
  std::vector<double> passes, exchanges;
};

/// Two factors and their product.
template <class Real>
struct ModeArrays {
  LocalArray<Real> a, b, out;
};
/// Scale factors of a product of modes: of the transforms to points, and of the transform back to modes.
template <class Real>
struct ProductScales {
  Real backward, forward;
};

template <class Real>
class Pipeline final : public InnerTransform<Real> {
 public:
  using MakePass = std::function<std::unique_ptr<LocalPass<Real>>(const Schedule& schedule, const PassPlan& plan)>;

  /// Collective. The options are valid, and the schedule fits the communicator. `make_pass` makes the passes; if it is
  /// empty, they are FusedPass.
  Pipeline(const Comm& comm, Schedule schedule, const PlanOptions& options, const MakePass& make_pass = {});

  using OnSuspectValue = std::function<void()>;
  /// What is done with the points of a convolution when they have been loaded. Without a function they are not looked
  /// at; without an operation they stay as they are.
  struct AtPoints {
    OnSuspectValue on_suspect_value{};
    const PointOperation<Real>* operation = nullptr;
  };

  const Schedule& schedule() const { return schedule_; }
  Box physical_box() const { return schedule_.physical.box(comm_.rank()); }
  Box spectral_box() const { return schedule_.spectral.box(comm_.rank()); }

  /// `in` is the physical side forward, the spectral side backward.
  void transform(Direction direction, const LocalArray<Real>& in, const LocalArray<Real>& out, Real scale) override;
  void transform(Direction direction, const Real* in, Real* out, Real scale);
  /// A contiguous array of the user in that space.
  LocalArray<Real> user_array(const Real* data, Space space) const;
  /// For fields with the components on axis 0: forward through this pipeline, an operation that mixes the modes of all
  /// components, backward through `back`, whose other axes are the same and which may be this pipeline. No spectrum is
  /// stored. Axis 0 may count several fields, one after the other.
  void combine(Pipeline& back, const LocalArray<Real>& in, const LocalArray<Real>& out,
               const ModeOperation<Real>& operation, Real scale, index_t fields = 1);
  /// Computes the modes of the product of two fields from their modes: backward through this pipeline and `other`,
  /// which has its schedule, and forward through `other`. The first passes work on parts of the points, so that the
  /// fields are never stored whole: `parts` are work space of part_reals() each. `out` may be `a` or `b`. Not possible
  /// with chunks.
  void multiply_points(Pipeline& other, const ModeArrays<Real>& arrays, const ProductScales<Real>& scales,
                       std::array<Buffer<Real>, 2>& parts);
  index_t part_reals() const;
  /// Forward, multiply by a symbol of the modes, backward; the last transform is never stored. `in` may be `out`.
  /// Collective. If can_check_finite() and any rank finds values in `in` that may not be finite, `on_suspect_value` is
  /// called on all ranks before data are sent or written to `out`; it may throw.
  void convolve(const Real* in, Real* out, const LineSymbol<Real>& symbol, Real scale, const AtPoints& at_points);
  void convolve(const Real* in, Real* out, const LineSymbol<Real>& symbol, Real scale = 1) override {
    convolve(in, out, symbol, scale, {});
  }
  /// Whether the first pass loads the whole input before any data leave the rank.
  bool can_check_finite() const { return passes_.size() > 1 && chunks() <= 1; }

  /// Memory for a pipeline in place. Collective.
  std::shared_ptr<const InPlaceMemory<Real>> make_memory() const;
  /// transform() and convolve() in memory of make_memory().
  void transform(Direction direction, const InPlaceMemory<Real>& memory, Real scale);
  void convolve(const InPlaceMemory<Real>& memory, const LineSymbol<Real>& symbol, Real scale);
  /// Whether the passes of all ranks work in one shared array.
  bool shares_memory() const { return shares_memory_; }

  int last_axis() const { return passes_.back()->plan().axes.back(); }
  int threads() const override { return threads_; }
  int chunks() const override;
  std::string strategy() const override;
  index_t workspace_bytes() const override;
  index_t bytes_sent() const override;
  std::string explain() const override;

 private:
  // The endpoints of every pass: its physical side is before[i], its spectral side after[i]. They are made once; the
  // arrays of users at both ends are set for every run.
  struct PassEndpoints {
    std::vector<PassEndpoint<Real>> before, after;
    const InPlaceMemory<Real>* memory = nullptr;  // if it holds all sides
    std::vector<LocalArray<Real>> middle{};       // arrays in that memory, between two fused passes
    const void* known = nullptr;                  // address of the memory that these endpoints are set to
  };
  static constexpr std::size_t no_exchange = static_cast<std::size_t>(-1);
  // The exchanges that a pass waits for and starts in a run, with their directions.
  struct Neighbours {
    std::size_t arriving = no_exchange, leaving = no_exchange;
    Direction arrives = Direction::forward, leaves = Direction::forward;
  };

  void make_exchanges(const PlanOptions& options);
  std::unique_ptr<Exchange<Real>> make_exchange(const ExchangePlan& plan, const PlanOptions& options);
  template <class Make>
  std::unique_ptr<Exchange<Real>> make_on_all_ranks(const Make& make) const;
  // Checks whether ranks that have to share memory do so, and whether it suffices.
  struct Sharing {
    const Comm& ranks;
    index_t my_bytes;
    bool one_node;  // all of these ranks have to be on one node
  };
  bool may_share(const Sharing& wanted, const PlanOptions& options);
  std::string refusal(const Sharing& wanted, const PlanOptions& options) const;
  Comm node_of(const Comm& ranks, const PlanOptions& options) const;
  void make_workspaces();
  typename LocalPass<Real>::Workspaces field_workspaces(index_t components) const;
  index_t field_workspace_bytes() const;
  SegmentedView<Real> view(const LocalArray<Real>& array, const Layout& layout, int width, int axis) const;
  enum class Streaming { large, none, ends };  // arrays whose results are streamed: large ones, none, users' large ones
  PassEndpoints make_endpoints(Streaming streaming) const;
  PassEndpoints& between(PassEndpoints& endpoints, const LocalArray<Real>& physical,
                         const LocalArray<Real>& spectral) const;
  bool may_work_in_result(Space space) const;
  bool works_in_result(Direction direction, const LocalArray<Real>& in, const LocalArray<Real>& out) const;
  PassEndpoints& in_result(Direction direction, const LocalArray<Real>& in, const LocalArray<Real>& out);
  PassEndpoints& within(PassEndpoints& endpoints, const InPlaceMemory<Real>& memory) const;
  // Indices of a batch axis outside all axes that are transformed which take all passes before the next ones do.
  struct BatchGroups {
    int axis = -1;  // -1: no groups
    index_t size = 1, all = 1;
  };
  BatchGroups batch_groups() const;
  bool takes_groups(const LocalArray<Real>& in, const LocalArray<Real>& out) const;
  template <class Work>
  void for_each_group(std::initializer_list<PassEndpoints*> ends, const Work& work);
  template <class Run>
  void run_group(std::size_t pass, const Range& group, const PassEndpoint<Real>& from, const PassEndpoint<Real>& to,
                 const PassEndpoints& endpoints, const Run& run);
  void transform_group(Direction direction, std::size_t pass, const Range& group, const PassEndpoints& endpoints,
                       Real scale, const PointOperation<Real>* operation = nullptr);
  void transform_groups(Direction direction, PassEndpoints& endpoints, Real scale);
  void convolve_groups(PassEndpoints& in, PassEndpoints& out, const LineSymbol<Real>& symbol, Real scale,
                       const PointOperation<Real>* operation = nullptr);
  void transform(Direction direction, const PassEndpoints& endpoints, Real scale);
  void convolve(const PassEndpoints& in, PassEndpoints& out, const LineSymbol<Real>& symbol, Real scale,
                const AtPoints& at_points = {});
  // Runs a piece of a pass from a view to a view. It is passed by reference, because std::function allocates memory for
  // captures of more than two words.
  using Piece = std::function<void(typename LocalPass<Real>::PassData&)>;
  void run_in_parts(std::size_t pass, const PassEndpoint<Real>& from, const PassEndpoint<Real>& to,
                    const Neighbours& neighbours, const PassEndpoints& endpoints, const Piece& piece);
  void run_pass(Direction direction, std::size_t pass, const PassEndpoints& endpoints, Real scale,
                const AtPoints& at_points = {});
  void check_finite(const OnSuspectValue& on_suspect_value) const;
  // A part of the points of this rank: a range of indices along an axis that the first pass does not transform.
  struct PointParts {
    int axis = -1;
    index_t all = 1, most = 1;
    Extents extents;  ///< of the largest part
  };
  PointParts point_parts() const;
  void run_last(const LineSymbol<Real>& symbol, const PassEndpoints& in, PassEndpoints& out, Real scale,
                const AtPoints& at_points);
  void open(std::size_t exchange, Direction direction, const PassEndpoints& endpoints);
  void start(const Neighbours& neighbours, const InPlaceMemory<Real>* memory, std::size_t part, std::size_t parts);
  void finish(const Neighbours& neighbours, const InPlaceMemory<Real>* memory, std::size_t part, std::size_t parts);
  void count(std::size_t exchange, double seconds);
  std::string explain_exchange(std::size_t exchange) const;
  PeerTraffic sent_to_peers(const ExchangePlan& plan) const;

  Comm comm_;
  Schedule schedule_;
  Arena arena_;
  int threads_;
  std::set<int> near_ranks_;  // ranks on this rank's node
  bool shares_memory_ = false;
  index_t shared_bytes_ = 0;  // memory of the node that exchanges of this rank use
  std::vector<std::unique_ptr<LocalPass<Real>>> passes_;
  std::vector<std::unique_ptr<Exchange<Real>>> exchanges_;  // empty if memory is shared
  std::vector<std::string> notes_;                          // reasons for the choice of `auto`
  typename LocalPass<Real>::Workspaces workspaces_;
  std::array<PassEndpoints, 2> endpoints_;    // of transforms; of the input and the result of a convolution
  PassEndpoints in_result_;                   // of transforms whose passes meet in the array of the result
  std::array<bool, 2> may_work_in_result_{};  // for each space of the result
  BatchGroups groups_;
  std::array<PassEndpoints, 2> of_groups_;  // as endpoints_, group by group
  // Workspaces of combine() for each pipeline that goes back; made when first needed.
  std::map<const Pipeline*, std::vector<typename LocalPass<Real>::FieldWorkspace>> field_workspaces_;
  StepTimes times_;
  Prediction predicted_;  // one direction, for explain()
};

}  // namespace weft
