// Times a line pass with the lane engine and FFTW's own loop over lines on the same arrays.
#include "calibration/engine_speed.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <type_traits>

#include "plan/pass/line_sweep.hpp"
#include "transform/engine/fftw_api.hpp"

namespace weft {

namespace {

// The input, the output and the layout of a sweep.
template <class Real>
struct Arrays {
  explicit Arrays(const SpeedSpec& spec)
      : width(spec.kind == Kind::c2c ? 2 : 1),
        width_out(is_fourier(spec.kind) ? 2 : 1),
        axis(spec.strided ? 0 : 1),
        lines(std::max(batch, spec.bytes / (spec.length * width * static_cast<index_t>(sizeof(Real))) / batch * batch)),
        extents(with_length(spec.length)),
        extents_out(with_length(output_length(spec.kind, spec.length))),
        in(extents.product() * width),
        out(extents_out.product() * width_out) {}

  // Fills an array with uniform numbers in [0, 1), the same in every run.
  void fill() const {
    std::minstd_rand random(1);
    std::uniform_real_distribution<Real> uniform;
    std::generate_n(in.data(), in.size(), [&] { return uniform(random); });
    std::fill_n(out.data(), out.size(), Real(0));
  }
  Extents with_length(index_t length) const { return axis == 0 ? Extents{length, lines} : Extents{lines, length}; }

  // Rows are whole vectors of any instruction set. Remainders of rows are left to other measurements.
  static constexpr index_t batch = 16;
  int width, width_out, axis;
  index_t lines;
  Extents extents, extents_out;
  Buffer<Real> in, out;
};

template <class Real>
class FftwSweep {
 public:
  FftwSweep(const SpeedSpec& spec, const Arrays<Real>& arrays) {
    FftwApi<Real>::set_timelimit(spec.plan_seconds);
    plan_.reset(make_plan(spec, arrays));
    FftwApi<Real>::set_timelimit(FFTW_NO_TIMELIMIT);
    if (plan_ == nullptr)
      throw Error(Fault::internal,
                  "FFTW made no plan for " + to_string(spec.kind) + " of length " + std::to_string(spec.length));
  }
  void operator()() const { FftwApi<Real>::execute(plan_.get()); }

 private:
  static typename FftwApi<Real>::Plan make_plan(const SpeedSpec& spec, const Arrays<Real>& arrays) {
    using Complex = typename FftwApi<Real>::Complex;
    const int n = static_cast<int>(spec.length), modes = static_cast<int>(output_length(spec.kind, spec.length));
    const int lines = static_cast<int>(arrays.lines);
    const int stride = spec.strided ? lines : 1, step = spec.strided ? 1 : n, step_out = spec.strided ? 1 : modes;
    Real *in = arrays.in.data(), *out = arrays.out.data();
    auto* modes_out = reinterpret_cast<Complex*>(out);
    if (spec.kind == Kind::c2c)
      return FftwApi<Real>::many_c2c(1, &n, lines, reinterpret_cast<Complex*>(in), nullptr, stride, step, modes_out,
                                     nullptr, stride, step_out, FFTW_FORWARD, FFTW_PATIENT);
    if (spec.kind == Kind::r2c)
      return FftwApi<Real>::many_r2c(1, &n, lines, in, nullptr, stride, step, modes_out, nullptr, stride, step_out,
                                     FFTW_PATIENT);
    const fftw_r2r_kind kind = fftw_kind(spec.kind);
    return FftwApi<Real>::many_r2r(1, &n, lines, in, nullptr, stride, step, out, nullptr, stride, step_out, &kind,
                                   FFTW_PATIENT);
  }

  struct Destroy {
    void operator()(typename FftwApi<Real>::Plan plan) const { FftwApi<Real>::destroy(plan); }
  };
  std::unique_ptr<std::remove_pointer_t<typename FftwApi<Real>::Plan>, Destroy> plan_;
};

template <class Real>
class LaneSweep {
 public:
  LaneSweep(const SpeedSpec& spec, const Arrays<Real>& arrays)
      : pass_(arrays.axis, 1 - arrays.axis, whole_axis(spec.kind, spec.length, arrays.axis), arrays.width,
              arrays.extents, engine(spec, arrays.width, Direction::forward),
              engine(spec, arrays.width, Direction::backward)),
        workspace_(pass_.block_reals(), pass_.most_points()) {
    const SegmentedView<Real> source = view(arrays.in, arrays.extents, arrays.width, arrays.axis);
    SegmentedView<Real> target = view(arrays.out, arrays.extents_out, arrays.width_out, arrays.axis);
    const auto bytes = static_cast<double>(arrays.in.bytes() + arrays.out.bytes());
    target.stream = bytes > stream_from_bytes();
    const Memory where = memory_of(bytes);
    sweep_.prepare(pass_, Direction::forward, {source, where}, {target, where}, pass_.all_lines(), workspace_, {});
  }
  void operator()() { sweep_.run(0, sweep_.batches()); }

