// A kernel at the modes of a solver: sampled, transformed, and sent to the ranks whose modes need it.
#pragma once

#include <functional>
#include <vector>

#include "base/buffer.hpp"
#include "plan/schedule/schedule.hpp"
#include "weft/boundary.hpp"
#include "weft/comm.hpp"
#include "weft/green.hpp"
#include "weft/options.hpp"

namespace weft {

/// The axes of a problem as its kernel sees them.
std::vector<GreenAxis> green_axes(const std::vector<DomainAxis>& domain);

/// The normalisation of the transforms, forward and backward, which is part of the factors of modes.
double round_trip(const std::vector<DomainAxis>& domain);

/// The input for a rank's part of a transformed kernel.
struct KernelJob {
  const Comm& comm;
  const GreenKernel& kernel;
  const std::vector<DomainAxis>& domain;
  const Layout& spectral;
  int slab;  ///< slab_of_modes()
  const PlanOptions& options;
};

/// The volume of a cell of the convolved axes: the factor that turns sums over points into integrals.
double quadrature_weight(const std::vector<DomainAxis>& domain);

/// The options of plans that transform a kernel.
PlanOptions kernel_options(const PlanOptions& options);

/// The coordinate of the kernel for an entry of an axis.
using Coordinate = std::function<double(std::size_t axis, index_t entry)>;

struct SampleInput {
  int threads;           ///< of this rank
  index_t capacity = 0;  ///< the least number of values to allocate
};

/// The kernel of a job at the entries of a box, in C order. Collective: kernels of users may throw.
Buffer<double> sample_kernel(const KernelJob& in, const Box& box, const Coordinate& coordinate, const SampleInput& how);

/// The values of box `owned`, `width` reals each, moved to box `needed`; in the same memory if the boxes agree on every
/// rank. Collective.
Buffer<double> redistributed(const KernelJob& in, Buffer<double> values, const Box& owned, const Box& needed,
                             int width);

/// The entries of the kernel's array that modes refer to.
Box needed_entries(const std::vector<DomainAxis>& domain, const std::vector<AxisTransform>& transforms,
                   const Box& modes);

/// The transformed kernel, normalised, at the needed entries, in C order. Collective.
Buffer<double> transformed_kernel(const KernelJob& in, const Box& needed);

}  // namespace weft
