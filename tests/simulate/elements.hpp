// Data that says where it belongs: every element of a side holds its global index.
#pragma once

#include "exchange/exchange.hpp"

namespace weft::simulation {

/// How many elements were visited, and how many of them did not hold what they should.
struct Count {
  index_t seen = 0, wrong = 0;
  Count& operator+=(const Count& other) {
    seen += other.seen;
    wrong += other.wrong;
    return *this;
  }
};

/// The elements of a side of an exchange: complex doubles of the rank's box of `layout`.
class Elements {
 public:
  /// `axis`: that of the pass which works on this side.
  Elements(const Layout& layout, int rank, int axis)
      : extents_(layout.extents()), box_(layout.box(rank)), axis_(axis) {}

  /// Stores global index and `step` in the elements of a part of the side.
  void fill(const PassEndpoint<double>& endpoint, const Part<double>& part, int step) const;
  /// Compares them.
  Count compare(const PassEndpoint<double>& endpoint, const Part<double>& part, int step) const;

 private:
  template <class Visit>
  void for_each(const PassEndpoint<double>& endpoint, const Part<double>& part, const Visit& visit) const;

  Extents extents_;
  Box box_;
  int axis_;
};

}  // namespace weft::simulation
