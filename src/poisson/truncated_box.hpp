// The free-space kernel cut off at the faces of a box, by its transform: the kernel `truncated` for long boxes.
#pragma once

#include <vector>

#include "poisson/width_sums.hpp"
#include "weft/green.hpp"

namespace weft {

/// The kernel for 2 or 3 convolved axes, 0 where an offset exceeds the reach D of its axis, sampled at the wavenumbers
/// pi m / D. With the period 2 D of the solver's own modes no image comes within the reach of the data, whatever the
/// ratios of the axes are, so no further padding is needed, unlike with a cut at one radius (compare the anisotropic
/// truncation of Greengard, Jiang and Zhang, SIAM J. Sci. Comput. 40, 2018).
///
/// The kernel is an integral over widths of Gaussians, each of which is a product over the axes. With the transforms
///   E(m; t) = (4 pi t)^(-1/2) int_-D^D exp(-x^2/(4 t)) cos(pi m x/D) dx
/// its transform is -int_0^inf exp(-k^2 t) prod E(m; t) dt. Up to t = D^2/152 of the shortest axis the Gaussians vanish
/// at the faces (exp(-38) = 3e-17), and the integral has a closed form. The rest is computed by Gauss-Legendre rules in
/// ln(t), in which E is analytic for |Im ln(t)| < pi/2: panels of length 2 with 20 nodes have an error of
/// (pi/2 + sqrt(1 + (pi/2)^2))^-40 = 3e-22. For k = 0, one panel in t^(-1/2) covers the widths at which all Gaussians
/// are wider than the box. Nodes depend on the problem alone, not on the points sampled, so that values are the same on
/// any number of ranks.
class TruncatedBox {
 public:
  TruncatedBox(std::vector<GreenAxis> axes, double screening);

  void sample(const GreenGrid& grid, double* values, int threads) const;

 private:
  /// Data of a block of the grid: squares of wavenumbers of the convolved axes, and E for each width.
  struct Block {
    std::vector<std::vector<double>> squares;
    WidthSums sums;
  };

  void sample_line(const Block& block, index_t i, double k2, const std::vector<double>& weights, double* values) const;
  double logarithmic_mean() const;

  std::vector<GreenAxis> axes_, convolved_;
  double screening_;
  double longest_ = 0;  ///< D
  WidthPanels panels_;  ///< they begin at the t up to which Gaussians vanish at the faces
};

}  // namespace weft
