// The lane engine: complex and real DFTs, cosine and sine transforms of any length, for L lines at once in the lanes of
// vectors.
#include <optional>

#include "transform/engine/engines.hpp"
#include "transform/engine/lane_line_tables.hpp"
#include "transform/engine/lane_real_tables.hpp"
#include "transform/kind_table.hpp"

namespace weft {

namespace {

// Whether vectors, and the modes of a line that are stored together, fill cache lines. Streaming stores of parts of
// cache lines would go to memory one by one.
template <class Real>
bool stores_cache_lines(const LaneLinePlan<Real>& plan) {
  constexpr int cache_line = 64 / static_cast<int>(sizeof(Real));
  const int lanes = lane_kernels<Real>().lanes;
  return lanes >= cache_line && 2 * plan.radix >= cache_line;
}

// Complex lines have tables complex_ and perhaps lines_ and convolution_, real ones real_ and perhaps real_lines_.
template <class Real>
class Lanes final : public LineEngine<Real> {
 public:
  explicit Lanes(const LineSpec& spec) : spec_(spec) { spec.kind == Kind::c2c ? set_complex() : set_real(); }

  Real* transform(LanePoints<Real>& points, Real* in, Real* out) const override {
    const LaneScratch<Real> scratch{in + head_, out + head_};
    if (real_.has_value()) return kernels_.real(real_->plan(), points, in, out, scratch);
    points.backward = backward_;
    (backward_ ? points.to : points.from).count = spec_.count;
    return kernels_.c2c(complex_->plan(), points, in, out, scratch);
  }
  void transform(LaneLines<Real>& lines, Real* const* last, Real* work) const override {
    lines.backward = backward_;
    if (real_.has_value()) return kernels_.real_lines(real_lines_->plan(), lines, last, work);
    kernels_.lines(lines_->plan(), lines, work);
  }
  void convolve(LanePoints<Real>& points, const LineFactors<Real>& factors, Real* block) const override {
    points.from.count = points.to.count = spec_.count;
    const LanePlan<Real>& plan = convolution_.has_value() ? convolution_->plan() : complex_->plan().smooth;
    kernels_.convolve(plan, points, factors, block);
  }
  index_t reals_per_lane() const override {
    return head_ / kernels_.lanes + 2 * (real_.has_value() ? real_->scratch_points() : complex_->scratch_points());
  }
  std::string name() const override { return std::string("lanes ") + kernels_.isa; }

 private:
  // Lane blocks take the radices of contiguous lines, so that the bits of a line depend on its kind and length alone.
  void set_complex() {
    const index_t n = spec_.length;
    const std::vector<int> radices = line_radices(smooth_part(n), kernels_.lanes, sizeof(Real));
    complex_.emplace(n, radices);
    if (spec_.count >= n && LaneLineTables<Real>::serves(n, kernels_.lanes)) lines_.emplace(n, kernels_.lanes);
    const bool smooth = complex_->plan().primes == 0;
    this->routes_ = {.points = true,
                     .lines = lines_.has_value(),
                     .streams_lines = lines_.has_value() && stores_cache_lines(lines_->plan()),
                     .padding = smooth,
                     .convolution = smooth && !backward_};
    if (this->routes_.convolution && convolving_radices(n) != radices) convolution_.emplace(n, convolving_radices(n));
  }

  void set_real() {
    const index_t n = spec_.length;
    real_.emplace(spec_.kind, spec_.direction, n, is_real_to_real(spec_.kind) ? spec_.width : 1, spec_.count);
    const bool halves = spec_.kind == Kind::r2c && n % 2 == 0;
    if (halves && spec_.count >= n && LaneRealLineTables<Real>::serves(n / 2, kernels_.lanes))
      real_lines_.emplace(!backward_, n / 2, kernels_.lanes);
    const bool smooth = halves && real_->plan().complex.primes == 0;
    // Types I store results and load them again, which gains by a block.
    const bool folds = is_real_to_real(spec_.kind) && spec_.width == 1 && row_of(spec_.kind).lane.half == Kind::none;
    this->routes_ = {.points = smooth || folds,
                     .lines = real_lines_.has_value(),
                     .streams_lines = real_lines_.has_value() && stores_cache_lines(real_lines_->plan().complex),
                     .padding = smooth && !backward_};
  }

  LineSpec spec_;
  const LaneKernels<Real>& kernels_ = lane_kernels<Real>();
  bool backward_ = spec_.direction == Direction::backward;
  index_t head_ = block_reals_per_lane(spec_) * kernels_.lanes;  // reals of a block before the work space at its end
  std::optional<LaneDftTables<Real>> complex_;
  std::optional<LaneRealTables<Real>> real_;
  std::optional<LaneLineTables<Real>> lines_;
  std::optional<LaneRealLineTables<Real>> real_lines_;
  std::optional<LaneTables<Real>> convolution_;  // if its radices differ from those of complex_
};

}  // namespace

template <class Real>
std::shared_ptr<const LineEngine<Real>> make_lane_engine(const LineSpec& spec) {
  return std::make_shared<Lanes<Real>>(spec);
}

template std::shared_ptr<const LineEngine<double>> make_lane_engine<double>(const LineSpec&);
template std::shared_ptr<const LineEngine<float>> make_lane_engine<float>(const LineSpec&);

}  // namespace weft
