// Green's functions of the Laplacian: the kernels whose transform multiplies the spectrum of the right-hand side.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// An axis as a kernel sees it. Convolved axes (unbounded or mixed) are sampled in space, the others in wavenumber.
struct GreenAxis {
  bool convolved = false;
  double spacing = 1;  ///< h
};

/// A kernel G with lap G = delta, sampled along the d convolved axes and transformed along the spectral ones, so that
/// u = sum over the convolved axes of h^d G f, mode by mode. The sign is that of -1/(4 pi r); without net charge the
/// additive constants of d = 2 and d = 1 do not matter, with it they are those of ln(r)/(2 pi) and |x|/2.
class GreenKernel {
 public:
  virtual ~GreenKernel() = default;

  /// G at one point, axis 0 first: the offset r_j = j h along a convolved axis, the wavenumber along a spectral one.
  /// Signs do not matter. Safe to call from several threads. chat2 depends on the distance r over the convolved axes
  /// and the wavenumber k over the spectral axes only, so a caller may evaluate equal (r, k) once.
  virtual double value(std::span<const double> coordinates) const = 0;
};

/// The kernels that make_kernel knows.
const std::vector<std::string>& kernel_names();

/// Throws Error that lists the kernels unless `name` is one of them.
void check_kernel_name(const std::string& name);

/// The kernel for a problem of 1 to 3 axes. Throws Error for an unknown name or if the kernel is not defined for
/// these axes (chat2 is defined for all).
///
/// chat2: the singular free-space kernel with a finite value at the origin, of second order for d >= 1 and exact for
/// d = 0 (Chatelain and Koumoutsakos 2010; CHAT2 of Balty, Chatelain and Gillis, FLUPS, 2023):
///   d = 3          -1/(4 pi r);   origin: mean over the sphere of volume hx hy hz
///   d = 2, k = 0   ln(r)/(2 pi);  origin: mean over the cell, a rectangle
///   d = 2, k > 0   -K0(k r)/(2 pi);  origin: mean over the disc of area hx hy
///   d = 1          |x|/2 for k = 0, -exp(-k |x|)/(2 k) for k > 0
///   d = 0          -1/k^2, and 0 for k = 0: the mean of the right-hand side is dropped and the solution has mean zero
std::unique_ptr<GreenKernel> make_kernel(const std::string& name, const std::vector<GreenAxis>& axes);

}  // namespace weft
