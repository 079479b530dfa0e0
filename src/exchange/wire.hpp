// Messages of double data in single precision.
#pragma once

#include <memory>
#include <vector>

#include "exchange/mover.hpp"

namespace weft {

/// A mover for messages of doubles that sends them as floats: half the bytes, with a relative error of up to 2^-24 in
/// each real. Collective.
std::unique_ptr<Mover> make_single_wire(const Comm& comm, std::vector<ChunkMessages> chunks,
                                        const MoverOptions& options);

}  // namespace weft
