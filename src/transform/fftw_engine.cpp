// FFTW as an engine: any kind and length, planned on lane blocks through the guru interface (split real and imaginary
// parts, stride 2L, L lines side by side). The only file that knows FFTW.
#include <fftw3.h>

#include <mutex>

#include "engines.hpp"
#include "lane_tables.hpp"
#include "weft/memory.hpp"

namespace weft {

namespace {

// FFTW's planner is not thread safe; execution is.
std::mutex& planner_lock() {
  static std::mutex lock;
  return lock;
}

// FFTW's two precisions under one name.
template <class Real>
struct Api;

template <>
struct Api<double> {
  using Plan = fftw_plan;
  using Dim = fftw_iodim64;
  static constexpr auto c2c = fftw_plan_guru64_split_dft;
  static constexpr auto r2c = fftw_plan_guru64_split_dft_r2c;
  static constexpr auto c2r = fftw_plan_guru64_split_dft_c2r;
  static constexpr auto r2r = fftw_plan_guru64_r2r;
  static constexpr auto run_c2c = fftw_execute_split_dft;
  static constexpr auto run_r2c = fftw_execute_split_dft_r2c;
  static constexpr auto run_c2r = fftw_execute_split_dft_c2r;
  static constexpr auto run_r2r = fftw_execute_r2r;
  static constexpr auto destroy = fftw_destroy_plan;
  static constexpr auto export_wisdom = fftw_export_wisdom_to_string;
  static constexpr auto import_wisdom = fftw_import_wisdom_from_string;
  static constexpr auto forget_wisdom = fftw_forget_wisdom;
};

template <>
struct Api<float> {
  using Plan = fftwf_plan;
  using Dim = fftwf_iodim64;
  static constexpr auto c2c = fftwf_plan_guru64_split_dft;
  static constexpr auto r2c = fftwf_plan_guru64_split_dft_r2c;
  static constexpr auto c2r = fftwf_plan_guru64_split_dft_c2r;
  static constexpr auto r2r = fftwf_plan_guru64_r2r;
  static constexpr auto run_c2c = fftwf_execute_split_dft;
  static constexpr auto run_r2c = fftwf_execute_split_dft_r2c;
  static constexpr auto run_c2r = fftwf_execute_split_dft_c2r;
  static constexpr auto run_r2r = fftwf_execute_r2r;
  static constexpr auto destroy = fftwf_destroy_plan;
  static constexpr auto export_wisdom = fftwf_export_wisdom_to_string;
  static constexpr auto import_wisdom = fftwf_import_wisdom_from_string;
  static constexpr auto forget_wisdom = fftwf_forget_wisdom;
};

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

fftw_r2r_kind r2r_kind(const LineSpec& spec) {
  switch (spec.direction == Direction::forward ? spec.kind : inverse(spec.kind)) {
    case Kind::dct1:
      return FFTW_REDFT00;
    case Kind::dct2:
      return FFTW_REDFT10;
    case Kind::dct3:
      return FFTW_REDFT01;
    case Kind::dct4:
      return FFTW_REDFT11;
    case Kind::dst1:
      return FFTW_RODFT00;
    case Kind::dst2:
      return FFTW_RODFT10;
    case Kind::dst3:
      return FFTW_RODFT01;
    default:
      return FFTW_RODFT11;
  }
}

template <class Real>
class Fftw final : public LineEngine<Real> {
 public:
  Fftw(const LineSpec& spec, unsigned flags) : spec_(spec), lanes_(lane_kernels<Real>().lanes) {
    const index_t reals = block_reals_per_lane(spec) * lanes_;
    AlignedVector<Real> in(static_cast<std::size_t>(reals)), out(in);
    plan_ = make_plan(in.data(), out.data(), flags);
    if (plan_ == nullptr)
      throw Error(Fault::internal,
                  "FFTW made no plan for " + to_string(spec.kind) + " of length " + std::to_string(spec.length));
  }
  ~Fftw() override {
    const std::scoped_lock lock(planner_lock());
    Api<Real>::destroy(plan_);
  }
  Fftw(const Fftw&) = delete;
  Fftw& operator=(const Fftw&) = delete;

