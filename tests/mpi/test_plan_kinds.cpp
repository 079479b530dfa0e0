// Plans of every kind and mixture against the sums that define them, scaling, and what a plan says of its modes.
#include <algorithm>
#include <numbers>

#include "environment.hpp"
#include "plan_fixture.hpp"

namespace weft::plan_test {
namespace {

const std::vector<Kind> transforms{Kind::c2c,  Kind::r2c,  Kind::dct1, Kind::dct2, Kind::dct3,
                                   Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

template <class Real>
constexpr double epsilon = std::numeric_limits<Real>::epsilon();

/// Forward against the sums, and backward, within the bounds of direct summation. Every rank looks at its own part,
/// whose error is no larger than that of the whole.
template <class Real>
void expect_defined(const Case& c, const PlanOptions& options = quick()) {
  const std::string name = to_string(c) + ", " + text_of(options);
  Plan<Real> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
  EXPECT_EQ(plan.physical_layout().extents(), c.shape) << name;
  EXPECT_EQ(plan.spectral_layout().extents(), c.spectral_shape()) << name;
  EXPECT_EQ(plan.physical_complex(), c.physical_width() == 2) << name;
  EXPECT_EQ(plan.spectral_complex(), c.spectral_width() == 2) << name;
  const std::vector<Real> field = physical_numbers<Real>(c);
  const naive::Line all = as_line(field, c.physical_width());
  const naive::Line modes = part(naive_forward(c, all), c.spectral_shape(), plan.spectral_box(), 1);
  const auto in = part(field, c.shape, plan.physical_box(), c.physical_width());
  std::vector<Real> out = plan.spectral_field(), back = plan.physical_field();
  plan.forward(in, out);
  plan.backward(out, back);
  naive::Line wrong = as_line(out, c.spectral_width());
  ASSERT_EQ(wrong.size(), modes.size()) << name;
  for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] -= modes[i];
  EXPECT_LE(static_cast<double>(naive::norm(wrong)), forward_bound(c, epsilon<Real>) * norm(field)) << name;
  EXPECT_LE(distance(back, in), round_trip_bound(c, epsilon<Real>) * norm(field)) << name;
}

TEST(PlanKinds, EachKindOnEachAxisAlone) {
  for (const Kind kind : transforms) {
    for (int axis = 0; axis < 3; ++axis) {
      Case c{{4, 6, 5}, {Kind::none, Kind::none, Kind::none}};
      c.kinds[static_cast<std::size_t>(axis)] = kind;
      expect_defined<double>(c);
      expect_defined<float>(c);
    }
  }
}

TEST(PlanKinds, EachKindOnAllAxesByEitherEngine) {
  for (const EngineChoice engine : {EngineChoice::automatic, EngineChoice::fftw}) {
    PlanOptions options = quick();
    options.engine = engine;
    for (const Kind kind : transforms) {
      Case c{{7, 8, 6}, {kind, kind, kind}};
      if (kind == Kind::r2c) c.kinds = {Kind::c2c, Kind::c2c, Kind::r2c};
      expect_defined<double>(c, options);
      expect_defined<float>(c, options);
    }
  }
}

// Real data with a Fourier axis anywhere, complex data with real-to-real axes, batch axes between.
TEST(PlanKinds, Mixtures) {
  const std::vector<std::vector<Kind>> mixtures{
      {Kind::r2c, Kind::c2c, Kind::c2c},   {Kind::c2c, Kind::r2c, Kind::c2c},    {Kind::dct2, Kind::r2c, Kind::c2c},
      {Kind::c2c, Kind::dst2, Kind::r2c},  {Kind::r2c, Kind::dct1, Kind::dst1},  {Kind::dct3, Kind::dst4, Kind::r2c},
      {Kind::c2c, Kind::dct4, Kind::dst3}, {Kind::dct2, Kind::c2c, Kind::none},  {Kind::none, Kind::dst2, Kind::c2c},
      {Kind::r2c, Kind::none, Kind::dct2}, {Kind::dct1, Kind::none, Kind::dst3}, {Kind::none, Kind::r2c, Kind::none}};
  for (const std::vector<Kind>& kinds : mixtures) {
    expect_defined<double>({{5, 6, 8}, kinds});
    expect_defined<float>({{8, 3, 7}, kinds});
  }
}

TEST(PlanKinds, OneToSixAxes) {
  for (const Case& c :
       {rfftn({14}), Case{{13}, {Kind::c2c}}, Case{{9}, {Kind::dst2}}, rfftn({6, 15}),
        Case{{9, 4}, {Kind::r2c, Kind::dct2}}, Case{{3, 4}, {Kind::dct1, Kind::c2c}}, rfftn({3, 4, 2, 5}),
        Case{{2, 3, 4, 3}, {Kind::dct2, Kind::none, Kind::c2c, Kind::r2c}}, rfftn({2, 3, 2, 3, 4}),
        Case{{2, 2, 3, 2, 3, 2}, std::vector<Kind>(6, Kind::c2c)},
        Case{{2, 3, 2, 3, 2, 3}, {Kind::dct2, Kind::r2c, Kind::dst1, Kind::none, Kind::c2c, Kind::dct1}}}) {
    expect_defined<double>(c);
    expect_defined<float>(c);
  }
}

TEST(PlanKinds, SmallestLengths) {
  for (const Kind kind : transforms) {
    const index_t n = smallest_length(kind);
    Case c{{n, n, n}, {kind, kind, kind}};
    if (kind == Kind::r2c) c.kinds = {Kind::c2c, Kind::c2c, Kind::r2c};
    expect_defined<double>(c);
    c.shape = {5, n, 4};
    expect_defined<float>(c);
  }
}

int passes(const Plan<double>& plan) {
  const std::string text = plan.explain(), line = "\n  pass ";
  int found = 0;
  for (std::size_t at = text.find(line); at != std::string::npos; at = text.find(line, at + 1)) found++;
  return found;
}

/// A plane problem on a grid of three axes costs what that of two axes costs, and is shared as evenly, whether the
/// process grid is chosen or given.
TEST(PlanKinds, ComplexAxesOfOnePointTakeNoPart) {
  for (const Case& plane : {rfftn({12, 10}), Case{{12, 10}, {Kind::c2c, Kind::c2c}}}) {
    Plan<double> plan(MPI_COMM_WORLD, plane.shape, plane.kinds, quick());
    std::vector<double> modes = plan.spectral_field();
    const auto points = part(physical_numbers<double>(plane), plane.shape, plan.physical_box(), plane.physical_width());
    plan.forward(points, modes);
    for (int axis = 0; axis < 2; ++axis) {
      const Case c{axis == 0 ? Extents{1, 12, 10} : Extents{12, 1, 10},
                   {axis == 0 ? Kind::c2c : plane.kinds[0], axis == 0 ? plane.kinds[0] : Kind::c2c, plane.kinds[1]}};
      expect_defined<double>(c);
      for (const bool given : {false, true}) {
        PlanOptions options = quick();
        if (given) options.grid = {world().size()};
        Plan<double> flat(MPI_COMM_WORLD, c.shape, c.kinds, options);
        ASSERT_EQ(flat.spectral_box().size(), plan.spectral_box().size()) << to_string(c);
        EXPECT_EQ(flat.bytes_sent(), plan.bytes_sent()) << to_string(c);
        EXPECT_EQ(passes(flat), passes(plan)) << to_string(c);
        EXPECT_GT(passes(flat), 0);
        std::vector<double> same = flat.spectral_field();
        flat.forward(points, same);
        EXPECT_TRUE(same_bits(same, modes)) << to_string(c);
      }
    }
  }
  for (const Extents& shape : {Extents{1, 1, 1}, Extents{1, 7, 1}})
    expect_defined<double>({shape, std::vector(3, Kind::c2c)});
}

TEST(PlanKinds, OneNameStandsForAllAxes) {
  const auto kinds_of = [](Kind kind) {
    const Plan<double> plan(MPI_COMM_WORLD, {4, 6, 8}, kind, quick());
    return plan.spectral_layout().extents();
  };
  EXPECT_EQ(kinds_of(Kind::r2c), (Extents{4, 6, 5})) << "r2c on the last axis only";
  EXPECT_EQ(kinds_of(Kind::c2c), (Extents{4, 6, 8}));
  EXPECT_EQ(kinds_of(Kind::dst2), (Extents{4, 6, 8}));
}

// --- engines and scaling -----------------------------------------------------------------------------------------

// Both are within the bound of the exact result, so within twice the bound of each other.
TEST(PlanKinds, EnginesAgreeToRounding) {
  if (testing::lanes_here() == EngineChoice::fftw) GTEST_SKIP() << "these vectors have one engine";
  for (const Case& c : {rfftn({10, 12, 26}), Case{{7, 11, 13}, {Kind::c2c, Kind::c2c, Kind::c2c}}}) {
    std::vector<double> results[2];
    for (const EngineChoice engine : {EngineChoice::fftw, EngineChoice::lanes}) {
      PlanOptions options = quick();
      options.engine = engine;
      Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
      std::vector<double>& out = results[engine == EngineChoice::lanes];
      out = plan.spectral_field();
      plan.forward(part(physical_numbers<double>(c), c.shape, plan.physical_box(), c.physical_width()), out);
      const std::string name = engine == EngineChoice::lanes ? "lanes " : "fftw";
      EXPECT_TRUE(testing::mentions(plan.explain(), name)) << plan.explain();
    }
    EXPECT_LE(distance(results[0], results[1]),
              2 * forward_bound(c, epsilon<double>) * norm(physical_numbers<double>(c)));
  }
}

TEST(PlanKinds, NormsDivideOnceThereOrBack) {
  const Case c{{6, 5, 8}, {Kind::dct2, Kind::c2c, Kind::r2c}};
  const std::vector<double> field = physical_numbers<double>(c);
  const auto forward = [&](Norm norm) {
    PlanOptions options = quick();
    options.norm = norm;
    Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
    const auto in = part(field, c.shape, plan.physical_box(), 1);
    std::vector<double> out = plan.spectral_field(), back = plan.physical_field();
    plan.forward(in, out);
    plan.backward(out, back);
    EXPECT_LE(distance(back, in), round_trip_bound(c, epsilon<double>) * plan_test::norm(field)) << to_string(norm);
    return out;
  };
  const std::vector<double> plain = forward(Norm::backward), divided = forward(Norm::forward);
  const std::vector<double> rooted = forward(Norm::ortho);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    // One rounding of the factor, one of its root, one of the product.
    EXPECT_NEAR(divided[i], plain[i] / c.factor(), 2 * epsilon<double> * std::abs(divided[i]));
    EXPECT_NEAR(rooted[i], plain[i] / std::sqrt(c.factor()), 3 * epsilon<double> * std::abs(rooted[i]));
  }
}

// --- modes -------------------------------------------------------------------------------------------------------

/// The field exp(i w x) (c2c), cos(w x) (r2c and cosine kinds) or sin(w x) of one wavenumber per axis, on the
/// coordinates that the plan gives.
naive::Complex wave(const Case& c, const Extents& at, const std::vector<std::vector<double>>& x,
                    const std::vector<double>& wavenumber) {
  naive::Complex value = 1;
  for (int axis = 0; axis < c.shape.dims(); ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const naive::Real phase = naive::Real{wavenumber[a]} * x[a][static_cast<std::size_t>(at[axis])];
    const bool sine = c.kind(axis) >= Kind::dst1;
    value *= c.kind(axis) == Kind::c2c ? std::polar(naive::Real{1}, phase)
                                       : naive::Complex(sine ? std::sin(phase) : std::cos(phase));
  }
  return value;
}

template <class Along>
std::vector<std::vector<double>> per_axis(const Case& c, const Along& along) {
  std::vector<std::vector<double>> result;
  for (int axis = 0; axis < c.shape.dims(); ++axis) result.push_back(along(axis));
  return result;
}

Extents index_of(index_t element, const Extents& extents) {
  Extents index(extents.dims());
  for (int axis = extents.dims() - 1; axis >= 0; --axis) {
    index[axis] = element % extents[axis];
    element /= extents[axis];
  }
  return index;
}

// A wave of the mode's own wavenumber fills that mode and no other: coordinates, wavenumbers and the order of modes
// belong together. Coordinates and the wave are rounded, by eps times the phase at most.
void expect_waves_on_their_modes(const Case& c, const std::vector<index_t>& mode) {
  Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, quick());
  std::vector<double> wavenumber;
  double phase = 1;
  for (int axis = 0; axis < c.shape.dims(); ++axis) {
    const index_t m = mode[static_cast<std::size_t>(axis)];
    wavenumber.push_back(mode_number(c.kind(axis), c.shape[axis], m));
    phase += std::abs(wavenumber.back()) * 2 * std::numbers::pi;
  }
  const auto x = per_axis(c, [&](int axis) { return plan.coordinates(axis); });
  const auto k = per_axis(c, [&](int axis) { return plan.wavenumbers(axis); });
  std::vector<double> in = plan.physical_field(), out = plan.spectral_field();
  const auto width = static_cast<std::size_t>(c.physical_width()),
             modes_width = static_cast<std::size_t>(c.spectral_width());
  const Extents points = plan.physical_box().extents(), modes = plan.spectral_box().extents();
  for (index_t i = 0; i < points.product(); ++i) {
    const naive::Complex value = wave(c, index_of(i, points), x, wavenumber);
    in[static_cast<std::size_t>(i) * width] = static_cast<double>(value.real());
    if (width == 2) in[static_cast<std::size_t>(i) * width + 1] = static_cast<double>(value.imag());
  }
  plan.forward(in, out);
  const double size = std::sqrt(static_cast<double>(c.shape.product()));  // of a field of at most 1
  const double bound = forward_bound(c, epsilon<double>) * size * phase;
  index_t filled = 0;
  for (index_t i = 0; i < modes.product(); ++i) {
    const Extents at = index_of(i, modes);
    bool is_mode = true;
    for (int axis = 0; axis < c.shape.dims(); ++axis)
      is_mode = is_mode && k[static_cast<std::size_t>(axis)][static_cast<std::size_t>(at[axis])] ==
                               wavenumber[static_cast<std::size_t>(axis)];
    const double value = std::abs(out[static_cast<std::size_t>(i) * modes_width]);
    if (is_mode) ++filled;
    // A wave of a real axis gives at least half the points of the axis, n/2 of n for cos of r2c.
    if (is_mode)
      EXPECT_GE(value, std::pow(0.5, c.shape.dims()) * static_cast<double>(c.shape.product()) - bound) << to_string(c);
    else
      EXPECT_LE(value, bound) << to_string(c) << " at mode " << i;
  }
  EXPECT_EQ(world().sum(filled), 1) << to_string(c);
}

