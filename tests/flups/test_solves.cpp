// Solves through FLUPS's interface against exact solutions and against the errors that FLUPS has published.
#include "program.hpp"

namespace weft::testing {
namespace {

constexpr Pair periodic{PER, PER}, even{EVEN, EVEN}, odd{ODD, ODD}, odd_even{ODD, EVEN}, even_odd{EVEN, ODD};
constexpr Pair open{UNB, UNB}, even_open{EVEN, UNB}, open_odd{UNB, ODD}, none{NONE, NONE};

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
      product *= static_cast<int>(d) == direction ? symbol(wave.k(), direction) * wave.derivative(x[d])
                                                  : wave.value(x[d]);
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
  for (const FLUPS_CenterType centre : {CELL_CENTER, NODE_CENTER})
    for (std::size_t a = 0; a < 5; a++)
      for (std::size_t b = 0; b < 5; b++, i++) {
        const Place place = place_for(i);
        Setting setting{{8, 12, 10}, {1, 1.5, 1.25}, centre, {}};
        setting.boundary.push_back({pairs[a], pairs[b], pairs[(a + 2 * b) % 5]});
        if (i % 2 == 1) setting.boundary.push_back({pairs[b], pairs[(a + b) % 5], pairs[a]});
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
        for (std::size_t at = 0; at < rhs.size(); at++)
          EXPECT_TRUE(sevens[at] == 0 || rhs[at] == 7);
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

TEST(FlupsSolve, CurlsOfWavesAreExactWithTheSymbolOfEveryDerivative) {
  std::size_t i = 0;
  for (const Pairs& tangential : {Pairs{periodic, periodic, periodic}, Pairs{odd, even, periodic},
                                  Pairs{even_odd, odd_even, odd}, Pairs{even, periodic, even_odd}})
    for (const FLUPS_DiffType type : {SPE, FD2, FD4, FD6}) {
      const Place place = place_for(i++);
      SCOPED_TRACE(::testing::Message() << place << ", derivative " << type << ", case " << i);
      const Setting setting{{8, 12, 10}, {1, 1.5, 1.25}, i % 3 == 0 ? NODE_CENTER : CELL_CENTER, mirrored(tangential),
                            CHAT_2,      type};
      const Waves waves(setting);
      const Program program(setting, place);
      const auto symbol = [&](double k, int d) {
        const auto direction = static_cast<std::size_t>(d);
        return symbol_of(type, k, setting.length[direction] / setting.cells[direction]);
      };
      // lap u = curl f.
      const auto exact = [&](int c, const Point& x) {
        const int next = (c + 1) % 3, after = (c + 2) % 3;
        return -waves.derivative(after, next, x, symbol) / waves.k2(after) +
               waves.derivative(next, after, x, symbol) / waves.k2(next);
      };
      const auto rhs = [&](int c, const Point& x) { return waves.value(c, x); };
      std::vector<double> given = program.field(rhs), field(given.size());
      flups_solve(program.solver(), field.data(), given.data(), ROT);
      EXPECT_LT(program.distance(field.data(), exact).largest, rounding);
      flups_solve(program.solver(), given.data(), given.data(), ROT);
      EXPECT_EQ(given, field);
    }
}

/// FLUPS's manufactured solution: a bump of 2 units of width along open directions, with the images that its mirrors
/// ask for, a wave along the others.
class Bump {
 public:
  Bump(const Pair& pair, double length) : length_(length) {
    if (pair[0] != UNB) left_ = pair[0] == EVEN ? 1 : pair[0] == ODD ? -1 : 0;
    if (pair[1] != UNB) right_ = pair[1] == EVEN ? 1 : pair[1] == ODD ? -1 : 0;
  }
  double value(double x) const { return sum(x, [](double s) { return bump(s); }); }
  double second(double x) const {
    const double half = length_ / 2;
    return sum(x, second_derivative) / (half * half);
  }

 private:
  static constexpr double c = 10;
  static double bump(double s) { return std::abs(s) >= 1 ? 0 : std::exp(c * (1 - 1 / (1 - s * s))); }
  static double second_derivative(double s) {
    if (std::abs(s) >= 1) return 0;
    const double q = 1 - s * s, first = -2 * c * s / (q * q);
    return bump(s) * (first * first - 2 * c / (q * q) - 8 * c * s * s / (q * q * q));
  }
  template <class Function>
  double sum(double x, const Function& function) const {
    const double half = length_ / 2;
    return function((x - half) / half) + left_ * function((x + half) / half) + right_ * function((x - 3 * half) / half);
  }
  double length_, left_ = 0, right_ = 0;
};

/// Errors of FLUPS: the root of the integral of the square, and the largest.
struct Published {
  FLUPS_CenterType centre;
  Pairs pairs;
  FLUPS_GreenType kernel;
  int cells;
  double mean_square, largest;
};

void expect_published(const Published& row, const Place& place) {
  const Setting setting{{row.cells, row.cells, row.cells}, {1, 1, 1}, row.centre, {row.pairs}, row.kernel};
  std::vector<Bump> bumps;
  for (const Pair& pair : row.pairs) bumps.emplace_back(pair, 1.0);
  const Program program(setting, place);
  const auto exact = [&](int, const Point& x) {
    return bumps[0].value(x[0]) * bumps[1].value(x[1]) * bumps[2].value(x[2]);
  };
  const auto laplacian = [&](int, const Point& x) {
    double sum = 0;
    for (std::size_t d = 0; d < 3; d++)
      sum += bumps[d].second(x[d]) * bumps[(d + 1) % 3].value(x[(d + 1) % 3]) * bumps[(d + 2) % 3].value(x[(d + 2) % 3]);
    return sum;
  };
  std::vector<double> field = program.field(laplacian);
  flups_solve(program.solver(), field.data(), field.data(), STD);
  const Program::Distance error = program.distance(field.data(), exact);
  // Thirteen digits are published; what is compared are differences of numbers of about 1.
  EXPECT_NEAR(error.mean_square, row.mean_square, 1e-12);
  EXPECT_NEAR(error.largest, row.largest, 1e-12);
}

TEST(FlupsSolve, ErrorsAreThoseThatFlupsHasPublished) {
  const Pairs free{open, open, open};
  const std::vector<Published> rows{
      {CELL_CENTER, free, CHAT_2, 8, 6.705869109652e-03, 2.601889782220e-02},
  };
  for (std::size_t i = 0; i < rows.size(); i++) {
    SCOPED_TRACE(::testing::Message() << "row " << i << ", " << place_for(i));
    expect_published(rows[i], place_for(i));
  }
}

}  // namespace
}  // namespace weft::testing
