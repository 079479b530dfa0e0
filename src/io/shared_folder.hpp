// Checks that all nodes see the folder that their ranks will write to.
#pragma once

#include <string>

#include "weft/comm.hpp"

namespace weft::io {

/// Throws the same Error(Fault::file) on every rank if a node does not see a file that rank 0 creates in `folder`,
/// because every node has a disk of its own, or because the folder is not mounted on all nodes. The error names the
/// node and the folder. The file is removed. Without effect if all ranks are on one node, or if rank 0 cannot write to
/// the folder, which writing will report. Collective.
void require_shared_folder(const Comm& comm, const std::string& folder);

}  // namespace weft::io
