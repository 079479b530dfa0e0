// Which machine estimates are made for.
#pragma once

#include "model/machine_model.hpp"
#include "weft/comm.hpp"

namespace weft {

/// The file that WEFT_MACHINE names (empty: none), or ~/.config/weft/machine.toml where there is one, as rank 0 sees
/// it; without a file the standard machine, with the cores of this one. One that was measured on another machine says
/// nothing, and rank 0 warns about it once. Collective; throws the same Error (Fault::file) on every rank when it is
/// missing or damaged.
MachineModel chosen_machine(const Comm& comm);

/// ~/.config/weft/machine.toml; empty where there is no home.
std::string standard_machine_path();

}  // namespace weft
