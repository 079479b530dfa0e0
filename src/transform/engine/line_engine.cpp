// Chooses an engine for a line transform, and keeps all engines made.
#include "transform/engine/line_engine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>
#include <random>
#include <tuple>

#include "base/buffer.hpp"
#include "transform/engine/engines.hpp"
#include "transform/engine/lane_dft_tables.hpp"
#include "transform/kind_table.hpp"

namespace weft {

namespace {

using Key = std::tuple<LineSpec, EngineChoice, Effort>;

// Engines are kept for the life of the process: applications make the same plans again and again. The stamp identifies
// the planning that an engine comes from.
template <class Real>
struct Cache {
  struct Entry {
    std::shared_ptr<const LineEngine<Real>> engine;
    index_t stamp = 0;
  };
  std::mutex mutex;
  std::map<Key, Entry> engines;

  Entry find(const Key& key) {
    const std::scoped_lock lock(mutex);
    const auto found = engines.find(key);
    return found == engines.end() ? Entry{} : found->second;
  }
  void keep(const Key& key, const Entry& entry) {
    const std::scoped_lock lock(mutex);
    engines[key] = entry;
  }
};

// A number that almost certainly no other planning of any process has.
index_t new_stamp() {
  std::random_device random;
  return (static_cast<index_t>(random() >> 1) << 31) + static_cast<index_t>(random() >> 1) + 1;
}

template <class Real>
Cache<Real>& cache() {
  static Cache<Real> instance;
  return instance;
}

// The engine that the environment gives for `automatic`, so that a whole test suite can run on either engine without
// changes in any test.
std::string asked_engine() {
  const char* text = std::getenv("WEFT_ENGINE");
  return text == nullptr ? to_string(EngineChoice::automatic) : text;
}

EngineChoice parse_engine_name(const std::string& name) {
  for (const EngineChoice choice : {EngineChoice::automatic, EngineChoice::lanes, EngineChoice::fftw})
    if (name == to_string(choice)) return choice;
  throw Error(Fault::argument, "WEFT_ENGINE: unknown value '" + name + "'; use one of auto, lanes, fftw");
}

// The length whose prime factors decide.
index_t factored_length(const LineSpec& spec) { return spec.length + row_of(spec.kind).period_shift; }

bool is_in_doubt(const LineSpec& spec) { return smooth_part(factored_length(spec)) != factored_length(spec); }

// The engine that `choice` stands for here; `automatic` if it has to be measured.
// The ratio of FFTW's time to that of lanes was measured on lane blocks: 1.2 to 20 for all lengths and kinds with 8
// lanes or more; with 2 or 4 lanes 1.4 and more for small prime factors, 0.5 to 1.3 if a prime takes a chirp.
template <class Real>
EngineChoice engine_for(const LineSpec& spec, EngineChoice choice, Effort effort) {
  check_engine(choice);
  const EngineChoice asked = parse_engine_name(engine_name(choice));
  if (asked != EngineChoice::automatic) return asked;
  const LaneKernels<Real>& kernels = lane_kernels<Real>();
  if (!kernels.transforms_lines()) return EngineChoice::fftw;
  if (effort != Effort::estimate && is_in_doubt(spec)) return EngineChoice::automatic;
  const bool wide = kernels.lanes > 4;
  return !wide && takes_chirp(factored_length(spec)) ? EngineChoice::fftw : EngineChoice::lanes;
}

// Seconds per transform of a block in cache: the best of the runs of some milliseconds.
template <class Real>
double seconds_per_block(const LineEngine<Real>& engine) {
  using Clock = std::chrono::steady_clock;
  const index_t reals = engine.reals_per_lane() * lane_kernels<Real>().lanes;
  const Buffer<Real> in(reals), out(reals);
  std::fill_n(in.data(), reals, Real(0));
  std::fill_n(out.data(), reals, Real(0));
  double best = std::numeric_limits<double>::infinity();
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(2);
  for (int runs = 0; runs < 3 || Clock::now() < end; runs++) {
    const Clock::time_point start = Clock::now();
    engine.transform(in.data(), out.data());
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

template <class Real>
std::shared_ptr<const LineEngine<Real>> make_faster_engine(const Comm& comm, const LineSpec& spec, Effort effort) {
  const auto lanes = make_lane_engine<Real>(spec), fftw = make_fftw_engine<Real>(comm, spec, effort);
  index_t lanes_win = 0;
  comm.together([&] {
    if (comm.rank() == 0) lanes_win = seconds_per_block(*lanes) <= seconds_per_block(*fftw) ? 1 : 0;
  });
  return comm.max(lanes_win) > 0 ? lanes : fftw;
}

// Leaves lines without a transform unchanged.
template <class Real>
class NoTransform final : public LineEngine<Real> {
 public:
  explicit NoTransform(const LineSpec& spec) : reals_per_lane_(block_reals_per_lane(spec)) {}

  Real* transform(LanePoints<Real>&, Real* in, Real*) const override { return in; }
  index_t reals_per_lane() const override { return reals_per_lane_; }
  std::string name() const override { return "none"; }

 private:
  index_t reals_per_lane_;
};

}  // namespace

std::string engine_name(EngineChoice choice) {
  return choice == EngineChoice::automatic ? asked_engine() : to_string(choice);
}

void check_engine(EngineChoice choice) {
  const LaneKernels<double>& kernels = lane_kernels<double>();
  if (kernels.transforms_lines() || engine_name(choice) != to_string(EngineChoice::lanes)) return;
  throw Error(Fault::argument, std::string(choice == EngineChoice::lanes ? "engine" : "WEFT_ENGINE") +
                                   ": 'lanes' has no line transforms for the vectors in use, '" + kernels.isa +
                                   "' (the processor's, or those of WEFT_SIMD); give 'auto' or 'fftw'");
}

index_t block_reals_per_lane(const LineSpec& spec) {
  const index_t physical = spec.length * spec.width;
  const index_t spectral = output_length(spec.kind, spec.length) * spectral_width(spec);
  return physical > spectral ? physical : spectral;
}

template <class Real>
void LineEngine<Real>::transform(LaneLines<Real>&, Real* const*, Real*) const {
  throw Error(Fault::internal, name() + " cannot transform contiguous lines in memory");
}

template <class Real>
void LineEngine<Real>::convolve(LanePoints<Real>&, const LineFactors<Real>&, Real*) const {
  throw Error(Fault::internal, name() + " cannot convolve");
}

template <class Real>
std::shared_ptr<const LineEngine<Real>> make_engine(const Comm& comm, const LineSpec& spec, EngineChoice choice,
                                                    Effort effort) {
  if (spec.kind == Kind::none) return std::make_shared<const NoTransform<Real>>(spec);
  const EngineChoice engine = engine_for<Real>(spec, choice, effort);
  // Lanes and estimated plans are the same on all ranks. Measured plans are not: ranks that planned in different
  // communicators have different engines, and reuse one only if all ranks have it from the same planning.
  const bool measured = engine != EngineChoice::lanes && effort != Effort::estimate;
  const Key key{spec, engine, measured ? effort : Effort::estimate};
  const typename Cache<Real>::Entry known = cache<Real>().find(key);
  if (!measured && known.engine != nullptr) return known.engine;
  if (measured) {
    const index_t highest = comm.max(known.stamp), lowest = -comm.max(-known.stamp);
    if (lowest > 0 && lowest == highest) return known.engine;
  }
  typename Cache<Real>::Entry entry;
  entry.engine = engine == EngineChoice::lanes  ? make_lane_engine<Real>(spec)
                 : engine == EngineChoice::fftw ? make_fftw_engine<Real>(comm, spec, effort)
                                                : make_faster_engine<Real>(comm, spec, effort);
  if (measured) entry.stamp = comm.max(comm.rank() == 0 ? new_stamp() : index_t{0});
  cache<Real>().keep(key, entry);
  return entry.engine;
}

template class LineEngine<double>;
template class LineEngine<float>;
template std::shared_ptr<const LineEngine<double>> make_engine<double>(const Comm&, const LineSpec&, EngineChoice,
                                                                       Effort);
template std::shared_ptr<const LineEngine<float>> make_engine<float>(const Comm&, const LineSpec&, EngineChoice,
                                                                     Effort);

}  // namespace weft