TEST(PlanModes, WavesLieOnTheModesOfTheirWavenumbers) {
  for (const Kind kind : transforms) {
    if (kind == Kind::r2c) continue;
    for (const std::vector<index_t>& mode : {std::vector<index_t>{0, 0}, {1, 2}, {5, 3}, {7, 5}})
      expect_waves_on_their_modes({{8, 6}, {kind, kind}}, mode);
  }
  for (const std::vector<index_t>& mode : {std::vector<index_t>{0, 0}, {1, 2}, {3, 3}})
    expect_waves_on_their_modes({{8, 7}, {Kind::dct3, Kind::r2c}}, mode);
}

TEST(PlanModes, CoordinatesAreThoseOfTheGridsOfTheKinds) {
  const auto first_and_last = [](Kind kind) {
    const Plan<double> plan(MPI_COMM_SELF, {4}, {kind}, quick());
    const std::vector<double> x = plan.coordinates(0);
    return std::pair{x.front() / std::numbers::pi, x.back() / std::numbers::pi};
  };
  const auto expect = [&](Kind kind, double first, double last) {
    EXPECT_NEAR(first_and_last(kind).first, first, epsilon<double>) << to_string(kind);
    EXPECT_NEAR(first_and_last(kind).second, last, 2 * epsilon<double>) << to_string(kind);
  };
  expect(Kind::c2c, 0, 1.5);
  expect(Kind::r2c, 0, 1.5);
  expect(Kind::dct1, 0, 1);
  expect(Kind::dct2, 0.125, 0.875);
  expect(Kind::dct3, 0, 0.75);
  expect(Kind::dct4, 0.125, 0.875);
  expect(Kind::dst1, 0.2, 0.8);
  expect(Kind::dst2, 0.125, 0.875);
  expect(Kind::dst3, 0.25, 1);
  expect(Kind::dst4, 0.125, 0.875);
}

