"""The turns of weft bench: code that the timed Python programs share.

A program plans, reports it, and sleeps until a file starts its next round. If it waited in MPI it would spin and
disturb the others. It prints one JSON object per line on stdout: one after planning, one for every round, one at the
end.
"""

import json
import math
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from weft._mpi import MPI
from weft.cli.report import bytes_of_others, peak_bytes
from weft.errors import Error
from weft.launch import end_on_interrupt

_COMM = MPI.COMM_WORLD
_COPY_BYTES = 64 << 20
# After sleeping a program has slower cores, and its data are no longer in the caches.
_WARM_SECONDS = 0.05
# The least duration of a timing of repeatable runs, since clocks and barriers take a part of a microsecond.
_TIMING_SECONDS = 2e-4


def say(value: dict[str, Any]) -> None:
    """Prints one line, on rank 0."""
    if _COMM.rank == 0:
        print(json.dumps(value), flush=True)


def largest(value: float) -> float:
    """The maximum over all ranks."""
    return _COMM.allreduce(value, op=MPI.MAX)


@dataclass
class Work:
    """The subject of the timings. Bytes are per rank, and threads are those of each rank."""

    threads: int
    workspace_bytes: Callable[[], float]
    facts: dict[str, Any] = field(default_factory=dict)
    series: dict[str, Callable[[], Any]] = field(default_factory=dict)  # timed functions, by the name of their times
    endings: dict[str, Callable[[], Any]] = field(default_factory=dict)  # figures at the end, on all ranks
    refill: Callable[[], Any] = lambda: None  # before each timing
    most_in_a_row: int = 1 << 20  # runs without filling the arrays anew

    def _turn(self, counts: dict[str, int]) -> dict[str, float]:
        """The time of each function in seconds, equal on all ranks: the mean of so many consecutive runs."""
        seconds = {}
        for name, run in self.series.items():
            self.refill()
            runs = range(counts[name])
            _COMM.Barrier()
            start = time.perf_counter()
            for _ in runs:
                run()
            seconds[name] = largest(time.perf_counter() - start) / len(runs)
        return seconds

    def _warm_up(self) -> dict[str, int]:
        """Warms up for at least 50 ms. Returns the number of consecutive runs that a timing needs."""
        once = dict.fromkeys(self.series, 1)
        fastest = self._turn(once)
        warm = sum(fastest.values())
        while warm < _WARM_SECONDS:
            seconds = self._turn(once)
            warm += sum(seconds.values())
            fastest = {name: min(fastest[name], seconds[name]) for name in once}
        return {
            name: min(math.ceil(_TIMING_SECONDS / max(seconds, 1e-9)), self.most_in_a_row)
            for name, seconds in fastest.items()
        }

    def round(self, repeats: int) -> dict[str, Any]:
        """Times all functions in turns."""
        counts = self._warm_up()
        turns = [self._turn(counts) for _ in range(repeats)]
        peak = largest(peak_bytes())
        return {
            **{name: [turn[name] for turn in turns] for name in self.series},
            "peak_rss_bytes": peak,
            "bytes_of_others": largest(bytes_of_others()),
            "workspace_bytes": largest(self.workspace_bytes()),
            "copy_gb_per_s": _copy_speed(self.threads),
        }


def _copy_speed(threads: int) -> float:
    """GB/s read and written over all ranks while all their threads copy 64 MB per rank; the best of 3."""
    source, target = np.ones(_COPY_BYTES // 8), np.zeros(_COPY_BYTES // 8)
    pieces = list(zip(np.array_split(target, threads), np.array_split(source, threads), strict=True))
    best = np.inf
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(3):
            _COMM.Barrier()
            start = time.perf_counter()
            list(pool.map(lambda piece: np.copyto(*piece), pieces))
            best = min(best, largest(time.perf_counter() - start))
    return 2e-9 * _COPY_BYTES * _COMM.size / best


def _wait_for(folder: Path, name: str) -> bool:
    """Sleeps until the round starts (True) or the contest ends (False).

    The interval between checks grows: dozens of programs that checked every millisecond would take a core from the one
    that is timed.
    """
    nap = 0.001
    while not (folder / name).exists():
        if not folder.exists() or (folder / "stop").exists():
            return False
        time.sleep(nap)
        nap = min(2 * nap, 0.064)
    return True


def _take_part(job: dict[str, Any], make: Callable[[dict[str, Any]], Work]) -> None:
    work = make(job)
    say(work.facts | {"ranks": _COMM.size, "threads": work.threads})
    turn = 0
    while _wait_for(Path(job["folder"]), f"{job['tag']}.{turn}"):
        say(work.round(job["repeats"]))
        turn += 1
    say({name: ending() for name, ending in work.endings.items()})


def take_part(make: Callable[[dict[str, Any]], Work]) -> None:
    """Runs a program: it plans the job that its argument holds as JSON and takes part in the rounds until the end.

    Bad input ends with exit status 2 and one line on stderr, as for all commands.
    """
    end_on_interrupt()
    try:
        _take_part(json.loads(sys.argv[1]), make)
    except Error as error:
        if _COMM.rank == 0:
            print(f"weft: error: {error}", file=sys.stderr, flush=True)
        sys.exit(2)
