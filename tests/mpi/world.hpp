// The ranks of a test. It lies in the namespace of the library, where the tests are.
#pragma once

#include <mpi.h>

#include "weft/comm.hpp"

namespace weft {

inline const Comm& world() {
  static const Comm comm(MPI_COMM_WORLD);
  return comm;
}
inline int ranks() { return world().size(); }
inline bool last_rank() { return world().rank() == ranks() - 1; }

}  // namespace weft