 private:
  static std::shared_ptr<const LineEngine<Real>> engine(const SpeedSpec& spec, int width, Direction direction) {
    const LineSpec lines{spec.kind, direction, spec.length, width, every_point};
    return make_engine<Real>(Comm(MPI_COMM_SELF), lines, EngineChoice::lanes, Effort::estimate);
  }
  static SegmentedView<Real> view(const Buffer<Real>& buffer, const Extents& extents, int width, int axis) {
    return whole_view(buffer.data(), extents, real_strides(extents, width), width, axis);
  }

  LinePass<Real> pass_;
  PassWorkspace<Real> workspace_;
  LineSweep<Real> sweep_;
};

template <class Sweep>
double seconds_of(Sweep& sweep, int sweeps) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < sweeps; i++) sweep();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / sweeps;
}

// Times turns of one sweep. Short sweeps are repeated until the costs of clock and calls are negligible.
template <class Sweep>
class Stopwatch {
 public:
  explicit Stopwatch(Sweep& sweep) : sweep_(sweep) {
    constexpr double long_enough = 5e-4, most_sweeps = 1000;
    const double once = std::min(seconds_of(sweep, 1), seconds_of(sweep, 1));
    sweeps_ = once > long_enough ? 1 : static_cast<int>(std::min(std::ceil(long_enough / once), most_sweeps));
  }
  double turn() const {
    // Loads the arrays into the cache. Arrays that do not fit gain nothing.
    if (sweeps_ > 1) sweep_();
    return seconds_of(sweep_, sweeps_);
  }

 private:
  Sweep& sweep_;
  int sweeps_ = 1;
};

void check(const SpeedSpec& spec) {
  require(spec.kind != Kind::none, "kind: 'none' is not a transform; give c2c, r2c, dct1..4 or dst1..4");
  const index_t least = smallest_length(spec.kind);
  require(spec.length >= least && spec.length <= longest_speed_length,
          "length: " + std::to_string(spec.length) + " cannot be timed for " + to_string(spec.kind) + "; give " +
              std::to_string(least) + " to " + std::to_string(longest_speed_length));
  constexpr index_t most_bytes = index_t{1} << 30;
  require(spec.bytes >= 1 && spec.bytes <= most_bytes,
          "bytes: " + std::to_string(spec.bytes) + " is not possible; give 1 to " + std::to_string(most_bytes));
  require(spec.turns >= 1, "turns: " + std::to_string(spec.turns) + " is not possible; give at least 1");
  require(spec.plan_seconds >= 0,
          "plan_seconds: " + std::to_string(spec.plan_seconds) + " is not possible; give 0 or more");
}

// Largest difference of two arrays over the largest value of the second one.
template <class Real>
double relative_difference(const Buffer<Real>& a, const Buffer<Real>& b) {
  double difference = 0, largest = 0;
  for (index_t i = 0; i < b.size(); i++) {
    difference = std::max(difference, static_cast<double>(std::abs(a.data()[i] - b.data()[i])));
    largest = std::max(largest, static_cast<double>(std::abs(b.data()[i])));
  }
  return difference / largest;
}

}  // namespace

template <class Real>
EngineSpeed engine_speed(const SpeedSpec& spec) {
  check(spec);
  const Arrays<Real> arrays(spec);
  const FftwSweep<Real> fftw(spec, arrays);
  LaneSweep<Real> lanes(spec, arrays);
  EngineSpeed speed;
  speed.lines = arrays.lines;
  speed.copy_bytes = std::min(arrays.in.bytes(), arrays.out.bytes());
  const auto copy = [&] {
    std::memcpy(arrays.out.data(), arrays.in.data(), static_cast<std::size_t>(speed.copy_bytes));
  };
  // Planning has written to the arrays.
  arrays.fill();
  lanes();
  const Buffer<Real> kept(arrays.out.size());
  std::copy_n(arrays.out.data(), arrays.out.size(), kept.data());
  fftw();
  speed.difference = relative_difference(kept, arrays.out);
  const Stopwatch lane_watch(lanes);
  const Stopwatch fftw_watch(fftw);
  const Stopwatch copy_watch(copy);
  for (int turn = 0; turn < spec.turns; turn++) {
    speed.lanes.push_back(lane_watch.turn());
    speed.fftw.push_back(fftw_watch.turn());
    speed.copy.push_back(copy_watch.turn());
  }
  return speed;
}

template EngineSpeed engine_speed<double>(const SpeedSpec&);
template EngineSpeed engine_speed<float>(const SpeedSpec&);

}  // namespace weft
