// What the programs that `weft bench fft` and `weft bench solve` time have in common: taking turns, copy speed, memory,
// and what they report.
//
// usage of each: PROGRAM FOLDER TAG KIND PRECISION REPEATS THREADS NX NY NZ [what else the program asks for]
//   KIND       r2c, c2c, dct1..4 or dst1..4, the same for all axes;  PRECISION  double or float
// Speaks one JSON object a line on stdout: one when planned, one for every round, one at the end. Round K starts when
// the file FOLDER/TAG.K appears, the end when FOLDER/stop does; until then every rank sleeps, so that a program that is
// timed in turns with this one has the machine for itself.
#pragma once

#include <fftw3.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace contender {

/// Clocks and barriers take some of a microsecond: a timing takes so long at least, by several pairs if need be.
constexpr double timing_seconds = 2e-4;

/// FFTW's two precisions under one name; the programs add what only they call.
template <class Real>
struct Fftw;

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  static constexpr auto alloc = fftw_malloc;
  static constexpr auto free = fftw_free;
  static constexpr auto execute = fftw_execute;
  static constexpr auto destroy = fftw_destroy_plan;
};

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  static constexpr auto alloc = fftwf_malloc;
  static constexpr auto free = fftwf_free;
  static constexpr auto execute = fftwf_execute;
  static constexpr auto destroy = fftwf_destroy_plan;
};

/// What is to be transformed, and how often.
struct Job {
  std::string folder, tag, kind, precision;
  int repeats, threads;
  std::ptrdiff_t nx, ny, nz;

  bool is_real() const { return kind != "c2c"; }
  bool is_r2r() const { return kind != "c2c" && kind != "r2c"; }
  /// Reals of a row of the physical array, of which `used` hold data: in place, r2c leaves room for the spectrum.
  std::ptrdiff_t row(bool in_place) const { return kind == "r2c" && in_place ? 2 * modes() : used(); }
  std::ptrdiff_t used() const { return is_real() ? nz : 2 * nz; }
  std::ptrdiff_t modes() const { return kind == "r2c" ? nz / 2 + 1 : nz; }

  /// FFTW's name of a real-to-real kind or of its inverse.
  fftw_r2r_kind r2r_kind(bool forward) const {
    const bool cosine = kind[1] == 'c';
    switch (kind[3]) {
      case '1':
        return cosine ? FFTW_REDFT00 : FFTW_RODFT00;
      case '4':
        return cosine ? FFTW_REDFT11 : FFTW_RODFT11;
      default:
        if ((kind[3] == '2') == forward) return cosine ? FFTW_REDFT10 : FFTW_RODFT10;
        return cosine ? FFTW_REDFT01 : FFTW_RODFT01;
    }
  }

  /// By what a forward and a backward transform multiply.
  double factor() const {
    double product = 1;
    for (const std::ptrdiff_t n : {nx, ny, nz}) {
      const std::ptrdiff_t ends = kind == "dct1" ? -1 : kind == "dst1" ? 1 : 0;
      product *= static_cast<double>((is_r2r() ? 2 : 1) * (n + ends));
    }
    return product;
  }

  /// So many pairs in a row, of which one took so long, that a timing takes 0.2 ms; fewer where unscaled pairs would
  /// overflow before, sums on the way included.
  int pairs_in_a_row(double seconds) const {
    const int digits =
        precision == "float" ? std::numeric_limits<float>::max_exponent : std::numeric_limits<double>::max_exponent;
    const double most = std::max(1., std::floor(digits / std::log2(std::max(factor(), 2.))) - 1);
    return static_cast<int>(std::min(std::ceil(timing_seconds / std::max(seconds, 1e-9)), most));
  }
};

/// What a transform says about itself; bytes of the rank that has most.
struct Facts {
  std::string strategy;
  int threads;
  double local_bytes;         ///< of the data of the physical array
  double array_bytes;         ///< of the arrays that the caller gives
  double bytes_sent;          ///< in both directions together
  double setup_seconds = -1;  ///< of what comes before the first run; negative where nobody asks
};

inline bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

/// Sleeps until the round starts (true) or the end has come (false); the longer, the less often it looks, since dozens
/// of sleepers that looked every millisecond would take a core from the one that is timed.
inline bool wait_for(const std::string& folder, const std::string& round) {
  for (useconds_t nap = 1000; !exists(folder + "/" + round); nap = std::min<useconds_t>(2 * nap, 64000)) {
    if (!exists(folder) || exists(folder + "/stop")) return false;
    usleep(nap);
  }
  return true;
}

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A size of this process in bytes, by the name that it has in /proc: VmHWM is the peak of VmRSS.
inline double process_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind(name + ":", 0) == 0) return std::strtod(line.c_str() + name.size() + 1, nullptr) * 1024;
  }
  return 0;
}

/// Forgets the peak so far: trials are not part of what a transform needs.
inline void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

template <class Real>
void fill(Real* data, std::ptrdiff_t reals, int rank) {
  std::srand(static_cast<unsigned>(1 + rank));
  for (std::ptrdiff_t i = 0; i < reals; ++i) data[i] = static_cast<Real>(std::rand() / static_cast<double>(RAND_MAX));
}

