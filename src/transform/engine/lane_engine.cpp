// The lane engine: complex and real DFTs, cosine and sine transforms of any length, for L lines at once in the lanes of
// vectors.
#include <algorithm>
#include <optional>

#include "transform/engine/engines.hpp"
#include "transform/engine/lane_line_tables.hpp"
#include "transform/engine/lane_real_tables.hpp"

namespace weft {

namespace {

template <class Real>
std::string lanes_name() {
  return std::string("lanes ") + lane_kernels<Real>().isa;
}

template <class Real>
index_t block_reals(const LineSpec& spec) {
  return block_reals_per_lane(spec) * lane_kernels<Real>().lanes;
}

// Whether vectors, and the modes of a line that are stored together, fill cache lines: streaming stores of parts would
// go to memory one by one.
template <class Real>
bool stores_cache_lines(const LaneLinePlan<Real>& plan) {
  constexpr int cache_line = 64 / static_cast<int>(sizeof(Real));
  const int lanes = lane_kernels<Real>().lanes;
  return lanes >= cache_line && 2 * plan.radix >= cache_line;
}

// Radices for the smooth part of n. Lane blocks take those of contiguous lines, so that the bits of a line depend on
// its kind and length alone.
template <class Real>
std::vector<int> complex_radices(index_t n) {
  return line_radices(smooth_part(n), lane_kernels<Real>().lanes, sizeof(Real));
}

template <class Real>
class ComplexLanes final : public LineEngine<Real> {
 public:
  explicit ComplexLanes(const LineSpec& spec)
      : spec_(spec), tables_(spec.length, complex_radices<Real>(spec.length)), head_(block_reals<Real>(spec)) {
    const int lanes = lane_kernels<Real>().lanes;
    if (spec.count >= spec.length && LaneLineTables<Real>::serves(spec.length, lanes))
      lines_.emplace(spec.length, lanes);
    const bool smooth = tables_.plan().primes == 0;
    this->routes_ = {.points = true,
                     .lines = lines_.has_value(),
                     .streams_lines = lines_.has_value() && stores_cache_lines(lines_->plan()),
                     .padding = smooth,
                     .convolution = smooth && spec.direction == Direction::forward};
    if (!this->routes_.convolution) return;
    const std::vector<int> radices = convolving_radices(spec.length);
    if (radices != complex_radices<Real>(spec.length)) convolution_.emplace(spec.length, radices);
  }

  Real* transform(LanePoints<Real>& points, Real* in, Real* out) const override {
    points.backward = spec_.direction == Direction::backward;
    (points.backward ? points.to : points.from).count = spec_.count;
    return kernels_.c2c(tables_.plan(), points, in, out, {in + head_, out + head_});
  }
  void transform(const LaneLines<Real>& lines, Real* const*, Real* work) const override {
    LaneLines<Real> directed = lines;
    directed.backward = spec_.direction == Direction::backward;
    kernels_.lines(lines_->plan(), directed, work);
  }
  void convolve(LanePoints<Real>& points, const LineFactors<Real>& factors, Real* block) const override {
    points.from.count = points.to.count = spec_.count;
    const LanePlan<Real>& plan = convolution_.has_value() ? convolution_->plan() : tables_.plan().smooth;
    kernels_.convolve(plan, points, factors, block);
  }
  index_t reals_per_lane() const override { return head_ / kernels_.lanes + 2 * tables_.scratch_points(); }
  std::string name() const override { return lanes_name<Real>(); }

 private:
  LineSpec spec_;
  LaneDftTables<Real> tables_;
  std::optional<LaneLineTables<Real>> lines_;
  std::optional<LaneTables<Real>> convolution_;  // if its radices differ from those of tables_
  const LaneKernels<Real>& kernels_ = lane_kernels<Real>();
  index_t head_;  // reals of a block before the work space at its end
};

template <class Real>
class RealLanes final : public LineEngine<Real> {
 public:
  explicit RealLanes(const LineSpec& spec)
      : tables_(spec.kind, spec.direction, spec.length, is_real_to_real(spec.kind) ? spec.width : 1, spec.count),
        head_(block_reals<Real>(spec)),
        forward_(spec.direction == Direction::forward) {
    const int lanes = lane_kernels<Real>().lanes;
    const LaneRealPlan<Real>& plan = tables_.plan();
    const bool halves = spec.kind == Kind::r2c && spec.length % 2 == 0;
    if (halves && spec.count >= spec.length && LaneRealLineTables<Real>::serves(spec.length / 2, lanes))
      lines_.emplace(forward_, spec.length / 2, lanes);
    const bool points = halves && plan.complex.primes == 0;
    this->routes_ = {.points = points,
                     .lines = lines_.has_value(),
                     .streams_lines = lines_.has_value() && stores_cache_lines(lines_->plan().complex),
                     .padding = points && forward_};
  }

  Real* transform(LanePoints<Real>& points, Real* in, Real* out) const override {
    return kernels_.real(tables_.plan(), points, in, out, {in + head_, out + head_});
  }
  void transform(const LaneLines<Real>& lines, Real* const* last, Real* work) const override {
    LaneLines<Real> directed = lines;
    directed.backward = !forward_;
    kernels_.real_lines(lines_->plan(), directed, last, work);
  }
  index_t reals_per_lane() const override { return head_ / kernels_.lanes + 2 * tables_.scratch_points(); }
  std::string name() const override { return lanes_name<Real>(); }

 private:
  LaneRealTables<Real> tables_;
  std::optional<LaneRealLineTables<Real>> lines_;
  const LaneKernels<Real>& kernels_ = lane_kernels<Real>();
  index_t head_;  // reals of a block before the work space at its end
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
