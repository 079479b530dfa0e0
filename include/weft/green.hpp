// Green's functions of the Laplacian: the kernels whose transform multiplies the spectrum of the right-hand side.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weft/types.hpp"

namespace weft {

struct GreenGrid;

/// The Green's function of a problem: one of kernel_names(), or a user's own. A name converts to a kernel.
///
/// Functions of users are called while the solver is made, on every rank by one thread, with the arguments that the
/// rank needs. They must return finite values that are equal on every rank. An exception becomes an Error on every
/// rank.
struct Kernel {
  /// G at distance r over the unbounded axes, for the wavenumber k >= 0 of the others (0 if there are none).
  using OneOfDistance = std::function<double(double r, double k)>;
  /// G for many distances, in ascending order, at once: values[i] = G(r[i], k).
  using ManyOfDistance = std::function<void(std::span<const double> r, double k, std::span<double> values)>;
  /// The factor of the mode of a wavenumber vector (one entry per axis, not negative).
  using OneOfWavenumber = std::function<double(std::span<const double> wavenumber)>;
  /// The factors for the product of one list of wavenumbers per axis at once, in C order.
  using ManyOfWavenumber = std::function<void(const GreenGrid& wavenumbers, std::span<double> values)>;

  Kernel(const char* given) : name(given) {}
  Kernel(std::string given) : name(std::move(given)) {}
  /// A user's G(r, k), which must be finite at r = 0, in units of length^(2 - d) for d unbounded axes. The solver
  /// multiplies it by the volume of a cell of these axes. Without unbounded axes r = 0 and G is the factor of the mode.
  /// Throws Error if the function is empty.
  static Kernel of_distance(OneOfDistance function);
  static Kernel of_distance(ManyOfDistance function);
  /// A user's symbol, -1/|k|^2 for the Laplacian, which must be finite for the wavenumber 0. Along unbounded axes its
  /// modes are those of the padded axis, pi m / L (mixed axes: pi m / (2 L)), so the solution is that of the problem
  /// continued with the period 2 L (mixed axes: 4 L). Throws Error if the function is empty.
  static Kernel of_wavenumber(OneOfWavenumber function);
  static Kernel of_wavenumber(ManyOfWavenumber function);

  std::string name = "chat2";
  double alpha = 2;  ///< hej2 to hej10: smoothing length in spacings
  ManyOfDistance distance;
  ManyOfWavenumber wavenumber;

  /// Whether the kernel is a user's own.
  bool is_users() const { return distance != nullptr || wavenumber != nullptr; }
};

/// An axis of a kernel. Convolved axes (unbounded or mixed) are sampled in space, the others in wavenumber.
struct GreenAxis {
  bool convolved = false;
  double spacing = 1;    ///< h
  index_t farthest = 1;  ///< of a convolved axis: the largest offset between a point and a source or its image, in h
  double shift = 0;      ///< by which points are displaced, not counted in `farthest`
};

/// The points of a block at which a kernel is evaluated: the product of one list per axis. Along convolved axes they
/// are offsets j h >= 0, with a shift of the axis |j h + shift| for all j, or, for a kernel with half periods,
/// wavenumbers; along the other axes wavenumbers >= 0.
struct GreenGrid {
  std::vector<std::vector<double>> coordinates;

  index_t size() const;
};

/// A kernel G with lap G - screening^2 G = delta, sampled along the d convolved axes and transformed along the
/// spectral ones, so that u = sum over the convolved axes of h^d G f, mode by mode. The sign is that of -1/(4 pi r).
/// Without net charge the additive constants of d = 2 and d = 1 have no effect. With net charge they are those of
/// ln(r)/(2 pi) and |x|/2.
class GreenKernel {
 public:
  virtual ~GreenKernel() = default;

  /// G at the points of a grid, in C order; `values` has room for all of them. Not collective: each rank samples its
  /// own block.
  virtual void sample(const GreenGrid& grid, double* values, int threads) const = 0;

