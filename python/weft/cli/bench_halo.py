"""weft bench halo: the layers around the blocks of a periodic array, compared with a copy of as many bytes."""

from typing import Annotated

import numpy as np
import typer

from weft._arrays import zeros
from weft.cli.bench_moves import Turns, print_rows
from weft.cli.options import chosen, numbers
from weft.cli.ranks import communicator
from weft.cli.report import print_json
from weft.errors import Error
from weft.field import Field
from weft.halo import Halo

_TYPES = {"double": "float64", "float": "float32"}
_SIDES = {"all": "all sides", "cut": "the sides between ranks"}
_SIDES_HELP = "all: along every axis; cut: along the axis that is cut alone."


def halo(
    shape: Annotated[str, typer.Option(metavar="NX NY NZ", help="Points per axis.")] = "128 128 128",
    ranks: Annotated[int | None, typer.Option("-n", "--ranks", min=1, help="Start this many ranks.")] = None,
    width: Annotated[int, typer.Option(min=1, help="Layers on a side.")] = 2,
    sides: Annotated[str, typer.Option(help=_SIDES_HELP)] = "all",
    precision: Annotated[str, typer.Option(help="double or float.")] = "double",
    repeat: Annotated[int, typer.Option(min=1, help="Timings of each.")] = 10,
    threads: Annotated[int, typer.Option(min=1, help="Threads per rank.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of rows.")] = False,
) -> None:
    """Time the exchange of layers around slabs of a periodic array, its adjoint, and a local memcpy."""
    sizes = numbers(shape.replace(" ", ","), "--shape", "64 64 64")
    if len(sizes) != 3:
        raise Error(f"--shape: {len(sizes)} numbers are given; this command needs 3, such as 64 64 64")
    chosen(precision, "--precision", tuple(_TYPES), ())
    chosen(sides, "--sides", tuple(_SIDES), ())
    comm = communicator(ranks)
    field = Field.zeros(sizes, _TYPES[precision], comm)
    x, y, z = np.ogrid[field.slices]
    field.local[...] = ((x * sizes[1] + y) * sizes[2] + z) % (1 << 20)  # every type here represents it exactly
    contest = _Contest(field, [width] * 3 if sides == "all" else [width, 0, 0], threads)
    for name, node_ranks in (("memory of the node", 0), ("messages", 1)):
        contest.add(name, node_ranks)
    rows = contest.run(repeat)
    if comm.rank == 0:
        extents = " x ".join(map(str, sizes))
        title = f"{extents} {field.dtype}, {comm.size} ranks: {width} layers on {_SIDES[sides]}"
        print_json(rows) if json else print_rows(title, rows)


class _Contest(Turns):
    """The array with its layers, and the halos that exchange them."""

    def __init__(self, field: Field, width: list[int], threads: int) -> None:
        self.field, self.width = field, width
        halo = Halo(field, width)
        self.array, self.source = halo.zeros(), halo.zeros()
        super().__init__(field.comm, threads, self.array.nbytes - field.local.nbytes)
        self.place = 0
        self.add_copy(self._copy)

    def _copy(self) -> None:
        """From and to the next places in the arrays."""
        count = min(self.copied // self.array.itemsize, self.array.size)
        if self.place + count > self.array.size:
            self.place = 0
        part = slice(self.place, self.place + count)
        np.copyto(self.source.reshape(-1)[part], self.array.reshape(-1)[part])
        self.place += count

    def add(self, name: str, node_ranks: int) -> None:
        """Adds the exchange and its adjoint, with so many ranks per node. Collective."""
        halo = Halo(self.field, self.width, threads=self.threads, node_ranks=node_ranks)
        self.array[...] = -1
        halo.interior(self.array)[...] = self.field.local
        halo.exchange(self.array)
        self.add_variant(f"{name}, exchange", halo, lambda: halo.exchange(self.array), self._error(halo))
        spare = zeros(halo.shape, self.field.dtype)
        self.add_variant(f"{name}, accumulate", halo, lambda: halo.accumulate(spare), 0.0)

    def _error(self, halo: Halo) -> float:
        """The largest difference of the array from the expected values."""
        shape = self.field.global_shape
        x, y, z = (np.arange(s.start, s.stop) % n for s, n in zip(halo.padded_slices, shape, strict=True))
        whole = ((x[:, None, None] * shape[1] + y[:, None]) * shape[2] + z) % (1 << 20)
        return float(np.max(np.abs(self.array - whole), initial=0.0)) if self.field.local.size else 0.0
