// What the tests of tensor transforms share: all ways to run one, references by FFTW, bounds of roundoff.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "../plan_fixture.hpp"
#include "weft/tensor.hpp"

namespace weft::tensor_test {

inline int ranks() { return Comm(MPI_COMM_WORLD).size(); }

inline TensorOptions with(TensorAlgorithm algorithm, MatrixBlocks matrix, Folding folding) {
  TensorOptions options;
  options.algorithm = algorithm;
  options.matrix = matrix;
  options.folding = folding;
  options.threads = 1;
  return options;
}

/// Every algorithm, with and without folding, with matrix blocks of either kind.
inline std::vector<TensorOptions> all_ways() {
  std::vector<TensorOptions> result;
  for (const auto algorithm : {TensorAlgorithm::cannon, TensorAlgorithm::transpose})
    for (const auto matrix : {MatrixBlocks::circulate, MatrixBlocks::own})
      for (const auto folding : {Folding::on, Folding::off}) result.push_back(with(algorithm, matrix, folding));
  return result;
}

/// All meshes of just so many ranks.
inline std::vector<std::vector<int>> meshes(int count) {
  std::vector<std::vector<int>> result;
  for (int p = 1; p <= count; p++)
    for (int q = 1; q <= count / p; q++)
      if (count % (p * q) == 0) result.push_back({p, q, count / (p * q)});
  return result;
}

inline std::string text(const Extents& shape, Kind kind, const TensorOptions& options) {
  std::string result = to_string(shape) + " " + to_string(kind) + " " + to_string(options.algorithm) + ", matrix " +
                       to_string(options.matrix) + ", folding " + to_string(options.folding) + ", mesh";
  for (const int n : options.mesh) result += " " + std::to_string(n);
  return result;
}

/// A global array of points and its transform by FFTW on this rank alone, in double precision.
struct Reference {
  std::vector<double> points, modes;
  double norm = 0;  ///< of the modes
};

inline const Reference& reference(const Extents& shape, Kind kind) {
  static std::map<std::string, Reference> known;
  Reference& result = known[to_string(shape) + to_string(kind)];
  if (!result.points.empty()) return result;
  PlanOptions options;
  options.engine = EngineChoice::fftw;
  options.threads = 1;
  Plan<double> plan(MPI_COMM_SELF, shape, kind, options);
  result.points = plan_test::numbers<double>(shape.product() * (kind == Kind::r2c ? 1 : 2));
  result.modes = plan.spectral_field();
  plan.forward(result.points, result.modes);
  for (const double value : result.modes) result.norm += value * value;
  result.norm = std::sqrt(result.norm);
  return result;
}

/// How far the transform may be from the exact one, in the 2-norm and relative to it. A product with the DFT matrix F
/// of N points is sums of 2N terms whose factors are rounded once, and folding rounds twice more, so it errs by at most
/// (2N + 4) u |F| |x|, entry by entry (Higham, Accuracy and Stability of Numerical Algorithms, section 3). All entries
/// of |F|, real and imaginary parts added up, are at most sqrt(2), so its 2-norm is at most sqrt(2) N, while that of F
/// x is sqrt(N) |x|: relative to it, sqrt(2 N) (2N + 4) u. The products add up; what FFTW errs by is far below one.
template <class Real>
double bound(const Extents& shape) {
  const double u = std::numeric_limits<Real>::epsilon() / 2;
  double sum = 0;
  for (const index_t points : shape) {
    const auto n = static_cast<double>(points);
    sum += std::sqrt(2 * n) * (2 * n + 4) * u;
  }
  return sum;
}

template <class Real>
double distance(const std::vector<Real>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); i++) sum += std::pow(static_cast<double>(a.at(i)) - b[i], 2);
  return std::sqrt(sum);
}

/// Forward against FFTW, backward against the points.
template <class Real>
void expect_transform(const Extents& shape, Kind kind, const TensorOptions& options) {
  SCOPED_TRACE(text(shape, kind, options));
  const Reference& all = reference(shape, kind);
  TensorDft<Real> transform(MPI_COMM_WORLD, shape, kind, options);
  const auto local = [&](const std::vector<double>& global, const Layout& layout, const Box& box, int width) {
    return plan_test::part(global, layout.extents(), box, width);
  };
  const std::vector<double> points =
      local(all.points, transform.physical_layout(), transform.physical_box(), kind == Kind::r2c ? 1 : 2);
  const std::vector<Real> given(points.begin(), points.end());
  std::vector<Real> modes = transform.spectral_field(), back = transform.physical_field(), kept = given;
  transform.forward(kept, modes);
  EXPECT_EQ(kept, given);
  const double scale = all.norm;
  EXPECT_LE(distance(modes, local(all.modes, transform.spectral_layout(), transform.spectral_box(), 2)),
            bound<Real>(shape) * scale);
  transform.backward(modes, back);
  // Parseval: the points' norm is the modes' over sqrt(N), N points in all; r2c stores about half of the modes, so at
  // most twice their squares. Forward and backward err by one bound each.
  const double points_norm = scale * std::sqrt((kind == Kind::r2c ? 2.0 : 1.0) / static_cast<double>(shape.product()));
  EXPECT_LE(distance(back, points), 2 * bound<Real>(shape) * points_norm);
}

}  // namespace weft::tensor_test