  using LineEngine<Real>::transform;
  Real* transform(Real* in, Real* out) const override {
    const bool forward = spec_.direction == Direction::forward;
    if (spec_.kind == Kind::c2c && forward) Api<Real>::run_c2c(plan_, in, in + lanes_, out, out + lanes_);
    if (spec_.kind == Kind::c2c && !forward) Api<Real>::run_c2c(plan_, in + lanes_, in, out + lanes_, out);
    if (spec_.kind == Kind::r2c && forward) Api<Real>::run_r2c(plan_, in, out, out + lanes_);
    if (spec_.kind == Kind::r2c && !forward) Api<Real>::run_c2r(plan_, in, in + lanes_, out);
    if (is_real_to_real(spec_.kind)) Api<Real>::run_r2r(plan_, in, out);
    return out;
  }
  index_t reals_per_lane() const override { return block_reals_per_lane(spec_); }
  std::string name() const override { return "fftw"; }

 private:
  using Dim = typename Api<Real>::Dim;

  // The backward complex transform is the forward one with real and imaginary parts exchanged.
  typename Api<Real>::Plan make_plan(Real* in, Real* out, unsigned flags) const {
    const index_t complex_step = 2 * lanes_;
    if (is_real_to_real(spec_.kind)) {
      const index_t lines = spec_.width * lanes_;
      const Dim line{spec_.length, lines, lines}, batch{lines, 1, 1};
      const fftw_r2r_kind kind = r2r_kind(spec_);
      return Api<Real>::r2r(1, &line, 1, &batch, in, out, &kind, flags);
    }
    const Dim batch{lanes_, 1, 1};
    const bool forward = spec_.direction == Direction::forward;
    if (spec_.kind == Kind::c2c) {
      const Dim line{spec_.length, complex_step, complex_step};
      if (forward) return Api<Real>::c2c(1, &line, 1, &batch, in, in + lanes_, out, out + lanes_, flags);
      return Api<Real>::c2c(1, &line, 1, &batch, in + lanes_, in, out + lanes_, out, flags);
    }
    const Dim line{spec_.length, forward ? lanes_ : complex_step, forward ? complex_step : lanes_};
    if (forward) return Api<Real>::r2c(1, &line, 1, &batch, in, out, out + lanes_, flags);
    return Api<Real>::c2r(1, &line, 1, &batch, in, in + lanes_, out, flags);
  }

  LineSpec spec_;
  int lanes_;
  typename Api<Real>::Plan plan_ = nullptr;
};

template <class Real>
std::string exported_wisdom() {
  char* text = Api<Real>::export_wisdom();
  std::string result = text == nullptr ? "" : text;
  std::free(text);
  return result;
}

// Plans without what the process has learnt before, which differs from rank to rank, and gives it back: the application
// may use FFTW, too. Holds the planner's lock.
template <class Real>
class WisdomAside {
 public:
  WisdomAside() : lock_(planner_lock()), wisdom_(exported_wisdom<Real>()) { Api<Real>::forget_wisdom(); }
  ~WisdomAside() {
    Api<Real>::forget_wisdom();
    Api<Real>::import_wisdom(wisdom_.c_str());
  }
  WisdomAside(const WisdomAside&) = delete;
  WisdomAside& operator=(const WisdomAside&) = delete;

 private:
  std::scoped_lock<std::mutex> lock_;
  std::string wisdom_;
};

}  // namespace

template <class Real>
std::shared_ptr<const LineEngine<Real>> make_fftw_engine(const Comm& comm, const LineSpec& spec, Effort effort) {
  std::shared_ptr<const LineEngine<Real>> engine;
  std::string wisdom;
  const auto plan = [&] {
    const WisdomAside<Real> aside;
    if (!wisdom.empty()) Api<Real>::import_wisdom(wisdom.c_str());
    engine = std::make_shared<Fftw<Real>>(spec, flags_of(effort));
    wisdom = exported_wisdom<Real>();
  };
  if (effort == Effort::estimate) {
    plan();
    return engine;
  }
  if (comm.rank() == 0) plan();
  wisdom = comm.broadcast(wisdom, 0);
  if (comm.rank() != 0) plan();
  return engine;
}

std::string fftw_version() { return ::fftw_version; }

template std::shared_ptr<const LineEngine<double>> make_fftw_engine<double>(const Comm&, const LineSpec&, Effort);
template std::shared_ptr<const LineEngine<float>> make_fftw_engine<float>(const Comm&, const LineSpec&, Effort);

}  // namespace weft
