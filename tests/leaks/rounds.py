"""Makes and drops objects of each kind on the ranks of one MPI job, and says which of its levels have risen.

One period of rounds of each kind goes before, for what is kept for the next time. `python -m leaks` starts the job.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from mpi4py import MPI

from leaks.levels import MOST_COMMUNICATORS, OF_MPI_ITSELF, Levels, free_communicators, grown
from leaks.makers import IN_FOLDERS, MAKERS, PERIOD, SLOW

WORLD = MPI.COMM_WORLD


def level(make: Callable[[int], None], rounds: int) -> tuple[float, Levels, Levels]:
    """Seconds for that many rounds, and what this rank held before and after."""
    begin, before = time.monotonic(), Levels.now()
    for i in range(rounds):
        make(i)
    after = Levels.now()
    return time.monotonic() - begin, before, after


def report(name: str, rounds: int, seconds: float, before: Levels, after: Levels) -> int:
    """Prints a line of all ranks on rank 0; how many have leaks."""
    texts = grown(before, after, rounds)
    told = WORLD.gather((texts, after.allocated - before.allocated, after.resident - before.resident))
    if WORLD.rank != 0 or told is None:
        return WORLD.bcast(0)
    bytes_a_round = max(allocated for _, allocated, _ in told) / rounds
    resident = max(more for _, _, more in told) / 1024
    print(
        f"{name:24}{rounds:8}{seconds:8.1f} s{bytes_a_round:10.2f} bytes a round{resident:8.0f} KB resident", flush=True
    )
    for rank, (words, _, _) in enumerate(told):
        for text in words:
            print(f"   rank {rank}: {name}: {text}", flush=True)
    return WORLD.bcast(sum(bool(words) for words, _, _ in told))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5000, help="of each kind")
    parser.add_argument("--only", action="append", help="a kind; may be repeated")
    given = parser.parse_args()
    folder = Path(WORLD.bcast(tempfile.mkdtemp(prefix="weft-leaks-") if WORLD.rank == 0 else None))
    makers: dict[str, Callable[[int], None]] = dict(MAKERS)
    for name, make in IN_FOLDERS.items():
        makers[name] = lambda i, make=make: make(i, folder)  # type: ignore[misc]
    chosen = given.only or list(makers)
    for name in chosen:
        for i in range(max(4, PERIOD // SLOW.get(name, 1))):
            makers[name](i)
    free = free_communicators()
    leaks = 0
    for name in chosen:
        rounds = max(1, given.rounds // SLOW.get(name, 1))
        # What grows once, as a table of Python's does that doubles, is level in the rounds after; a leak is not.
        if report(name, rounds, *level(makers[name], rounds)) > 0:
            leaks += report(f"{name}, again", rounds, *level(makers[name], rounds))
    left = free_communicators()
    lost = WORLD.allreduce(max(0, free - left), MPI.MAX)
    if WORLD.rank == 0:
        limit = " (the most that is tried)" if left == MOST_COMMUNICATORS else ""
        print(f"communicators that can be made: {free} before, {left} after{limit}")
        print("all is level" if leaks == 0 and lost <= OF_MPI_ITSELF else "something has grown", flush=True)
        shutil.rmtree(folder)
    return int(leaks > 0 or lost > OF_MPI_ITSELF)


if __name__ == "__main__":
    sys.exit(main())
