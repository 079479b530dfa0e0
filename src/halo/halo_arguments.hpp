// The arguments of a halo: checks with the same outcome on all ranks, and lists completed to one entry per axis and
// component.
#pragma once

#include <vector>

#include "halo/pieces.hpp"
#include "weft/halo.hpp"

namespace weft {

/// Throws the same Error on every rank if anything is not allowed or differs between ranks. Collective.
void check_halo(const Comm& comm, const Extents& shape, const Box& owned, const HaloProblem& problem,
                const HaloOptions& options);

/// Axes per component of arguments that have passed check_halo.
std::vector<std::vector<HaloAxis>> halo_axes(const Extents& shape, const HaloProblem& problem);
/// Widths per axis.
std::vector<HaloWidth> halo_widths(const Extents& shape, const HaloProblem& problem);

}  // namespace weft
