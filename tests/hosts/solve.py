"""On every rank of several hosts: a solve in free space, which must have the bits of one rank. Rank 0 prints JSON."""

import json
import time

import numpy as np
import weft
from mpi4py import MPI

CELLS = (40, 36, 44)


def solver(comm: MPI.Intracomm) -> weft.Poisson:
    """Open in all directions, on these ranks."""
    return weft.Poisson(CELLS, tuple(n / 40 for n in CELLS), [("unbounded", "unbounded")] * 3, comm=comm)


def main() -> None:
    """Solves on all ranks and on this one alone, and compares this rank's part."""
    comm = MPI.COMM_WORLD
    charge = np.random.default_rng(1).standard_normal(CELLS)
    alone = solver(MPI.COMM_SELF)
    expected = alone.solve(charge)
    together = solver(comm)
    mine = np.ascontiguousarray(charge[together.local_slices])
    seconds = []
    for _ in range(3):
        comm.Barrier()
        begin = time.perf_counter()
        found = together.solve(mine)
        seconds.append(comm.allreduce(time.perf_counter() - begin, MPI.MAX))
    same = comm.allreduce(found.tobytes() == np.ascontiguousarray(expected[together.local_slices]).tobytes(), MPI.LAND)
    if comm.rank == 0:
        facts = {"ok": same, "ms": min(seconds) * 1e3, "strategy": together.strategy}
        print(json.dumps(facts | {"sent": together.bytes_sent}))


main()
