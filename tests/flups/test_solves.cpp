// Solves through FLUPS's interface against exact solutions and against the errors that FLUPS has published.
#include "program.hpp"

namespace weft::testing {
namespace {

/// A product of waves per component, whose Laplacian is -k^2 times itself.
class Waves {
 public:
  explicit Waves(const Setting& setting) {
    for (const Pairs& pairs : setting.boundary) {
      auto& component = waves_.emplace_back();
      for (std::size_t d = 0; d < 3; d++) component.emplace_back(pairs[d], setting.length[d]);
    }
  }
  double value(int c, const Point& x) const {
    double product = 1;
    for (std::size_t d = 0; d < 3; d++) product *= of(c)[d].value(x[d]);
    return product;
  }
  double k2(int c) const {
    double sum = 0;
    for (const Wave& wave : of(c)) sum += wave.k() * wave.k();
    return sum;
  }
  /// Along `direction`, with the wavenumber as `symbol` of it.
  template <class Symbol>
  double derivative(int c, int direction, const Point& x, const Symbol& symbol) const {
    double product = 1;
    for (std::size_t d = 0; d < 3; d++) {
      const Wave& wave = of(c)[d];
      product *=
          static_cast<int>(d) == direction ? symbol(wave.k(), direction) * wave.derivative(x[d]) : wave.value(x[d]);
    }
    return product;
  }

