"""weft bench tensor --model and --overlap: measured times of events, updates and products of many block sizes.

The command starts a job for each number of ranks and reads its output. In a job the same command measures.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from weft import _core
from weft._mpi import MPI
from weft._text import wrapped
from weft.cli.bench_tensor_cost import Method
from weft.cli.bench_tensor_model import EVENT_DEGREE, UPDATE_DEGREE, fitted, hidden, intersections, worst_deviation
from weft.cli.terminal import print_table
from weft.errors import Error, ResourceError
from weft.launch import captured, check_count, leave_mpi, own_launcher, weft_command
from weft.tensor import TensorDft

DEFAULT_BLOCKS = (16, 24, 32, 48, 64, 80, 96, 112, 128)
_REPETITIONS, _UPDATE_SECONDS = 7, 0.1
_AXIS = 2


def mesh_of(ranks: int) -> tuple[int, int, int]:
    """A cubic mesh if there is one, else a ring along the last axis."""
    p = round(ranks ** (1 / 3))
    return (p, p, p) if p**3 == ranks else (1, 1, ranks)


def collected(counts: Sequence[int], arguments: Sequence[str]) -> list[dict[str, Any]]:
    """The output of `weft bench tensor ARGUMENTS --json` for each number of ranks. This process ends MPI for itself."""
    check_count(max(counts))
    leave_mpi()
    return [row for ranks in counts for row in _job(ranks, arguments)]


def _job(ranks: int, arguments: Sequence[str]) -> list[dict[str, Any]]:
    launcher = own_launcher()
    command = launcher.command(ranks, weft_command(["bench", "tensor", *arguments, "-n", str(ranks), "--json"]))
    try:
        done = captured(command, launcher.environ())
    except OSError as error:
        raise ResourceError(f"{launcher.program}: it cannot be started: {error.strerror}") from None
    if done.returncode == 0:
        return json.loads(done.stdout)
    words = next((line for line in done.stderr.splitlines() if line.startswith("weft: error: ")), None)
    if words is not None:
        raise Error(words.removeprefix("weft: error: "))
    print(done.stderr, file=sys.stderr, flush=True)
    raise ResourceError(f"the job on {ranks} ranks ended with status {done.returncode}")


@dataclass(frozen=True)
class Steps:
    """The parts of a product to measure."""

    comm: MPI.Intracomm
    mesh: tuple[int, ...]
    threads: int
    folded: bool
    dtype: str

    def event(self, block: int) -> float:
        """The time of an event in seconds. Collective."""
        address = MPI._addressof(self.comm)
        return _core.tensor_event_seconds(address, list(self.mesh), block, _AXIS, self.dtype, _REPETITIONS)

    def update(self, block: int) -> float:
        """The time of an update on the slowest rank while all ranks compute one, in seconds. Collective."""
        given: dict[str, Any] = {"block": block, "threads": self.threads, "folded": self.folded}
        given |= {"axis": _AXIS, "dtype": self.dtype}
        self.comm.Barrier()
        return self.comm.allreduce(_core.tensor_update_rate(**given, seconds=_UPDATE_SECONDS)["seconds"], op=MPI.MAX)

    def model(self, blocks: Sequence[int]) -> dict[str, Any]:
        """Events and updates over block sizes, their polynomials and intersections. Collective; equal on all ranks."""
        blocks = sorted(set(blocks))
        measured = {"event": [self.event(b) for b in blocks], "update": [self.update(b) for b in blocks]}
        degrees = {"event": EVENT_DEGREE, "update": UPDATE_DEGREE}
        curves = {name: fitted(blocks, measured[name], degrees[name]) for name in measured}
        low, high = blocks[0], blocks[-1]
        way, mesh = "folded" if self.folded else "plain", " x ".join(map(str, self.mesh))
        result = {
            "title": f"{mesh} ranks x {self.threads} threads, {way}",
            "ranks": self.comm.size,
            "mesh": list(self.mesh),
            "threads": self.threads,
            "way": way,
            "dtype": self.dtype,
            "blocks": blocks,
            "overlap_blocks": intersections(curves["event"], curves["update"], low, high),
            "hidden_blocks": [[part.low, part.high] for part in hidden(curves["event"], curves["update"], low, high)],
        }
        for name, curve in curves.items():
            result[f"{name}_seconds"] = measured[name]
            result[f"{name}_polynomial"] = [float(factor) for factor in curve.convert().coef]
            result[f"{name}_deviation"] = worst_deviation(curve, blocks, measured[name])
        return result

    def overlap(self, block: int, repeat: int) -> dict[str, Any]:
        """A product of plain updates after its alignment, compared with its parts. Collective; equal on all ranks.

        Times are the fastest of several runs. Perfect overlap takes max(event, update) for each step but the last one,
        which is an update only. No overlap takes the sum.
        """
        shape = [block * count for count in self.mesh]
        transform = TensorDft(
            shape, comm=self.comm, dtype=self.dtype, mesh=self.mesh, folding="off", threads=self.threads
        )
        u, modes, seconds = transform.physical(), transform.spectral(), []
        for _ in range(1 + repeat):
            transform.forward(u, out=modes)
            seconds += [one.computing + one.waiting for one in transform.traffic() if one.axis == _AXIS]
        event, update, steps = self.event(block), self.update(block), self.mesh[_AXIS]
        perfect = Method().stage(event, update, steps) - (event if steps > 1 else 0)
        none = Method(overlap=False).stage(event, update, steps) - (event if steps > 1 else 0)
        return {
            "ranks": self.comm.size,
            "mesh": list(self.mesh),
            "threads": self.threads,
            "block": block,
            "steps": steps,
            "event_seconds": event,
            "update_seconds": update,
            "product_seconds": min(seconds[1:]),
            "perfect_seconds": perfect,
            "sum_seconds": none,
            "of_perfect": min(seconds[1:]) / perfect,
            "of_sum": min(seconds[1:]) / none,
        }


def show_overlap(rows: list[dict[str, Any]]) -> None:
    """Prints a line for every number of ranks and block size."""
    title = "products along the last axis, plain, after their alignment"
    table = Table(title=title, title_justify="left")
    columns = [
        "mesh x threads",
        "b",
        "event ms",
        "update ms",
        "product ms",
        "perfect ms",
        "sum ms",
        "of perfect",
        "of sum",
    ]
    for column in columns:
        table.add_column(column, justify="right")
    for row in rows:
        names = ("event_seconds", "update_seconds", "product_seconds", "perfect_seconds", "sum_seconds")
        table.add_row(
            f"{' x '.join(map(str, row['mesh']))} x {row['threads']}",
            str(row["block"]),
            *(f"{row[name] * 1e3:.3f}" for name in names),
            f"{row['of_perfect']:.2f}",
            f"{row['of_sum']:.2f}",
        )
    print_table(table)


def _between(part: Sequence[float]) -> str:
    return f"{part[0]:.1f} to {part[1]:.1f}"


def show_models(models: list[dict[str, Any]]) -> None:
    """Prints the measured times and the fits for each number of ranks."""
    for model in models:
        table = Table(title=f"{model['title']}, {model['dtype']}", title_justify="left")
        for column in ("b", "event ms", "update ms", "update / event"):
            table.add_column(column, justify="right")
        times = zip(model["blocks"], model["event_seconds"], model["update_seconds"], strict=True)
        for block, event, update in times:
            table.add_row(str(block), f"{event * 1e3:.3f}", f"{update * 1e3:.3f}", f"{update / event:.2f}")
        print_table(table)
        for name, power in (("event", EVENT_DEGREE), ("update", UPDATE_DEGREE)):
            terms = " + ".join(f"{factor:.3e} b^{k}" for k, factor in enumerate(model[f"{name}_polynomial"]))
            deviation = f"at most {model[f'{name}_deviation']:.1%} from what was measured"
            print(wrapped(f"{name}, degree {power}: {terms}; {deviation}"))
        meets = ", ".join(f"{block:.1f}" for block in model["overlap_blocks"]) or "nowhere in this range"
        print(f"perfect overlap at b = {meets}")
        print(f"events are hidden for b from {', '.join(map(_between, model['hidden_blocks'])) or 'none of these'}")
