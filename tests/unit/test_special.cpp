// Special functions against values of 40-digit arithmetic (mpmath 1.3).
#include "poisson/special.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace weft {
namespace {

using Complex = std::complex<double>;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct ComplexValue {
  Complex z, value;
};
struct RealValue {
  double x, value;
};

TEST(Special, GaussLegendreIntegratesPolynomialsOfDegreeTwiceItsNodes) {
  for (const int n : {1, 2, 5, 20}) {
    const Quadrature rule = gauss_legendre(n);
    ASSERT_EQ(rule.nodes.size(), static_cast<std::size_t>(n));
    for (int degree = 0; degree < 2 * n; degree++) {
      double sum = 0;
      for (std::size_t i = 0; i < rule.nodes.size(); i++) sum += rule.weights[i] * std::pow(rule.nodes[i], degree);
      EXPECT_NEAR(sum, degree % 2 == 0 ? 2.0 / (degree + 1) : 0, 8 * epsilon) << n << " " << degree;
    }
  }
}

TEST(Special, ExponentialIntegralOfComplexArgument) {
  const ComplexValue values[]{
      {{0.0, 3.14159}, {0.073668010678229094, -0.281140920672119919}},
      {{0.0, -3.2}, {0.0715432368726219011, 0.276900472441118795}},
      {{4.5, -3.2}, {0.136022528522234647, 0.0822050917550323062}},
      {{-4.5, -3.2}, {-0.146327570779654373, 0.146252323014260718}},
      {{-4.5, -0.3}, {-0.298260478400939268, 0.0596934736100822914}},
      {{-30.0, -1.0}, {-0.0344858328854384264, 0.00119235631319774154}},
      {{-30.0, -8.0}, {-0.0320708218214900412, 0.00886889852179220364}},
      {{-38.0, -0.001}, {-0.0270479867276900466, 7.32197273404697895e-7}},
      {{-60.0, -5.0}, {-0.0168331230624498818, 0.00142739495679083414}},
      {{50.0, -80.0}, {0.00566489243294115519, 0.00888807304918634895}},
      {{-1.0, 1.7}, {-0.0408962570779935975, -0.492270587750458965}},
      {{0.3, -0.2}, {1.0772124580108168, 0.354008124888828607}},
      {{1.1, 0.0}, {0.558747556170236334, 0.0}},
      {{-2.0, -3.1416}, {-0.0827037680057674115, 0.269398143864282621}},
      {{-200.0, -0.01}, {-0.0050252538142419546, 2.52538268695190103e-7}},
      {{-12.0, -5.0}, {-0.0754508647236807051, 0.0349148964829416722}},
  };
  // Down to the rounding of a few dozen steps. |z| + Re z below 2 comes from a series with terms up to e^2.
  for (const auto& [z, value] : values)
    EXPECT_LT(std::abs(scaled_exponential_integral(z) - value), 40 * epsilon * std::abs(value)) << z;
}

TEST(Special, BesselK0OfComplexArgument) {
  const ComplexValue values[]{
      {{0.0, -3.14159265}, {0.515796591568677369, 0.477902495346127474}},
      {{0.0, -12.0}, {0.25836238899302996, 0.253053805081802978}},
      {{1.0, -3.2}, {0.556119969393082825, 0.38208883928561421}},
      {{20.0, -3.2}, {0.275980190475294096, 0.0216804140187489327}},
      {{38.0, -3.2}, {0.202125873446701589, 0.00844123353274555151}},
      {{5.0, -40.0}, {0.148323669301319436, 0.13013037797355411}},
      {{0.01, -500.0}, {0.0396435661532668864, 0.0396229568988937344}},
      {{2.0, 0.0}, {0.841568215070771418, 0.0}},
  };
  for (const auto& [w, value] : values) EXPECT_LT(std::abs(scaled_k0(w) - value), 8 * epsilon * std::abs(value)) << w;
}

TEST(Special, SineIntegral) {
  const RealValue values[]{
      {0.1, 0.0999444611082769557},  {1.0, 0.946083070367183015}, {3.0, 1.84865252799946826},
      {3.9999, 1.75822205843084084}, {4.0, 1.75820313894905306},  {5.0, 1.54993124494467414},
      {12.56, 1.49216284093995711},  {40.0, 1.58698511935478451}, {100.0, 1.56222546688905629},
      {1000.0, 1.57023312196877122},
  };
  for (const auto& [x, value] : values) EXPECT_NEAR(sine_integral(x), value, 8 * epsilon) << x;
  EXPECT_EQ(sine_integral(0), 0);
}

TEST(Special, ScaledErfc) {
  const RealValue values[]{
      {-3.0, 16205.9888539995866},
      {0.0, 1.0},
      {0.5, 0.615690344192925875},
      {4.0, 0.13699945762506139},
      {10.0, 0.0561409927438225859},
      {24.9, 0.0226399877760495063},
      {25.1, 0.0224598758175813882},
      {100.0, 0.0056416137829894329},
      {10000000000.0, 5.64189583547756287e-11},
  };
  for (const auto& [x, value] : values) EXPECT_NEAR(scaled_erfc(x) / value, 1, 8 * epsilon) << x;
}

TEST(Special, FaddeevaFunction) {
  struct Value {
    double x, y, value;
  };
  const Value values[]{
      {0.0, 0.001, 0.998872620081151409},   {0.0, 2.5, 0.210806364061143581},    {0.3, 0.2, 0.752894790136879209},
      {1.6, 1e-09, 0.0773047407590288601},  {2.3, 0.7, 0.0905852918061715832},   {4.6, 1e-05, 2.88889140106323045e-7},
      {6.9, 3.0, 0.0305388001379071406},    {7.0, 6.5, 0.0404385108551455924},   {3.0, 8.0, 0.0616125384767702161},
      {40.0, 0.01, 3.52949565107797031e-6}, {1e7, 2.0, 1.12837916709548436e-14}, {12.1, 6.1, 0.0188552271856928356},
  };
  // A term and a residue that are far smaller than 1 beside it cancel where w is small: 3e-14 at worst.
  for (const auto& [x, y, value] : values) EXPECT_NEAR(faddeeva(x, y).real() / value, 1, 1e-13) << x << " " << y;
  const Value imaginary[]{
      {0.3, 0.2, 0.22965315234906980},  {1.6, 1e-09, 0.45128384459717070}, {2.3, 0.7, 0.23495227748036995},
      {4.6, 1e-05, 0.1257829855197867}, {6.9, 3.0, 0.06897938388057728},   {40.0, 0.01, 0.014109150575331148},
      {12.1, 6.1, 0.0371969013804580},  {3.0, 8.0, 0.022796642177054502},  {0.0, 2.5, 0},
  };
  for (const auto& [x, y, value] : imaginary) EXPECT_NEAR(faddeeva(x, y).imag(), value, 1e-14) << x << " " << y;
}

TEST(Special, MeansOfDecayingFunctions) {
  struct Means {
    double z, bessel, exponential;
  };
  const Means values[]{
      {1e-08, 9.51830612980538907, 0.499999996666666679},
      {0.001, 3.76184391442572204, 0.499666791633340277},
      {0.5, 0.687117759993398213, 0.360816041724199458},
      {0.999, 0.398468192870859825, 0.264401777430371133},
      {1.001, 0.397717870311005807, 0.264080571812806798},
      {1.999, 0.180190236611016286, 0.148579395264428784},
      {2.001, 0.179943996319722002, 0.148417733459357079},
      {5.0, 0.0391910773109095672, 0.0383828927202194879},
      {50.0, 0.0004, 0.0004},
      {800.0, 1.5625e-6, 1.5625e-6},
  };
  for (const auto& [z, bessel, exponential] : values) {
    EXPECT_NEAR(mean_k0(z) / bessel, 1, 8 * epsilon) << z;
    EXPECT_NEAR(mean_exp(z) / exponential, 1, 8 * epsilon) << z;
  }
  EXPECT_EQ(mean_exp(0), 0.5);
}

TEST(Special, BesselFunctionsVanishWhereTheyUnderflow) {
  EXPECT_NEAR(bessel_k0(1) / 0.421024438240708333, 1, 4 * epsilon);
  EXPECT_NEAR(bessel_k1(1) / 0.601907230197234575, 1, 4 * epsilon);
  EXPECT_EQ(bessel_k0(800), 0);
  EXPECT_EQ(bessel_k1(1e6), 0);
}

TEST(Special, WellFunction) {
  struct Well {
    double a, b, value;
  };
  const Well values[]{
      {1e-09, 0.0, 20.1460501730448782},      {1e-05, 0.125, 10.8145348793554926},
      {0.0001, 3000.0, 0.735865832580086241}, {0.01, 40.0, 0.583350412815163854},
      {0.3, 0.0, 0.90567665167584674},        {1.0, 1.0, 0.113893872749533436},
      {5.0, 0.5, 0.000745156824940665282},    {20.0, 0.125, 8.72757055999583769e-11},
      {20.0, 20.0, 8.39286110009956703e-19},  {19.7, 40.0, 1.37846553905787534e-25},
      {2.0, 9.0, 0.000173198906914032393},    {60.0, 0.0, 1.43586756568125679e-28},
      {0.3, 8.0, 0.0619957982107332173},
  };
  // The exponent, up to 100 here, is rounded before its exponential is taken.
  for (const auto& [a, b, value] : values)
    EXPECT_NEAR(well_function(a, b), value, 100 * epsilon * value + 1e-18) << a << " " << b;
}

}  // namespace
}  // namespace weft
