// Interpolates between measured elementary times.
#include "model/machine_model.hpp"

#include <algorithm>
#include <cmath>

#include "exchange/strategy.hpp"

namespace weft {

namespace {

// Linear interpolation in log n between the measured places; the outermost value beyond them.
double interpolated(const std::vector<double>& places, const std::vector<double>& values, double n) {
  const auto above = std::lower_bound(places.begin(), places.end(), n);
  if (above == places.begin()) return values.front();
  if (above == places.end()) return values.back();
  const auto i = static_cast<std::size_t>(above - places.begin());
  const double part = std::log(n / places[i - 1]) / std::log(places[i] / places[i - 1]);
  return values[i - 1] + part * (values[i] - values[i - 1]);
}

double with_cores(const CopyTimes& times, int cores, int all) {
  const double part = all > 1 ? std::clamp((cores - 1.0) / (all - 1.0), 0.0, 1.0) : 1.0;
  return times.alone + part * (times.together - times.alone);
}

}  // namespace

double MachineModel::line_t_c(bool complex_lines, double n) const {
  return lengths.empty() ? t_c : interpolated(lengths, complex_lines ? complex_t_c : real_t_c, n);
}

bool MachineModel::measured(Strategy strategy) const {
  return std::any_of(strategies.begin(), strategies.end(),
                     [&](const StrategyTimes& times) { return times.strategy == strategy; });
}

StrategyTimes MachineModel::strategy_times(Strategy strategy) const {
  for (const StrategyTimes& times : strategies)
    if (times.strategy == strategy) return times;
  return {strategy, row_of(strategy).packs_messages() ? 1 : datatype_share, overlapped_share};
}

double MachineModel::plane_seconds(double bytes, int cores) const {
  if (bytes <= core_cache_bytes) return 0;
  return plane_bytes.empty() ? copy_seconds(bytes, cores) : interpolated(plane_bytes, plane_t_a, bytes * cores);
}

double MachineModel::copy_seconds(double bytes, int cores) const {
  const double from_memory = with_cores(memory, cores, node_cores);
  if (cache_bytes == 0 || cache.alone == 0) return from_memory;
  // Data that fill half of the cache stay there. Of data that fill the whole cache nothing stays: a pass goes over them
  // from end to end, and the last lines have evicted the first ones when the next pass begins.
  const double missing = std::clamp(2 * bytes * cores / cache_bytes - 1, 0.0, 1.0);
  return missing * from_memory + (1 - missing) * with_cores(cache, cores, node_cores);
}

}  // namespace weft
