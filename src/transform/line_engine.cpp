// Chooses an engine for a line transform and keeps the engines that were made.
#include "line_engine.hpp"

#include <map>
#include <mutex>
#include <tuple>

#include "engines.hpp"
#include "lane_tables.hpp"

namespace weft {

namespace {

using Key = std::tuple<LineSpec, EngineChoice, Effort>;

// Engines stay for the life of the process: applications make the same plans again and again.
template <class Real>
struct Cache {
  std::mutex mutex;
  std::map<Key, std::shared_ptr<const LineEngine<Real>>> engines;
};

template <class Real>
Cache<Real>& cache() {
  static Cache<Real> instance;
  return instance;
}

void require_lanes(const LineSpec& spec) {
  require(lanes_can(spec), "engine: 'lanes' cannot do " + to_string(spec.kind) + " of length " +
                               std::to_string(spec.length) +
                               " (it does lengths with prime factors up to 13, of dct1 n-1, of dst1 n+1, and even "
                               "lengths of dct4 and dst4); use 'auto' or 'fftw'");
}

}  // namespace

index_t block_reals_per_lane(const LineSpec& spec) {
  const index_t physical = spec.length * spec.width;
  const index_t spectral = output_length(spec.kind, spec.length) * spectral_width(spec);
  return physical > spectral ? physical : spectral;
}

template <class Real>
void LineEngine<Real>::transform(const LanePoints<Real>&, Real*, Real*) const {
  throw Error(Fault::internal, name() + " cannot load and store points");
}

template <class Real>
std::shared_ptr<const LineEngine<Real>> make_engine(const Comm& comm, const LineSpec& spec, EngineChoice choice,
                                                    Effort effort) {
  const bool lanes = choice == EngineChoice::automatic ? lanes_can(spec) : choice == EngineChoice::lanes;
  if (lanes) require_lanes(spec);
  const Key key{spec, lanes ? EngineChoice::lanes : EngineChoice::fftw, lanes ? Effort::estimate : effort};
  Cache<Real>& made = cache<Real>();
  std::shared_ptr<const LineEngine<Real>> engine;
  {
    const std::scoped_lock lock(made.mutex);
    const auto found = made.engines.find(key);
    if (found != made.engines.end()) engine = found->second;
  }
  // FFTW planning is collective: ranks whose caches differ (plans on sub-communicators) must still meet.
  const bool all_have_it = lanes ? engine != nullptr : comm.max(index_t{engine == nullptr}) == 0;
  if (all_have_it) return engine;
  engine = lanes ? make_lane_engine<Real>(spec) : make_fftw_engine<Real>(comm, spec, effort);
  const std::scoped_lock lock(made.mutex);
  made.engines[key] = engine;
  return engine;
}

template class LineEngine<double>;
template class LineEngine<float>;
template std::shared_ptr<const LineEngine<double>> make_engine<double>(const Comm&, const LineSpec&, EngineChoice,
                                                                       Effort);
template std::shared_ptr<const LineEngine<float>> make_engine<float>(const Comm&, const LineSpec&, EngineChoice,
                                                                     Effort);

}  // namespace weft
