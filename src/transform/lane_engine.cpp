// The lane engine: complex and real DFTs, cosine and sine transforms of any length, L lines at once in the lanes of a
// vector.
#include <algorithm>
#include <optional>

#include "engines.hpp"
#include "kind_table.hpp"
#include "lane_line_tables.hpp"
#include "lane_real_tables.hpp"

namespace weft {

namespace {

template <class Real>
std::string lanes_name() {
  return std::string("lanes ") + lane_kernels<Real>().isa;
}

// Work space is the end of both blocks, behind points and modes.
template <class Real>
LaneRoom<Real> room_behind(index_t reals_per_lane, Real* in, Real* out) {
  const index_t reals = reals_per_lane * lane_kernels<Real>().lanes;
  return {in + reals, out + reals};
}

// Whether vectors and the modes of a line that are stored together fill cache lines: parts of them would reach memory
// by themselves.
template <class Real>
bool stores_cache_lines(const LaneLinePlan<Real>& plan) {
  constexpr int cache_line = 64 / static_cast<int>(sizeof(Real));
  const int lanes = lane_kernels<Real>().lanes;
  return lanes >= cache_line && 2 * plan.radix >= cache_line;
}

// Of the smooth part of n, wherever lines are: those that suit contiguous ones serve lane blocks, too, so that the bits
// of a line depend on its kind and length alone.
template <class Real>
std::vector<int> complex_radices(index_t n) {
  return line_radices(smooth_part(n), lane_kernels<Real>().lanes, sizeof(Real));
}

template <class Real>
class ComplexLanes final : public LineEngine<Real> {
 public:
  explicit ComplexLanes(const LineSpec& spec)
      : spec_(spec), tables_(spec.length, complex_radices<Real>(spec.length)), head_(block_reals_per_lane(spec)) {
    const int lanes = lane_kernels<Real>().lanes;
    if (spec.count >= spec.length && LaneLineTables<Real>::serves(spec.length, lanes))
      lines_.emplace(spec.length, lanes);
    if (!can_convolve()) return;
    const std::vector<int> radices = convolving_radices(spec.length);
    if (radices != complex_radices<Real>(spec.length)) convolution_.emplace(spec.length, radices);
  }

  Real* transform(Real* in, Real* out) const override { return transform(LanePoints<Real>{}, in, out); }
  Real* transform(const LanePoints<Real>& points, Real* in, Real* out) const override {
    LanePoints<Real> directed = points;
    directed.backward = spec_.direction == Direction::backward;
    (directed.backward ? directed.to : directed.from).count = spec_.count;
    return lane_kernels<Real>().c2c(tables_.plan(), directed, in, out, room_behind(head_, in, out));
  }
  bool can_use_points() const override { return true; }
  void transform_lines(const LaneLines<Real>& lines, Real* const*, Real* work) const override {
    LaneLines<Real> directed = lines;
    directed.backward = spec_.direction == Direction::backward;
    lane_kernels<Real>().lines(lines_->plan(), directed, work);
  }
  bool can_transform_lines() const override { return lines_.has_value(); }
  bool can_stream_lines() const override { return stores_cache_lines(lines_->plan()); }
  bool knows_padding() const override { return tables_.plan().primes == 0; }
  void convolve(const LanePoints<Real>& points, const LineFactors<Real>& factors, Real* block) const override {
    LanePoints<Real> counted = points;
    counted.from.count = counted.to.count = spec_.count;
    const LanePlan<Real>& plan = convolution_.has_value() ? convolution_->plan() : tables_.plan().smooth;
    lane_kernels<Real>().convolve(plan, counted, factors, block);
  }
  bool can_convolve() const override { return spec_.direction == Direction::forward && tables_.plan().primes == 0; }
  index_t reals_per_lane() const override { return head_ + 2 * tables_.room(); }
  std::string name() const override { return lanes_name<Real>(); }

 private:
  LineSpec spec_;
  LaneDftTables<Real> tables_;
  std::optional<LaneLineTables<Real>> lines_;
  std::optional<LaneTables<Real>> convolution_;  // where its radices are others
  index_t head_;
};

LaneRealKind real_kind(const LineSpec& spec) {
  const bool forward = spec.direction == Direction::forward;
  if (is_real_to_real(spec.kind)) return row_of(forward ? spec.kind : inverse(spec.kind)).lane;
  return forward ? LaneRealKind::forward : LaneRealKind::backward;
}

template <class Real>
class RealLanes final : public LineEngine<Real> {
 public:
  explicit RealLanes(const LineSpec& spec)
      : tables_(real_kind(spec), spec.length, is_real_to_real(spec.kind) ? spec.width : 1, spec.count),
        head_(block_reals_per_lane(spec)),
        forward_(spec.direction == Direction::forward) {
    const int lanes = lane_kernels<Real>().lanes;
    const bool halves = spec.kind == Kind::r2c && spec.length % 2 == 0 && spec.count >= spec.length;
    if (halves && LaneRealLineTables<Real>::serves(spec.length / 2, lanes))
      lines_.emplace(forward_, spec.length / 2, lanes);
  }

  Real* transform(Real* in, Real* out) const override {
    return lane_kernels<Real>().real(tables_.plan(), in, out, room_behind(head_, in, out));
  }
  Real* transform(const LanePoints<Real>& points, Real* in, Real* out) const override {
    return lane_kernels<Real>().real_points(tables_.plan(), points, in, out);
  }
  bool can_use_points() const override {
    const LaneRealPlan<Real>& plan = tables_.plan();
    const bool fourier = plan.kind == LaneRealKind::forward || plan.kind == LaneRealKind::backward;
    return fourier && plan.n % 2 == 0 && plan.complex.primes == 0;
  }
  void transform_lines(const LaneLines<Real>& lines, Real* const* last, Real* work) const override {
    const auto& kernels = lane_kernels<Real>();
    (forward_ ? kernels.real_lines_forward : kernels.real_lines_backward)(lines_->plan(), lines, last, work);
  }
  bool can_transform_lines() const override { return lines_.has_value(); }
  bool can_stream_lines() const override { return stores_cache_lines(lines_->plan().complex); }
  bool knows_padding() const override { return tables_.plan().kind == LaneRealKind::forward && can_use_points(); }
  index_t reals_per_lane() const override { return head_ + 2 * tables_.room(); }
  std::string name() const override { return lanes_name<Real>(); }

 private:
  LaneRealTables<Real> tables_;
  std::optional<LaneRealLineTables<Real>> lines_;
  index_t head_;
  bool forward_;
};

}  // namespace

template <class Real>
std::shared_ptr<const LineEngine<Real>> make_lane_engine(const LineSpec& spec) {
  if (spec.kind == Kind::c2c) return std::make_shared<ComplexLanes<Real>>(spec);
  return std::make_shared<RealLanes<Real>>(spec);
}

template std::shared_ptr<const LineEngine<double>> make_lane_engine<double>(const LineSpec&);
template std::shared_ptr<const LineEngine<float>> make_lane_engine<float>(const LineSpec&);

}  // namespace weft
