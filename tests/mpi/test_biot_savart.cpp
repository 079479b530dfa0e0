// Velocities of vorticities that are known: a Gaussian ring and a vortex tube, with the errors that each kernel and
// derivative makes on them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "mpi/vector_support.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using namespace testing;

/// omega = (-Y, X, 0) E, E = exp(-r^2/(2 s^2)) about a centre: a ring of vorticity in free space. Its velocity is
/// s^2 (grad d_z Phi + z E) with Phi = (2 pi s^2)^(3/2) erf(r/(sqrt(2) s))/(4 pi r), of algebraic far field.
class GaussianRing {
 public:
  static constexpr double width = 0.07;
  double vorticity(std::size_t c, const std::vector<double>& x) const {
    const auto [X, Y, Z] = offset(x);
    const double e = std::exp(-(X * X + Y * Y + Z * Z) / (2 * width * width));
    return c == 0 ? -Y * e : c == 1 ? X * e : 0;
  }
  double velocity(std::size_t c, const std::vector<double>& x) const {
    const auto p = offset(x);
    const double s2 = width * width, r2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2], e = std::exp(-r2 / (2 * s2));
    const auto [first, second] = potential_derivatives(std::sqrt(r2));
    return s2 * (second * p[c] * p[2] + (c == 2 ? first + e : 0));
  }

 private:
  static std::array<double, 3> offset(const std::vector<double>& x) { return {x[0] - 0.5, x[1] - 0.47, x[2] - 0.53}; }
  /// Phi'/r and (Phi'' - Phi'/r)/r^2.
  static std::array<double, 2> potential_derivatives(double r) {
    const double s = width, t = r / s;
    if (t < 0.3) {
      // Series of -int_0^1 v^2 exp(-t^2 v^2/2) dv and of its derivative: the closed form cancels here.
      double first = 0, second = 0, term = 1;
      for (int n = 0; n < 12; n++) {
        first -= term / (2 * n + 3);
        second += term / (2 * n + 5);
        term *= -t * t / 2 / (n + 1);
      }
      return {first, second / (s * s)};
    }
    // first = -Q(t)/t^3, where Q = int_0^t v^2 exp(-v^2/2) dv.
    const double e = std::exp(-t * t / 2), q = std::sqrt(pi / 2) * std::erf(t / std::numbers::sqrt2) - t * e;
    return {-q / (t * t * t), (3 * q / (t * t * t * t * t) - e / (t * t)) / (s * s)};
  }
};

/// A tube along z of radius R and circulation 1 (FLUPS, 2023, eqs. (15)-(18), with 1/(2 pi r) outside):
/// omega_z = exp(-1/(1-rho^2))/(pi R^2 E2(1)), rho = r/R < 1.
class VortexTube {
 public:
  VortexTube(double radius, double centre) : radius_(radius), centre_(centre) {}
  double vorticity(std::size_t c, const std::vector<double>& x) const {
    const double q = 1 - square(x) / (radius_ * radius_);
    return c < 2 || q <= 0 ? 0 : std::exp(-1 / q) / (pi * radius_ * radius_ * e2(1));
  }
  double velocity(std::size_t c, const std::vector<double>& x) const {
    if (c == 2) return 0;
    const double r2 = square(x), q = 1 - r2 / (radius_ * radius_);
    double over_r = 1 / (2 * pi * r2);  // u_theta / r
    if (r2 == 0)
      over_r = std::exp(-1.0) / (pi * radius_ * radius_ * e2(1)) / 2;
    else if (q > 0)
      over_r *= 1 - q * e2(1 / q) / e2(1);
    return c == 0 ? -over_r * (x[1] - centre_) : over_r * (x[0] - centre_);
  }

 private:
  static double e2(double x) { return x > 700 ? 0 : std::exp(-x) + x * std::expint(-x); }  // E1(x) = -Ei(-x)
  double square(const std::vector<double>& x) const {
    return (x[0] - centre_) * (x[0] - centre_) + (x[1] - centre_) * (x[1] - centre_);
  }
  double radius_, centre_;
};

/// Largest error of any component on any rank.
template <class Flow>
double velocity_error(const VectorProblem& problem, const Flow& flow) {
  PlanOptions options = VectorPoisson<double>::default_options();
  options.threads = 1;
  VectorPoisson<double> solver(MPI_COMM_WORLD, problem, options);
  const auto vorticity = field_of(solver, 3, [&](std::size_t c, const auto& x) { return flow.vorticity(c, x); });
  std::vector<double> result(vorticity.size());
  solver.biot_savart(vorticity.data(), result.data());
  double error = largest_difference(
      result, field_of(solver, 3, [&](std::size_t c, const auto& x) { return flow.velocity(c, x); }));
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return error;
}

/// Errors at increasing N, known to 7 digits; those below 1e-11 are rounding and differ.
struct Row {
  const char* kernel;
  Derivative derivative;
  Centring centring;
  std::vector<double> errors;
};

