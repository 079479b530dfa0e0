// A problem as FLUPS states it, in Weft's terms.
#pragma once

#include <string>
#include <vector>

#include "flups/topology.hpp"
#include "weft/flups/flups.h"
#include "weft/poisson.hpp"
#include "weft/vector_poisson.hpp"

namespace weft::flups {

/// bc[direction][end][component].
using Conditions = const FLUPS_BoundaryType* const (*)[2];

/// The condition of one component along one direction; NONE at both ends is no axis of scalars, and periodic where it
/// is one of vectors. Throws Error, naming bc.
struct Condition {
  bool is_axis;
  Boundary boundary;
};
Condition condition_of(Conditions bc, int direction, int component);

/// Components of a field that are a vector field if all others are 0.
struct VectorPart {
  std::vector<int> components;
  std::vector<std::vector<Boundary>> boundary;  ///< [component][axis], of all three, with mirror symmetry
};

/// The axes of Weft are the directions that are not NONE, the slowest in memory first, so that arrays stay as they are.
/// Where a curl may be taken, NONE is an axis too: one periodic cell, along which nothing changes.
struct Problem {
  std::vector<int> directions;                  ///< of each axis
  std::vector<DomainAxis> axes;                 ///< without their boundaries
  std::vector<std::vector<Boundary>> boundary;  ///< [component][axis]

  int components() const { return static_cast<int>(boundary.size()); }
  /// The axes of one component.
  std::vector<DomainAxis> domain(int component) const;
  /// The problem of one component by itself, and that of a part of the field.
  PoissonProblem scalar(int component, const Kernel& kernel) const;
  VectorProblem vector(const VectorPart& part, const Kernel& kernel, FLUPS_DiffType derivative) const;
  /// The conditions of a component decide those of the vector field that it belongs to: along each direction the other
  /// components have the same ones, except for the component that points along it, whose parity is the opposite. One
  /// part if all components belong together. Throws Error, naming type, unless they are three on three axes.
  std::vector<VectorPart> vector_parts() const;
  /// The components in Weft's order, which is that of the directions, the fastest in memory first.
  std::vector<int> component_order() const;
};

/// Throws Error, naming FLUPS's argument.
Problem problem_of(const Topology& topology, Conditions bc, const double h[3], const double length[3],
                   FLUPS_DiffType derivative, const FLUPS_CenterType centre[3]);

/// All members as a text, for comparison between ranks.
std::string to_text(const Problem& problem);

/// Weft's name of a Green's function. Throws Error for another number.
std::string kernel_of(FLUPS_GreenType type);
/// Throws Error unless it is one of them.
Derivative derivative_of(FLUPS_DiffType type);

/// The order in which directions are transformed, those of NONE last.
Three transform_directions(Conditions bc);

}  // namespace weft::flups
