// Bounds on lengths, from the exponents of the numbers computed from them.
#include "poisson/scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/number.hpp"
#include "poisson/kernel_modes.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

// Room for factors such as pi^2, sums over three axes, and the logarithm of a distance.
constexpr double spare_bits = 16;

template <class Real>
std::string precision() {
  return sizeof(Real) == sizeof(float) ? "single precision" : "double precision";
}

// The largest distance of a point from a source or its image, or half the longest wave.
double reach(const DomainAxis& axis) {
  const AxisClass kind = classify(axis.boundary);
  if (kind == AxisClass::unbounded) return axis.length + std::abs(axis.shift);
  return axis.length * (kind == AxisClass::mixed ? 2 : 1);
}

// Transforms forward and backward multiply by at most 2^this.
double transform_bits(const std::vector<DomainAxis>& domain) {
  double bits = 0;
  for (const DomainAxis& axis : domain) bits += std::log2(4 * static_cast<double>(axis.cells));
  return bits;
}

std::string of_length(std::size_t axis, double length) {
  return "length of axis " + std::to_string(axis) + ": " + number("%.3g", length) + " given";
}

// Throws Error unless spacing and reach of an axis are powers of two within these bounds.
void require_between(const std::vector<DomainAxis>& domain, std::size_t a, double least, double most,
                     const std::string& what) {
  const DomainAxis& axis = domain[a];
  if (std::log2(axis.spacing()) >= least && std::log2(reach(axis)) <= most) return;
  throw Error(Fault::argument, of_length(a, axis.length) + " for " + std::to_string(axis.cells) + " cells; " + what +
                                   ", so here it must be from " +
                                   number("%.0e", 2 * std::exp2(least) * static_cast<double>(axis.cells)) + " to " +
                                   number("%.0e", std::exp2(most) * axis.length / reach(axis) / 2) +
                                   "; use a unit of length that is closer to the size of the domain");
}

// Kernels are computed in double precision, whatever the solver's precision is.
void require_powers(const std::vector<DomainAxis>& domain, double screening) {
  using Limits = std::numeric_limits<double>;
  const auto convolved =
      std::count_if(domain.begin(), domain.end(), [](const DomainAxis& axis) { return is_convolved(axis.boundary); });
  const double power = convolved == 3 ? 3 : 2;
  const double most = (Limits::max_exponent - spare_bits) / power;
  const double least = (Limits::min_exponent + spare_bits + 2 * transform_bits(domain)) / power;
  for (std::size_t a = 0; a < domain.size(); a++)
    require_between(domain, a, least, most,
                    std::string("the solver computes with ") + (convolved == 3 ? "cubes" : "squares") + " of lengths");
  const double bits = screening > 0 ? std::log2(screening) : 0;
  const double most_screening = (Limits::max_exponent - spare_bits) / 2;
  require(std::abs(bits) <= most_screening,
          "screening: " + number("%.3g", screening) +
              " given; the solver computes with its square, so it must be 0, or from " +
              number("%.0e", 2 * std::exp2(-most_screening)) + " to " + number("%.0e", std::exp2(most_screening) / 2) +
              "; use a unit of length that is closer to the size of the domain");
}

// Throws Error unless factors of modes that are `side` (below or above) a value are possible.
template <class Real>
void require_factors(bool possible, const std::string& given, const char* side, double value) {
  if (possible) return;
  throw Error(Fault::argument, given + "; the factors of modes scale with the square of lengths and are " + side +
                                   number(" %.0e here", value) + factors_allowed<Real>());
}

}  // namespace

template <class Real>
std::string factors_allowed() {
  const bool single = sizeof(Real) == sizeof(float);
  const FactorRange range = factor_range<Real>();
  return ", but in " + precision<Real>() + " they must be from " + number("%.0e", range.least) + " to " +
         number("%.0e", range.most) + "; use a unit of length that is closer to the size of the domain" +
         (single ? ", or double precision" : "");
}

template <class Real>
FactorRange factor_range() {
  using Limits = std::numeric_limits<Real>;
  return {double{Limits::min()} / double{Limits::epsilon()}, double{Limits::max()}};
}

// No factor exceeds R^2 (1 + |ln R|) in space, R the longest reach, or 1/screening^2. One of them is at least
// (r/(2 pi))^2, r the shortest reach, unless there is screening or a single mode. Stored factors also contain the
// normalisation of the transforms.
template <class Real>
void require_scales(const std::vector<DomainAxis>& domain, const PoissonProblem& problem) {
  const double screening = problem.screening;
  if (!std::isfinite(screening) || screening < 0) return;  // refused with the kernel
  require_powers(domain, screening);
  if (problem.kernel.is_users() || problem.power != 1) return;
  const FactorRange range = factor_range<Real>();
  const auto by_reach = [](const DomainAxis& a, const DomainAxis& b) { return reach(a) < reach(b); };
  const auto shortest = std::min_element(domain.begin(), domain.end(), by_reach);
  const auto longest = std::max_element(domain.begin(), domain.end(), by_reach);
  const bool waves = std::all_of(domain.begin(), domain.end(), [](const DomainAxis& axis) { return axis.cells > 1; });
  const double norm = round_trip(domain), far = reach(*longest), near = reach(*shortest);
  const double above = norm * far * far * (1 + std::abs(std::log(far))), below = near * near / 40;
  const double screened = norm / (screening * screening);
  const std::string given =
      of_length(static_cast<std::size_t>(longest - domain.begin()), longest->length) + ", the longest";
  require_factors<Real>(above >= range.least, given, "below", above);
  require_factors<Real>(screening > 0 || !waves || below <= range.most, given, "above", below);
  require_factors<Real>(screening == 0 || screened >= range.least, "screening: " + number("%.3g given", screening),
                        "below", screened);
}

template <class Real>
void require_derivative_scales(const std::vector<DomainAxis>& domain) {
  using Limits = std::numeric_limits<Real>;
  const double most = -Limits::min_exponent - Limits::digits;
  const double least = -Limits::max_exponent + 4 + transform_bits(domain);
  for (std::size_t a = 0; a < domain.size(); a++)
    require_between(domain, a, least, most, "derivatives are products with wavenumbers in " + precision<Real>());
}

template FactorRange factor_range<float>();
template FactorRange factor_range<double>();
template std::string factors_allowed<float>();
template std::string factors_allowed<double>();
template void require_scales<float>(const std::vector<DomainAxis>&, const PoissonProblem&);
template void require_scales<double>(const std::vector<DomainAxis>&, const PoissonProblem&);
template void require_derivative_scales<float>(const std::vector<DomainAxis>&);
template void require_derivative_scales<double>(const std::vector<DomainAxis>&);

}  // namespace weft