// Parseval: sum of weight |mode|^2 = N sum |point|^2. Relative to it, the spectrum is wrong by at most twice its bound.
TEST(PlanModes, WeightsMakeParsevalsTheoremHold) {
  for (const Case& c :
       {rfftn({5, 6, 8}), rfftn({4, 5, 7}), Case{{6, 8, 3}, {Kind::c2c, Kind::r2c, Kind::c2c}},
        Case{{4, 5, 6}, {Kind::c2c, Kind::c2c, Kind::c2c}}, Case{{6, 9, 2}, {Kind::r2c, Kind::c2c, Kind::none}}}) {
    Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, quick());
    const std::vector<double> field = physical_numbers<double>(c);
    std::vector<double> out = plan.spectral_field();
    plan.forward(part(field, c.shape, plan.physical_box(), c.physical_width()), out);
    const auto weights = per_axis(c, [&](int axis) { return plan.weights(axis); });
    const Extents modes = plan.spectral_box().extents();
    double sum = 0;
    for (index_t i = 0; i < modes.product(); ++i) {
      const Extents at = index_of(i, modes);
      double weight = 1;
      for (int axis = 0; axis < c.shape.dims(); ++axis)
        weight *= weights[static_cast<std::size_t>(axis)][static_cast<std::size_t>(at[axis])];
      const auto place = static_cast<std::size_t>(2 * i);
      sum += weight * (out[place] * out[place] + out[place + 1] * out[place + 1]);
    }
    const double expected = c.factor() * norm(field) * norm(field);
    const double relative = forward_bound(c, epsilon<double>) / std::sqrt(c.factor());
    EXPECT_NEAR(world().sum(sum), expected, 2 * 2 * relative * expected) << to_string(c);
  }
}

