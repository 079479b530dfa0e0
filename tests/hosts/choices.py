"""On every rank of several hosts: every strategy and number of chunks, and what the library chooses by itself.

usage: WEFT_MACHINE=FILE mpiexec ... python choices.py r2c|solve N [ROUNDS]    rank 0 prints JSON
"""

import json
import re
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import weft
from mpi4py import MPI

CHUNKS = (1, 2, 4, 8)


def transform(n: int, strategy: str, chunks: int) -> tuple[Any, Callable[[], object]]:
    """A pair of transforms of real data of n^3 points."""
    plan = weft.Plan((n, n, n), "r2c", strategy=strategy, chunks=chunks, threads=1)
    points, modes = plan.physical(), plan.spectral(padded=True)

    def pair() -> None:
        plan.forward(points, out=modes)
        plan.backward(modes, out=points)

    return plan, pair


def solve(n: int, strategy: str, chunks: int) -> tuple[Any, Callable[[], object]]:
    """A solve in free space on n^3 cells."""
    solver = weft.Poisson(
        (n, n, n), (1.0, 1.0, 1.0), [("unbounded", "unbounded")] * 3, strategy=strategy, chunks=chunks, threads=1
    )
    rhs = np.zeros(solver.local_shape)
    out = np.zeros(solver.local_shape)
    return solver, lambda: solver.solve(rhs, out=out)


def choice(text: str) -> tuple[str, int]:
    """What explain() says that was chosen; `auto` exchanges between hosts by alltoallv."""
    found = re.search(r"^estimated: (\S+), chunks (\d+)", text, re.M)
    assert found, text
    return "alltoallv" if found[1] == "auto" else found[1], int(found[2])


def best_of(comm: MPI.Intracomm, run: Callable[[], object], turns: int) -> float:
    """Milliseconds of the slowest rank, the minimum of some turns after one that does not count."""
    run()
    times = []
    for _ in range(turns):
        comm.Barrier()
        begin = time.perf_counter()
        run()
        times.append(comm.allreduce(time.perf_counter() - begin, MPI.MAX) * 1e3)
    return min(times)


def main() -> None:
    """Rounds over all candidates, so that a disturbance does not hit one alone."""
    make = {"r2c": transform, "solve": solve}[sys.argv[1]]
    n, rounds = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 2
    comm = MPI.COMM_WORLD
    one_each = comm.allreduce(comm.Split_type(MPI.COMM_TYPE_SHARED).size, MPI.MAX) == 1
    left_out = {"auto", "shared", *(["hierarchical"] if one_each else [])}
    found: dict[tuple[str, int], float] = {}
    text, own = "", float("inf")
    for _ in range(rounds):
        for strategy in (name for name in weft.strategies() if name not in left_out):
            for chunks in CHUNKS:
                key = (strategy, chunks)
                found[key] = min(found.get(key, float("inf")), best_of(comm, make(n, strategy, chunks)[1], 3))
        made, run = make(n, "auto", 0)
        text = made.explain()
        own = min(own, best_of(comm, run, 3))
    if comm.rank == 0:
        best = min(found, key=lambda key: found[key])
        rows = [{"strategy": s, "chunks": c, "ms": ms} for (s, c), ms in found.items()]
        chosen = choice(text)
        facts = {"chosen": chosen, "ms": min(own, found.get(chosen, own)), "best": best, "best_ms": found[best]}
        print(json.dumps(facts | {"rows": rows, "text": text}))


main()
