// Q/P is expanded about the zero wavenumber into homogeneous functions M(w)/|w|^(2m) with polynomials M. The inverse
// transform of 1/|w|^(2m) is a power of r, and M becomes a differential operator on it, for which Hobson's theorem
// gives
//   M(d) F(r) = sum_k 2^(D-2k)/k! (d/d(r^2))^(D-k) F  lap^k M(x)   for M of degree D
// (Hobson, The Theory of Spherical and Ellipsoidal Harmonics, 1931, section 79). All polynomials are symmetric in the
// squares of the components and are kept as polynomials in the elementary symmetric functions of these.
#include "poisson/lattice_far.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace weft {

namespace {

constexpr int term_count = 7;

/// Terms of less than this times r^(2-d) are omitted.
constexpr double negligible = 1e-18;

/// A homogeneous symmetric polynomial of degree m in the squares X_i: sum of at[b][c] e1^(m-2b-3c) e2^b e3^c.
struct Polynomial {
  static constexpr int most_e2 = 2 * (term_count - 1) / 2 + 1, most_e3 = 2 * (term_count - 1) / 3 + 1;
  int degree = 0;
  std::array<std::array<long double, most_e3>, most_e2> at{};

  template <class Visit>
  void for_each(const Visit& visit) const {
    for (int c = 0; c < most_e3; ++c)
      for (int b = 0; b < most_e2 && 2 * b + 3 * c <= degree; ++b) {
        const long double value = at[static_cast<std::size_t>(b)][static_cast<std::size_t>(c)];
        if (value != 0) visit(b, c, value);
      }
  }

  void add(int b, int c, long double value) {
    if (value != 0) at[static_cast<std::size_t>(b)][static_cast<std::size_t>(c)] += value;
  }
};

Polynomial monomial(int degree, int b, int c, long double value) {
  Polynomial result;
  result.degree = degree;
  result.add(b, c, value);
  return result;
}

Polynomial operator*(const Polynomial& left, const Polynomial& right) {
  Polynomial result;
  result.degree = left.degree + right.degree;
  left.for_each([&](int b, int c, long double x) {
    right.for_each([&](int b2, int c2, long double y) { result.add(b + b2, c + c2, x * y); });
  });
  return result;
}

/// left + factor * right, both of the same degree.
Polynomial plus(Polynomial left, long double factor, const Polynomial& right) {
  right.for_each([&](int b, int c, long double x) { left.add(b, c, factor * x); });
  return left;
}

/// e1^power times a polynomial, which has the same coefficients.
Polynomial times_e1(Polynomial polynomial, int power) {
  polynomial.degree += power;
  return polynomial;
}

/// The Laplacian with respect to the components x_i, X_i = x_i^2, in d dimensions; from
///   lap e1 = 2 d, lap e2 = 2 (d - 1) e1, lap e3 = 2 e2 and the products of gradients 4 e1 (11), 8 e2 (12), 12 e3 (13),
///   4 (e1 e2 + 3 e3) (22), 8 e1 e3 (23), 4 e2 e3 (33).
Polynomial laplacian(const Polynomial& polynomial, int d) {
  Polynomial result;
  result.degree = polynomial.degree - 1;
  polynomial.for_each([&](int b, int c, long double x) {
    const int a = polynomial.degree - 2 * b - 3 * c;
    result.add(b, c, x * static_cast<long double>(a * (4 * (a - 1) + 16 * b + 24 * c + 2 * d)));
    if (b > 0) result.add(b - 1, c, x * static_cast<long double>(b * (4 * (b - 1) + 16 * c + 2 * (d - 1))));
    if (b > 1 && d > 2) result.add(b - 2, c + 1, x * static_cast<long double>(12 * b * (b - 1)));
    if (c > 0) result.add(b + 1, c - 1, x * static_cast<long double>(c * (4 * (c - 1) + 2)));
  });
  return result;
}

/// A power series in w: entry m has degree m in the squares.
using Series = std::vector<Polynomial>;

Series operator*(const Series& left, const Series& right) {
  Series result;
  for (int m = 0; m <= term_count; ++m) {
    Polynomial sum = monomial(m, 0, 0, 0);
    for (int i = 0; i <= m; ++i)
      sum = plus(sum, 1, left[static_cast<std::size_t>(i)] * right[static_cast<std::size_t>(m - i)]);
    result.push_back(sum);
  }
  return result;
}

void add(Series& sum, long double factor, const Series& series) {
  for (std::size_t m = 0; m < sum.size(); ++m) sum[m] = plus(sum[m], factor, series[m]);
}

/// sum_i X_i^m, m = 0 .. term_count, by Newton's identities.
Series power_sums(int d) {
  Series sums{monomial(0, 0, 0, d), monomial(1, 0, 0, 1)};
  for (int m = 2; m <= term_count; ++m) {
    const auto i = static_cast<std::size_t>(m);
    Polynomial next = times_e1(sums[i - 1], 1);
    next = plus(next, -1, m == 2 ? monomial(2, 1, 0, 2) : monomial(2, 1, 0, 1) * sums[i - 2]);
    if (m > 2 && d > 2) next = plus(next, 1, m == 3 ? monomial(3, 0, 1, 3) : monomial(3, 0, 1, 1) * sums[i - 3]);
    sums.push_back(next);
  }
  return sums;
}

/// sum_i y_i^power with y = 4 sin^2(w/2) = 2 (X/2! - X^2/4! + ...), X = w^2.
Series sum_of_powers(int power, int d) {
  std::vector<long double> series{1}, y{0};
  series.resize(term_count + 1);
  long double factor = -2;
  for (int m = 1; m <= term_count; ++m) y.push_back(factor /= -(2.0L * m) * (2.0L * m - 1));
  for (int i = 0; i < power; ++i)
    for (std::size_t m = series.size(); m-- > 0;) {
      long double sum = 0;
      for (std::size_t j = 1; j <= m; ++j) sum += y[j] * series[m - j];
      series[m] = sum;
    }
  Series result = power_sums(d);
  for (std::size_t m = 0; m < result.size(); ++m)
    result[m] = plus(monomial(static_cast<int>(m), 0, 0, 0), series[m], result[m]);
  return result;
}

struct Expansion {
  Series p, q;

