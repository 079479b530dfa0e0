// Values and slopes given at ends, and their terms in the differences at the outermost points.
#pragma once

#include <string>
#include <vector>

#include "plan/pass/mode_operation.hpp"
#include "weft/boundary.hpp"
#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/kind.hpp"
#include "weft/poisson.hpp"

namespace weft {

/// Throws Error, on every rank alike, unless each end is odd or even, is on an axis that takes values, is given once,
/// and its values are finite. Collective.
template <class Real>
void check_ends(const Comm& comm, const std::vector<DomainAxis>& domain, const std::string& kernel, const Box& box,
                const std::vector<EndValues<Real>>& ends);

/// The factor of a value at a wall of compact rows, whose lengths are in mean widths although their right-hand side is
/// not.
double wall_factor(const DomainAxis& axis, Side side);

/// Subtracts the terms of the given values in the Laplacian of u, by differences of order 2, from the right-hand side
/// beside the ends as its points are loaded. The values must outlive it.
template <class Real>
class EndSource final : public PointOperation<Real> {
 public:
  /// `box`: that of this rank's points; `axes`: its transforms.
  EndSource(const std::vector<DomainAxis>& domain, const Box& box, const std::vector<AxisTransform>& axes,
            const std::vector<EndValues<Real>>& ends);

  bool concerns(const LineSet& set, int axis, int inner) const override;
  void apply(const LineSet& set, int axis, int inner, Real* block) const override;
  bool is_empty() const { return faces_.empty(); }

 private:
  /// Points of the box next to an end; the strides are those of the values, 0 along its axis.
  struct Face {
    int axis;
    index_t point;
    double factor;
    const Real* values;
    Extents strides;
  };
  std::vector<Face> faces_;
  std::vector<AxisTransform> axes_;
};

/// Subtracts those terms from a whole right-hand side.
template <class Real>
void take_ends_out(const std::vector<DomainAxis>& domain, const Box& box, const std::vector<EndValues<Real>>& ends,
                   Real* rhs);

/// Whether points of a solution lie on this end and get the values given there: an odd end of nodes or Chebyshev
/// points, without Robin's condition.
bool has_points_on_end(const DomainAxis& axis, Side side);

/// Stores the given values to the points of a solution that lie on odd ends.
template <class Real>
void put_ends_in(const std::vector<DomainAxis>& domain, const Box& box, const std::vector<EndValues<Real>>& ends,
                 Real* solution);

}  // namespace weft
