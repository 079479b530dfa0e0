"""weft bench exchange: one redistribution, compared with a copy of as many bytes in the memory of each rank."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from weft._arguments import together
from weft._arrays import zeros
from weft._mpi import MPI
from weft.cli.bench_moves import Turns, print_rows
from weft.cli.bench_plot import bars
from weft.cli.options import chosen, numbers, strategies
from weft.cli.output import check_file, write_file
from weft.cli.ranks import communicator
from weft.cli.report import print_json
from weft.errors import Error
from weft.redistribution import Redistribution

_AXES = ("y-z", "x-z")
_TYPES = {("double", False): "float64", ("float", False): "float32", ("double", True): "complex128"}
_TYPES[("float", True)] = "complex64"
_AXES_HELP = "y-z: in C order on both sides; x-z: from [x][y][z] to [z][y][x] in memory."


def exchange(
    shape: Annotated[str, typer.Option(metavar="NX NY NZ", help="Points per axis.")] = "128 128 128",
    ranks: Annotated[int | None, typer.Option("-n", "--ranks", min=1, help="Start this many ranks.")] = None,
    axes: Annotated[str, typer.Option(help=_AXES_HELP)] = "y-z",
    strategy: Annotated[list[str] | None, typer.Option(help="Strategies, with commas.  [default: all]")] = None,
    is_complex: Annotated[bool, typer.Option("--complex", help="Complex numbers instead of real ones.")] = False,
    precision: Annotated[str, typer.Option(help="double or float.")] = "double",
    repeat: Annotated[int, typer.Option(min=1, help="Timings of each.")] = 10,
    threads: Annotated[int, typer.Option(min=1, help="Threads per rank.")] = 1,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a bar chart of the times (PNG).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of rows.")] = False,
) -> None:
    """Time one redistribution from slabs cut along one axis to slabs cut along another, and a local memcpy."""
    sizes = numbers(shape.replace(" ", ","), "--shape", "64 64 64")
    if len(sizes) != 3:
        raise Error(f"--shape: {len(sizes)} numbers are given; this command needs 3, such as 64 64 64")
    chosen(axes, "--axes", _AXES, ())
    chosen(precision, "--precision", ("double", "float"), ())
    names = strategies(strategy, "all")
    check_file(plot, "--plot")
    comm = communicator(ranks)
    contest = _Contest(comm, sizes, axes, np.dtype(_TYPES[precision, is_complex]), threads)
    for name in names:
        contest.add(name)
    _report(contest, contest.run(repeat), plot, json)


def _report(contest: "_Contest", rows: list[dict[str, Any]], plot: Path | None, json: bool) -> None:
    """Writes the picture and prints the rows on rank 0. Collective."""
    comm = contest.comm
    with together(comm):
        if comm.rank == 0:
            write_file(plot, "--plot", lambda file: bars(contest.title, rows, {"memcpy"}, file))
    if comm.rank == 0:
        print_json(rows) if json else print_rows(contest.title, rows)


class _Contest(Turns):
    """The arrays, and all variants that move them."""

    def __init__(self, comm: MPI.Intracomm, shape: tuple[int, ...], axes: str, dtype: np.dtype, threads: int) -> None:
        self.shape, self.dtype = shape, dtype
        self.before, self.after = (self._slab(comm, "xyz".index(axis)) for axis in axes.split("-"))
        # The memory begins on cache lines, so that streaming stores can be used.
        self.source = zeros(self._extents(self.before), dtype)
        super().__init__(comm, threads, self.source.nbytes)
        self.source[...] = self._values(self.before)
        # From x to z, the axis that is not cut afterwards is the contiguous one.
        self.order = (2, 1, 0) if axes == "x-z" else (0, 1, 2)
        memory = zeros(tuple(self._extents(self.after)[axis] for axis in self.order), dtype)
        self.target = memory.transpose(self.order)
        kind = dtype.name
        points = " x ".join(map(str, shape))
        self.title = f"{points} {kind}, {comm.size} ranks, {axes}: one redistribution"
        copy = zeros(self.source.shape, dtype)
        flat = copy.reshape(-1).view(np.uint8), self.source.reshape(-1).view(np.uint8)
        self.add_copy(lambda: np.copyto(*flat))

    def _slab(self, comm: MPI.Intracomm, axis: int) -> tuple[slice, ...]:
        size, rank, ranks = self.shape[axis], comm.rank, comm.size
        own = slice(rank * size // ranks, (rank + 1) * size // ranks)
        return tuple(own if i == axis else slice(0, n) for i, n in enumerate(self.shape))

    @staticmethod
    def _extents(slices: tuple[slice, ...]) -> tuple[int, ...]:
        return tuple(s.stop - s.start for s in slices)

    def _values(self, slices: tuple[slice, ...]) -> np.ndarray:
        """A number for every point that identifies its position. Every type here represents it exactly."""
        x, y, z = np.ogrid[slices]
        return (((x * self.shape[1] + y) * self.shape[2] + z) % (1 << 20)).astype(self.dtype)

    def add(self, strategy: str) -> None:
        """The variants of a strategy. "shared" also has one from memory of the library, read in place. Collective."""
        plan = Redistribution(
            self.before,
            self.after,
            self.dtype,
            comm=self.comm,
            strategy=strategy,
            threads=self.threads,
        )
        self._enter(f"weft {plan.strategy}", plan, lambda: plan.forward(self.source, out=self.target))
        if plan.strategy == "shared":
            plan.source()[...] = self.source
            self._enter("weft shared, library's memory", plan, lambda: plan.forward_source(out=self.target))

    def _enter(self, name: str, plan: Redistribution, run: Callable[[], object]) -> None:
        self.target[...] = -1
        run()
        error = float(np.max(np.abs(self.target - self._values(self.after)), initial=0.0))
        self.add_variant(name, plan, run, error)
