"""A contest of weft bench fft: programs that plan once and then take turns.

Every contender is a program of its own that waits, asleep, until it is its turn. The turns alternate, so that all of
them see the same state of the machine, and a copy speed is measured in each.
"""

import json
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

from weft.cli.peers import build
from weft.errors import Error, ResourceError
from weft.launch import own_launcher

_PER_ROUND = 2


@dataclass(frozen=True)
class Task:
    """What everybody has to do: forward and backward transforms of one array."""

    shape: tuple[int, int, int]
    kinds: str
    ranks: int
    threads: int
    precision: str = "double"


@dataclass(frozen=True)
class Variant:
    """A way in which Weft can do it."""

    strategy: str
    engine: str
    in_place: bool
    apply: bool  # time plan.apply, too

    @property
    def tag(self) -> str:
        """A name for files."""
        return f"weft-{self.strategy}-{self.engine}" + ("-in-place" if self.in_place else "")


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

    def _row(self, work: str, times: list[float]) -> dict[str, Any]:
        facts, first = self.facts, self.rounds[0]
        workspace = first["workspace_bytes"]
        return {
            "name": self.name,
            "work": work,
            "strategy": facts["strategy"],
            "ranks": facts["ranks"],
            "threads": facts["threads"],
            "seconds_min": min(times),
            "seconds_median": median(times),
            "repeats": len(times),
            "error": facts["error"],
            "bytes_sent_per_rank": facts["bytes_sent_per_rank"],
            "workspace_bytes": workspace,
            "memory_in_local_arrays": (workspace + facts["array_bytes"]) / facts["local_bytes"],
            "peak_rss_bytes": first["peak_rss_bytes"],
            "copy_gb_per_s": max(turn["copy_gb_per_s"] for turn in self.rounds),
        }

    def rows(self) -> list[dict[str, Any]]:
        """What is reported about it, in seconds: for one forward and one backward transform, and for plan.apply."""
        pair = self._row("pair", [seconds for turn in self.rounds for seconds in turn["seconds"]])
        if "apply_seconds" not in self.rounds[0]:
            return [pair]
        apply = self._row("apply", [seconds for turn in self.rounds for seconds in turn["apply_seconds"]])
        apply |= {"error": self.facts["apply_error"], "of_pair": apply["seconds_min"] / pair["seconds_min"]}
        return [pair, apply]


def _start(name: str, tag: str, command: Sequence[str], environment: dict[str, str]) -> Contender:
    """Starts a program and waits until it has planned."""
    said = tempfile.TemporaryFile()  # noqa: SIM115  open as long as the program runs
    try:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said
        )
    except OSError as error:
        raise ResourceError(f"{command[0]}: it cannot be started: {error.strerror}") from None
    contender = Contender(name, tag, process, said)
    contender.facts = contender.hear()
    return contender


def _start_weft(task: Task, variant: Variant, folder: str) -> Contender:
    job = {"folder": folder, "tag": variant.tag, "repeats": _PER_ROUND, **asdict(task), **asdict(variant)}
    launcher = own_launcher()
    command = launcher.command(task.ranks, [sys.executable, "-m", "weft.cli.bench_worker", json.dumps(job)])
    contender = _start(variant.tag, variant.tag, command, launcher.environ())
    contender.name = f"weft {contender.facts['strategy']}"
    contender.name += "" if variant.engine == "auto" else f", {variant.engine}"
    contender.name += ", in place" if variant.in_place else ""
    return contender


@contextmanager
def _contest(task: Task, variants: Sequence[Variant], peers: Sequence[str]) -> Iterator[tuple[Path, list[Contender]]]:
    """All contenders, planned and waiting; whoever still runs at the end is stopped."""
    built = {name: build(name, task.kinds) for name in peers}
    contenders: list[Contender] = []
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as name:
        folder = Path(name)
        try:
            contenders.extend(_start_weft(task, variant, name) for variant in variants)
            for tag, peer in built.items():
                threads = peer.threads(task.ranks, task.threads)
                job = [name, tag, task.kinds, task.precision, _PER_ROUND, threads, *task.shape]
                contenders.append(_start(tag, tag, peer.command(task.ranks, [*map(str, job)]), peer.environ()))
            yield folder, contenders
        finally:
            # Every rank looks for this file, so that a launcher that is killed leaves nobody behind.
            (folder / "stop").touch()
            for contender in contenders:
                try:
                    contender.process.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    contender.process.kill()


def run(task: Task, repeat: int, variants: Sequence[Variant], peers: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of all contenders, with at least `repeat` timings each, compared with the first peer."""
    # What others were doing on this machine in the last minute; timings are worth little when they did much.
    load = os.getloadavg()[0]
    with _contest(task, variants, peers) as (folder, contenders):
        for turn in range(-(-repeat // _PER_ROUND)):
            for contender in contenders:
                (folder / f"{contender.tag}.{turn}").touch()
                contender.rounds.append(contender.hear())
        (folder / "stop").touch()
        for contender in contenders:
            contender.facts |= contender.hear()
        rows = [row | {"load_average": load} for contender in contenders for row in contender.rows()]
    if peers:
        yardstick = next(row["seconds_min"] for row in rows if row["name"] == peers[0])
        for row in rows:
            row["times_first_peer"] = yardstick / row["seconds_min"]
    return rows
