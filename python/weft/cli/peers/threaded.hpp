// FFTW in one process with threads, FFTW_MEASURE: what the programs that use it for `weft bench` have in common.
#pragma once

#include <memory>

#include "contender.hpp"

namespace contender {

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
  void forward() { Fftw<Real>::execute(forward_); }
  void backward() { Fftw<Real>::execute(backward_); }
  void pair() {
    forward();
    backward();
  }
  const Real* physical() const { return data_.get(); }
  Real* physical() { return data_.get(); }
  /// In place, the same memory.
  Complex* modes() { return reinterpret_cast<Complex*>(in_place_ ? data_.get() : apart_.get()); }
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

/// Seconds of planning, and of the best of some pairs.
struct Trial {
  double planning_seconds, pair_seconds;
};

template <class Real>
Trial trial(const Job& job, bool in_place) {
  const double start = seconds_now();
  Transform<Real> transform(job, in_place);
  Trial result{seconds_now() - start, seconds_of_pair(Team(), transform)};
  for (int i = 0; i < 4; ++i) result.pair_seconds = std::min(result.pair_seconds, seconds_of_pair(Team(), transform));
  return result;
}

/// Which of the two ways is faster, and how long planning took for it.
struct Choice {
  bool in_place;
  double planning_seconds;
};

/// Tries both on arrays of their own. FFTW remembers what it has measured, so a plan that is made afterwards is the
/// same one, at once. The peak of memory so far is forgotten.
template <class Real>
Choice choose(const Job& job) {
  Planner<Real>::init_threads();
  Planner<Real>::use_threads(job.threads);
  const Trial inside = trial<Real>(job, true), apart = trial<Real>(job, false);
  reset_peak();
  const bool in_place = inside.pair_seconds <= apart.pair_seconds;
  return {in_place, (in_place ? inside : apart).planning_seconds};
}

}  // namespace contender
