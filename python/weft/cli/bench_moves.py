"""Common parts of benchmarks of moves: variants in turns, compared with a copy in the memory of each rank."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from rich.table import Table

from weft._mpi import MPI
from weft.cli.report import peak_bytes
from weft.cli.terminal import print_table, progress


@dataclass
class Runner:
    """One variant of a move."""

    name: str
    run: Callable[[], object]
    facts: dict[str, Any]
    seconds: list[float] = field(default_factory=list)


class Turns:
    """Variants that are timed in turns; the first one is the copy that the others are compared with."""

    def __init__(self, comm: MPI.Intracomm, threads: int, copied: int) -> None:
        """copied: bytes that a rank copies in one turn."""
        self.comm, self.threads, self.copied = comm, threads, copied
        self.runners: list[Runner] = []

    def add_copy(self, run: Callable[[], object]) -> None:
        """The copy in memory."""
        facts = {"strategy": "none", "bytes_sent_per_rank": 0, "workspace_bytes": 0, "error": 0.0}
        self.runners.append(Runner("memcpy", run, facts))

    def add_variant(self, name: str, planned: Any, run: Callable[[], object], error: float) -> None:
        """Adds the work of a planned object, and the error of its result on this rank. Collective."""
        facts = {
            "strategy": planned.strategy,
            "bytes_sent_per_rank": self._largest(planned.bytes_sent),
            "workspace_bytes": self._largest(planned.workspace_bytes),
            "error": self._largest(error),
        }
        self.runners.append(Runner(name, run, facts))

    def _largest(self, value: float) -> float:
        return self.comm.allreduce(value, op=MPI.MAX)

    def _timed(self, runner: Runner) -> float:
        """The time of the slowest rank in seconds. Collective."""
        self.comm.Barrier()
        start = time.perf_counter()
        runner.run()
        return self._largest(time.perf_counter() - start)

    def run(self, repeat: int) -> list[dict[str, Any]]:
        """Times all variants in turns, without the first turn. Returns the same rows on every rank. Collective."""
        with progress(self.comm, 1 + repeat, "turns", quiet=True) as bar:
            for turn in range(1 + repeat):
                for runner in self.runners:
                    seconds = self._timed(runner)
                    runner.seconds += [seconds] if turn else []
                bar.advance()
        peak, copy = self._largest(peak_bytes()), min(self.runners[0].seconds)
        return [
            {
                "name": runner.name,
                **runner.facts,
                "grid": [self.comm.size],
                "chunks": 1,
                "ranks": self.comm.size,
                "threads": self.threads,
                "seconds_min": min(runner.seconds),
                "seconds_median": median(runner.seconds),
                "repeats": len(runner.seconds),
                "gb_per_s_per_rank": 1e-9 * self.copied / min(runner.seconds),
                "of_memcpy_speed": copy / min(runner.seconds),
                "peak_rss_bytes": peak,
            }
            for runner in self.runners
        ]


def print_rows(title: str, rows: list[dict[str, Any]]) -> None:
    """The rows as a table."""
    table = Table(title=title, title_justify="left")
    table.add_column("", no_wrap=True)
    for column in ("min ms", "median ms", "GB/s per rank", "of memcpy speed", "sent MB/rank", "workspace MB/rank"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            row["name"],
            f"{row['seconds_min'] * 1e3:.4g}",
            f"{row['seconds_median'] * 1e3:.4g}",
            f"{row['gb_per_s_per_rank']:.2f}",
            f"{row['of_memcpy_speed']:.2f}",
            f"{row['bytes_sent_per_rank'] / 1e6:.1f}",
            f"{row['workspace_bytes'] / 1e6:.1f}",
        )
    print_table(table)
