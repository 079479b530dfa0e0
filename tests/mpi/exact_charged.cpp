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
        continue;
      }
      sources_[a] = {{0, 1}};
      const double unit = (classify(boundaries[a]) == AxisClass::periodic ? 2 : 1) * pi / lengths[a];
      wavenumber_[a] = unit * (modes[a] + (is_half_mode(boundaries[a]) ? 0.5 : 0));
      k2 += wavenumber_[a] * wavenumber_[a];
    }
    k_ = std::sqrt(k2);
  }

  double rhs(const Point& x) const {
    const double norm = std::pow(2 * pi * sigma_ * sigma_, -0.5 * convolved_);
    return shape(x) * norm * sum_images(x, [this](double r) { return std::exp(-r * r / (2 * sigma_ * sigma_)); });
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
    for (std::size_t a = 0; a < boundaries_.size(); ++a) {
      if (is_convolved(boundaries_[a])) continue;
      const double t = wavenumber_[a] * x[a];
      product *= boundaries_[a].left == End::odd ? std::sin(t) : std::cos(t);
    }
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
            if (is_convolved(boundaries_[i])) r2 += std::pow(x[i] - centre[i], 2);
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
    if (convolved_ == 3 || k_ <= 0) return evaluate();
    const auto [entry, fresh] = known_->try_emplace(place, 0.0);
    if (fresh) entry->second = evaluate();
    return entry->second;
  }

  std::vector<Boundary> boundaries_;
  double sigma_;
  int convolved_;
  double k_ = 0;
  Point wavenumber_{};
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
