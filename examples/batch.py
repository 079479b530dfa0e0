"""Right-hand sides at once and one by one: mpiexec -n 2 python examples/batch.py [--cells 32] [--vectors]

Solves as many random right-hand sides in turns by one solve of all and by a loop, in a periodic box, a closed one and
free space, says whether the bits are the same, and prints the fastest times of each. --vectors: vector fields, with
the conditions of the gradient of such a scalar.
"""

import argparse
import sys
import time

import numpy as np
import weft
from mpi4py import MPI

ENDS = {"periodic": "periodic", "closed": ("odd", "even"), "free space": "unbounded"}


def seconds_of(comm: MPI.Intracomm, work) -> float:
    """The time of the slowest rank."""
    comm.Barrier()
    start = time.perf_counter()
    work()
    return comm.allreduce(time.perf_counter() - start, op=MPI.MAX)


def compare(given: argparse.Namespace, ends: str) -> tuple[bool, float, float]:
    """Whether bits are the same on all ranks, and the fastest loop and batch in seconds. Collective."""
    boundary, solver = [ENDS[ends]] * 3, weft.Poisson
    if given.vectors:
        boundary, solver = weft.vector_boundary(boundary), weft.VectorPoisson
    problem = (given.cells,) * 3, (1.0,) * 3, boundary
    one = solver(*problem, strategy=given.strategy)
    all_of_them = solver(*problem, strategy=given.strategy, batch=given.batch)
    shape = all_of_them.vector_shape if given.vectors else all_of_them.local_shape
    rhs = np.random.default_rng(one.comm.rank).standard_normal(shape)
    alone, together = np.empty_like(rhs), np.empty_like(rhs)

    def loop() -> None:
        for f, u in zip(rhs, alone, strict=True):
            one.solve(f, u)

    times = [
        (seconds_of(one.comm, loop), seconds_of(one.comm, lambda: all_of_them.solve(rhs, together)))
        for _ in range(given.repeat)
    ]
    same = one.comm.allreduce(alone.tobytes() == together.tobytes(), op=MPI.LAND)
    return same, min(t for t, _ in times), min(t for _, t in times)


def main() -> int:
    """Prints a line for each kind of boundaries; 1 if bits differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("cells", 32), ("batch", 8), ("repeat", 30)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--strategy", default="auto")
    parser.add_argument("--vectors", action="store_true")
    given = parser.parse_args()
    wrong = False
    for ends in ENDS:
        same, loop, batch = compare(given, ends)
        wrong = wrong or not same
        if MPI.COMM_WORLD.rank == 0:
            bits = "the same bits" if same else "other bits"
            print(
                f"{ends:10}  loop {loop * 1e3:8.3f} ms  batch {batch * 1e3:8.3f} ms  {loop / batch:5.2f} times, {bits}"
            )
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
