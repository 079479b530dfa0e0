// Plans that keep the modes of fewer points: truncation forward, interpolation backward, on every grid and in place.
#include <algorithm>
#include <cmath>
#include <vector>

#include "in_place_fixture.hpp"

namespace weft::plan_test {
namespace {

/// A case and the points whose modes are kept; 0 keeps all.
struct Truncated {
  Case c;
  std::vector<index_t> modes;

  index_t kept(int axis) const {
    const index_t asked = modes[static_cast<std::size_t>(axis)];
    return asked == 0 ? c.shape[axis] : asked;
  }
  Case small() const {
    Case result = c;
    for (int axis = 0; axis < c.shape.dims(); axis++) result.shape[axis] = kept(axis);
    return result;
  }
};

std::vector<Truncated> cases() {
  const auto c2c = Kind::c2c, r2c = Kind::r2c;
  return {{rfftn({9, 8, 12}), {6, 5, 8}},
          {rfftn({6, 9, 7}), {3, 6, 5}},
          {{{8, 6, 9}, {c2c, c2c, c2c}}, {4, 0, 6}},
          {{{7, 10}, {c2c, c2c}}, {7, 3}},
          {{{5, 6, 8}, {Kind::dct1, Kind::dst2, Kind::dct2}}, {3, 4, 5}},
          {{{9, 7}, {Kind::dst1, Kind::dct4}}, {4, 5}},
          {{{6, 8, 5}, {Kind::dct3, c2c, Kind::none}}, {4, 6, 0}},
          {{{4, 6, 7}, {Kind::dst3, Kind::dst4, r2c}}, {2, 3, 4}},
          {{{16}, {r2c}}, {10}}};
}

PlanOptions keeping(const Truncated& t, PlanOptions options = quick()) {
  options.modes = std::vector<index_t>(t.modes);  // GCC 12 sees a null pointer where vectors are copied over others
  return options;
}

/// Along one axis, what a transform of `kept` points would have among the modes of all points: the sum of the modes
/// that are the same to it (aliases), as far as their numbers are at most half of it.
naive::Line naive_kept(const naive::Line& in, Extents& extents, int axis, Kind kind, index_t kept) {
  const index_t n = extents[axis], stride = c_strides(extents)[axis];
  if (kind == Kind::none || kept == n) return naive_along(in, extents, axis, kind);
  const Kind whole = kind == Kind::r2c ? Kind::c2c : kind;
  const naive::Line all = naive_along(in, extents, axis, whole);
  const index_t modes = output_length(kind, kept);
  extents[axis] = modes;
  naive::Line out(static_cast<std::size_t>(extents.product()));
  for (index_t i = 0; i < extents.product(); i++) {
    const index_t outer = i / (modes * stride), mode = i / stride % modes, inner = i % stride;
    const auto at = [&](index_t m) { return all[static_cast<std::size_t>((outer * n + m) * stride + inner)]; };
    auto& sum = out[static_cast<std::size_t>(i)];
    if (!is_fourier(kind)) {
      const bool twice = mode == kept - 1 && (kind == Kind::dct1 || kind == Kind::dst2);
      sum = at(mode) * (twice ? 2.0L : 1.0L);
    } else {
      for (index_t number = -(n / 2); number <= (n - 1) / 2; number++)
        if ((number - mode) % kept == 0 && 2 * std::abs(number) <= kept) sum += at((number + n) % n);
    }
  }
  return out;
}

naive::Line naive_kept(const Truncated& t, naive::Line field) {
  Extents extents = t.c.shape;
  for (int axis = 0; axis < extents.dims(); axis++)
    field = naive_kept(field, extents, axis, t.c.kind(axis), t.kept(axis));
  return field;
}

/// Folding at most doubles errors, once an axis.
double kept_bound(const Truncated& t, double eps) { return forward_bound(t.c, eps) * std::pow(2, t.c.shape.dims()); }

/// Two ways to the same field, each with its errors; unfolding halves what folding has doubled, or leaves it.
double folded_round_trip_bound(const Truncated& t, double eps) {
  return 2 * round_trip_bound(t.c, eps) * std::pow(2, t.c.shape.dims());
}

template <class Real>
void expect_kept_modes(const Truncated& t, const PlanOptions& options) {
  const std::string name = to_string(t.c) + ", " + text_of(options);
  Plan<Real> plan(MPI_COMM_WORLD, t.c.shape, t.c.kinds, options);
  const Extents expected_shape = t.small().spectral_shape();
  EXPECT_EQ(plan.spectral_layout().extents(), expected_shape);
  const std::vector<Real> global = physical_numbers<Real>(t.c);
  std::vector<Real> modes = plan.spectral_field();
  plan.forward(part(global, t.c.shape, plan.physical_box(), t.c.physical_width()), modes);
  const naive::Line expected = naive_kept(t, as_line(global, t.c.physical_width()));
  double error = 0;
  for_each_element(expected_shape, plan.spectral_box(), [&](index_t at, index_t local) {
    const auto value = as_line(modes, t.c.spectral_width())[static_cast<std::size_t>(local)];
    error += static_cast<double>(std::norm(value - expected[static_cast<std::size_t>(at)]));
  });
  EXPECT_LE(std::sqrt(error), kept_bound(t, std::numeric_limits<Real>::epsilon()) * norm(global)) << name;
}

TEST(Truncation, ForwardStoresWhatATransformOfFewerPointsWouldSee) {
  for (const Truncated& t : cases()) {
    for (const std::vector<int>& grid : all_grids(world().size(), std::min(2, std::max(1, t.c.shape.dims() - 1)))) {
      PlanOptions options = keeping(t);
      options.grid = grid;
      expect_kept_modes<double>(t, options);
      options.strategy = Strategy::automatic;
      expect_kept_modes<float>(t, options);
    }
  }
}

// Neighbouring complex lines go past the lane block; this is the longest way round, many batches a row.
TEST(Truncation, LongRowsOfLines) {
  const Truncated t{{{6, 40}, {Kind::c2c, Kind::none}}, {4, 0}};
  expect_kept_modes<double>(t, keeping(t));
  expect_kept_modes<float>(t, keeping(t));
}

/// The point of n points that lies where point j of m points does.
index_t same_place(Kind kind, index_t j) {
  switch (kind) {
    case Kind::dct2:
    case Kind::dct4:
    case Kind::dst2:
    case Kind::dst4:
      return 3 * j + 1;  // n = 3 m
    case Kind::dst1:
    case Kind::dst3:
      return 2 * j + 1;  // n + 1 = 2 (m + 1), n = 2 m
    default:
      return 2 * j;  // n = 2 m, dct1: n - 1 = 2 (m - 1)
  }
}
index_t points_with(Kind kind, index_t m) {
  return kind == Kind::dct1                                 ? 2 * m - 1
         : kind == Kind::dst1                               ? 2 * m + 1
         : (same_place(kind, 0) == 1 && kind != Kind::dst3) ? 3 * m
                                                            : 2 * m;
}

template <class Real>
void expect_interpolation(Kind kind, index_t m) {
  const index_t n = points_with(kind, m), batch = 5;
  const Case few{{m, batch}, {kind, Kind::none}}, many{{n, batch}, {kind, Kind::none}};
  Plan<Real> exact(MPI_COMM_WORLD, few.shape, few.kinds, quick());
  Plan<Real> plan(MPI_COMM_WORLD, many.shape, many.kinds, keeping({many, {m, 0}}));
  ASSERT_EQ(exact.spectral_box(), plan.spectral_box());
  const std::vector<Real> global = physical_numbers<Real>(few);
  const std::vector<Real> points = part(global, few.shape, exact.physical_box(), few.physical_width());
  std::vector<Real> modes = exact.spectral_field(), fine = plan.physical_field();
  exact.forward(points, modes);
  plan.backward(times(modes, static_cast<Real>(many.factor() / few.factor())), fine);
  const auto width = static_cast<std::size_t>(few.physical_width());
  const auto row = static_cast<std::size_t>(plan.physical_box()[1].size()) * width;
  std::vector<Real> same;
  for (index_t j = 0; j < m && row > 0; j++) {
    const auto begin = fine.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(same_place(kind, j)) * row);
    same.insert(same.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
  }
  // Errors of the modes, amplified by the backward transform, and those of the longer transform.
  const double eps = std::numeric_limits<Real>::epsilon(), ratio = many.factor() / few.factor();
  const double bound = (round_trip_bound(few, eps) + round_trip_bound(many, eps)) * ratio;
  EXPECT_LE(distance(same, points), bound * norm(global)) << weft::to_string(kind) << " " << m << " of " << n;
}

TEST(Truncation, BackwardInterpolatesTheFieldOfFewerPoints) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
                          Kind::dst3, Kind::dst4}) {
    for (const index_t m : {2, 5, 6}) {
      expect_interpolation<double>(kind, m);
      expect_interpolation<float>(kind, m);
    }
  }
}