  Expansion(const LatticeSymbol& symbol, int d) {
    const Series s1 = sum_of_powers(1, d), s2 = sum_of_powers(2, d), s3 = sum_of_powers(3, d);
    Series e2 = s1 * s1, e3 = e2 * s1;
    add(e2, -1, s2);
    add(e3, -3, s1 * s2);
    add(e3, 2, s3);
    for (int m = 0; m <= term_count; ++m) p.push_back(monomial(m, 0, 0, 0));
    q = p;
    for (std::size_t j = 0; j < symbol.powers.size(); ++j)
      add(p, static_cast<long double>(symbol.powers[j]), sum_of_powers(static_cast<int>(j) + 1, d));
    add(p, static_cast<long double>(symbol.pairs) / 2, e2);
    add(p, static_cast<long double>(symbol.triple) / 6, e3);
    q[0].add(0, 0, 1);
    add(q, static_cast<long double>(symbol.q_sum), s1);
    add(q, static_cast<long double>(symbol.q_pairs) / 2, e2);
    add(q, static_cast<long double>(symbol.q_squares), s2);
  }

  /// M_J, J = 0 .. term_count - 1, with Q/P = sum_J M_J(w)/|w|^(2J+2): the terms of 1/P by recurrence, then times Q.
  Series quotient() const {
    Series inverse{monomial(0, 0, 0, 1)}, result;
    for (int order = 0; order < term_count; ++order) {
      Polynomial sum = monomial(2 * order, 0, 0, 0);
      for (int i = 1; i <= order; ++i) {
        const Polynomial& part = p[static_cast<std::size_t>(i) + 1];
        sum = plus(sum, -1, times_e1(part, i - 1) * inverse[static_cast<std::size_t>(order - i)]);
      }
      if (order > 0) inverse.push_back(sum);
      Polynomial product = monomial(2 * order, 0, 0, 0);
      for (int i = 0; i <= order; ++i)
        product = plus(product, 1,
                       times_e1(q[static_cast<std::size_t>(i)], i) * inverse[static_cast<std::size_t>(order - i)]);
      result.push_back(product);
    }
    return result;
  }
};

/// The transform of 1/|w|^(2m), m = order + 1, is a constant times F = r^(2m-3) (d = 3) or r^(2m-2) ln r (d = 2).
/// Returns that constant times (d/d(r^2))^j F without its power of r, for j > order, which has no logarithm.
long double derivative(int d, int order, int j) {
  const long double pi = std::numbers::pi_v<long double>, four_m = std::pow(4.0L, order + 1);
  if (d == 3) {
    long double product = std::tgamma(0.5L - order) / (four_m * std::pow(pi, 1.5L) * std::tgamma(order + 1.0L));
    for (int i = 0; i < j; ++i) product *= order - 0.5L - i;
    return product;
  }
  // (d/ds)^j s^p ln(s)/2 = (-1)^(j-p-1) p! (j-p-1)!/2 s^(p-j)
  const long double sign = j % 2 == 0 ? 1 : -1;
  return sign / (four_m * pi * std::tgamma(order + 1.0L)) * std::tgamma(static_cast<long double>(j - order));
}

}  // namespace

