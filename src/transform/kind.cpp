// Properties of the transform kinds: names, lengths, inverses, mode numbers and weights.
#include "weft/kind.hpp"

#include <array>
#include <utility>

#include "weft/error.hpp"

namespace weft {

namespace {

constexpr std::array<std::pair<Kind, const char*>, 11> names{{{Kind::none, "none"},
                                                              {Kind::c2c, "c2c"},
                                                              {Kind::r2c, "r2c"},
                                                              {Kind::dct1, "dct1"},
                                                              {Kind::dct2, "dct2"},
                                                              {Kind::dct3, "dct3"},
                                                              {Kind::dct4, "dct4"},
                                                              {Kind::dst1, "dst1"},
                                                              {Kind::dst2, "dst2"},
                                                              {Kind::dst3, "dst3"},
                                                              {Kind::dst4, "dst4"}}};

}  // namespace

std::string to_string(Kind kind) { return names[static_cast<std::size_t>(kind)].second; }

Kind parse_kind(const std::string& text, const std::string& argument) {
  std::string allowed;
  for (const auto& [kind, name] : names) {
    if (text == name) return kind;
    allowed += allowed.empty() ? name : std::string(", ") + name;
  }
  throw Error(Fault::argument, argument + ": unknown transform kind '" + text + "'; use one of " + allowed);
}

Kind inverse(Kind kind) {
  switch (kind) {
    case Kind::dct2:
      return Kind::dct3;
    case Kind::dct3:
      return Kind::dct2;
    case Kind::dst2:
      return Kind::dst3;
    case Kind::dst3:
      return Kind::dst2;
    default:
      return kind;
  }
}

index_t output_length(Kind kind, index_t n) { return kind == Kind::r2c ? n / 2 + 1 : n; }

index_t smallest_length(Kind kind) { return kind == Kind::dct1 ? 2 : 1; }

double round_trip_factor(Kind kind, index_t n) {
  const auto points = static_cast<double>(n);
  switch (kind) {
    case Kind::none:
      return 1;
    case Kind::c2c:
    case Kind::r2c:
      return points;
    case Kind::dct1:
      return 2 * (points - 1);
    case Kind::dst1:
      return 2 * (points + 1);
    default:
      return 2 * points;
  }
}

double mode_number(Kind kind, index_t n, index_t mode) {
  const auto m = static_cast<double>(mode);
  switch (kind) {
    case Kind::none:
      return 0;
    case Kind::c2c:
      return mode < (n + 1) / 2 ? m : m - static_cast<double>(n);
    case Kind::dst1:
    case Kind::dst2:
      return m + 1;
    case Kind::dct3:
    case Kind::dct4:
    case Kind::dst3:
    case Kind::dst4:
      return m + 0.5;
    default:
      return m;
  }
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

bool has_folded_mode(Kind kind, index_t n) {
  return is_fourier(kind) ? n % 2 == 0 : kind == Kind::dct1 || kind == Kind::dst2;
}

}  // namespace weft