/// GB/s read and written over all ranks, when all threads of all ranks copy 64 MB a rank at once; best of 3.
template <class Team>
double copy_speed(const Team& team, int threads) {
  static std::vector<char> from(std::size_t{64} << 20, 1), to(from.size());
  const std::size_t share = from.size() / static_cast<std::size_t>(threads);
  double best = 1e30;
  for (int i = 0; i < 3; ++i) {
    team.barrier();
    const double start = seconds_now();
    std::vector<std::thread> helpers;
    for (int t = 1; t < threads; ++t) {
      const std::size_t first = share * static_cast<std::size_t>(t);
      helpers.emplace_back([=] { std::memcpy(to.data() + first, from.data() + first, share); });
    }
    std::memcpy(to.data(), from.data(), share);
    for (std::thread& helper : helpers) helper.join();
    best = std::min(best, team.largest(seconds_now() - start));
  }
  return 2e-9 * static_cast<double>(share) * threads * team.size() / best;
}

/// Largest absolute difference after a forward and a backward transform, over all ranks.
template <class Team, class Transform>
double error(const Team& team, const Job& job, Transform& transform) {
  transform.fill();
  const auto* data = transform.physical();
  const std::vector<double> before(data, data + transform.physical_reals());
  transform.pair();
  double worst = 0;
  for (std::ptrdiff_t i = 0; i < transform.physical_reals(); ++i) {
    if (i % transform.row() < job.used())
      worst = std::max(worst, std::abs(transform.physical()[i] / job.factor() - before[static_cast<std::size_t>(i)]));
  }
  return team.largest(worst);
}

/// Seconds of one pair: the mean of so many in a row.
template <class Team, class Transform>
double seconds_of_pair(const Team& team, Transform& transform, int in_a_row = 1) {
  // Unscaled pairs would overflow in the end.
  transform.fill();
  team.barrier();
  const double start = seconds_now();
  for (int i = 0; i < in_a_row; ++i) transform.pair();
  return team.largest(seconds_now() - start) / in_a_row;
}

/// Pairs that are not counted take so long together: a program that has slept finds slower cores and other programs'
/// data in the caches.
constexpr double warm_seconds = 0.05;

template <class Team, class Transform>
void run_round(const Team& team, const Job& job, Transform& transform, double bytes_before) {
  const Facts facts = transform.facts();
  std::string seconds;
  double fastest = warm_seconds;
  for (double warm = 0; warm < warm_seconds;) {
    const double once = seconds_of_pair(team, transform);
    fastest = std::min(fastest, once);
    warm += once;
  }
  const int in_a_row = job.pairs_in_a_row(fastest);
  for (int i = 0; i < job.repeats; ++i) {
    char text[32];
    std::snprintf(text, sizeof text, "%s%.9f", i == 0 ? "" : ", ", seconds_of_pair(team, transform, in_a_row));
    seconds += text;
  }
  const double peak = team.largest(process_bytes("VmHWM"));
  const double grown = team.largest(process_bytes("VmHWM") - bytes_before - facts.array_bytes);
  const double copy = copy_speed(team, facts.threads);
  if (team.rank() == 0) {
    std::printf("{\"seconds\": [%s], \"peak_rss_bytes\": %.0f, \"workspace_bytes\": %.0f, \"copy_gb_per_s\": %.2f}\n",
                seconds.c_str(), peak, std::max(grown, 0.0), copy);
    std::fflush(stdout);
  }
}

/// Says what was planned and runs all rounds; `bytes_before` were resident before its arrays were.
template <class Team, class Transform>
void take_turns(const Team& team, const Job& job, Transform& transform, double bytes_before) {
  const Facts facts = transform.facts();
  const double sent = team.largest(facts.bytes_sent), local = team.largest(facts.local_bytes);
  const double arrays = team.largest(facts.array_bytes), before = team.largest(bytes_before);
  if (team.rank() == 0) {
    std::printf(
        "{\"strategy\": \"%s\", \"ranks\": %d, \"threads\": %d, \"local_bytes\": %.0f, \"array_bytes\": %.0f, "
        "\"bytes_sent_per_rank\": %.0f, \"setup_seconds\": %.9f, \"before_bytes\": %.0f}\n",
        facts.strategy.c_str(), team.size(), facts.threads, local, arrays, sent, facts.setup_seconds, before);
    std::fflush(stdout);
  }
  for (int round = 0; wait_for(job.folder, job.tag + "." + std::to_string(round)); ++round)
    run_round(team, job, transform, bytes_before);
}

/// All rounds of a transform, and its error at the end.
template <class Team, class Transform>
void take_part(const Team& team, const Job& job, Transform& transform, double bytes_before) {
  take_turns(team, job, transform, bytes_before);
  const double worst = error(team, job, transform);
  if (team.rank() == 0) std::printf("{\"error\": %.3e}\n", worst);
}

/// The arguments of the program, of which `more` are its own, named by `words`; false, and a line on stderr, when their
/// number is another.
inline bool read_job(int argc, char** argv, bool speak, Job& job, int more = 0, const char* words = "") {
  if (argc != 10 + more) {
    if (speak)
      std::fprintf(stderr, "usage: %s FOLDER TAG KIND double|float REPEATS THREADS NX NY NZ%s\n", argv[0], words);
    return false;
  }
  job = {argv[1],
         argv[2],
         argv[3],
         argv[4],
         std::atoi(argv[5]),
         std::atoi(argv[6]),
         std::atol(argv[7]),
         std::atol(argv[8]),
         std::atol(argv[9])};
  return true;
}

}  // namespace contender
