// The lane engine: complex transforms of lengths with prime factors up to 13, and real ones of even length, L lines at
// once in the lanes of a vector.
#include "engines.hpp"
#include "lane_tables.hpp"

namespace weft {

namespace {

template <class Real>
class Lanes final : public LineEngine<Real> {
 public:
  explicit Lanes(const LineSpec& spec)
      : tables_(spec.kind == Kind::r2c ? spec.length / 2 : spec.length), transform_(choose(spec)) {}

  void transform(Real* in, Real* out) const override { transform_(tables_.plan(), in, out); }
  std::string name() const override { return std::string("lanes ") + lane_kernels<Real>().isa; }

 private:
  static LaneTransform<Real> choose(const LineSpec& spec) {
    const LaneKernels<Real>& kernels = lane_kernels<Real>();
    const bool forward = spec.direction == Direction::forward;
    if (spec.kind == Kind::r2c) return forward ? kernels.r2c : kernels.c2r;
    return forward ? kernels.c2c_forward : kernels.c2c_backward;
  }

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
  return std::make_shared<Lanes<Real>>(spec);
}

template std::shared_ptr<const LineEngine<double>> make_lane_engine<double>(const LineSpec&);
template std::shared_ptr<const LineEngine<float>> make_lane_engine<float>(const LineSpec&);

}  // namespace weft