/// Fields of the kept modes stay what they are, forward and backward, out of place and in place, and so do the bits.
template <class Real>
void expect_projection(const Truncated& t, Strategy strategy) {
  const std::string name = to_string(t.c);
  const OutOfPlace<Real> once(t.c, keeping(t, quick(strategy)));
  Plan<Real> plan(MPI_COMM_WORLD, t.c.shape, t.c.kinds, keeping(t, quick(strategy)));
  std::vector<Real> modes = plan.spectral_field(), twice = plan.physical_field();
  plan.forward(once.back, modes);
  plan.backward(modes, twice);
  const double bound = folded_round_trip_bound(t, std::numeric_limits<Real>::epsilon());
  EXPECT_LE(distance(twice, once.back), bound * norm(physical_numbers<Real>(t.c))) << name;
  if (t.c.has(Kind::r2c) && t.c.kinds.back() != Kind::r2c) return;
  Plan<Real> inside(MPI_COMM_WORLD, t.c.shape, t.c.kinds, keeping(t, in_place(strategy)));
  with_field(inside, [&](const auto& field) {
    store(field.physical, once.points);
    inside.forward(field);
    EXPECT_TRUE(same_bits(values_in<Real>(field.spectral), once.modes)) << "in place, " << name;
    inside.backward(field);
    EXPECT_TRUE(same_bits(values_in<Real>(field.physical), once.back)) << "in place, " << name;
  });
}

