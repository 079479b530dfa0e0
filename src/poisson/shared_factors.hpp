// The factors of modes that solvers of one process share.
#pragma once

#include <memory>
#include <string>

#include "base/buffer.hpp"
#include "plan/pass/line_symbol.hpp"

namespace weft {

/// The factors of a rank's modes, with the place of each mode.
template <class Real>
struct ModeFactors {
  Buffer<Real> values;
  LineSymbol<Real> symbol;
  double largest = 0;  ///< over all ranks
};

/// Factors are kept while a solver has them; beside that the last ones that were made are, so many, as long as they are
/// no larger together.
constexpr std::size_t most_kept_factors = 8;
constexpr index_t most_kept_bytes = index_t{32} << 20;

/// The factors that were kept with this key, which says all that they depend on; null where there are none.
template <class Real>
std::shared_ptr<const ModeFactors<Real>> kept_factors(const std::string& key);

template <class Real>
void keep_factors(const std::string& key, const std::shared_ptr<const ModeFactors<Real>>& factors);

}  // namespace weft
