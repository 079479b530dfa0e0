// Names and symbols of first derivatives.
#include "poisson/derivative.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "weft/error.hpp"

namespace weft {

namespace {

constexpr std::array<std::pair<Derivative, const char*>, 4> names{{{Derivative::spectral, "spectral"},
                                                                   {Derivative::second, "2"},
                                                                   {Derivative::fourth, "4"},
                                                                   {Derivative::sixth, "6"}}};

// FLUPS, 2023, eqs. (12)-(14).
double symbol(Derivative derivative, double w, double h) {
  const double t = w * h;
  switch (derivative) {
    case Derivative::second:
      return std::sin(t) / h;
    case Derivative::fourth:
      return (4.0 / 3 * std::sin(t) - 1.0 / 6 * std::sin(2 * t)) / h;
    case Derivative::sixth:
      return (1.5 * std::sin(t) - 0.3 * std::sin(2 * t) + 1.0 / 30 * std::sin(3 * t)) / h;
    default:
      return w;
  }
}

}  // namespace

std::string to_string(Derivative derivative) {
  for (const auto& [value, name] : names)
    if (value == derivative) return name;
  return "";
}

Derivative parse_derivative(const std::string& text) {
  for (const auto& [value, name] : names)
    if (text == name) return value;
  throw Error(Fault::argument, "derivative: unknown derivative '" + text + "'; use spectral, 2, 4 or 6");
}

namespace {

// The wave of two points, of wavenumber pi / h. Its derivative vanishes at all points.
bool is_shortest_wave(const AxisTransform& transform, index_t mode) {
  if (is_fourier(transform.kind)) return 2 * mode == transform.length;
  return transform.kind == Kind::dct1 && mode == transform.length - 1;
}

}  // namespace

std::vector<double> derivative_symbol(Derivative derivative, const DomainAxis& axis, const AxisTransform& transform,
                                      Range modes) {
  std::vector<double> values;
  for (index_t mode = modes.lo; mode < modes.hi; mode++) {
    const double w = wavenumber(axis, transform, mode);
    values.push_back(is_shortest_wave(transform, mode) ? 0 : symbol(derivative, w, axis.spacing()));
  }
  return values;
}

}  // namespace weft
