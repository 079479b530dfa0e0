// The coefficients of the eight lattice symbols.
#include "poisson/lattice_symbol.hpp"

#include <algorithm>
#include <vector>

#include "weft/error.hpp"

namespace weft {

double LatticeSymbol::along_axis(double y) const {
  return y * (powers[0] + y * (powers[1] + y * (powers[2] + y * powers[3])));
}

double LatticeSymbol::p(const SymbolPoint& y) const {
  return along_axis(y[0]) + along_axis(y[1]) + along_axis(y[2]) + pairs * (y[0] * y[1] + y[1] * y[2] + y[2] * y[0]) +
         triple * y[0] * y[1] * y[2];
}

double LatticeSymbol::q(const SymbolPoint& y) const {
  return 1 + q_sum * (y[0] + y[1] + y[2]) + q_pairs * (y[0] * y[1] + y[1] * y[2] + y[2] * y[0]) +
         q_squares * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
}

const LatticeSymbol& lattice_symbol(const std::string& name) {
  static const std::vector<LatticeSymbol> all{
      {"lgf2", {1, 0, 0, 0}, 0, 0, 0, 0, 0},
      {"lgf4", {1, 1.0 / 12, 0, 0}, 0, 0, 0, 0, 0},
      {"lgf6", {1, 1.0 / 12, 1.0 / 90, 0}, 0, 0, 0, 0, 0},
      {"lgf8", {1, 1.0 / 12, 1.0 / 90, 1.0 / 560}, 0, 0, 0, 0, 0},
      {"mehr4l", {1, 0, 0, 0}, -1.0 / 6, 0, 0, 0, 0},
      {"mehr6l", {1, 0, 0, 0}, -1.0 / 6, 1.0 / 30, 0, 0, 0},
      {"mehr4f", {1, 0, 0, 0}, -1.0 / 6, 0, -1.0 / 12, 0, 0},
      {"mehr6f", {1, 0, 0, 0}, -1.0 / 6, 1.0 / 30, -1.0 / 12, 1.0 / 90, -1.0 / 240},
  };
  const auto found = std::find_if(all.begin(), all.end(), [&](const LatticeSymbol& s) { return s.name == name; });
  require(found != all.end(), "kernel: no lattice symbol is called " + name);
  return *found;
}

}  // namespace weft
