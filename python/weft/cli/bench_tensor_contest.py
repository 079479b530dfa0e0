"""Tensor transforms compared with FFTs: forward + backward in alternating turns, on one or several numbers of ranks."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.table import Table

from weft.cli.bench_contest import Entry, run_entries
from weft.cli.bench_plot import bars
from weft.cli.bench_task import Task, TensorTask, TensorVariant, Variant
from weft.cli.bench_tensor_plot import picture_format, scaling_picture
from weft.cli.output import write_file
from weft.cli.terminal import print_table
from weft.launch import leave_mpi

_SILENT = ("none", "shared")  # strategies of the FFT that send no messages


@dataclass(frozen=True)
class Contest:
    """The contenders and their task. Ranks and grid of the task are those of the first number of ranks."""

    task: TensorTask
    ranks: tuple[int, ...]
    variants: tuple[TensorVariant, ...]
    strategies: tuple[str, ...]  # of the FFT
    peers: tuple[str, ...]
    repeat: int

    @property
    def title(self) -> str:
        """The transform in words."""
        return f"{' x '.join(map(str, self.task.shape))} {self.task.kinds}, {self.task.precision}"

    def rows(self) -> list[dict[str, Any]]:
        """The rows of all contenders for every number of ranks. This process ends MPI for itself."""
        leave_mpi()
        return [row for ranks in self.ranks for row in self._rows(ranks)]

    def _rows(self, ranks: int) -> list[dict[str, Any]]:
        task = replace(self.task, ranks=ranks)
        fft = Task(task.shape, task.kinds, ranks, task.threads, task.precision)
        # One rank moves no data, whatever the strategy.
        strategies = self.strategies if ranks > 1 else ("auto",)
        entries: list[Entry] = [(fft, Variant(name, "auto", False, False)) for name in strategies]
        entries += [(task, variant) for variant in self.variants]
        return [_completed(row, task) for row in run_entries(entries, self.repeat, self.peers)]


def variants(
    algorithms: Sequence[str], matrices: Sequence[str], foldings: Sequence[str], communication_thread: bool
) -> tuple[TensorVariant, ...]:
    """Every combination."""
    words = itertools.product(algorithms, matrices, foldings)
    return tuple(TensorVariant(*one, communication_thread) for one in words)


def _completed(row: dict[str, Any], task: TensorTask) -> dict[str, Any]:
    """A row with the figures that all contenders have.

    GF/s are nominal: 5 n log2 n operations for n complex points and half of it for real points, in both directions,
    whatever a contender computes. The operations of a tensor transform are given separately.
    """
    points, halves = math.prod(task.shape), 2 if task.kinds == "r2c" else 1
    flops = 2 * 5 * points * math.log2(max(points, 2)) / halves
    row["gflops"] = 1e-9 * flops / row["seconds_min"]
    row["is_tensor"] = row["strategy"] == "tensor"
    if row["is_tensor"]:
        done = row.pop("performed_flops_per_rank")
        row["performed_gflops_per_rank"] = 1e-9 * done / row["seconds_min"]
    elif row["name"].startswith("weft"):
        # Every exchange of an FFT involves all ranks along one axis of the process grid.
        peers = 0 if row["strategy"] in _SILENT else sum(size - 1 for size in row["grid"])
        row["messages_per_rank"] = 2 * peers
    return row


def draw(contest: Contest, rows: list[dict[str, Any]], plot: Path | None) -> None:
    """Draws bars for one number of ranks, curves for several."""
    kind = picture_format(plot)
    if len(contest.ranks) > 1:
        title = f"{contest.title}: forward + backward"
        write_file(plot, "--plot", lambda file: scaling_picture(rows, contest.peers, title, file, kind))
    else:
        title = f"{contest.title}, {contest.ranks[0]} ranks: forward + backward"
        write_file(plot, "--plot", lambda file: bars(title, rows, set(contest.peers), file, kind))


def show(contest: Contest, rows: list[dict[str, Any]]) -> None:
    """The table."""
    title = f"{contest.title}: forward + backward; load when it began: {rows[0]['load_average']:.1f}"
    table = Table(title=title, title_justify="left")
    table.add_column("", no_wrap=True)
    columns = ["ranks x threads", "grid", "min ms", "median ms", "of fastest", "GF/s", "done GF/s/rank", "error"]
    for column in (*columns, "messages/rank", "sent MB/rank", "workspace MB/rank"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            row["name"],
            f"{row['ranks']} x {row['threads']}",
            "x".join(map(str, row["grid"])),
            f"{row['seconds_min'] * 1e3:.2f}",
            f"{row['seconds_median'] * 1e3:.2f}",
            f"{row['of_fastest']:.2f}",
            f"{row['gflops']:.1f}",
            f"{row['performed_gflops_per_rank']:.1f}" if row["is_tensor"] else "",
            f"{row['error']:.1e}",
            str(row.get("messages_per_rank", "")),
            f"{row['bytes_sent_per_rank'] / 1e6:.1f}",
            f"{row['workspace_bytes'] / 1e6:.1f}",
        )
    print_table(table, keys=2)
