// Kernels that depend on the distance r over the convolved axes and the wavenumber k over the others alone.
#pragma once

#include <span>
#include <vector>

#include "poisson/kernels.hpp"

namespace weft {

/// Evaluates each distinct pair (r, k) of a block once, if pairs occur repeatedly.
class RadialKernel : public GreenKernel {
 public:
  explicit RadialKernel(const KernelInput& input);

  void sample(const GreenGrid& grid, double* values, int threads) const final;

 protected:
  /// G at the distances `r`, in any order, for one k, with k^2 = screening^2 + the sum of squared wavenumbers. May be
  /// called by several threads at once.
  virtual void tabulate(std::span<const double> r, double k, double* values) const = 0;
  /// G for several k in any order; the values of consecutive k are `stride` apart. Kernels override it when the k of
  /// one distance share work.
  virtual void tabulate_all(std::span<const double> r, std::span<const double> k, double* values,
                            std::size_t stride) const;

 private:
  void sample_block(const GreenGrid& grid, double* values, int threads) const;
  void sample_each(const GreenGrid& grid, double* values, int threads) const;

  std::vector<GreenAxis> axes_;
  int dimension_;
  double screening_;
};

}  // namespace weft
