// The factors of modes that solvers of one process share.
#pragma once

#include <memory>
#include <string>

#include "base/buffer.hpp"
#include "plan/pass/line_symbol.hpp"

namespace weft {

/// The factors of a rank's modes, and the symbol that finds the factor of each mode.
template <class Real>
struct ModeFactors {
  Buffer<Real> values;
  LineSymbol<Real> symbol;
  double largest = 0;  ///< over all ranks
};

/// Factors are kept while a solver has them. The last ones made or used are kept beyond that, up to this number and
/// these bytes in all.
constexpr std::size_t most_kept_factors = 8;
constexpr index_t most_kept_bytes = index_t{32} << 20;

/// The factors kept under a key, which contains all that they depend on; null if there are none.
template <class Real>
std::shared_ptr<const ModeFactors<Real>> kept_factors(const std::string& key);

template <class Real>
void keep_factors(const std::string& key, const std::shared_ptr<const ModeFactors<Real>>& factors);

}  // namespace weft
