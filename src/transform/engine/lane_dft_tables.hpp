// Tables of lane transforms of any length: the method for each large prime, and the factors of its stages.
#pragma once

#include <memory>

#include "transform/engine/lane_tables.hpp"

namespace weft {

/// Estimated time of a complex transform of n points, in arbitrary units. The weights were fitted to times of primes
/// from 17 to 1019 and of smooth lengths up to 1024 (AVX-512, doubles).
double lane_cost(index_t n);

/// The fastest method for a prime over 13 by that estimate.
LanePrimeMethod lane_prime_method(index_t prime);

/// Points of the convolution for a prime: prime - 1 (rader), or the fastest length of at least 2 prime - 1 (chirp).
index_t lane_convolution_length(LanePrimeMethod method, index_t prime);

/// Whether any prime factor of n is done by chirp.
bool takes_chirp(index_t n);

/// Owns the tables of a LaneDft of any length from 1 on.
template <class Real>
class LaneDftTables {
 public:
  explicit LaneDftTables(index_t n) : LaneDftTables(n, lane_radices(smooth_part(n))) {}
  /// The product of the radices must be smooth_part(n).
  LaneDftTables(index_t n, const std::vector<int>& radices);
  LaneDftTables(const LaneDftTables&) = delete;
  LaneDftTables& operator=(const LaneDftTables&) = delete;

  const LaneDft<Real>& plan() const { return plan_; }
  /// Complex points that each of the two parts of a LaneScratch must hold.
  index_t scratch_points() const { return scratch_points_; }

 private:
  struct Prime {
    std::vector<Real> twiddles, factors, spectrum;
    std::vector<std::int64_t> order;
    std::unique_ptr<LaneDftTables> convolution;
  };

  void add_prime(index_t p, index_t count);
  void set_order(index_t parts);

  LaneTables<Real> smooth_;
  std::vector<Prime> primes_;
  std::vector<LanePrimeStage<Real>> stages_;
  std::vector<std::int64_t> order_;
  index_t scratch_points_ = 0;
  LaneDft<Real> plan_{};
};

}  // namespace weft
