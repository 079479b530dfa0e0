// Roots of unity as products of one of sqrt(n) coarse and one of sqrt(n) fine angles.
#include "transform/engine/roots.hpp"

#include <cmath>
#include <numbers>

namespace weft {

namespace {

Extended direct_root(index_t p, index_t n) {
  const long double angle =
      2 * std::numbers::pi_v<long double> * static_cast<long double>(p) / static_cast<long double>(n);
  return {std::cos(angle), -std::sin(angle)};
}

struct Turn {
  index_t n = 0;
  int bits = 0;                        // step = 2^bits, about sqrt(n)
  std::vector<Extended> coarse, fine;  // roots 0, step, 2 step, ... and 0, 1, ... step - 1

  void set(index_t points) {
    n = 0;  // no tables, in case memory runs out
    bits = 0;
    while (index_t{1} << (2 * bits + 1) < points) bits++;
    const index_t step = index_t{1} << bits;
    coarse.clear();
    fine.clear();
    for (index_t p = 0; p <= points; p += step) coarse.push_back(direct_root(p, points));
    for (index_t p = 0; p < step; p++) fine.push_back(direct_root(p, points));
    n = points;
  }
  Extended root(index_t p) const {
    return multiplied(coarse[static_cast<std::size_t>(p >> bits)],
                      fine[static_cast<std::size_t>(p & ((index_t{1} << bits) - 1))]);
  }
};

}  // namespace

Extended root_of_unity(index_t p, index_t n) {
  thread_local Turn turn;
  if (turn.n != n) turn.set(n);
  return turn.root(p);
}

template <class Real>
void push_root(std::vector<Real>& to, index_t p, index_t n, long double factor) {
  const Extended root = root_of_unity(p, n);
  to.push_back(static_cast<Real>(factor * root.real()));
  to.push_back(static_cast<Real>(factor * root.imag()));
}

template void push_root<double>(std::vector<double>&, index_t, index_t, long double);
template void push_root<float>(std::vector<float>&, index_t, index_t, long double);

}  // namespace weft
