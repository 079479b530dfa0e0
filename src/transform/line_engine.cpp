// Chooses an engine for a line transform and keeps the engines that were made.
#include "line_engine.hpp"

#include <map>
#include <mutex>
#include <random>
#include <tuple>

#include "engines.hpp"
#include "lane_tables.hpp"

namespace weft {

namespace {

using Key = std::tuple<LineSpec, EngineChoice, Effort>;

// Engines stay for the life of the process: applications make the same plans again and again. The stamp says which
// planning an engine comes from.
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

// A number that no other planning of any process has, in all likelihood.
index_t new_stamp() {
  std::random_device random;
  return (static_cast<index_t>(random() >> 1) << 31) + static_cast<index_t>(random() >> 1) + 1;
}

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
  const typename Cache<Real>::Entry known = cache<Real>().find(key);
  // Lanes and estimates are the same wherever they are made. What was measured is not: ranks that planned in different
  // communicators have different engines, and reuse one only where all have it from the same planning.
  const bool measured = !lanes && effort != Effort::estimate;
  if (!measured && known.engine != nullptr) return known.engine;
  if (measured) {
    const index_t highest = comm.max(known.stamp), lowest = -comm.max(-known.stamp);
    if (lowest > 0 && lowest == highest) return known.engine;
  }
  typename Cache<Real>::Entry made;
  made.engine = lanes ? make_lane_engine<Real>(spec) : make_fftw_engine<Real>(comm, spec, effort);
  if (measured) made.stamp = comm.max(comm.rank() == 0 ? new_stamp() : index_t{0});
  cache<Real>().keep(key, made);
  return made.engine;
}

template class LineEngine<double>;
template class LineEngine<float>;
template std::shared_ptr<const LineEngine<double>> make_engine<double>(const Comm&, const LineSpec&, EngineChoice,
                                                                       Effort);
template std::shared_ptr<const LineEngine<float>> make_engine<float>(const Comm&, const LineSpec&, EngineChoice,
                                                                     Effort);

}  // namespace weft