// d/dx and d/dy of a trigonometric field are exact but for rounding, which wavenumbers of at most 4 amplify.
TEST(PlanModes, DerivativeOfATrigonometricFieldIsExact) {
  const Case c = rfftn({9, 8, 10});
  Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, quick());
  const auto x = per_axis(c, [&](int axis) { return plan.coordinates(axis); });
  const Extents points = plan.physical_box().extents(), modes = plan.spectral_box().extents();
  std::vector<double> field = plan.physical_field(), spectrum = plan.spectral_field(),
                      derivative = plan.physical_field();
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> expected;
    for (index_t i = 0; i < points.product(); ++i) {
      const Extents at = index_of(i, points);
      double f[3], df[3];
      for (std::size_t a = 0; a < 3; ++a) {
        const double phase = x[a][static_cast<std::size_t>(at[static_cast<int>(a)])];
        f[a] = std::sin(3 * phase) + std::cos(2 * phase + 1);
        df[a] = 3 * std::cos(3 * phase) - 2 * std::sin(2 * phase + 1);
      }
      field[static_cast<std::size_t>(i)] = f[0] * f[1] * f[2];
      expected.push_back((axis == 0 ? df[0] : f[0]) * (axis == 1 ? df[1] : f[1]) * (axis == 2 ? df[2] : f[2]));
    }
    plan.forward(field, spectrum);
    const std::vector<double> k = plan.wavenumbers(axis);
    for (index_t i = 0; i < modes.product(); ++i) {
      const double wavenumber = k[static_cast<std::size_t>(index_of(i, modes)[axis])];
      double *re = &spectrum[static_cast<std::size_t>(2 * i)], *im = re + 1;
      std::tie(*re, *im) = std::pair{-wavenumber * *im, wavenumber * *re};
    }
    plan.backward(spectrum, derivative);
    // The field is at most 8; wavenumbers go to 5, and phases of up to 3 turns are rounded, too.
    const double size = 8 * std::sqrt(static_cast<double>(c.shape.product()));
    EXPECT_LE(distance(derivative, expected), 5 * 6 * std::numbers::pi * round_trip_bound(c, epsilon<double>) * size)
        << "axis " << axis;
  }
}

TEST(PlanModes, FieldsKnowTheirPlaces) {
  const Case c = rfftn({6, 5, 8});
  Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, quick());
  auto u = plan.physical();
  u.fill([](double x, double y, double z) { return std::cos(x) + std::sin(2 * y) + std::cos(3 * z); });
  auto uh = plan.spectral();
  plan.forward(u, uh);
  // Minus the laplacian multiplies the three waves by 1, 4 and 9.
  uh.for_each([](const Place& k, std::complex<double>& value) { value *= k.squared(); });
  auto result = plan.physical();
  plan.backward(uh, result);
  std::vector<double> wrong;
  result.for_each([&](const Place& at, double& value) {
    wrong.push_back(value - (std::cos(at[0]) + 4 * std::sin(2 * at[1]) + 9 * std::cos(3 * at[2])));
  });
  const double size = 3 * std::sqrt(static_cast<double>(c.shape.product()));
  EXPECT_LE(norm(wrong), (9 + 4 + 16) * 6 * std::numbers::pi * round_trip_bound(c, epsilon<double>) * size);
}

}  // namespace
}  // namespace weft::plan_test
