// Copies between a program's arrays and those of a solver.
#pragma once

#include <memory>
#include <vector>

#include "flups/topology.hpp"
#include "weft/comm.hpp"
#include "weft/memory.hpp"
#include "weft/redistribution.hpp"

namespace weft::flups {

/// A solver's arrays are contiguous in C order, all components of its box one after the other. Nothing is copied if a
/// program's arrays have the same form.
class Transfer {
 public:
  /// `directions` are those of the box's axes; component k of the solver is components[k] of the program. Collective.
  Transfer(const Comm& comm, const Topology& user, const std::vector<int>& directions, const Box& box,
           std::vector<int> components);

  /// The solver's array with the values of the program's. Collective.
  const double* enter(const double* user);
  /// The solver's array for results, which leave() moves to the program's array.
  double* place(double* user) { return moves_ == nullptr ? user : values_.data(); }
  void leave(double* user);
  bool copies() const { return moves_ != nullptr; }

 private:
  index_t user_component(std::size_t k) const { return components_[k] * user_doubles_; }
  double* own_component(std::size_t k) { return values_.data() + static_cast<index_t>(k) * packed_.product(); }

  std::vector<int> components_;
  index_t user_doubles_;  ///< of a component
  Extents strides_;       ///< of the program's arrays
  Extents packed_;        ///< extents of the solver's
  std::unique_ptr<Redistribution> moves_;
  AlignedVector<double> values_;
};

}  // namespace weft::flups
