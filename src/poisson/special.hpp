// Special functions of the Green's functions that libm and Boost.Math lack, or whose versions are too slow.
#pragma once

#include <complex>
#include <vector>

namespace weft {

/// Nodes and weights of a quadrature on [-1, 1].
struct Quadrature {
  std::vector<double> nodes, weights;
};

/// Gauss-Legendre rule of n nodes, ascending.
Quadrature gauss_legendre(int n);

/// Modified Bessel functions of the second kind; 0 where they underflow. x > 0.
double bessel_k0(double x);
double bessel_k1(double x);

/// int_0^1 t K0(z t) dt = (1 - z K1(z)) / z^2 for z > 0, without cancellation.
double mean_k0(double z);
/// int_0^1 t exp(-z t) dt = (1 - (1 + z) exp(-z)) / z^2 for z >= 0, without cancellation.
double mean_exp(double z);

/// exp(x^2) erfc(x) for x > -26, to a few units in the last place, without overflow.
double scaled_erfc(double x);

/// E1(x) = int_x^inf exp(-t)/t dt for x > 0 (DLMF 6.2.1).
double exponential_integral(double x);
/// exp(z) E1(z), principal value, for z off the negative real axis; relative error below 1e-14, where E1 is
/// smaller than its terms (|z| + Re z < 2) relative to max(1, |E1|).
std::complex<double> scaled_exponential_integral(std::complex<double> z);
/// Si(x) = int_0^x sin(t)/t dt for x >= 0 (DLMF 6.2.9).
double sine_integral(double x);

/// exp(w) K0(w) for Re w >= 0 and |w| + Re w >= 3, to 1e-15.
std::complex<double> scaled_k0(std::complex<double> w);

/// The Faddeeva function w(x + i y) for x >= 0 and y > 0, w(z) = exp(-z^2) erfc(-i z); real part to a relative 1e-13.
std::complex<double> faddeeva(double x, double y);

/// Hantush's well function int_1^inf exp(-a t - b/t) dt/t for a > 0, b >= 0 (Hantush and Jacob 1955), to a relative
/// 1e-14 or an absolute 1e-18.
double well_function(double a, double b);

}  // namespace weft
