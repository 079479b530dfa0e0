// The movers of all strategies that send messages: one function for each file.
#pragma once

#include <memory>
#include <vector>

#include "exchange/mover.hpp"

namespace weft {

/// MPI_Ialltoallv (strategy alltoallv, where counts fit) or MPI_Ialltoallw (alltoallw, and alltoallv where they do
/// not).
std::unique_ptr<Mover> make_collective_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                             const MoverOptions& options);

/// Strategies cyclic and pairwise: round by round, one partner at a time.
std::unique_ptr<Mover> make_round_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                        const MoverOptions& options);

/// Strategy persistent: requests made once, started again and again.
std::unique_ptr<Mover> make_persistent_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                             const MoverOptions& options);

/// Strategy datatype: MPI_Isend and MPI_Irecv of whatever types the messages have.
std::unique_ptr<Mover> make_datatype_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                           const MoverOptions& options);

/// Strategy multistage: ceil(log2(ranks)) stages, blocks travel by way of other ranks. Basic types only. Throws the
/// same Error (Fault::resource) on every rank where one of them has no memory for the blocks that pass through.
std::unique_ptr<Mover> make_multistage_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                             const MoverOptions& options);

}  // namespace weft
