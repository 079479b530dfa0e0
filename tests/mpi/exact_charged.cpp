// Exact solutions of Gaussian charges, with images in the mirror planes, times waves along the spectral axes.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>

#include "mpi/exact_solutions.hpp"
#include "mpi/exact_theory.hpp"

namespace weft::exact {

namespace {

using std::numbers::pi;
using Point = std::array<double, 3>;

using Factor = std::function<double(double)>;

/// The normalised Gaussian along one convolved axis, with its image.
Factor charge_along(const std::vector<Source>& list, double sigma) {
  return Remembered([=](double x) {
    double sum = 0;
    for (const Source& s : list) sum += s.sign * std::exp(-std::pow((x - s.centre) / sigma, 2) / 2);
    return sum / std::sqrt(2 * pi * sigma * sigma);
  });
}

/// The eigenfunction along one spectral axis.
Factor wave_along(const Boundary& boundary, double wavenumber) {
  const bool sine = boundary.left == End::odd;
  return Remembered([=](double x) { return sine ? std::sin(wavenumber * x) : std::cos(wavenumber * x); });
}

/// One term S(x) g(x) of a charged case with its potential.
class ChargedTerm {
 public:
  ChargedTerm(const std::vector<Boundary>& boundaries, const std::vector<double>& lengths,
              const std::vector<int>& modes, double sigma, double screening)
      : boundaries_(boundaries), sigma_(sigma), convolved_(count_convolved(boundaries)) {
    constexpr Point centre{0.47, 0.52, 0.49};  // off every plane of symmetry of the grid
    double k2 = screening * screening;
    for (std::size_t a = 0; a < boundaries.size(); ++a) {
      if (is_convolved(boundaries[a])) {
        sources_[a] = sources(boundaries[a], lengths[a], centre[a]);
        factors_.push_back(charge_along(sources_[a], sigma));
        continue;
      }
      sources_[a] = {{0, 1}};
      const double unit = (classify(boundaries[a]) == AxisClass::periodic ? 2 : 1) * pi / lengths[a];
      const double wavenumber = unit * (modes[a] + (is_half_mode(boundaries[a]) ? 0.5 : 0));
      k2 += wavenumber * wavenumber;
      factors_.push_back(wave_along(boundaries[a], wavenumber));
    }
    k_ = std::sqrt(k2);
  }

  double rhs(const Point& x) const {
    double product = 1;
    for (std::size_t a = 0; a < factors_.size(); ++a) product *= factors_[a](x[a]);
    return product;
  }

  double solution(const Point& x) const {
    if (convolved_ == 0) return k_ > 0 ? -shape(x) / (k_ * k_) : 0;
    return shape(x) * potential(x);
  }

  double leading(const Point& x) const { return chat2_leading(convolved_, k_ <= 0) * rhs(x); }

  double remainder(double h) const {
    if (convolved_ == 0) return 0;
    const double s2 = sigma_ * sigma_;
    const double charge = std::pow(2 * pi * s2, -0.5 * convolved_);
    double bound = std::pow(h, 4) * theta_bound * convolved_ / s2;
    if (k_ > 0) bound += std::pow(h, 4) * wavenumber_bound(convolved_, k_ * h) * k_ * k_;
    // The images count by their aliases only, as for the products. The potential of false charges is measured on the
    // length of the box.
    bound += count_images(boundaries_) * convolved_ * gaussian_alias(sigma_, sigma_ / gaussian_width, h);
    return charge * bound;
  }

 private:
  double shape(const Point& x) const {
    double product = 1;
    for (std::size_t a = 0; a < factors_.size(); ++a)
      if (!is_convolved(boundaries_[a])) product *= factors_[a](x[a]);
    return product;
  }

  /// Sum over the source and its images of sign * profile(distance along the convolved axes).
  double sum_images(const Point& x, const std::function<double(double)>& profile) const {
    double sum = 0;
    for (const Source& a : sources_[0]) {
      for (const Source& b : sources_[1]) {
        for (const Source& c : sources_[2]) {
          const Point centre{a.centre, b.centre, c.centre};
          double r2 = 0;
          for (std::size_t i = 0; i < boundaries_.size(); ++i) {
            if (is_convolved(boundaries_[i])) r2 += (x[i] - centre[i]) * (x[i] - centre[i]);
          }
          sum += a.sign * b.sign * c.sign * profile(std::sqrt(r2));
        }
      }
    }
    return sum;
  }

  /// Kept for each place along the convolved axes: a quadrature that all points along the spectral axes share.
  double potential(const Point& x) const {
    Point place{};
    for (std::size_t i = 0; i < boundaries_.size(); ++i) place[i] = is_convolved(boundaries_[i]) ? x[i] : 0;
    const auto evaluate = [&] {
      return sum_images(x, [this](double r) { return charge_potential(convolved_, r, k_, sigma_); });
    };
    if (convolved_ == static_cast<int>(boundaries_.size())) return evaluate();
    const auto [entry, fresh] = known_->try_emplace(place, 0.0);
    if (fresh) entry->second = evaluate();
    return entry->second;
  }

  std::vector<Boundary> boundaries_;
  double sigma_;
  int convolved_;
  double k_ = 0;
  std::vector<Factor> factors_;  ///< of the right-hand side, one for each axis
  std::array<std::vector<Source>, 3> sources_{{{{0, 1}}, {{0, 1}}, {{0, 1}}}};
  std::shared_ptr<std::map<Point, double>> known_ = std::make_shared<std::map<Point, double>>();
};

using Terms = std::vector<ChargedTerm>;

Function sum_of(const std::shared_ptr<Terms>& terms, double (ChargedTerm::*part)(const Point&) const) {
  return [=](double x, double y, double z) {
    double sum = 0;
    for (const ChargedTerm& term : *terms) sum += (term.*part)({x, y, z});
    return sum;
  };
}

}  // namespace

ExactCase charged(const std::vector<Boundary>& boundaries, const std::vector<double>& lengths,
                  const std::vector<std::vector<int>>& modes, double sigma, double screening) {
  const auto terms = std::make_shared<Terms>();
  for (const auto& numbers : modes) terms->emplace_back(boundaries, lengths, numbers, sigma, screening);
  ExactCase result;
  result.rhs = sum_of(terms, &ChargedTerm::rhs);
  result.solution = sum_of(terms, &ChargedTerm::solution);
  result.leading = sum_of(terms, &ChargedTerm::leading);
  result.remainder = [terms](double h) {
    double sum = 0;
    for (const ChargedTerm& term : *terms) sum += term.remainder(h);
    return sum;
  };
  return result;
}

ExactCase charged(const std::vector<Boundary>& boundaries, const std::vector<double>& lengths) {
  std::vector<int> lowest;
  bool constant = true;
  for (const Boundary& boundary : boundaries) {
    lowest.push_back(is_convolved(boundary) || is_half_mode(boundary) ? 0 : 1);
    constant = constant && (is_convolved(boundary) || has_constant_mode(boundary));
  }
  std::vector<std::vector<int>> modes{lowest};
  const int d = count_convolved(boundaries);
  if (constant && d > 0 && d < static_cast<int>(boundaries.size())) modes.emplace_back(boundaries.size(), 0);
  const double shortest = *std::min_element(lengths.begin(), lengths.end());
  return charged(boundaries, lengths, modes, gaussian_width * shortest);
}

}  // namespace weft::exact