  /// Empty for a kernel that is sampled in space. A kernel that is given by its transform returns the number of modes
  /// per half period along each axis (0 along spectral axes): M >= farthest. It is then sampled at the wavenumbers
  /// pi m / (M h), m = 0 .. M, of convolved axes, and its values are factors of modes, without h^d. If M exceeds
  /// farthest for any axis, it is transformed to space, cut to the offsets 0 .. farthest and transformed back.
  virtual std::vector<index_t> half_periods() const { return {}; }

  /// A note for users about the kernel on these axes, one sentence that says what to do; empty if there is none.
  virtual std::string note() const { return {}; }

  /// G at one point.
  double value(std::span<const double> coordinates) const;
};

/// The kernels that make_kernel knows by name.
const std::vector<std::string>& kernel_names();

/// Throws Error that lists the kernels unless the kernel has one of their names or is a user's own, and unless alpha is
/// positive and finite.
void check_kernel(const Kernel& kernel);

/// Throws Error unless lambda of the screened problem is 0 or positive, and finite.
void check_screening(double screening);

/// The kernel for a problem of 1 to 3 axes. Throws Error for an unknown name, or if the kernel is not defined for these
/// axes, with the reason and what to use instead.
///
/// `screening` is lambda >= 0 of the screened problem lap u - lambda^2 u = f.
///
/// `power` is p of -(lambda^2 - lap)^p u = f, any number but 0: 1 is that problem, 2 the biharmonic one, with minus
/// signs, 1/2 a fractional one, and a negative p applies the operator of -p to f in place of its inverse. The factor of
/// every mode is -|G|^p for G of the first power, so that lattice kernels give powers of their difference Laplacian,
/// and 0 where G is 0. Powers other than 1 need d = 0, and are not possible with hej2 to hej10, which smooth f, nor
/// with users' kernels. Negative powers in three dimensions are not possible with mehr4f.
///
/// chat2: the singular free-space kernel with a finite value at the origin, of second order for d >= 1 and exact for
/// d = 0 (Chatelain and Koumoutsakos 2010; CHAT2 of Balty, Chatelain and Gillis, FLUPS, 2023):
///   d = 3          -exp(-k r)/(4 pi r);  origin: mean over the sphere of volume hx hy hz
///   d = 2, k = 0   ln(r)/(2 pi);  origin: mean over the cell, a rectangle
///   d = 2, k > 0   -K0(k r)/(2 pi);  origin: mean over the disc of area hx hy
///   d = 1          |x|/2 for k = 0, -exp(-k |x|)/(2 k) for k > 0
///   d = 0          -1/k^2, and 0 for k = 0: the mean of the right-hand side is dropped and the solution has mean zero
/// Its error is c h^2 f to leading order for equal spacings, c = 0.0334, 0.0397 (0.0379 for k > 0), -1/12 for d = 3,
/// 2, 1. It takes the kernel in the middle of each cell, so cells should be nearly cubes: if the largest spacing of a
/// convolved axis is h and the smallest of all axes is g, the relative error of waves of length 2 pi / q in the
/// direction of g is of order (q h)^2, whatever the value at the origin. Beyond h = 2 g the kernel has a note about it.
///
/// truncated: the free-space kernel up to the largest distance R in the problem and 0 beyond, by its transform
/// (Vico, Greengard and Ferrando, 2016). Its accuracy is spectral: the error is the part of f beyond the wavenumbers of
/// the grid. It takes any mixture of boundaries, spacings, net charge and screening. It is computed on axes of length
/// (R + D) / 2, where D is the reach of an axis. If that needs more than 8 times as many modes as the solver has, in
/// long boxes, it is cut off at |x| = D along each axis instead and computed at the modes themselves by sums of
/// Gaussians, with the same accuracy and a few hundred operations per mode. Cut at R, with k^2 that includes
/// screening^2 and s the wavenumber along the convolved axes, it is
///   d = 3, k = 0   -2 (sin(R s / 2) / s)^2
///   d = 3, k > 0   -(1 - exp(-k R) (cos(s R) + k sin(s R) / s)) / (s^2 + k^2)
///   d = 2, k = 0   R ln(R) J1(s R) / s - (1 - J0(s R)) / s^2
///   d = 2, k > 0   -(1 + s R J1(s R) K0(k R) - k R J0(s R) K1(k R)) / (s^2 + k^2)
///   d = 1, k = 0   R sin(s R) / s - (1 - cos(s R)) / s^2
///   d = 1, k > 0   -(1 + exp(-k R) (s sin(s R) / k - cos(s R))) / (s^2 + k^2)
///   d = 0          as chat2
///
/// lgf2, lgf4, lgf6, lgf8, mehr4l, mehr6l, mehr4f, mehr6f: lattice Green's functions, the exact inverses of difference
/// Laplacians for any d. They do not support screening, and need the same spacing along all axes, except for lgf2 to
/// lgf8 with d = 0 and d = 1, which divide the differences of each axis by its own h^2. Wavenumbers are those of the
/// stencil.
///   lgf2 to lgf8    central differences along each axis: order 2, 4, 6 and 8
///   mehr4f, mehr6f  compact stencils (Mehrstellen, 27 points in 3-D) with weights on the right-hand side: order 4, 6
///   mehr4l, mehr6l  these stencils without weights: order 2 with the error -h^2 f/12 where f is not 0, else order 4
///
/// hej2, hej4, hej6, hej8, hej10: the source smoothed by a function of width s = alpha h whose moments vanish up to the
/// order m = 2 M (Hejlesen, Rasmussen, Chatelain and Walther 2013), for the same h along all axes. A mode of wavenumber
/// vector of length q (over all axes, with the screening) is multiplied by
///   zeta = exp(-S/2) sum_{n < M} (S/2)^n/n!,   S = q^2 s^2,
/// so the relative error is 1 - zeta, to leading order (q^2 s^2/2)^M/M!. It has a closed form for all d and k
/// (Hantush's well function for d = 2, k > 0), and thus no images at the distance of the padded box. For d = 0 it is
/// -zeta/k^2.
///
/// hej0: zeta = 1 for |q| < pi/h along the convolved axes and 0 beyond (Hejlesen, Winckelmans and Walther 2019), for
/// the same h along all axes. Its accuracy is spectral: the error is the part of the source beyond pi/h. For d = 3, 1
/// it is computed by sine integrals and E1, for d = 2 by K0(k r) or -ln r minus a Bessel integral from pi/h to
/// infinity. For d = 0 it is -1/k^2.
///
/// igf: integrated Green's function, the mean of the kernel over the cell around each offset (Qiang, Lidia, Ryne and
/// Limborg-Deprey 2006), for any spacings and screening. It is of second order: the error is the sum over the convolved
/// axes of h_i^2/24 d^2u/dx_i^2 to leading order. For equal spacings and k = 0 that is h^2 f/24, a quarter more than
/// the error of chat2 for d = 3, as much for d = 2 and half as much for d = 1. For unequal spacings the error of chat2
/// grows: if one spacing is half of another both errors are equal, and for cells four times as long as wide the error
/// of chat2 is three times as large. For d = 0 it is -1/k^2.
///
/// With a shift of any axis kernels are sampled at displaced offsets. hej2 to hej10, hej0, igf and users' functions of
/// r are evaluated there. chat2 is the parabola of a uniform charge inside the sphere (disc) of a cell's size, or
/// within the smallest spacing, from its value at the origin to that at this distance. truncated is the kernel with all
/// wavenumbers up to pi/h along each convolved axis and none above, in space, by sums over Gaussians, a few hundred
/// operations per offset. Lattice kernels have shifts of whole cells, up to a million, along convolved axes.
std::unique_ptr<GreenKernel> make_kernel(const Kernel& kernel, const std::vector<GreenAxis>& axes, double screening = 0,
                                         double power = 1);

}  // namespace weft
