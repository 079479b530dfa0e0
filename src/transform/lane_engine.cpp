// The lane engine: complex transforms of lengths with prime factors up to 13, and real ones of even length, L lines at
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
        transform_(spec.direction == Direction::forward ? lane_kernels<Real>().c2c_forward
                                                        : lane_kernels<Real>().c2c_backward) {}

  void transform(Real* in, Real* out) const override { transform_(tables_.plan(), LanePoints<Real>{}, in, out); }
  void transform(const LanePoints<Real>& points, Real* in, Real* out) const override {
    transform_(tables_.plan(), points, in, out);
  }
  bool can_use_points() const override { return true; }
  std::string name() const override { return std::string("lanes ") + lane_kernels<Real>().isa; }

 private:
  LaneTables<Real> tables_;
  LanePointTransform<Real> transform_;
};

template <class Real>
class RealLanes final : public LineEngine<Real> {
 public:
  explicit RealLanes(const LineSpec& spec)
      : tables_(spec.length / 2),
        transform_(spec.direction == Direction::forward ? lane_kernels<Real>().r2c : lane_kernels<Real>().c2r) {}

  using LineEngine<Real>::transform;
  void transform(Real* in, Real* out) const override { transform_(tables_.plan(), in, out); }
  std::string name() const override { return std::string("lanes ") + lane_kernels<Real>().isa; }

 private:
  LaneTables<Real> tables_;
  LaneTransform<Real> transform_;
};

}  // namespace

bool lanes_can(const LineSpec& spec) {
  if (spec.kind == Kind::c2c) return LaneTables<double>::possible(spec.length);
  return spec.kind == Kind::r2c && spec.length % 2 == 0 && LaneTables<double>::possible(spec.length / 2);
}

template <class Real>
std::shared_ptr<const LineEngine<Real>> make_lane_engine(const LineSpec& spec) {
  if (spec.kind == Kind::r2c) return std::make_shared<RealLanes<Real>>(spec);
  return std::make_shared<ComplexLanes<Real>>(spec);
}

template std::shared_ptr<const LineEngine<double>> make_lane_engine<double>(const LineSpec&);
template std::shared_ptr<const LineEngine<float>> make_lane_engine<float>(const LineSpec&);

}  // namespace weft
