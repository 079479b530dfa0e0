// Whether all nodes see the folder that their ranks are about to write in.
#pragma once

#include <string>

#include "weft/comm.hpp"

namespace weft::io {

/// Throws the same Error(Fault::file) on every rank where a node does not see in `folder` what rank 0 makes there: a
/// working folder on a disk of every node's own, or one that is mounted on some. It names the node and the folder.
/// Leaves nothing in the folder. Without effect where all ranks are on one node, and where rank 0 cannot write there:
/// writing will say so. Collective.
void require_shared_folder(const Comm& comm, const std::string& folder);

}  // namespace weft::io
