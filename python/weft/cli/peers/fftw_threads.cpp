// FFTW in one process with threads, timed for `weft bench fft --peers fftw-threads`: FFTW_MEASURE, in place or out of
// place, whichever a trial finds faster. Usage and output: contender.hpp.
#include <memory>

#include "contender.hpp"

namespace {

using contender::Facts;
using contender::Fftw;
using contender::Job;

/// One process; its threads are FFTW's.
struct Team {
  int rank() const { return 0; }
  int size() const { return 1; }
  double largest(double value) const { return value; }
  void barrier() const {}
};

template <class Real>
struct Planner;

template <>
struct Planner<double> {
  static constexpr auto init_threads = fftw_init_threads;
  static constexpr auto use_threads = fftw_plan_with_nthreads;
  static constexpr auto c2c = fftw_plan_dft_3d;
  static constexpr auto r2c = fftw_plan_dft_r2c_3d;
  static constexpr auto c2r = fftw_plan_dft_c2r_3d;
  static constexpr auto r2r = fftw_plan_r2r_3d;
};

template <>
struct Planner<float> {
  static constexpr auto init_threads = fftwf_init_threads;
  static constexpr auto use_threads = fftwf_plan_with_nthreads;
  static constexpr auto c2c = fftwf_plan_dft_3d;
  static constexpr auto r2c = fftwf_plan_dft_r2c_3d;
  static constexpr auto c2r = fftwf_plan_dft_c2r_3d;
  static constexpr auto r2r = fftwf_plan_r2r_3d;
};

/// One array or two, and the plans of both directions.
template <class Real>
class Transform {
 public:
  using Complex = typename Fftw<Real>::Complex;

  Transform(const Job& job, bool in_place)
      : job_(job), in_place_(in_place), data_(make(std::max(physical_reals(), in_place ? spectral_reals() : 0))) {
    if (!in_place) apart_ = make(spectral_reals());
    forward_ = plan(true);
    backward_ = plan(false);
  }
  ~Transform() {
    Fftw<Real>::destroy(forward_);
    Fftw<Real>::destroy(backward_);
  }
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  void fill() { contender::fill(data_.get(), physical_reals(), 0); }
  void pair() {
    Fftw<Real>::execute(forward_);
    Fftw<Real>::execute(backward_);
  }
  const Real* physical() const { return data_.get(); }
  std::ptrdiff_t row() const { return job_.row(in_place_); }
  std::ptrdiff_t physical_reals() const { return job_.nx * job_.ny * row(); }
  Facts facts() const {
    const std::ptrdiff_t reals =
        in_place_ ? std::max(physical_reals(), spectral_reals()) : physical_reals() + spectral_reals();
    return {in_place_ ? "in place" : "out of place", job_.threads,
            static_cast<double>(job_.nx * job_.ny * job_.used()) * sizeof(Real),
            static_cast<double>(reals) * sizeof(Real), 0};
  }

 private:
  struct Free {
    void operator()(Real* memory) const { Fftw<Real>::free(memory); }
  };
  using Memory = std::unique_ptr<Real, Free>;

  static Memory make(std::ptrdiff_t reals) {
    return Memory(static_cast<Real*>(Fftw<Real>::alloc(static_cast<std::size_t>(reals) * sizeof(Real))));
  }
  std::ptrdiff_t spectral_reals() const { return job_.nx * job_.ny * job_.modes() * (job_.is_r2r() ? 1 : 2); }

  typename Fftw<Real>::Plan plan(bool forward) const {
    const int nx = static_cast<int>(job_.nx), ny = static_cast<int>(job_.ny), nz = static_cast<int>(job_.nz);
    Real *points = data_.get(), *modes = in_place_ ? points : apart_.get();
    Real *in = forward ? points : modes, *out = forward ? modes : points;
    // Nobody needs the input afterwards.
    constexpr unsigned flags = FFTW_MEASURE | FFTW_DESTROY_INPUT;
    if (job_.is_r2r()) {
      const fftw_r2r_kind kind = job_.r2r_kind(forward);
      return Planner<Real>::r2r(nx, ny, nz, in, out, kind, kind, kind, flags);
    }
    auto *complex_in = reinterpret_cast<Complex*>(in), *complex_out = reinterpret_cast<Complex*>(out);
    if (job_.kind == "c2c")
      return Planner<Real>::c2c(nx, ny, nz, complex_in, complex_out, forward ? FFTW_FORWARD : FFTW_BACKWARD, flags);
    if (forward) return Planner<Real>::r2c(nx, ny, nz, in, complex_out, flags);
    return Planner<Real>::c2r(nx, ny, nz, complex_in, out, flags);
  }

  Job job_;
  bool in_place_;
  Memory data_, apart_;
  typename Fftw<Real>::Plan forward_ = nullptr, backward_ = nullptr;
};

/// Seconds of the best of some pairs, in place or not.
template <class Real>
double trial(const Job& job, bool in_place) {
  Transform<Real> transform(job, in_place);
  double best = contender::seconds_of_pair(Team(), transform);
  for (int i = 0; i < 4; ++i) best = std::min(best, contender::seconds_of_pair(Team(), transform));
  return best;
}

template <class Real>
void work(const Job& job) {
  Planner<Real>::init_threads();
  Planner<Real>::use_threads(job.threads);
  const bool in_place = trial<Real>(job, true) <= trial<Real>(job, false);
  contender::reset_peak();
  const double before = contender::process_bytes("VmRSS");
  // What the trial has measured is remembered, so this plans at once.
  Transform<Real> transform(job, in_place);
  contender::take_part(Team(), job, transform, before);
}

}  // namespace

int main(int argc, char** argv) {
  Job job{};
  if (!contender::read_job(argc, argv, true, job)) return 2;
  job.precision == "float" ? work<float>(job) : work<double>(job);
  return 0;
}
