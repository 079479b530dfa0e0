// Symbols of first derivatives: their orders and the mode that has no derivative.
#include "poisson/derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../error_text.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using testing::error_text;
using testing::mentions;

std::vector<double> symbols(Derivative derivative, const DomainAxis& axis, bool is_complex) {
  const AxisTransform transform = axis_transform(axis, is_complex);
  return derivative_symbol(derivative, axis, transform, {0, transform.modes});
}

TEST(Derivative, DifferencesHaveTheirOrderAndLeadingError) {
  // a(w) = w (1 - c (w h)^p + ...), from the Taylor series of the sines.
  const auto leading = [](Derivative derivative, int order) {
    const DomainAxis axis{256, 1, {End::odd}, Centring::cell};  // first mode: w = pi
    const double t = pi / 256;
    return (1 - symbols(derivative, axis, false)[0] / pi) / std::pow(t, order);
  };
  // The next term is t^2 = 1.5e-4 times a number below 1; rounding is 1e-16 / t^order, 3e-5 for order 6.
  EXPECT_NEAR(leading(Derivative::second, 2), 1.0 / 6, 2e-4);
  EXPECT_NEAR(leading(Derivative::fourth, 4), 1.0 / 30, 2e-4);
  EXPECT_NEAR(leading(Derivative::sixth, 6), 1.0 / 140, 2e-4);
  EXPECT_EQ(symbols(Derivative::spectral, {256, 1, {End::odd}, Centring::cell}, false)[0], pi);
}

TEST(Derivative, ModesThatStandForTwoHaveNone) {
  for (const Derivative derivative :
       {Derivative::spectral, Derivative::second, Derivative::fourth, Derivative::sixth}) {
    EXPECT_EQ(symbols(derivative, {8, 1, {End::periodic}, Centring::cell}, false).back(), 0);
    EXPECT_EQ(symbols(derivative, {8, 1, {End::periodic}, Centring::cell}, true)[4], 0);
    EXPECT_EQ(symbols(derivative, {7, 1, {End::unbounded}, Centring::cell}, true)[7], 0);
    EXPECT_NE(symbols(derivative, {7, 1, {End::periodic}, Centring::cell}, true)[3], 0);
    EXPECT_EQ(symbols(derivative, {8, 1, {End::even}, Centring::node}, false)[8], 0);
    EXPECT_EQ(symbols(derivative, {8, 1, {End::even, End::unbounded}, Centring::node}, false).back(), 0);
    EXPECT_NE(symbols(derivative, {8, 1, {End::even}, Centring::node}, false)[7], 0);
    EXPECT_NE(symbols(derivative, {8, 1, {End::even, End::odd}, Centring::node}, false).back(), 0);
  }
  const auto w = symbols(Derivative::spectral, {7, 1, {End::periodic}, Centring::cell}, true);
  EXPECT_DOUBLE_EQ(w[3], 6 * pi);
  EXPECT_DOUBLE_EQ(w[4], -6 * pi);
}

TEST(Derivative, NamesGoBothWays) {
  for (const Derivative derivative : {Derivative::spectral, Derivative::second, Derivative::fourth, Derivative::sixth})
    EXPECT_EQ(parse_derivative(to_string(derivative)), derivative);
  EXPECT_TRUE(mentions(error_text([] { parse_derivative("3"); }), "derivative", "'3'", "spectral", "6"));
}

}  // namespace
}  // namespace weft