 private:
  const std::vector<Wave>& of(int c) const { return waves_[static_cast<std::size_t>(c)]; }
  std::vector<std::vector<Wave>> waves_;
};

/// Rounding errors of transforms are below a few epsilon of the right-hand side, at most about 1200 here, and the
/// lowest mode, k^2 = 1.5^2 pi^2 / 1.5^2 at least, is amplified by 1 / k^2.
constexpr double rounding = 20 * 2.2e-16 * 1200 / 9;

TEST(FlupsSolve, WavesAreExactForEveryPairOfConditionsOnEveryTopology) {
  const std::array<Pair, 5> pairs{periodic, even, odd, odd_even, even_odd};
  std::size_t i = 0;
  for (std::size_t a = 0; a < 5; a++)
    for (std::size_t b = 0; b < 5; b++, i++) {
      const Place place = place_for(i);
      Setting setting{{8, 12, 10}, {1, 1.5, 1.25}, i % 2 == 0 ? CELL_CENTER : NODE_CENTER, {}};
      setting.boundary.push_back({pairs[a], pairs[b], pairs[(a + 2 * b) % 5]});
      if (i % 3 == 1) setting.boundary.push_back({pairs[b], pairs[(a + b) % 5], pairs[a]});
      SCOPED_TRACE(::testing::Message() << place << ", case " << i);
      const Waves waves(setting);
      const Program program(setting, place);
      const auto exact = [&](int c, const Point& x) { return waves.value(c, x); };
      std::vector<double> rhs = program.field([&](int c, const Point& x) { return -waves.k2(c) * exact(c, x); }, 7);
      const std::vector<double> given = rhs;
      std::vector<double> field = program.field([](int, const Point&) { return 0; }, 5);
      flups_solve(program.solver(), field.data(), rhs.data(), STD);
      EXPECT_LT(program.distance(field.data(), exact).largest, rounding);
      EXPECT_EQ(rhs, given);
      // What lies between the rows stays, and the field may be the right-hand side.
      flups_solve(program.solver(), rhs.data(), rhs.data(), STD);
      EXPECT_LT(program.distance(rhs.data(), exact).largest, rounding);
      const std::vector<double> sevens = program.field([](int, const Point&) { return 0; }, 7);
      for (std::size_t at = 0; at < rhs.size(); at++) EXPECT_TRUE(sevens[at] == 0 || rhs[at] == 7);
    }
}

TEST(FlupsSolve, ADirectionThatIsNoneMakesAPlane) {
  for (std::size_t d = 0; d < 3; d++) {
    if (ranks() > 10) GTEST_SKIP() << "a plane has fewer rows";
    Setting setting{{8, 12, 10}, {1, 1.5, 1.25}, NODE_CENTER, {{{periodic, odd_even, even}}}};
    setting.boundary[0][d] = none;
    setting.cells[d] = 1;
    setting.length[d] = 1;
    Place place{{1, 1, 1}, 1};
    place.parts[(d + 1) % 3] = ranks();
    const Waves waves(setting);
    const Program program(setting, place);
    const auto exact = [&](int c, const Point& x) { return waves.value(c, x); };
    std::vector<double> field = program.field([&](int c, const Point& x) { return -waves.k2(c) * exact(c, x); });
    flups_solve(program.solver(), field.data(), field.data(), STD);
    EXPECT_LT(program.distance(field.data(), exact).largest, rounding);
  }
}

/// The symbol of a derivative on spacings h.
double symbol_of(FLUPS_DiffType type, double k, double h) {
  const double t = k * h;
  switch (type) {
    case FD2:
      return std::sin(t) / h;
    case FD4:
      return (8 * std::sin(t) - std::sin(2 * t)) / 6 / h;
    case FD6:
      return (45 * std::sin(t) - 9 * std::sin(2 * t) + std::sin(3 * t)) / 30 / h;
    default:
      return k;
  }
}

/// What a vector field with mirror symmetry has along each direction: its tangential components a condition, the normal
/// one the other.
std::vector<Pairs> mirrored(const Pairs& tangential) {
  std::vector<Pairs> result(3, tangential);
  for (std::size_t d = 0; d < 3; d++)
    for (FLUPS_BoundaryType& end : result[d][d])
      if (end == EVEN || end == ODD) end = end == EVEN ? ODD : EVEN;
  return result;
}

/// A solve for curls of waves on a place, in another array and in the same, whose gaps between rows stay.
void expect_exact_curls(const Setting& setting, const Place& place) {
  const Waves waves(setting);
  const Program program(setting, place);
  const auto symbol = [&](double k, int d) {
    const auto direction = static_cast<std::size_t>(d);
    return symbol_of(setting.derivative, k, setting.length[direction] / setting.cells[direction]);
  };
  // lap u = curl f.
  const auto exact = [&](int c, const Point& x) {
    const int next = (c + 1) % 3, after = (c + 2) % 3;
    return -waves.derivative(after, next, x, symbol) / waves.k2(after) +
           waves.derivative(next, after, x, symbol) / waves.k2(next);
  };
  const auto rhs = [&](int c, const Point& x) { return waves.value(c, x); };
  std::vector<double> given = program.field(rhs, 7), field = program.field([](int, const Point&) { return 3; }, 7);
  const std::vector<double> before = given, gaps = program.field([](int, const Point&) { return 0; }, 7);
  flups_solve(program.solver(), field.data(), given.data(), ROT);
  EXPECT_LT(program.distance(field.data(), exact).largest, rounding);
  EXPECT_EQ(given, before);
  flups_solve(program.solver(), given.data(), given.data(), ROT);
  EXPECT_EQ(given, field);
  for (std::size_t at = 0; at < gaps.size(); at++) EXPECT_TRUE(gaps[at] == 0 || field[at] == 7);
}

TEST(FlupsSolve, CurlsOfWavesAreExactWithTheSymbolOfEveryDerivative) {
  std::size_t i = 0;
  for (const Pairs& tangential : {Pairs{periodic, periodic, periodic}, Pairs{odd, even, periodic},
                                  Pairs{even_odd, odd_even, odd}, Pairs{even, periodic, even_odd}})
    for (const FLUPS_DiffType type : {SPE, FD2, FD4, FD6}) {
      const Place place = place_for(i++);
      SCOPED_TRACE(::testing::Message() << place << ", derivative " << type << ", case " << i);
      expect_exact_curls(
          {{8, 12, 10}, {1, 1.5, 1.25}, i % 3 == 0 ? NODE_CENTER : CELL_CENTER, mirrored(tangential), CHAT_2, type},
          place);
    }
}

TEST(FlupsSolve, CurlsInAPlaneAreExact) {
  std::size_t i = 0;
  for (const Pairs& tangential : {Pairs{periodic, even, odd}, Pairs{odd_even, periodic, even_odd}})
    for (std::size_t d = 0; d < 3; d++)
      for (const FLUPS_DiffType type : {SPE, FD4}) {
        // The direction that the plane lacks may be cut, too: all but one part have nothing then.
        const Place place = place_for(i++);
        SCOPED_TRACE(::testing::Message() << place << ", without " << d << ", case " << i);
        Setting setting{{8, 12, 10},          {1, 1.5, 1.25}, i % 3 == 0 ? NODE_CENTER : CELL_CENTER,
                        mirrored(tangential), CHAT_2,         type};
        for (Pairs& component : setting.boundary) component[d] = none;
        setting.cells[d] = 1;
        expect_exact_curls(setting, place);
        setting.derivative = NOD;  // a plane without curls is one of scalars
        const Program program(setting, place);
        const Waves waves(setting);
        std::vector<double> field = program.field([&](int c, const Point& x) { return waves.value(c, x); });
        flups_solve(program.solver(), field.data(), field.data(), STD);
        const auto exact = [&](int c, const Point& x) { return -waves.value(c, x) / waves.k2(c); };
        EXPECT_LT(program.distance(field.data(), exact).largest, rounding);
      }
}

// Each component is extended over all space by its own conditions; the curl of that is solved for.
TEST(FlupsSolve, CurlsOfComponentsThatAreNoVectorFieldAreExact) {
  const Pairs all_periodic{periodic, periodic, periodic}, all_even{even, even, even},
      quarters{odd_even, odd_even, odd_even};
  const Pairs walls{odd, periodic, even_odd}, flat{even, odd, none};
  const std::vector<std::vector<Pairs>> fields{{all_periodic, all_even, all_periodic},  // FLUPS's vtube --case=5
                                               {quarters, quarters, quarters},          // FLUPS's vtube --case=6
                                               {walls, all_even, walls},
                                               {flat, flat, flat}};
  std::size_t i = 0;
  for (const std::vector<Pairs>& boundary : fields)
    for (const FLUPS_DiffType type : {SPE, FD6}) {
      const Place place = place_for(i++);
      SCOPED_TRACE(::testing::Message() << place << ", case " << i);
      const int high = boundary[0][2] == none ? 1 : 10;
      expect_exact_curls(
          {{8, 12, high}, {1, 1.5, 1.25}, i % 2 == 0 ? NODE_CENTER : CELL_CENTER, boundary, CHAT_2, type}, place);
    }
}

TEST(FlupsSolve, AVortexInAnOpenPlaneHasItsVelocityAndItsVectorPotential) {
  // A Gaussian w, 6 widths away from the ends. With f_n = w the field is the gradient of ln(r) / (2 pi), as if all of
  // it were in the circle, turned by a quarter; with (f_a, f_b) = (d_b w, -d_a w), whose curl is -lap w, it is -w.
  constexpr double width = 0.08, variance = width * width;
  for (std::size_t n = 0; n < 3; n++) {
    const std::size_t a = (n + 1) % 3, b = (n + 2) % 3;
    Setting setting{{32, 32, 32}, {1, 1, 1}, CELL_CENTER, std::vector<Pairs>(3, {open, open, open}), HEJ_0, SPE};
    for (Pairs& component : setting.boundary) component[n] = none;
    setting.cells[n] = 1;
    const Program program(setting, place_for(n));
    const auto w = [&](const Point& x) {
      const double p = x[a] - 0.5, q = x[b] - 0.5;
      return std::exp(-(p * p + q * q) / (2 * variance)) / (2 * pi * variance);
    };
    const auto rhs = [&](int c, const Point& x) {
      const auto component = static_cast<std::size_t>(c);
      if (component == n) return w(x);
      return (component == a ? -(x[b] - 0.5) : x[a] - 0.5) / variance * w(x);
    };
    const auto exact = [&](int c, const Point& x) {
      const auto component = static_cast<std::size_t>(c);
      if (component == n) return -w(x);
      const double p = x[a] - 0.5, q = x[b] - 0.5, r2 = p * p + q * q;
      return (component == a ? q : -p) * (1 - std::exp(-r2 / (2 * variance))) / (2 * pi * r2);
    };
    std::vector<double> field = program.field(rhs);
    flups_solve(program.solver(), field.data(), field.data(), ROT);
    // What is cut off at the ends and by the grid: exp(-0.5^2 / 2 variance) and exp(-(32 pi)^2 variance / 2), times w.
    EXPECT_LT(program.distance(field.data(), exact).largest, 2e-7);
  }
}

/// FLUPS's manufactured solution along one direction: a bump of half the length's width along open ones, with the image
/// that a mirror asks for, and a wave along the others, shorter for each direction.
class Factor {
 public:
  Factor(const Pair& pair, int direction) {
    open_ = pair[0] == UNB || pair[1] == UNB;
    if (open_ && pair[0] != UNB) {
      centre_ = 0.3;
      image_ = -0.3;
    } else if (open_ && pair[1] != UNB) {
      centre_ = 0.7;
      image_ = 1.3;
    }
    sign_ = pair == Pair{UNB, UNB} ? 0 : pair[0] == ODD || pair[1] == ODD ? -1 : 1;
    if (open_) return;
    const double waves = 1 << direction;
    k_ = pi * (pair[0] != pair[1] ? waves + 0.5 : pair[0] == EVEN ? waves : 2 * waves);
    phase_ = pair[0] == EVEN ? 0 : -pi / 2;
  }
  double value(double x) const {
    return open_ ? bump((x - centre_) / half) + sign_ * bump((x - image_) / half) : std::cos(k_ * x + phase_);
  }
  double second(double x) const {
    if (!open_) return -k_ * k_ * value(x);
    return (second_derivative((x - centre_) / half) + sign_ * second_derivative((x - image_) / half)) / (half * half);
  }

