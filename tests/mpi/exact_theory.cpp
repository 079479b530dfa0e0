// Error theory of chat2 and helpers of the exact solutions.
#include "mpi/exact_theory.hpp"

#include <algorithm>
#include <cmath>

#include "mpi/exact_solutions.hpp"

namespace weft::exact {

using std::numbers::pi;

bool is_half_mode(const Boundary& boundary) {
  return classify(boundary) == AxisClass::symmetric && boundary.left != boundary.right;
}
bool has_constant_mode(const Boundary& boundary) {
  return boundary == Boundary(End::periodic) || boundary == Boundary(End::even);
}

std::vector<Source> sources(const Boundary& boundary, double length, double unbounded_centre) {
  if (classify(boundary) == AxisClass::unbounded) return {{unbounded_centre * length, 1}};
  const bool left = boundary.left != End::unbounded;
  const double sign = (left ? boundary.left : boundary.right) == End::even ? 1 : -1;
  const double centre = left ? 0.4 * length : 0.6 * length;
  return {{centre, 1}, {left ? -centre : 2 * length - centre, sign}};
}

int count_convolved(const std::vector<Boundary>& boundaries) {
  return static_cast<int>(std::count_if(boundaries.begin(), boundaries.end(), is_convolved));
}

double count_images(const std::vector<Boundary>& boundaries) {
  return std::exp2(std::count_if(boundaries.begin(), boundaries.end(),
                                 [](const Boundary& b) { return classify(b) == AxisClass::mixed; }));
}

// d = 1: the next term of the series of coth, 1/720. d = 2: the next term of the mean of K0 over the disc, which falls
// with k h; the lattice sum's own term, sum' |2 pi j|^-4 = 0.0039, has the other sign.
double wavenumber_bound(int convolved, double smallest_kh) {
  if (convolved == 1) return 1.0 / 720;
  if (convolved != 2) return 0;
  return std::abs(std::log(smallest_kh / (2 * std::sqrt(pi))) + std::numbers::egamma - 1.25) / (16 * pi * pi);
}

// What lies between theta_reach and the first alias comes back at wavenumbers above (2 pi - theta_reach)/h, where the
// kernel is below the inverse square of that; what lies beyond comes back as a false charge, of potential below L^2 f.
double gaussian_alias(double w, double length, double h) {
  const double low = h / (2 * pi - theta_reach);
  return 2 * (std::erfc(theta_reach * w / h / std::numbers::sqrt2) * low * low +
              std::exp(-0.5 * std::pow(2 * pi * w / h, 2)) * length * length);
}

double chat2_leading(int convolved_axes, bool zero_wavenumber) {
  // eta(i) = Gamma(1/4) / (2 pi^(3/4))
  const double eta = std::tgamma(0.25) / (2 * std::pow(pi, 0.75));
  const double lattice = std::log(2 * pi * eta * eta);
  switch (convolved_axes) {
    case 3:
      return 2.8372974794806 / (4 * pi) - std::pow(3 / (4 * pi), 2.0 / 3) / 2;
    case 2:
      return (lattice + (zero_wavenumber ? (pi - 6 - 2 * std::numbers::ln2) / 4 : -0.5 - std::log(pi) / 2)) / (2 * pi);
    case 1:
      return -1.0 / 12;
    default:
      return 0;
  }
}

}  // namespace weft::exact
