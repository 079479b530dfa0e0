// The lane engine: complex and real DFTs, cosine and sine transforms of lengths with small prime factors, L lines at
// once in the lanes of a vector.
#include "engines.hpp"
#include "lane_tables.hpp"

namespace weft {

namespace {

template <class Real>
class ComplexLanes final : public LineEngine<Real> {
 public:
  explicit ComplexLanes(const LineSpec& spec)
      : tables_(spec.length),
        reals_(block_reals_per_lane(spec)),
        transform_(spec.direction == Direction::forward ? lane_kernels<Real>().c2c_forward
                                                        : lane_kernels<Real>().c2c_backward) {}

  void transform(Real* in, Real* out) const override { transform_(tables_.plan(), LanePoints<Real>{}, in, out); }
  void transform(const LanePoints<Real>& points, Real* in, Real* out) const override {
    transform_(tables_.plan(), points, in, out);
  }
  bool can_use_points() const override { return true; }
  index_t reals_per_lane() const override { return reals_; }
  std::string name() const override { return std::string("lanes ") + lane_kernels<Real>().isa; }

 private:
  LaneTables<Real> tables_;
  index_t reals_;
  LanePointTransform<Real> transform_;
};

// Points of the real line whose DFT a kind is built on: type I continues it to a whole period.
index_t folded_length(const LineSpec& spec) {
  if (spec.kind == Kind::dct1) return 2 * (spec.length - 1);
  return spec.kind == Kind::dst1 ? 2 * (spec.length + 1) : spec.length;
}

bool is_type4(Kind kind) { return kind == Kind::dct4 || kind == Kind::dst4; }

index_t complex_length(const LineSpec& spec) {
  const index_t n = folded_length(spec);
  return n % 2 == 0 ? n / 2 : n;
}

LaneRealKind real_kind(const LineSpec& spec) {
  const bool forward = spec.direction == Direction::forward;
  switch (forward ? spec.kind : inverse(spec.kind)) {
    case Kind::dct1:
      return LaneRealKind::dct1;
    case Kind::dct2:
      return LaneRealKind::dct2;
    case Kind::dct3:
      return LaneRealKind::dct3;
    case Kind::dct4:
      return LaneRealKind::dct4;
    case Kind::dst1:
      return LaneRealKind::dst1;
    case Kind::dst2:
      return LaneRealKind::dst2;
    case Kind::dst3:
      return LaneRealKind::dst3;
    case Kind::dst4:
      return LaneRealKind::dst4;
    default:
      return forward ? LaneRealKind::forward : LaneRealKind::backward;
  }
}

template <class Real>
class RealLanes final : public LineEngine<Real> {
 public:
  explicit RealLanes(const LineSpec& spec)
      : tables_(complex_length(spec)), roots_(roots(spec)), spare_(2 * folded_length(spec) + 2) {
    plan_ = {real_kind(spec), spec.length, is_real_to_real(spec.kind) ? spec.width : 1, tables_.plan(), roots_.data()};
    head_ = block_reals_per_lane(spec);
  }

  using LineEngine<Real>::transform;
  void transform(Real* in, Real* out) const override {
    const index_t head = head_ * lane_kernels<Real>().lanes;
    lane_kernels<Real>().real(plan_, in, out, in + head, out + head);
  }
  index_t reals_per_lane() const override { return head_ + spare_; }
  std::string name() const override { return std::string("lanes ") + lane_kernels<Real>().isa; }

 private:
  static std::vector<Real> roots(const LineSpec& spec) {
    const index_t n = spec.length;
    std::vector<Real> result;
    if (is_type4(spec.kind)) {
      for (index_t j = 0; j < n / 2; j++) push_root(result, 4 * j + 1, 8 * n);
      for (index_t k = 0; k < n / 2; k++) push_root(result, k, 2 * n);
    } else if (is_real_to_real(spec.kind)) {
      for (index_t k = 0; k <= n / 2; k++) push_root(result, k, 4 * n);
    }
    // push_root gives cos, -sin; the kernels want cos, sin.
    for (std::size_t i = 1; i < result.size(); i += 2) result[i] = -result[i];
    return result;
  }

  LaneTables<Real> tables_;
  std::vector<Real> roots_;
  LaneRealPlan<Real> plan_{};
  index_t head_ = 0, spare_;
};

}  // namespace

bool lanes_can(const LineSpec& spec) {
  if (spec.kind == Kind::c2c) return LaneTables<double>::possible(spec.length);
  if (spec.kind == Kind::none || (is_type4(spec.kind) && spec.length % 2 != 0)) return false;
  return LaneTables<double>::possible(complex_length(spec));
}

template <class Real>
std::shared_ptr<const LineEngine<Real>> make_lane_engine(const LineSpec& spec) {
  if (spec.kind == Kind::c2c) return std::make_shared<ComplexLanes<Real>>(spec);
  return std::make_shared<RealLanes<Real>>(spec);
}

template std::shared_ptr<const LineEngine<double>> make_lane_engine<double>(const LineSpec&);
template std::shared_ptr<const LineEngine<float>> make_lane_engine<float>(const LineSpec&);

}  // namespace weft