void expect_row(double error, double expected, const std::string& what) {
  if (expected < 1e-11)
    EXPECT_LT(error, 1e-11) << what;
  else  // half a unit of the seventh digit, and rounding
    EXPECT_NEAR(error, expected, 5e-7 * expected + 1e-12) << what;
}

TEST(BiotSavart, GaussianRingHasTheErrorsOfItsKernelAndDerivative) {
  const Centring cell = Centring::cell, node = Centring::node;
  const Derivative spectral = Derivative::spectral, fourth = Derivative::fourth, sixth = Derivative::sixth;
  const std::vector<Row> rows{
      {"chat2", spectral, cell, {8.439790e-05, 5.222248e-05, 2.699221e-05}},
      {"hej6", spectral, cell, {9.518216e-04, 4.422733e-04, 1.109383e-04}},
      {"hej0", spectral, cell, {5.780561e-09, 2.174559e-13, 2.941120e-13}},
      {"chat2", fourth, cell, {1.411568e-04, 7.241418e-05, 3.191161e-05}},
      {"hej6", sixth, cell, {9.554929e-04, 4.440528e-04, 1.113148e-04}},
      {"hej0", fourth, cell, {5.975906e-05, 2.092497e-05, 5.011931e-06}},
      {"truncated", fourth, cell, {5.975668e-05, 2.092497e-05, 5.011931e-06}},
      {"truncated", sixth, cell, {1.830384e-05, 4.014166e-06, 4.788564e-07}},
      {"chat2", spectral, node, {9.019995e-05, 5.818663e-05, 2.691086e-05}},
      {"hej6", fourth, node, {1.047267e-03, 5.215098e-04, 1.147412e-04}},
      {"hej0", sixth, node, {2.116912e-05, 4.902763e-06, 4.806978e-07}},
  };
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.errors.size(); i++) {
      const index_t n = std::array<index_t, 3>{24, 32, 48}[i];
      VectorProblem problem{
          {n, n, n}, {1, 1, 1}, {std::vector<Boundary>(3, {End::unbounded})}, {row.centring}, row.kernel};
      problem.derivative = row.derivative;
      expect_row(velocity_error(problem, GaussianRing()), row.errors[i],
                 std::string(row.kernel) + " " + to_string(row.derivative) + " " + to_string(row.centring) + " " +
                     std::to_string(n));
    }
  }
}

TEST(BiotSavart, VortexTubeHasTheErrorsOfItsKernelAndDerivative) {
  struct Tube {
    Row row;
    double radius;
  };
  const Centring cell = Centring::cell, node = Centring::node;
  const Derivative spectral = Derivative::spectral;
  const std::vector<Tube> tubes{
      {{"chat2", spectral, node, {3.810677e-03, 1.071321e-03, 2.637373e-04}}, 0.25},
      {{"lgf2", spectral, node, {8.163384e-03, 1.627641e-03, 4.178411e-04}}, 0.25},
      {{"hej4", spectral, node, {3.609959e-02, 6.250021e-03, 8.302917e-04}}, 0.25},
      {{"hej10", spectral, node, {5.808852e-03, 8.154756e-04, 6.307374e-05}}, 0.25},
      {{"hej0", spectral, node, {1.011050e-03, 6.842554e-05, 1.692083e-06}}, 0.25},
      {{"chat2", spectral, cell, {1.052045e-03, 2.585355e-04, 6.460316e-05}}, 0.4},
      {{"hej6", spectral, cell, {2.590511e-03, 3.487935e-04, 3.150494e-05}}, 0.4},
      {{"hej0", spectral, cell, {1.081067e-04, 3.747356e-06, 3.827236e-08}}, 0.4},
      {{"chat2", Derivative::second, node, {4.147727e-03, 1.079434e-03, 2.708913e-04}}, 0.4},
      {{"hej6", Derivative::fourth, node, {2.906065e-03, 3.819567e-04, 3.413007e-05}}, 0.4},
      {{"hej10", Derivative::sixth, node, {1.047097e-03, 1.028019e-04, 5.162906e-06}}, 0.4},
      {{"truncated", Derivative::fourth, node, {5.031440e-04, 5.302729e-05, 4.264515e-06}}, 0.4},
  };
  for (const auto& [row, radius] : tubes) {
    for (std::size_t i = 0; i < row.errors.size(); i++) {
      const index_t n = index_t{32} << i;
      const Boundary odd(End::odd), even(End::even), open(End::unbounded);
      VectorProblem problem{{n, n, 4},
                            {1, 1, 4.0 / static_cast<double>(n)},
                            {{open, open, odd}, {open, open, odd}, {open, open, even}},
                            {row.centring},
                            row.kernel};
      problem.derivative = row.derivative;
      expect_row(velocity_error(problem, VortexTube(radius, 0.5)), row.errors[i],
                 std::string(row.kernel) + " " + to_string(row.derivative) + " R " + std::to_string(radius) + " N " +
                     std::to_string(n));
    }
  }
}

}  // namespace
}  // namespace weft
