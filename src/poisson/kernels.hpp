// The input of all families of kernels, and the function that makes each family.
#pragma once

#include <memory>
#include <vector>

#include "weft/green.hpp"

namespace weft {

/// A kernel and the problem that it is for.
struct KernelInput {
  const Kernel& kernel;
  const std::vector<GreenAxis>& axes;
  double screening;

  /// The number of convolved axes.
  int dimension() const;
  /// The spacing that all axes share, to a relative 1e-12. If they differ, throws Error with the kernel's name and what
  /// to use instead.
  double common_spacing() const;
  /// Throws Error unless screening is 0, with what to use instead.
  void refuse_screening() const;
};

/// A shift as a whole number of cells and the remainder, which is 0 if it is rounding.
struct CellShift {
  double cells, rest;
};

CellShift cell_shift(const GreenAxis& axis);
/// Whether any axis has a shift.
bool is_shifted(const std::vector<GreenAxis>& axes);

std::unique_ptr<GreenKernel> make_chat2(const KernelInput& input);
/// lgf2, lgf4, lgf6, lgf8, mehr4l, mehr6l, mehr4f and mehr6f: the exact inverses of the difference operators P/Q of
/// lattice_symbol.hpp, where their orders are, on a lattice with one spacing h along all axes:
///   d = 3 -g/h,  d = 2 -g,  d = 1 -h g,  d = 0 -h^2 Q/P (0 for the zero mode)  with P g = Q delta on the unit lattice,
/// and for d = 2 or 1 and wavenumber zero G approaches ln(r)/(2 pi) or |x|/2 far from the origin.
std::unique_ptr<GreenKernel> make_lattice(const KernelInput& input);
/// hej2 to hej10.
std::unique_ptr<GreenKernel> make_hej(const KernelInput& input);
std::unique_ptr<GreenKernel> make_hej0(const KernelInput& input);
std::unique_ptr<GreenKernel> make_igf(const KernelInput& input);
std::unique_ptr<GreenKernel> make_truncated(const KernelInput& input);
/// The kernel truncated with a shift: sampled in space, without waves beyond pi/h along any convolved axis, of which
/// there is at least one.
std::unique_ptr<GreenKernel> make_truncated_space(const KernelInput& input);
/// Kernels of users: of_distance and of_wavenumber.
std::unique_ptr<GreenKernel> make_of_distance(const KernelInput& input);
std::unique_ptr<GreenKernel> make_of_wavenumber(const KernelInput& input);

/// The kernel of -(screening^2 - lap)^power from that of the first power. Throws Error if the kernel has no powers.
std::unique_ptr<GreenKernel> to_power(std::unique_ptr<GreenKernel> kernel, const KernelInput& input, double power);

}  // namespace weft