 private:
  static constexpr double c = 10, half = 0.5;
  static double bump(double s) { return std::abs(s) >= 1 ? 0 : std::exp(c * (1 - 1 / (1 - s * s))); }
  static double second_derivative(double s) {
    if (std::abs(s) >= 1) return 0;
    const double q = 1 - s * s, first = -2 * c * s / (q * q);
    return bump(s) * (first * first - 2 * c / (q * q) - 8 * c * s * s / (q * q * q));
  }
  bool open_ = false;
  double centre_ = 0.5, image_ = 0, sign_ = 0, k_ = 0, phase_ = 0;
};

/// The errors of a solve of the manufactured solution.
Program::Distance error_of(const Setting& setting, const Place& place) {
  std::vector<Factor> factors;
  for (int d = 0; d < 3; d++) factors.emplace_back(setting.boundary[0][static_cast<std::size_t>(d)], d);
  const Program program(setting, place);
  const auto exact = [&](int, const Point& x) {
    return factors[0].value(x[0]) * factors[1].value(x[1]) * factors[2].value(x[2]);
  };
  const auto laplacian = [&](int, const Point& x) {
    double sum = 0;
    for (std::size_t d = 0; d < 3; d++) {
      const std::size_t next = (d + 1) % 3, after = (d + 2) % 3;
      sum += factors[d].second(x[d]) * factors[next].value(x[next]) * factors[after].value(x[after]);
    }
    return sum;
  };
  std::vector<double> field = program.field(laplacian);
  flups_solve(program.solver(), field.data(), field.data(), STD);
  return program.distance(field.data(), exact);
}

Setting cube(const Pairs& pairs, FLUPS_GreenType kernel, int cells, FLUPS_CenterType centre = CELL_CENTER) {
  return {{cells, cells, cells}, {1, 1, 1}, centre, {pairs}, kernel};
}

/// Errors of FLUPS: the root of the integral of the square, and the largest.
struct Published {
  FLUPS_CenterType centre;
  Pairs pairs;
  FLUPS_GreenType kernel;
  int cells;
  double mean_square, largest;
};

TEST(FlupsSolve, ErrorsAreThoseThatFlupsHasPublished) {
  const Pairs free{open, open, open}, mixed{open_even, odd_open, open};
  const std::vector<Published> rows{
      {CELL_CENTER, free, CHAT_2, 16, 1.680468518554e-03, 2.259400864550e-02},
      {CELL_CENTER, free, LGF_2, 16, 3.017234157142e-03, 3.927536957671e-02},
      {CELL_CENTER, free, HEJ_2, 16, 5.171085302138e-02, 6.277588695484e-01},
      {CELL_CENTER, free, HEJ_4, 16, 3.098524288986e-02, 4.030347242545e-01},
      {CELL_CENTER, free, HEJ_6, 16, 1.814399512337e-02, 2.443536829148e-01},
      {CELL_CENTER, free, HEJ_8, 16, 1.041209088151e-02, 1.415497628725e-01},
      {CELL_CENTER, free, HEJ_10, 16, 5.871194310630e-03, 7.857545631537e-02},
      {CELL_CENTER, free, HEJ_0, 16, 8.444973812999e-06, 3.678592425622e-05},
      {CELL_CENTER, free, LGF_4, 16, 3.364986851469e-04, 3.926246675313e-03},
      {CELL_CENTER, free, LGF_6, 16, 7.072163331381e-05, 5.788997189707e-04},
      {CELL_CENTER, free, LGF_8, 16, 2.539003759152e-05, 1.441712934409e-04},
      {CELL_CENTER, free, MEHR_4L, 16, 5.017152415988e-03, 6.915823663354e-02},
      {CELL_CENTER, free, MEHR_6L, 16, 4.989732508742e-03, 6.868775889044e-02},
      {CELL_CENTER, free, MEHR_4F, 16, 1.125094191058e-04, 5.937617669540e-04},
      {CELL_CENTER, free, MEHR_6F, 16, 2.820641168704e-05, 1.703649016289e-04},
      {NODE_CENTER, mixed, CHAT_2, 16, 1.684213074306e-03, 2.629120883569e-02},
      {NODE_CENTER, mixed, HEJ_4, 16, 3.111693576631e-02, 4.689489263752e-01},
      {NODE_CENTER, mixed, HEJ_0, 16, 9.347887179794e-06, 6.506736734557e-05},
      {NODE_CENTER, mixed, LGF_6, 16, 7.960262895700e-05, 8.186243365043e-04},
      {NODE_CENTER, mixed, MEHR_4F, 16, 1.225073796321e-04, 1.312813306817e-03},
      {CELL_CENTER, {even_odd, odd_open, open}, CHAT_2, 8, 6.680498414749e-03, 4.004616385169e-02},
      {CELL_CENTER, {open, periodic, odd_even}, CHAT_2, 17, 2.554763812689e-02, 1.250748550025e-01},
      {NODE_CENTER, {open, periodic, odd_even}, CHAT_2, 8, 1.176721025236e-01, 5.549272711201e-01},
      {NODE_CENTER, {periodic, odd_open, open}, CHAT_2, 8, 6.698366882657e-03, 4.632326585700e-02},
  };
  for (std::size_t i = 0; i < rows.size(); i++) {
    const Published& row = rows[i];
    SCOPED_TRACE(::testing::Message() << "row " << i << ", " << place_for(i));
    const Program::Distance error = error_of(cube(row.pairs, row.kernel, row.cells, row.centre), place_for(i));
    // Thirteen digits are published; errors are differences of numbers of about 1.
    EXPECT_NEAR(error.mean_square, row.mean_square, 1e-12);
    EXPECT_NEAR(error.largest, row.largest, 1e-12);
  }
}

TEST(FlupsSolve, ErrorsFallWithTheOrderOfTheGreensFunction) {
  const Pairs free{open, open, open};
  for (const auto& [kernel, order] : {std::pair{CHAT_2, 2}, std::pair{LGF_4, 4}, std::pair{LGF_6, 6}}) {
    const double coarse = error_of(cube(free, kernel, 24), {}).mean_square;
    const double fine = error_of(cube(free, kernel, 48), {}).mean_square;
    // The next term of the error is a square of the spacing smaller: a quarter of its part is left.
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.3);
  }
}

TEST(FlupsSolve, TheSpectralFunctionIsSpectralBesideWavesToo) {
  // FLUPS's errors are 0.50 and 0.84 here, and rise.
  const Pairs pairs{periodic, open, open};
  EXPECT_LT(error_of(cube(pairs, HEJ_0, 16), {}).largest, 1e-4);
  EXPECT_LT(error_of(cube(pairs, HEJ_0, 32), {}).largest, 1e-7);
}

}  // namespace
}  // namespace weft::testing
