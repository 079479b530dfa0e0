// The machine for which estimates are made.
#pragma once

#include "model/machine_model.hpp"
#include "weft/comm.hpp"

namespace weft {

/// The file that WEFT_MACHINE names (empty: none), or ~/.config/weft/machine.toml if it exists, as rank 0 sees it;
/// without a file the standard machine, with the cores of this machine. A file that was measured on another machine is
/// ignored, and rank 0 warns about it once. Collective; throws the same Error (Fault::file) on every rank if it is
/// missing or damaged.
MachineModel chosen_machine(const Comm& comm);

/// ~/.config/weft/machine.toml; empty without a home folder.
std::string standard_machine_path();

}  // namespace weft
