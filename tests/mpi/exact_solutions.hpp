// Exact solutions of lap u = f for every combination of boundary conditions, and the error that chat2 makes on them.
#pragma once

#include <functional>
#include <vector>

#include "weft/boundary.hpp"

namespace weft::exact {

using Function = std::function<double(double, double, double)>;

/// A problem with a known solution on [0, L_0] x [0, L_1] (x [0, L_2]); 2-D problems ignore z. The functions keep the
/// values that are costly, so a case must not be used by two threads at once.
struct ExactCase {
  Function rhs;
  Function solution;
  /// Leading coefficient of the error of chat2 for equal spacing h: u_h - u = h^2 leading + O(h^4).
  Function leading;
  /// Bound on |u_h - u - h^2 leading| without rounding, by the error theory below. Empty for the paper cases, whose
  /// bumps have no closed spectrum.
  std::function<double(double h)> remainder;
};

/// Error theory of chat2. On a lattice of spacing h in the d convolved axes, with wavenumbers exact in the others, the
/// kernel's transform is -1/(q^2 + k^2) + h^2 eps(q h, k h) with eps = eps(0) + O(|q h|^2 + |k h|^2 log), so the error
/// is eps(0) h^2 f to leading order. This is eps(0), from the regularised lattice sums of the kernel without its origin
/// plus the value that chat2 puts there:
///   d = 3         2.8372974794806/(4 pi) - (3/(4 pi))^(2/3)/2                            =  0.0333676
///   d = 2, k = 0  (ln(2 pi eta(i)^2) + (pi - 6 - 2 ln 2)/4)/(2 pi)                       =  0.0396865
///   d = 2, k > 0  (ln(2 pi eta(i)^2) - 1/2 - ln(pi)/2)/(2 pi), for the mean over a disc  =  0.0379056
///   d = 1         -1/12, the corner of |x|/2 under the trapezoidal rule
///   d = 0         0
/// 2.837... is the energy of a cubic lattice of unit charges in a uniform background (-sum' 1/|j|); eta(i) = Gamma(1/4)
/// / (2 pi^(3/4)) the Dedekind eta function (Kronecker's limit formula gives sum' ln|j| = ln(2 pi eta(i)^2)).
double chat2_leading(int convolved_axes, bool zero_wavenumber);

/// Smooth product X(x) Y(y) Z(z) with the symmetries of the boundaries, all harmonics and, where it exists, the mode k
/// = 0: periodic exp(sin(2 pi x/L + 0.3)), even e = exp(cos(pi x/L)), odd sin(pi x/L) e, odd-even sin(pi x/(2L)) e,
/// even-odd cos(pi x/(2L)) e, unbounded a Gaussian of width 0.055 L (plus or minus its image in the mirror plane).
/// Neutral in the unbounded axes. The solution has mean zero if every axis is periodic or even.
ExactCase broad_band(const std::vector<Boundary>& boundaries, const std::vector<double>& lengths);

/// f = S g with net charge: S = product of eigenfunctions of the spectral axes (mode m: cos(2 pi m x/L) periodic,
/// cos(pi m x/L) even, sin(pi m x/L) odd, sin or cos of pi (m+1/2) x/L odd-even or even-odd), g = normalised Gaussian
/// of width sigma in the d convolved axes, with images of the right sign in the mirror planes. One term for each entry
/// of `modes`, each with one mode number per axis (ignored along convolved axes). lap u - screening^2 u = f;
/// `remainder` is for screening = 0.
ExactCase charged(const std::vector<Boundary>& boundaries, const std::vector<double>& lengths,
                  const std::vector<std::vector<int>>& modes, double sigma, double screening = 0);
/// The same with the constant mode, where it exists and there are convolved axes, plus the lowest mode that is not
/// constant along any spectral axis; sigma = 0.055 of the shortest axis.
ExactCase charged(const std::vector<Boundary>& boundaries, const std::vector<double>& lengths);

/// The validation cases 'A' (even-even, odd-even, periodic), 'B' (unbounded) and 'C' (unbounded-even, unbounded,
/// odd-unbounded) of Balty, Chatelain and Gillis, FLUPS, 2023, eqs. (26)-(28), on a cube of edge `length`; bumps are
/// cut off at |s| = 1.
ExactCase paper_case(char name, double length);
/// The boundaries of these cases.
std::vector<Boundary> paper_boundaries(char name);

/// Potential of a Gaussian charge of unit strength and width s in d = 1, 2, 3 dimensions at distance r, screened by the
/// wavenumber k >= 0 of the other axes: (lap - k^2) u = g. Behaves as -1/(4 pi r), ln(r)/(2 pi) or r/2 far away if k =
/// 0.
double charge_potential(int d, double r, double k, double s);
/// exp(x^2) erfc(x) for x >= 0, to a few units in the last place, without overflow.
double scaled_erfc(double x);
/// Hantush's well function int_1^inf exp(-a t - b/t) dt/t for a > 0, b >= 0, to 1e-13.
double hantush(double a, double b);

}  // namespace weft::exact
