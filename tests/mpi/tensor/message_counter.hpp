// Counts what a program hands to MPI, at MPI's own profiling interface.
#pragma once

#include <cstdint>

namespace weft::tensor_test {

struct Calls {
  std::int64_t messages = 0;     ///< point to point, to another rank
  std::int64_t to_oneself = 0;   ///< point to point, to the same rank
  std::int64_t collectives = 0;  ///< reductions, broadcasts, gathers, barriers, all-to-alls
};

/// Of this process, since it began.
Calls calls();

}  // namespace weft::tensor_test
