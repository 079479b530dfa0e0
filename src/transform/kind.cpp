// The transform kinds and the properties derived from their rows: lengths, inverses, points, mode numbers and weights.
#include "weft/kind.hpp"

#include <fftw3.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "transform/kind_table.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr MirrorEnds none{}, first{true, false}, last{false, true}, both{true, true};
constexpr LaneRecipe dft{.split = 0.5, .separates = true};
constexpr LaneRecipe type2{.split = 0.5, .separates = true, .roots = {{0, 1, 4, 2}}};
constexpr LaneRecipe type3{.split = 1, .roots = {{0, 1, 4, 1}}};
constexpr LaneRecipe type4(int odd_modes) { return {.roots = {{1, 4, 8, 1}, {0, 1, 2, 2}}, .reorders = odd_modes}; }

constexpr std::array<KindRow, 11> table{{
    {Kind::none, "none", Kind::none, 1, 0, 0, 0, none, none, -1},
    {Kind::c2c, "c2c", Kind::c2c, 1, 0, 0, 0, none, none, -1},
    {Kind::r2c, "r2c", Kind::r2c, 1, 0, 0, 0, none, none, -1, dft},
    {Kind::dct1, "dct1", Kind::dct1, 2, -1, 0, 0, both, both, FFTW_REDFT00, {.half = Kind::dct2}},
    {Kind::dct2, "dct2", Kind::dct3, 2, 0, 0.5, 0, none, first, FFTW_REDFT10, type2},
    {Kind::dct3, "dct3", Kind::dct2, 2, 0, 0, 0.5, first, none, FFTW_REDFT01, type3},
    {Kind::dct4, "dct4", Kind::dct4, 2, 0, 0.5, 0.5, none, none, FFTW_REDFT11, type4(1)},
    {Kind::dst1, "dst1", Kind::dst1, 2, 1, 1, 1, none, none, FFTW_RODFT00, {.half = Kind::dst2}},
    {Kind::dst2, "dst2", Kind::dst3, 2, 0, 0.5, 1, none, last, FFTW_RODFT10, type2},
    {Kind::dst3, "dst3", Kind::dst2, 2, 0, 1, 0.5, last, none, FFTW_RODFT01, type3},
    {Kind::dst4, "dst4", Kind::dst4, 2, 0, 0.5, 0.5, none, none, FFTW_RODFT11, type4(-1)},
}};

}  // namespace

const KindRow& row_of(Kind kind) { return table[static_cast<std::size_t>(kind)]; }

std::string to_string(Kind kind) { return row_of(kind).name; }

Kind parse_kind(const std::string& text, const std::string& argument) {
  std::string allowed;
  for (const KindRow& row : table) {
    if (text == row.name) return row.kind;
    allowed += allowed.empty() ? row.name : std::string(", ") + row.name;
  }
  throw Error(Fault::argument, argument + ": unknown transform kind '" + text + "'; use one of " + allowed);
}

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds(table.size());
  std::transform(table.begin(), table.end(), kinds.begin(), [](const KindRow& row) { return row.kind; });
  return kinds;
}

Kind inverse(Kind kind) { return row_of(kind).inverse; }

index_t output_length(Kind kind, index_t n) { return kind == Kind::r2c ? n / 2 + 1 : n; }

// The period must have at least one point.
index_t smallest_length(Kind kind) { return std::max(1, 1 - row_of(kind).period_shift); }

double round_trip_factor(Kind kind, index_t n) { return kind == Kind::none ? 1 : static_cast<double>(period(kind, n)); }

double coordinate(Kind kind, index_t n, index_t point) {
  return 2 * std::numbers::pi * (static_cast<double>(point) + row_of(kind).first_point) /
         static_cast<double>(period(kind, n));
}

double mode_number(Kind kind, index_t n, index_t mode) {
  if (kind == Kind::none) return 0;
  const auto m = static_cast<double>(mode);
  if (kind == Kind::c2c) return mode < (n + 1) / 2 ? m : m - static_cast<double>(n);
  return m + row_of(kind).first_mode;
}

double mode_weight(Kind kind, index_t n, index_t mode) {
  return kind == Kind::r2c && mode > 0 && 2 * mode != n ? 2 : 1;
}

AxisTransform whole_axis(Kind kind, index_t n, int axis) {
  require(n >= smallest_length(kind), "shape: axis " + std::to_string(axis) + " has " + std::to_string(n) +
                                          " points; " + to_string(kind) + " needs at least " +
                                          std::to_string(smallest_length(kind)));
  return {kind, n, n, 0, n, 0, output_length(kind, n), {}};
}

AxisTransform truncated_axis(Kind kind, index_t n, index_t kept, int axis) {
  AxisTransform result = whole_axis(kind, n, axis);
  if (kept == 0) return result;
  const std::string given = "modes: " + std::to_string(kept) + " on axis " + std::to_string(axis);
  require(kind != Kind::none, given + ", which has no transform (kind none); give 0 there");
  require(kept >= smallest_length(kind) && kept <= n,
          given + ", which has " + std::to_string(n) + " points (" + to_string(kind) + "); give " +
              std::to_string(smallest_length(kind)) + " to " + std::to_string(n) + ", or 0 for all modes");
  result.kept = kept;
  result.modes = output_length(kind, kept);
  return result;
}

bool has_folded_mode(Kind kind, index_t n) { return is_fourier(kind) ? n % 2 == 0 : row_of(kind).modes.last; }

}  // namespace weft
