"""weft bench: timings of Weft beside those of other libraries.

Every contender is a program of its own that plans once and then waits, asleep, for its turn. The turns alternate, so
that all of them see the same state of the machine, and a copy speed is measured in each.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import IO, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from weft.cli import bench_engine
from weft.cli.peers import PEERS
from weft.cli.report import print_json
from weft.errors import Error, ResourceError
from weft.launch import Launcher, leave_mpi, own_launcher, under_launcher

app = typer.Typer(help="Timings, beside those of other libraries.", rich_markup_mode=None)
app.command("engine")(bench_engine.engine)

_PER_ROUND = 2


@app.callback()
def _group() -> None:
    """Timings, beside those of other libraries."""


@dataclass(frozen=True)
class Task:
    """What everybody has to do: forward and backward transforms of one array."""

    shape: tuple[int, int, int]
    kinds: str
    ranks: int
    threads: int


@dataclass
class Contender:
    """A running program that takes turns, and what it has reported so far."""

    name: str
    tag: str
    process: subprocess.Popen
    said: IO[bytes]
    facts: dict[str, Any] = field(default_factory=dict)
    rounds: list[dict[str, Any]] = field(default_factory=list)

    def hear(self) -> dict[str, Any]:
        """The next JSON line of the program. A program that ends early has explained itself on stderr."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(b"{"):
                return json.loads(line)
        self.process.wait()
        self.said.seek(0)
        words = self.said.read().decode(errors="replace").strip()
        if refusal := re.search(r"^weft: error: (.*)$", words, re.MULTILINE):
            raise Error(refusal[1])
        raise ResourceError(f"{self.name} ended with status {self.process.returncode}: {words[:1000]}")

    def row(self, task: Task) -> dict[str, Any]:
        """What is reported about it; times in seconds for one forward and one backward transform."""
        times = [seconds for turn in self.rounds for seconds in turn["seconds"]]
        return {
            "name": self.name,
            "strategy": self.facts["strategy"],
            "ranks": task.ranks,
            "threads": self.facts["threads"],
            "seconds_min": min(times),
            "seconds_median": median(times),
            "repeats": len(times),
            "error": self.facts["error"],
            "bytes_sent_per_rank": self.facts["bytes_sent_per_rank"],
            "workspace_bytes": self.facts["workspace_bytes"],
            "peak_rss_bytes": self.rounds[0]["peak_rss_bytes"],
            "copy_gb_per_s": max(turn["copy_gb_per_s"] for turn in self.rounds),
        }


def _start(name: str, tag: str, launcher: Launcher, command: Sequence[str], ranks: int) -> Contender:
    """Starts a program on that many ranks and waits until it has planned."""
    said = tempfile.TemporaryFile()  # noqa: SIM115  open as long as the program runs
    try:
        process = subprocess.Popen(
            launcher.command(ranks, command),
            env=launcher.environ(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=said,
        )
    except OSError as error:
        raise ResourceError(f"{launcher.program}: the MPI launcher cannot be started: {error.strerror}") from None
    contender = Contender(name, tag, process, said)
    contender.facts = contender.hear()
    return contender


@contextmanager
def _contest(task: Task, strategies: Sequence[str], peers: Sequence[str]) -> Iterator[tuple[Path, list[Contender]]]:
    """All contenders, planned and waiting; whoever still runs at the end is stopped."""
    built = [(peer, *PEERS[peer](task.kinds)) for peer in peers]
    contenders: list[Contender] = []
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as name:
        folder = Path(name)
        try:
            for strategy in strategies:
                tag = f"weft-{strategy}"
                job = {"folder": name, "tag": tag, "strategy": strategy, "repeats": _PER_ROUND, **vars(task)}
                command = [sys.executable, "-m", "weft.cli.bench_worker", json.dumps(job)]
                contender = _start(tag, tag, own_launcher(), command, task.ranks)
                contender.name = f"weft {contender.facts['strategy']}"
                contenders.append(contender)
            for peer, launcher, program in built:
                command = [program, name, peer, task.kinds, str(_PER_ROUND), *map(str, task.shape)]
                contenders.append(_start(peer, peer, launcher, command, task.ranks))
            yield folder, contenders
        finally:
            # Every rank looks for this file, so that a launcher that is killed leaves nobody behind.
            (folder / "stop").touch()
            for contender in contenders:
                try:
                    contender.process.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    contender.process.kill()


def run(task: Task, repeat: int, strategies: Sequence[str], peers: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of all contenders, with at least `repeat` timings each."""
    with _contest(task, strategies, peers) as (folder, contenders):
        for turn in range(-(-repeat // _PER_ROUND)):
            for contender in contenders:
                (folder / f"{contender.tag}.{turn}").touch()
                contender.rounds.append(contender.hear())
        (folder / "stop").touch()
        for contender in contenders:
            contender.facts |= contender.hear()
        return [contender.row(task) for contender in contenders]


@app.command("fft")
def fft(
    shape: Annotated[tuple[int, int, int], typer.Option(metavar="NX NY NZ", help="Points per axis.")] = (128, 128, 128),
    kinds: Annotated[str, typer.Option(help="One kind for all axes, or three with commas.")] = "r2c",
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="Ranks.")] = 1,
    repeat: Annotated[int, typer.Option(min=1, help="Timings of each at least.")] = 10,
    strategy: Annotated[list[str] | None, typer.Option(help="Weft's strategies.  [default: auto]")] = None,
    peers: Annotated[str, typer.Option(help=f"Others to time, with commas: {', '.join(PEERS)}.")] = "",
    threads: Annotated[int, typer.Option(min=1, help="Threads per rank of Weft.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of rows.")] = False,
) -> None:
    """Time forward + backward transforms; the minimum and the median of alternating turns."""
    if under_launcher():
        raise Error("weft bench starts its ranks itself: run it without mpiexec, with -n RANKS")
    chosen = [peer for peer in peers.split(",") if peer]
    for peer in chosen:
        if peer not in PEERS:
            raise Error(f"--peers: unknown name {peer!r}; allowed are {', '.join(PEERS)}")
    leave_mpi()
    rows = run(Task(shape, kinds, ranks, threads), repeat, list(dict.fromkeys(strategy or ["auto"])), chosen)
    if json:
        print_json(rows)
    else:
        _print_table(rows)


def _print_table(rows: list[dict[str, Any]]) -> None:
    table = Table(title="forward + backward", title_justify="left")
    table.add_column("")
    sizes = [f"{what} MB/rank" for what in ("sent", "work", "peak")]
    columns = ["ranks x threads", "min ms", "median ms", "error", *sizes, "copy GB/s"]
    for column in columns:
        table.add_column(column, justify="right")
    for row in rows:
        workspace = row["workspace_bytes"]
        table.add_row(
            row["name"],
            f"{row['ranks']} x {row['threads']}",
            f"{row['seconds_min'] * 1e3:.2f}",
            f"{row['seconds_median'] * 1e3:.2f}",
            f"{row['error']:.1e}",
            f"{row['bytes_sent_per_rank'] / 1e6:.1f}",
            "" if workspace is None else f"{workspace / 1e6:.1f}",
            f"{row['peak_rss_bytes'] / 1e6:.0f}",
            f"{row['copy_gb_per_s']:.0f}",
        )
    Console(width=140).print(table)
