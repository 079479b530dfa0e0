"""A contest of weft bench fft, tensor or solve: programs that plan once and then run in turns.

Every contender is a separate program that sleeps until its turn. The turns alternate, so that all contenders see the
same state of the machine, and a copy speed is measured in each turn.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import IO, Any

import numpy as np

from weft.cli.bench_task import Round, SolveTask, Task, TensorVariant, Variant
from weft.cli.peers import build
from weft.cli.terminal import progress
from weft.errors import Error, ResourceError
from weft.launch import check_count, end_processes, own_launcher, start, watching

_PER_ROUND = 2
Entry = tuple[Task | SolveTask, Variant | TensorVariant]


@dataclass
class Contender:
    """A running contender and its reports so far."""

    name: str
    tag: str
    work: str
    process: subprocess.Popen
    said: IO[bytes]
    facts: dict[str, Any] = field(default_factory=dict)
    rounds: list[dict[str, Any]] = field(default_factory=list)

    def hear(self) -> dict[str, Any]:
        """The next JSON line of the program. A program that ends early has reported the reason on stderr."""
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

    def _row(self, work: str, times: list[float]) -> dict[str, Any]:
        facts, first = self.facts, self.rounds[0]
        workspace, arrays = first["workspace_bytes"], facts["array_bytes"]
        row = {
            "name": self.name,
            "work": work,
            "strategy": facts["strategy"],
            "grid": list(facts.get("grid", [facts["ranks"]])),
            "chunks": facts.get("chunks", 1),
            "ranks": facts["ranks"],
            "threads": facts["threads"],
            "seconds_min": min(times),
            "seconds_median": median(times),
            "repeats": len(times),
            "error": facts["error"],
            "bytes_sent_per_rank": facts["bytes_sent_per_rank"],
            "workspace_bytes": workspace,
            "memory_in_local_arrays": (workspace + arrays) / facts["local_bytes"],
            "peak_rss_bytes": first["peak_rss_bytes"],
            "peak_rss_in_local_arrays": first["peak_rss_bytes"] / facts["local_bytes"],
            "copy_gb_per_s": max(turn["copy_gb_per_s"] for turn in self.rounds),
            **facts.get("more", {}),
        }
        if self.work == "solve":
            setup = facts["setup_seconds"]
            # Pages that several ranks map count once. They are not mapped yet while the solver is made.
            held = first["peak_rss_bytes"] - first.get("bytes_of_others", 0) - arrays
            beyond = max(0, facts.get("setup_peak_bytes", 0) - facts["before_bytes"], held - facts["before_bytes"])
            row |= {"setup_seconds": setup, "setup_in_solves": setup / row["seconds_min"]}
            row |= {"beyond_arrays_bytes": beyond, "beyond_arrays_in_local_arrays": beyond / facts["local_bytes"]}
        return row

    def rows(self) -> list[dict[str, Any]]:
        """The rows about the contender: one for each kind of its work, and one for plan.apply."""
        pair = self._row(self.work, [seconds for turn in self.rounds for seconds in turn["seconds"]])
        rows = [pair]
        for work in (name.removesuffix(" seconds") for name in self.rounds[0] if name.endswith(" seconds")):
            row = self._row(work, [seconds for turn in self.rounds for seconds in turn[f"{work} seconds"]])
            ratio = row["seconds_min"] / pair["seconds_min"]
            rows.append(row | {"error": self.facts[f"{work} error"], f"of_{self.work}": ratio})
        return rows


def _start(name: str, tag: str, work: str, command: Sequence[str], environment: dict[str, str]) -> Contender:
    """Starts a program and waits until it has planned."""
    said = tempfile.TemporaryFile()  # noqa: SIM115  open while the program runs
    try:
        process = start(command, environment, stdout=subprocess.PIPE, stderr=said)
    except OSError as error:
        raise ResourceError(f"{command[0]}: it cannot be started: {error.strerror}") from None
    contender = Contender(name, tag, work, process, said)
    try:
        contender.facts = contender.hear()
    except BaseException:
        end_processes(process)
        raise
    return contender


def _start_weft(task: Task | SolveTask, variant: Variant | TensorVariant, folder: str) -> Contender:
    tag = f"{variant.tag}-{task.work}"
    more = {"taking": task.taking if task.ends else []} if isinstance(task, SolveTask) else {}
    job = {**more, **asdict(task), **asdict(variant), **asdict(Round(folder, tag, _PER_ROUND))}
    check_count(task.ranks)
    launcher = own_launcher()
    command = launcher.command(task.ranks, [sys.executable, "-m", task.worker, json.dumps(job)])
    contender = _start(variant.tag, tag, task.work, command, launcher.environ())
    contender.name = variant.name(contender.facts["strategy"])
    return contender


def _start_all(entries: Sequence[Entry], folder: str) -> Iterator[Contender]:
    """The variants that can do their task. One named by the user must; one of "all" is omitted with a note."""
    for task, variant in entries:
        try:
            yield _start_weft(task, variant, folder)
        except Error as error:
            if not variant.may_refuse:
                raise
            print(
                f"weft: {variant.name(getattr(variant, 'strategy', ''))} is omitted: {error}",
                file=sys.stderr,
                flush=True,
            )


@contextmanager
def _contest(
    task: Task | SolveTask, entries: Sequence[Entry], peers: Sequence[str]
) -> Iterator[tuple[Path, list[Contender]]]:
    """A context with all contenders planned and waiting. Those that still run at its end are stopped."""
    built = {name: build(name, task) for name in peers}
    contenders: list[Contender] = []
    with watching(), tempfile.TemporaryDirectory(prefix="weft-bench-") as name:
        folder = Path(name)
        try:
            contenders.extend(_start_all(entries, name))
            for tag, peer in built.items():
                command = peer.command(task, Round(name, tag, _PER_ROUND))
                contenders.append(_start(tag, tag, task.work, command, peer.environ()))
            yield folder, contenders
        except SystemExit:  # told to stop
            for contender in contenders:
                end_processes(contender.process)
            raise
        finally:
            # Every rank checks for this file, so that no rank remains if the launcher is killed.
            (folder / "stop").touch()
            for contender in contenders:
                try:
                    contender.process.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    end_processes(contender.process)


def _take_turns(folder: Path, contenders: Sequence[Contender], turns: int) -> None:
    """Runs several rounds of all contenders, one after the other."""
    with progress(None, turns * len(contenders), "rounds", quiet=True) as bar:
        for turn in range(turns):
            for contender in contenders:
                bar.say(contender.name)
                (folder / f"{contender.tag}.{turn}").touch()
                contender.rounds.append(contender.hear())
                bar.advance()


def _judge(contenders: Sequence[Contender], peers: Sequence[str]) -> None:
    """The error of a solution: its largest difference from that of the first peer, else of the first contender.

    It is relative to the largest value and taken at the points that all contenders have reported.
    """
    solvers = [contender for contender in contenders if "sample" in contender.facts]
    if not solvers:
        return
    judge = next((one for one in solvers if one.name in peers[:1]), solvers[0])
    true = np.array(judge.facts["sample"])
    for contender in solvers:
        difference = np.max(np.abs(np.array(contender.facts["sample"]) - true))
        contender.facts["error"] = float(difference / np.max(np.abs(true)))


def _compare(rows: list[dict[str, Any]], task: Task | SolveTask, peers: Sequence[str]) -> None:
    """Adds the throughput and the ratios to the fastest row of the same work and to the first peer.

    The throughput per rank is defined as in FLUPS (2023), table II: the mean bytes of the array per rank over the time
    of a forward and a backward transform, or of a solve. A solve is also given in pairs of transforms of the same
    strategy.
    """
    array_bytes = math.prod(task.shape) * task.element_bytes
    for row in rows:
        fastest = min(other["seconds_min"] for other in rows if other["work"] == row["work"])
        row["mb_per_s_per_rank"] = 1e-6 * array_bytes / row["ranks"] / row["seconds_min"]
        row["of_fastest"] = row["seconds_min"] / fastest
        pairs = [other for other in rows if other["work"] == "pair" and other["name"] == row["name"]]
        if row["work"] == "solve" and pairs:
            row["of_pair"] = row["seconds_min"] / pairs[0]["seconds_min"]
    if peers:
        yardstick = next(row["seconds_min"] for row in rows if row["name"] == peers[0])
        for row in rows:
            row["times_first_peer"] = yardstick / row["seconds_min"]


def run(
    task: Task | SolveTask,
    repeat: int,
    variants: Sequence[Variant],
    peers: Sequence[str],
    beside: Task | None = None,
) -> list[dict[str, Any]]:
    """The rows of all contenders, with at least `repeat` timings each and their comparison.

    beside    a second task that all variants do in the same turns.
    """
    entries = [(which, variant) for variant in variants for which in (task, beside) if which is not None]
    return run_entries(entries, repeat, peers)


def run_entries(entries: Sequence[Entry], repeat: int, peers: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The rows of contenders that have separate tasks. Peers do the first of these tasks."""
    task = entries[0][0]
    # The load of this machine in the last minute. Timings mean little if it is high.
    load = os.getloadavg()[0]
    with _contest(task, entries, peers) as (folder, contenders):
        _take_turns(folder, contenders, -(-repeat // _PER_ROUND))
        (folder / "stop").touch()
        for contender in contenders:
            contender.facts |= contender.hear()
        _judge(contenders, peers)
        rows = [row | {"load_average": load} for contender in contenders for row in contender.rows()]
    _compare(rows, task, peers)
    return rows
