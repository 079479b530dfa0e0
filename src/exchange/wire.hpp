// Double data that travel in single precision.
#pragma once

#include <memory>
#include <vector>

#include "exchange/mover.hpp"

namespace weft {

/// A mover for messages of doubles that rounds them to floats on the way; half the bytes are sent, and the relative
/// error of each real is up to 2^-24. Collective.
std::unique_ptr<Mover> make_single_wire(const Comm& comm, std::vector<ChunkMessages> chunks,
                                        const MoverOptions& options);

}  // namespace weft
