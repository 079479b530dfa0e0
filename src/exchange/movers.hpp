// The movers of all strategies that send messages, one function per file.
#pragma once

#include <memory>
#include <vector>

#include "exchange/mover.hpp"

namespace weft {

/// MPI_Ialltoallv (strategy alltoallv, if counts fit) or MPI_Ialltoallw (alltoallw, and alltoallv if counts do not
/// fit).
std::unique_ptr<Mover> make_collective_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                             const MoverOptions& options);

/// Strategies cyclic and pairwise: round by round, one partner at a time.
std::unique_ptr<Mover> make_round_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                        const MoverOptions& options);

/// Strategy persistent: requests are made once and started for every run.
std::unique_ptr<Mover> make_persistent_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                             const MoverOptions& options);

/// Strategy datatype: MPI_Isend and MPI_Irecv of messages of any types.
std::unique_ptr<Mover> make_datatype_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                           const MoverOptions& options);

/// Strategy multistage: ceil(log2(ranks)) stages, in which other ranks forward the blocks. Basic types only. Throws the
/// same Error (Fault::resource) on every rank if one of them has no memory for the blocks that it forwards.
std::unique_ptr<Mover> make_multistage_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                             const MoverOptions& options);

}  // namespace weft