TEST(Truncation, FieldsOfTheKeptModesStayWhatTheyAre) {
  for (const Truncated& t : cases()) {
    expect_projection<double>(t, Strategy::alltoallv);
    expect_projection<float>(t, Strategy::automatic);
  }
}

TEST(Truncation, SymbolsActOnTheKeptModes) {
  for (const Truncated& t : cases()) {
    Plan<double> plan(MPI_COMM_WORLD, t.c.shape, t.c.kinds, keeping(t));
    const std::vector<double> u =
        part(physical_numbers<double>(t.c), t.c.shape, plan.physical_box(), t.c.physical_width());
    std::vector<double> modes = plan.spectral_field(), filtered = plan.physical_field(), expected = filtered;
    const Extents mine = plan.spectral_box().extents();
    const std::vector<double> factors = numbers<double>(mine.product(), 7);
    plan.forward(u, modes);
    for (std::size_t i = 0; i < modes.size(); i++)
      modes[i] *= factors[i / static_cast<std::size_t>(t.c.spectral_width())];
    plan.backward(modes, expected);
    plan.apply(u.data(), filtered.data(), {factors.data(), c_strides(mine), false});
    const double bound = folded_round_trip_bound(t, std::numeric_limits<double>::epsilon());
    EXPECT_LE(distance(filtered, expected), bound * norm(physical_numbers<double>(t.c))) << to_string(t.c);
  }
}

TEST(Truncation, WavenumbersAndWeightsAreThoseOfTheKeptModes) {
  const Plan<double> plan(MPI_COMM_SELF, {9, 12}, Kind::r2c, keeping({{}, {4, 6}}));
  EXPECT_EQ(plan.wavenumbers(0), (std::vector<double>{0, 1, -2, -1}));
  EXPECT_EQ(plan.wavenumbers(1), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(plan.weights(1), (std::vector<double>{1, 2, 2, 1}));
  EXPECT_EQ(plan.coordinates(0).size(), 9U);
}

TEST(Truncation, WrongNumbersAreRefusedOnAllRanks) {
  const auto make = [](const std::vector<index_t>& modes) {
    return [modes] { Plan<double>(MPI_COMM_WORLD, {8, 9}, {Kind::none, Kind::c2c}, keeping({{}, modes})); };
  };
  expect_refused(make({0}), {"modes", "1 entries", "2 axes"});
  expect_refused(make({0, 10}), {"modes", "10", "axis 1", "9 points"});
  expect_refused(make({0, -3}), {"modes", "-3"});
  expect_refused(make({4, 4}), {"modes", "axis 0", "none"});
  if (world().size() > 1) expect_refused(make({0, world().rank() == 0 ? 4 : 5}), {"options"});
}

}  // namespace
}  // namespace weft::plan_test
