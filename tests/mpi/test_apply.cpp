// Plan::apply is forward, a factor for every mode, and backward: out of place, in place and on its own input, with real
// and complex factors that may repeat along axes.
#include <cmath>
#include <numbers>

#include "environment.hpp"
#include "in_place_fixture.hpp"
#include "nodes.hpp"

namespace weft::plan_test {
namespace {

/// A rank's factors: an array of its own along some axes, repeated along the others.
template <class Real>
struct Factors {
  std::vector<Real> values;
  Extents strides;
  int width;
  typename Plan<Real>::Symbol symbol() const { return {values.data(), strides, width == 2}; }
};

/// Factors that vary along the axes `varies` (one flag per axis) of the whole spectrum. Rows are `gap` elements apart
/// from each other.
template <class Real>
Factors<Real> make_factors(const Extents& spectrum, const Box& box, const std::vector<bool>& varies, int width,
                           index_t gap = 0) {
  Extents global = spectrum;
  Box mine = box;
  for (int axis = 0; axis < global.dims(); axis++) {
    if (varies[static_cast<std::size_t>(axis)]) continue;
    global[axis] = 1;
    mine[axis] = {0, 1};
  }
  const auto all = numbers<Real>(global.product() * width, 7);
  const Extents sides = mine.extents();
  const int last = sides.dims() - 1;
  Extents padded = sides;
  padded[last] += gap;
  Factors<Real> result{std::vector<Real>(static_cast<std::size_t>(padded.product() * width)), c_strides(padded), width};
  const auto dense = part(all, global, mine, width);
  for (std::size_t i = 0; i < dense.size(); i++) {
    const auto element = static_cast<index_t>(i) / width, row = element / sides[last];
    result.values[i + static_cast<std::size_t>(row * gap * width)] = dense[i];
  }
  for (int axis = 0; axis <= last; axis++)
    if (!varies[static_cast<std::size_t>(axis)]) result.strides[axis] = 0;
  return result;
}

/// The same factors, one for every mode of the box.
template <class Real>
Factors<Real> expanded(const Factors<Real>& factors, const Box& box) {
  const Extents extents = box.extents(), dense = c_strides(extents);
  Factors<Real> result{{}, dense, factors.width};
  for (index_t i = 0; i < box.size(); i++) {
    index_t from = 0;
    for (int axis = 0; axis < extents.dims(); axis++) from += i / dense[axis] % extents[axis] * factors.strides[axis];
    for (int k = 0; k < factors.width; k++)
      result.values.push_back(factors.values[static_cast<std::size_t>(from * factors.width + k)]);
  }
  return result;
}

/// Modes of `width` reals times one factor each.
template <class Real>
std::vector<Real> product(const std::vector<Real>& modes, int width, const Factors<Real>& full) {
  std::vector<Real> result;
  for (std::size_t i = 0; i < modes.size(); i += static_cast<std::size_t>(width)) {
    const std::size_t f = i / static_cast<std::size_t>(width) * static_cast<std::size_t>(full.width);
    const Real a = full.values[f], b = full.width == 2 ? full.values[f + 1] : Real(0);
    if (width == 1) {
      result.push_back(a * modes[i]);
    } else {
      result.push_back(a * modes[i] - b * modes[i + 1]);
      result.push_back(a * modes[i + 1] + b * modes[i]);
    }
  }
  return result;
}

/// Bound on (2-norm of the difference) / (2-norm of the field) of two ways to the same convolution with factors of at
/// most `largest`. Each makes the errors of a transform there and back, and on what lies between at most 8 roundings
/// more: the product with a complex factor costs less than sqrt(5), scales and their own values the rest.
inline double apply_bound(const Case& c, double largest, double eps) {
  double gain = 1;
  for (int axis = 0; axis < c.shape.dims(); axis++)
    gain *= static_cast<double>(naive::gain_bound(c.kind(axis), c.shape[axis]));
  return 2 * largest * (round_trip_bound(c, eps) + 4 * eps * gain * gain / c.factor());
}

/// apply() as it is defined, and the same bits on all other ways to call it.
template <class Real>
void expect_convolution(const Case& c, const PlanOptions& options, const std::vector<bool>& varies, int width) {
  const std::string name = to_string(c) + ", " + text_of(options) + ", factors of " + std::to_string(width);
  Plan<Real> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
  const Box modes = plan.spectral_box();
  const auto factors = make_factors<Real>(c.spectral_shape(), modes, varies, width);
  const auto full = expanded(factors, modes);
  const auto global = physical_numbers<Real>(c);
  const auto given = part(global, c.shape, plan.physical_box(), c.physical_width());
  auto spectrum = plan.spectral_field(), expected = plan.physical_field(), u = given, out = plan.physical_field();
  plan.forward(u, spectrum);
  plan.backward(product(spectrum, c.spectral_width(), full), expected);

  plan.apply(u.data(), out.data(), full.symbol());
  const double error = std::sqrt(world().sum(std::pow(distance(out, expected), 2)));
  const double largest = width == 2 ? std::numbers::sqrt2 : 1;
  EXPECT_LE(error, apply_bound(c, largest, std::numeric_limits<Real>::epsilon()) * norm(global)) << name;
  EXPECT_TRUE(same_bits(u, given)) << "apply changed its input: " << name;
  for (const auto& same : {factors, make_factors<Real>(c.spectral_shape(), modes, varies, width, 3)}) {
    std::vector<Real> again(out.size());
    plan.apply(u.data(), again.data(), same.symbol());
    EXPECT_TRUE(same_bits(again, out)) << "factors that repeat or have gaps: " << name;
  }
  plan.apply(u.data(), u.data(), factors.symbol());
  EXPECT_TRUE(same_bits(u, out)) << "on its own input: " << name;

  if (c.has(Kind::r2c) && c.kinds.back() != Kind::r2c) return;
  PlanOptions other = options;
  other.in_place = true;
  Plan<Real> in_place(MPI_COMM_WORLD, c.shape, c.kinds, other);
  with_field(in_place, [&](const auto& field) {
    for (int run = 0; run < 2; run++) {
      store(field.physical, given);
      in_place.apply(field, factors.symbol());
      EXPECT_TRUE(same_bits(values_in<Real>(field.physical), out)) << "in place: " << name;
    }
  });
}

/// All process grids with all strategies, real and complex factors; in turn, they vary along all axes and along all but
/// one.
template <class Real>
void expect_convolutions(const Case& c, EngineChoice engine = EngineChoice::automatic) {
  const auto dims = static_cast<std::size_t>(c.shape.dims());
  std::size_t turn = 0;
  for (const std::vector<int>& grid : all_grids(ranks(), std::max(1, c.shape.dims() - 1)))
    for (const Strategy strategy : testing::possible({Strategy::shared, Strategy::alltoallv}))
      for (int width = 1; width <= c.spectral_width(); width++, turn++) {
        PlanOptions options = quick(strategy);
        options.grid = grid;
        options.engine = engine;
        options.threads = turn % 3 == 0 ? 3 : 1;
        std::vector<bool> varies(dims, true);
        if (turn % 2 == 1) varies[turn / 2 % dims] = false;
        expect_convolution<Real>(c, options, varies, width);
      }
}

// --- the convolution ---------------------------------------------------------------------------------------------

TEST(Apply, RealData) {
  expect_convolutions<double>(rfftn({7, 6, 10}));
  expect_convolutions<float>(rfftn({9, 12}));
}

TEST(Apply, ComplexData) { expect_convolutions<double>({{5, 6, 8}, {Kind::c2c, Kind::c2c, Kind::c2c}}); }

TEST(Apply, CosinesAndSines) {
  expect_convolutions<double>({{5, 6, 9}, {Kind::dct2, Kind::dst1, Kind::dst4}});
  expect_convolutions<float>({{7, 8}, {Kind::dst3, Kind::dct1}});
}

TEST(Apply, MixturesOfKinds) {
  expect_convolutions<double>({{6, 5, 8}, {Kind::dct2, Kind::c2c, Kind::r2c}});
  expect_convolutions<double>({{6, 5, 8}, {Kind::c2c, Kind::r2c, Kind::dct3}});
  expect_convolutions<float>({{5, 4, 6}, {Kind::dst1, Kind::c2c, Kind::dct4}});
  expect_convolutions<double>({{9, 4, 6}, {Kind::none, Kind::c2c, Kind::r2c}});
  expect_convolutions<double>({{9, 6}, {Kind::none, Kind::r2c}});
  expect_convolutions<double>({{6, 5, 4}, {Kind::dct2, Kind::none, Kind::dst2}});
}

TEST(Apply, OneAxisAndFour) {
  expect_convolutions<double>(rfftn({24}));
  expect_convolutions<float>({{13}, {Kind::c2c}});
  expect_convolutions<double>({{11}, {Kind::dst2}});
  expect_convolutions<double>(rfftn({3, 4, 2, 6}));
}

// Transforms of 128 points end in a stage of 16, convolutions cannot.
TEST(Apply, RadicesOfItsOwn) {
  expect_convolutions<double>({{128, 128}, {Kind::c2c, Kind::c2c}});
  expect_convolutions<float>(rfftn({128, 5, 6}));
}

TEST(Apply, RanksWithoutData) {
  expect_convolutions<double>(rfftn({2, 3, 4}));
  expect_convolutions<float>(rfftn({1, 1, 6}));
}

TEST(Apply, BothEngines) {
  expect_convolutions<double>(rfftn({6, 10, 8}), EngineChoice::fftw);
  expect_convolutions<float>({{6, 7, 9}, {Kind::dst2, Kind::c2c, Kind::dct3}}, testing::lanes_here());
}

TEST(Apply, FactorsMayVaryAlongAnyAxes) {
  const Case c = rfftn({6, 7, 10});
  for (unsigned axes = 0; axes < 8; axes++)
    for (const Strategy strategy : testing::possible({Strategy::shared, Strategy::alltoallv}))
      expect_convolution<double>(c, quick(strategy), {(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0}, 2);
}

TEST(Apply, EveryNorm) {
  for (const Norm norm : {Norm::backward, Norm::forward, Norm::ortho})
    for (const Strategy strategy : testing::possible({Strategy::shared, Strategy::alltoallv})) {
      PlanOptions options = quick(strategy);
      options.norm = norm;
      expect_convolution<double>(rfftn({6, 9, 8}), options, {true, false, true}, 2);
      expect_convolution<float>({{6, 9}, {Kind::dct2, Kind::dst2}}, options, {true, true}, 1);
    }
}

// Large enough for two threads on each of seven ranks, and for passes that fuse two axes.
TEST(Apply, Threads) {
  for (const Strategy strategy : testing::possible({Strategy::shared, Strategy::alltoallv})) {
    PlanOptions options = quick(strategy);
    options.threads = 3;
    expect_convolution<double>(rfftn({64, 60, 66}), options, {true, true, true}, 1);
    expect_convolution<double>({{24, 60, 134}, {Kind::none, Kind::dct2, Kind::dst2}}, options, {true, false, true}, 1);
  }
}

// What the factors mean: exp(-i k.s) moves a field by s, and where whole points go is known exactly.
TEST(Apply, PhasesShiftTheField) {
  const Case c = rfftn({7, 9, 8});
  const Extents by{2, 5, 3};
  Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, quick(Strategy::automatic));
  const auto global = physical_numbers<double>(c);
  auto u = plan.physical();
  auto phases = plan.spectral();
  const auto given = part(global, c.shape, plan.physical_box(), 1);
  std::copy(given.begin(), given.end(), u.begin());
  phases.fill([&](const Place& k) {
    double angle = 0;
    for (int axis = 0; axis < 3; axis++)
      angle -= 2 * std::numbers::pi * k[axis] * static_cast<double>(by[axis]) / static_cast<double>(c.shape[axis]);
    return std::polar(1.0, angle);
  });
  plan.apply(u, u, phases);
  std::vector<double> moved(global.size());
  for (index_t from = 0; from < c.shape.product(); from++) {
    const index_t i = (from / 72 + by[0]) % 7, j = (from / 8 % 9 + by[1]) % 9, k = (from + by[2]) % 8;
    moved[static_cast<std::size_t>((i * 9 + j) * 8 + k)] = global[static_cast<std::size_t>(from)];
  }
  const auto expected = part(moved, c.shape, plan.physical_box(), 1);
  // Angles of up to 2 pi (3 * 2/7 + 4 * 5/9 + 4 * 3/8) < 29, each rounded six times, shift the modes' phases.
  const double eps = std::numeric_limits<double>::epsilon();
  const double bound = apply_bound(c, 1, eps) + 6 * 29 * eps;
  EXPECT_LE(distance(std::vector<double>(u.begin(), u.end()), expected), bound * norm(global));
}

// --- what is refused ---------------------------------------------------------------------------------------------

TEST(Apply, ComplexFactorsOfRealModesAreRefused) {
  const Case c{{8, 6, 10}, {Kind::dct2, Kind::dst2, Kind::dct4}};
  const std::vector<std::string> parts{"symbol: ", "complex", "modes of this plan are real", "give real factors"};
  Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, quick());
  auto u = plan.physical();
  const Field<std::complex<double>> complex(plan.spectral_box(), nullptr);
  expect_refused([&] { plan.apply(u, u, complex); }, parts);
  auto other = plan_of<double>(c, in_place());
  const auto field = other.in_place_field<double, double>();
  expect_refused([&] { other.apply(field, complex); }, parts);
  // One rank's fault is everyone's.
  const double factor = 1;
  expect_refused([&] { plan.apply(u.data(), u.data(), {&factor, {0, 0, 0}, last_rank()}); }, parts);
}

TEST(Apply, SymbolsOfTheWrongShapeAreRefused) {
  const Case c = rfftn({8, 6, 10});
  Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, quick());
  auto other = plan_of<double>(c, in_place());
  const auto field = other.in_place_field();
  auto u = plan.physical();
  Box box = plan.spectral_box();
  if (last_rank()) box[2].hi += 3;
  const Field<double> longer(box, nullptr);
  // Where the last rank has no modes, three more of none are none.
  if (world().sum(longer.size() == static_cast<std::size_t>(plan.spectral_box().size()) ? index_t{0} : 1) > 0) {
    const std::vector<std::string> parts{"symbol: ", "factors", "this rank has", "modes"};
    expect_refused([&] { plan.apply(u, u, longer); }, parts);
    expect_refused([&] { other.apply(field, longer); }, parts);
  }
  const double factor = 1;
  const Plan<double>::Symbol two_axes{&factor, {0, 0}, false}, nowhere{nullptr, {0, 0, 0}, false};
  expect_refused([&] { plan.apply(u.data(), u.data(), two_axes); }, {"symbol: ", "2 strides for 3 axes"});
  expect_refused([&] { other.apply(field, two_axes); }, {"symbol: ", "2 strides for 3 axes"});
  expect_refused([&] { plan.apply(u.data(), u.data(), nowhere); }, {"symbol: ", "null pointer"});
  expect_refused([&] { other.apply(field, nowhere); }, {"symbol: ", "null pointer"});
}

TEST(Apply, FieldsOfTheWrongSizeAreRefused) {
  Plan<double> plan(MPI_COMM_WORLD, {8, 6, 10}, Kind::r2c, quick());
  const Plan<double> larger(MPI_COMM_WORLD, {8, 6, 12}, Kind::r2c, quick());
  auto u = plan.physical(), wrong = larger.physical();
  const auto symbol = plan.spectral();
  expect_refused([&] { plan.apply(wrong, u, symbol); }, {"in: ", "reals", "needs"});
  expect_refused([&] { plan.apply(u, wrong, symbol); }, {"out: ", "reals", "needs"});
  EXPECT_NO_THROW(plan.apply(u, u, symbol));
}

}  // namespace
}  // namespace weft::plan_test
