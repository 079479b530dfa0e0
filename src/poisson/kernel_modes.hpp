// A kernel at the modes of a solver: sampled, transformed, and sent to the ranks whose modes need it.
#pragma once

#include <vector>

#include "base/buffer.hpp"
#include "plan/schedule/schedule.hpp"
#include "weft/boundary.hpp"
#include "weft/comm.hpp"
#include "weft/green.hpp"
#include "weft/options.hpp"

namespace weft {

/// What kernels of a problem are made from.
std::vector<GreenAxis> green_axes(const std::vector<DomainAxis>& domain);

/// What the factors of modes are multiplied by, so that transforms need no normalisation.
double round_trip(const std::vector<DomainAxis>& domain);

/// What a rank's part of a transformed kernel is made from.
struct KernelJob {
  const Comm& comm;
  const GreenKernel& kernel;
  const std::vector<DomainAxis>& domain;
  const Layout& spectral;
  int slab;  ///< slab_of_modes()
  const PlanOptions& options;
};

/// The entries of the kernel's array that modes refer to.
Box needed_entries(const std::vector<DomainAxis>& domain, const std::vector<AxisTransform>& transforms,
                   const Box& modes);

/// The transformed kernel, normalised, at the needed entries, in C order. Collective.
Buffer<double> transformed_kernel(const KernelJob& in, const Box& needed);

}  // namespace weft
