// Kernels that are integrals over widths of Gaussians: sums over widths of products of one function per axis.
#pragma once

#include <functional>
#include <vector>

#include "weft/green.hpp"

namespace weft {

/// Widths t of Gaussians, with the weights of dt.
struct Widths {
  std::vector<double> t, weight;
  std::size_t size() const { return t.size(); }
  void append(const Widths& more);
};

/// The nodes of a panel, a Gauss-Legendre rule, and its length in ln(t). Gaussians are analytic in ln(t) for
/// |Im ln(t)| < pi/2, so the error is (pi/2 + sqrt(1 + (pi/2)^2))^-40 = 3e-22.
constexpr int panel_nodes = 20;
constexpr double panel_length = 2;
/// Gaussians and decays vanish beyond: exp(-38) = 3e-17.
constexpr double vanishing_exponent = 38;

/// `count` panels from t = first on.
Widths panels_from(double first, int count);
/// One panel in t from 0 on.
Widths panel_up_to(double last);

/// The widths of integrals from t = first to infinity of exp(-k^2 t) times Gaussians of 1 to 3 axes: as many panels as
/// each k needs. For k = 0 one panel in t^(-1/2) covers the widths at which all Gaussians are wide. Nodes depend on the
/// problem alone, not on the points sampled.
class WidthPanels {
 public:
  WidthPanels() = default;
  /// Gaussians with t >= wide are wider than the range that they are integrated over.
  WidthPanels(double first, double wide, int axes);

  double first() const { return first_; }
  /// The t at which the panels for k = 0 end.
  double last() const;
  Widths near() const { return panels_from(first_, near_); }
  /// The panel from last() to infinity.
  Widths rest() const;
  /// The widths that count for any of these k^2, and the rest.
  Widths widths(const std::vector<double>& k2) const;
  /// The weights of these widths for one of the k^2.
  std::vector<double> weights(double k2, const Widths& widths) const;

 private:
  int panels_for(double k2) const;

  double first_ = 0;
  int near_ = 0;  ///< panels for k = 0
  int axes_ = 0;
};

/// One function per convolved axis of a grid, tabulated for all widths. Lines run along the last of these axes, for one
/// mode of the other axes.
class WidthSums {
 public:
  /// f(a, t, x) for width t at coordinate x of the convolved axis a.
  using Function = std::function<double(std::size_t axis, double t, double x)>;
  WidthSums(const GreenGrid& grid, const std::vector<GreenAxis>& axes, const Widths& widths, const Function& f);

  /// A line: its indices along the convolved axes without the last one, and the position of its first value.
  struct Line {
    std::vector<std::size_t> at;
    index_t first = 0;
  };
  index_t lines() const { return lines_; }
  Line line(index_t i) const;
  /// The number of values of a line, and the distance between them.
  std::size_t count() const { return counts_.back(); }
  index_t step() const { return stride_.back(); }
  /// Adds the sum over the widths of weight times product to the values of a line.
  void add(const Line& line, const std::vector<double>& weights, std::vector<double>& sums) const;

 private:
  std::vector<std::vector<double>> tables_;  // [width][coordinate] per convolved axis
  std::vector<std::size_t> counts_;
  std::vector<index_t> stride_;
  index_t lines_ = 1;
};

/// The position of the first value of every mode of the axes that are not convolved, in C order.
std::vector<index_t> mode_places(const GreenGrid& grid, const std::vector<GreenAxis>& axes);

}  // namespace weft
