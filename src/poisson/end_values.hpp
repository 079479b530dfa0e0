// Values and slopes that are given at ends: what they add to the differences at the first and the last points.
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

/// Throws Error, on every rank alike, unless each of these is at an odd or even end whose axis has differences of
/// second order, once, and finite. Collective.
template <class Real>
void check_ends(const Comm& comm, const std::vector<DomainAxis>& domain, const std::string& kernel, const Box& box,
                const std::vector<EndValues<Real>>& ends);

/// What a value at a wall of compact rows is multiplied by: their lengths are in mean widths, their right-hand side is
/// not.
double wall_factor(const DomainAxis& axis, Side side);

/// Takes from points of the right-hand side, as they are loaded, what values given beside them add to the Laplacian of
/// u, where it has differences of order 2. The values have to outlive it.
template <class Real>
class EndSource final : public PointOperation<Real> {
 public:
  /// `box` is that of this rank's points, and `axes` are its transforms.
  EndSource(const std::vector<DomainAxis>& domain, const Box& box, const std::vector<AxisTransform>& axes,
            const std::vector<EndValues<Real>>& ends);

  bool concerns(const LineSet& set, int axis, int inner) const override;
  void apply(const LineSet& set, int axis, int inner, Real* block) const override;
  bool is_empty() const { return faces_.empty(); }

 private:
  /// Points of the box beside an end; the strides are those of the values, 0 along its axis.
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

/// The same for all points of a right-hand side.
template <class Real>
void take_ends_out(const std::vector<DomainAxis>& domain, const Box& box, const std::vector<EndValues<Real>>& ends,
                   Real* rhs);

/// Whether points of a solution lie on this end and get the values that are given there: an odd one, without Robin's
/// condition, of nodes or Chebyshev points.
bool has_points_on_end(const DomainAxis& axis, Side side);

/// Points of a solution that lie on odd ends get the values that are given there.
template <class Real>
void put_ends_in(const std::vector<DomainAxis>& domain, const Box& box, const std::vector<EndValues<Real>>& ends,
                 Real* solution);

}  // namespace weft