LatticeFarField::LatticeFarField(const LatticeSymbol& symbol, int dimension) : dimension_(dimension) {
  const Series terms = Expansion(symbol, dimension).quotient();
  for (int order = 1; order < term_count; ++order) {
    Polynomial part = terms[static_cast<std::size_t>(order)];
    const int degree = 2 * part.degree;
    Polynomial sum = monomial(part.degree, 0, 0, 0);
    long double factor = std::pow(2.0L, degree);
    for (int k = 0; 2 * k <= degree; ++k) {
      sum = plus(sum, factor * derivative(dimension, order, degree - k), times_e1(part, k));
      if (part.degree > 0) part = laplacian(part, dimension);
      factor /= 4.0L * (k + 1);
    }
    Coefficients coefficients{};
    double bound = 0;  // e2 <= 1/3, e3 <= 1/27
    sum.for_each([&](int b, int c, long double x) {
      const auto value = static_cast<double>(x);
      coefficients[static_cast<std::size_t>(b)][static_cast<std::size_t>(c)] = value;
      bound += std::abs(value) * std::pow(3.0, -b - 3 * c);
    });
    terms_.push_back(coefficients);
    reach_.push_back(std::pow(bound / negligible, 1.0 / order));
  }
}

std::size_t LatticeFarField::terms_at(double r2) const {
  std::size_t count = terms_.size();
  while (count > 0 && r2 > reach_[count - 1]) --count;
  return count;
}

namespace {

using Coefficients = LatticeFarField::Coefficients;

/// Calls body(count) with at least so many terms, as a constant.
template <class Body>
[[gnu::always_inline]] inline auto with_terms(std::size_t count, const Body& body) {
  switch (count) {
    case 0:
    case 1:
      return body(std::integral_constant<int, 1>{});
    case 2:
      return body(std::integral_constant<int, 2>{});
    case 3:
      return body(std::integral_constant<int, 3>{});
    case 4:
      return body(std::integral_constant<int, 4>{});
    default:
      return body(std::integral_constant<int, term_count - 1>{});
  }
}

/// at(First) + x (at(First + 1) + x (.. + x at(Last))), unrolled by templates: loops inside the loop over points would
/// keep it from being vectorised.
template <int First, int Last, class At>
[[gnu::always_inline]] inline double nested(double x, const At& at) {
  const double here = at(std::integral_constant<int, First>{});
  if constexpr (First == Last) {
    return here;
  } else {
    return nested<First + 1, Last>(x, at) * x + here;
  }
}

/// The sum of so many terms at a point with squares x2, y2, z2 of its coordinates.
template <int Count>
[[gnu::always_inline]] inline double sum_of(const Coefficients* terms, double x2, double y2, double z2) {
  const double inverse = 1 / (x2 + y2 + z2), a = x2 * inverse, b = y2 * inverse, c = z2 * inverse;
  const double e2 = a * b + b * c + c * a, e3 = a * b * c;
  // Term J has degree 2J = 2 order + 2, so no higher powers than e3^(2J/3) and e2^J.
  const auto in_e2 = [&](auto order, auto i) __attribute__((always_inline)) {
    return nested<0, order + 1>(
        e2, [&](auto j) __attribute__((always_inline)) { return terms[order][j][i]; });
  };
  const auto term = [&](auto order) __attribute__((always_inline)) {
    return nested<0, (2 * order + 2) / 3>(
        e3, [&](auto i) __attribute__((always_inline)) { return in_e2(order, i); });
  };
  return nested<0, Count - 1>(inverse, term) * inverse;
}

/// Sums at the points of a line, in vectors of the processor. No operation is fused: all clones give the same bits.
#if defined(__x86_64__)
[[gnu::target_clones("default", "avx2", "avx512f")]]
#endif
void sums_of(const Coefficients* terms, std::size_t count, double x2, double y2, std::span<const double> z,
             double* values) {
  with_terms(
      count, [&](auto constant) __attribute__((always_inline)) {
#pragma omp simd
        for (std::size_t i = 0; i < z.size(); ++i) values[i] = sum_of<constant()>(terms, x2, y2, z[i] * z[i]);
      });
}

}  // namespace

double LatticeFarField::operator()(double x, double y, double z) const {
  const double r2 = x * x + y * y + z * z;
  const double sum =
      with_terms(terms_at(r2), [&](auto count) { return sum_of<count()>(terms_.data(), x * x, y * y, z * z); });
  constexpr double pi = std::numbers::pi;
  if (dimension_ == 2) return sum - std::log(r2) / (4 * pi);
  return (sum + 1 / (4 * pi)) / std::sqrt(r2);
}

void LatticeFarField::line(double x, double y, std::span<const double> z, double nearest, double* values) const {
  constexpr double constant = 1 / (4 * std::numbers::pi);
  const double x2 = x * x, y2 = y * y;
  sums_of(terms_.data(), terms_at(std::max(x2 + y2, nearest * nearest)), x2, y2, z, values);
  for (std::size_t i = 0; i < z.size(); ++i) values[i] = (values[i] + constant) / std::sqrt(x2 + y2 + z[i] * z[i]);
}

}  // namespace weft
