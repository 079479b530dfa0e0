// What all simulated ranks have in common: their clock, and the outcome of what they did.
#pragma once

#include <mpi.h>
#include <smpi/smpi.h>

#include "elements.hpp"
#include "weft/comm.hpp"

namespace weft::simulation {

/// What all ranks together found; the same on every rank.
struct Outcome {
  Count count;
  double forward = 0, backward = 0;  ///< simulated seconds of the last round, passes included
};

/// Of all ranks. The non-blocking collectives of the simulator, which Comm's are, send everything to everybody: on all
/// of 1024 ranks they would take hours.
template <class Value>
Value reduced(const Comm& comm, Value value, MPI_Datatype type, MPI_Op operation) {
  Value result{};
  MPI_Allreduce(&value, &result, 1, type, operation, comm.handle());
  return result;
}

inline double latest(const Comm& comm, double time) { return reduced(comm, time, MPI_DOUBLE, MPI_MAX); }
inline index_t sum(const Comm& comm, index_t value) { return reduced(comm, value, MPI_INT64_T, MPI_SUM); }
inline Count sum(const Comm& comm, const Count& count) { return {sum(comm, count.seen), sum(comm, count.wrong)}; }

/// All ranks go on at the same simulated time, which is the result. Collective.
inline double start_together(const Comm& comm) {
  constexpr double margin = 1e-3;
  const double start = latest(comm, MPI_Wtime()) + margin;
  smpi_execute_benched(start - MPI_Wtime());
  return start;
}

}  // namespace weft::simulation
