// FFTW as an engine for any kind and length, planned on lane blocks through the guru interface (split real and
// imaginary parts, stride 2L, L adjacent lines).
#include <mutex>

#include "transform/engine/engines.hpp"
#include "transform/engine/fftw_api.hpp"
#include "transform/engine/lane_tables.hpp"
#include "weft/memory.hpp"

namespace weft {

namespace {

// FFTW's planner is not thread safe; execution is.
std::mutex& planner_lock() {
  static std::mutex lock;
  return lock;
}

unsigned flags_of(Effort effort) {
  const unsigned keep = FFTW_DESTROY_INPUT;
  switch (effort) {
    case Effort::measure:
      return keep | FFTW_MEASURE;
    case Effort::patient:
      return keep | FFTW_PATIENT;
    default:
      return keep | FFTW_ESTIMATE;
  }
}

template <class Real>
class Fftw final : public LineEngine<Real> {
 public:
  Fftw(const LineSpec& spec, unsigned flags) : spec_(spec) {
    const index_t reals = block_reals_per_lane(spec) * lanes_;
    AlignedVector<Real> in(static_cast<std::size_t>(reals)), out(in);
    plan_ = make_plan(in.data(), out.data(), flags);
    if (plan_ == nullptr)
      throw Error(Fault::internal,
                  "FFTW made no plan for " + to_string(spec.kind) + " of length " + std::to_string(spec.length));
  }
  ~Fftw() override {
    const std::scoped_lock lock(planner_lock());
    FftwApi<Real>::destroy(plan_);
  }
  Fftw(const Fftw&) = delete;
  Fftw& operator=(const Fftw&) = delete;

  using LineEngine<Real>::transform;
  Real* transform(LanePoints<Real>&, Real* in, Real* out) const override {
    if (spec_.kind == Kind::c2c)
      FftwApi<Real>::run_c2c(plan_, in + first_, in + second_, out + first_, out + second_);
    else if (spec_.kind == Kind::r2c && is_forward())
      FftwApi<Real>::run_r2c(plan_, in, out, out + lanes_);
    else if (spec_.kind == Kind::r2c)
      FftwApi<Real>::run_c2r(plan_, in, in + lanes_, out);
    else
      FftwApi<Real>::run_r2r(plan_, in, out);
    return out;
  }
  index_t reals_per_lane() const override { return block_reals_per_lane(spec_); }
  std::string name() const override { return "fftw"; }

 private:
  using Dim = typename FftwApi<Real>::Dim;

  bool is_forward() const { return spec_.direction == Direction::forward; }

  typename FftwApi<Real>::Plan make_plan(Real* in, Real* out, unsigned flags) const {
    if (is_real_to_real(spec_.kind)) {
      const index_t lines = spec_.width * lanes_;
      const Dim line{spec_.length, lines, lines}, batch{lines, 1, 1};
      const fftw_r2r_kind kind = fftw_kind(is_forward() ? spec_.kind : inverse(spec_.kind));
      return FftwApi<Real>::r2r(1, &line, 1, &batch, in, out, &kind, flags);
    }
    const bool complex = spec_.kind == Kind::c2c;
    const Dim batch{lanes_, 1, 1};
    const Dim line{spec_.length, complex || !is_forward() ? 2 * lanes_ : lanes_,
                   complex || is_forward() ? 2 * lanes_ : lanes_};
    if (complex)
      return FftwApi<Real>::c2c(1, &line, 1, &batch, in + first_, in + second_, out + first_, out + second_, flags);
    if (is_forward()) return FftwApi<Real>::r2c(1, &line, 1, &batch, in, out, out + lanes_, flags);
    return FftwApi<Real>::c2r(1, &line, 1, &batch, in, in + lanes_, out, flags);
  }

  LineSpec spec_;
  int lanes_ = lane_kernels<Real>().lanes;
  // Places of real and imaginary parts: the backward complex transform is the forward one with both exchanged.
  int first_ = is_forward() ? 0 : lanes_, second_ = lanes_ - first_;
  typename FftwApi<Real>::Plan plan_ = nullptr;
};

template <class Real>
std::string exported_wisdom() {
  char* text = FftwApi<Real>::export_wisdom();
  std::string result = text == nullptr ? "" : text;
  std::free(text);
  return result;
}

// Puts aside the wisdom of the process, which differs between ranks, and restores it when destroyed, since the
// application may use FFTW, too. Holds the planner's lock.
template <class Real>
class WisdomAside {
 public:
  WisdomAside() : lock_(planner_lock()), wisdom_(exported_wisdom<Real>()) { FftwApi<Real>::forget_wisdom(); }
  ~WisdomAside() {
    FftwApi<Real>::forget_wisdom();
    FftwApi<Real>::import_wisdom(wisdom_.c_str());
  }
  WisdomAside(const WisdomAside&) = delete;
  WisdomAside& operator=(const WisdomAside&) = delete;

 private:
  std::scoped_lock<std::mutex> lock_;
  std::string wisdom_;
};

// Wisdom of the plans measured in this process. Guarded by the planner's lock, which WisdomAside holds.
template <class Real>
std::string& learnt_wisdom() {
  static std::string text;
  return text;
}

}  // namespace

template <class Real>
std::string fftw_wisdom() {
  const std::scoped_lock lock(planner_lock());
  return learnt_wisdom<Real>();
}

template <class Real>
bool add_fftw_wisdom(const std::string& text) {
  const WisdomAside<Real> aside;
  std::string& learnt = learnt_wisdom<Real>();
  if (text.empty() || text == learnt) return true;
  if (FftwApi<Real>::import_wisdom(text.c_str()) == 0) return false;
  if (!learnt.empty()) FftwApi<Real>::import_wisdom(learnt.c_str());
  learnt = exported_wisdom<Real>();
  return true;
}

void forget_fftw_wisdom() {
  const std::scoped_lock lock(planner_lock());
  learnt_wisdom<double>().clear();
  learnt_wisdom<float>().clear();
}

template <class Real>
std::shared_ptr<const LineEngine<Real>> make_fftw_engine(const Comm& comm, const LineSpec& spec, Effort effort) {
  std::shared_ptr<const LineEngine<Real>> engine;
  std::string wisdom;
  const auto plan = [&] {
    const WisdomAside<Real> aside;
    if (!wisdom.empty()) FftwApi<Real>::import_wisdom(wisdom.c_str());
    engine = std::make_shared<Fftw<Real>>(spec, flags_of(effort));
    wisdom = exported_wisdom<Real>();
  };
  if (effort == Effort::estimate) {
    plan();
    return engine;
  }
  if (comm.rank() == 0) {
    wisdom = fftw_wisdom<Real>();
    plan();
  }
  wisdom = comm.broadcast(wisdom, 0);
  if (comm.rank() != 0) plan();
  add_fftw_wisdom<Real>(wisdom);
  return engine;
}

template std::string fftw_wisdom<double>();
template std::string fftw_wisdom<float>();
template bool add_fftw_wisdom<double>(const std::string&);
template bool add_fftw_wisdom<float>(const std::string&);
std::string fftw_version() { return ::fftw_version; }

template std::shared_ptr<const LineEngine<double>> make_fftw_engine<double>(const Comm&, const LineSpec&, Effort);
template std::shared_ptr<const LineEngine<float>> make_fftw_engine<float>(const Comm&, const LineSpec&, Effort);

}  // namespace weft
