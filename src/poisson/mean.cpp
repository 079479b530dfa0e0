// Sums right-hand sides, and decides whether their mean is rounding.
#include "poisson/mean.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/number.hpp"
#include "poisson/line_systems.hpp"
#include "weft/error.hpp"
#include "weft/poisson.hpp"

namespace weft {

std::string to_string(Mean mean) { return mean == Mean::remove ? "remove" : "error"; }

Mean parse_mean(const std::string& text) {
  if (text == "remove") return Mean::remove;
  require(text == "error", "mean: unknown value '" + text + "'; use remove or error");
  return Mean::error;
}

std::vector<double> mean_weights(const DomainAxis& axis, const Range& range) {
  std::vector<double> result(static_cast<std::size_t>(range.size()), 1.0);
  if (axis.is_solved_along()) {
    const std::vector<double> all = solved_weights(axis);
    std::copy(all.begin() + range.lo, all.begin() + range.hi, result.begin());
  }
  if (axis.centring != Centring::node) return result;
  const bool is_periodic = axis.boundary.left == End::periodic;
  const auto set = [&](index_t point, double weight) {
    if (range.lo <= point && point < range.hi) result[static_cast<std::size_t>(point - range.lo)] = weight;
  };
  set(0, is_periodic ? 1 : 0.5);
  set(axis.cells, is_periodic ? 0 : 0.5);
  return result;
}

namespace {

struct Sums {
  double signed_values = 0, moduli = 0;
};

// Sums rows, then these sums, and so on: errors grow with the points of an axis, not with all points.
template <class Real>
Sums weighted_sums(const std::vector<std::vector<double>>& weight, std::size_t axis, const Real* values,
                   const Extents& strides) {
  Sums total;
  for (const double w : weight[axis]) {
    const Real* here = values;
    values += strides[static_cast<int>(axis)];
    if (w == 0) continue;  // ignored: anything may lie there
    Sums part;
    if (axis + 1 < weight.size()) {
      part = weighted_sums(weight, axis + 1, here, strides);
    } else {
      part.signed_values = static_cast<double>(*here);
      part.moduli = std::abs(part.signed_values);
    }
    total.signed_values += w * part.signed_values;
    total.moduli += w * part.moduli;
  }
  return total;
}

}  // namespace

bool has_constant_mode(const std::vector<DomainAxis>& domain) {
  return std::all_of(domain.begin(), domain.end(), [](const DomainAxis& axis) {
    return axis.boundary == Boundary(End::periodic) || axis.boundary == Boundary(End::even);
  });
}

template <class Real>
void require_zero_mean(const Comm& comm, const std::string& name, const std::vector<DomainAxis>& domain, const Box& box,
                       const LocalArray<Real>& values) {
  double cells = 1, additions = comm.size();
  for (const DomainAxis& axis : domain) {
    cells *= static_cast<double>(axis.cells);
    additions += static_cast<double>(axis.points());
  }
  Sums mine;
  comm.together([&] {
    std::vector<std::vector<double>> weight;
    weight.reserve(static_cast<std::size_t>(box.dims()));
    for (int a = 0; a < box.dims(); a++) weight.push_back(mean_weights(domain[static_cast<std::size_t>(a)], box[a]));
    if (!box.empty()) mine = weighted_sums(weight, 0, static_cast<const Real*>(values.data), values.strides);
  });
  const double mean = comm.sum(mine.signed_values) / cells, modulus = comm.sum(mine.moduli) / cells;
  // In units of the mean modulus: two roundings of every value, log2(n) for a mean that was summed in pairs and removed
  // (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 4.2), and the additions of these sums.
  const double bound = modulus * (std::numeric_limits<Real>::epsilon() * (1 + std::log2(cells) / 2) +
                                  std::numeric_limits<double>::epsilon() / 2 * additions);
  comm.together([&] {
    require(std::abs(mean) <= bound, name + ": its mean is " + number("%.3g", mean) + ", rounding explains " +
                                         number("%.3g", bound) +
                                         "; with these boundaries a solution exists only if the mean is zero: subtract "
                                         "it, or solve with mean = remove");
  });
}

template void require_zero_mean(const Comm&, const std::string&, const std::vector<DomainAxis>&, const Box&,
                                const LocalArray<float>&);
template void require_zero_mean(const Comm&, const std::string&, const std::vector<DomainAxis>&, const Box&,
                                const LocalArray<double>&);

}  // namespace weft
