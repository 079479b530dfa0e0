"""Particles on a mesh beside numpy: who gets them, shares of their charges, and values at them."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import weft

from fuzz import draws
from fuzz.cases import Case, fewer_options, options_text, smaller_shapes, without_defaults
from fuzz.draws import one_of, some
from fuzz.halos import axis_ends


@dataclasses.dataclass(frozen=True)
class ParticleMesh(Case):
    """Particles of all ranks that migrate, are deposited and get values."""

    shape: tuple[int, ...]
    owners: int  # seed of the parts that the ranks have
    spacing: tuple[float, ...]
    count: int  # particles of the first rank; each has one more than the one before
    options: dict[str, Any]

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "ParticleMesh":
        axes = int(rng.integers(1, 4))
        order = int(rng.integers(1, 9))
        shape = tuple(max(order + 2, n) for n in draws.shape(rng, axes, [0, 60, 24, 12][axes], 3000))
        boundary = tuple(axis_ends(rng, 0.5) for _ in shape)
        options = {
            "origin": one_of(rng, [0.0, 0.3, tuple(round(float(x), 3) for x in rng.uniform(-1, 1, axes))]),
            "order": order,
            "boundary": boundary,
            "centring": tuple("cell" if ends == "periodic" else str(rng.choice(["cell", "node"])) for ends in boundary),
            "margin": some(rng, [0, 1, 3], 0.4),
            "dtype": some(rng, ["float64", "float32"], 0.4),
            "threads": some(rng, [1, 2, 3], 0.4),
            "node_ranks": some(rng, [0, 1, 2], 0.4),
            "message_limit": some(rng, [draws.ALL_MESSAGES, 1, 7, 100], 0.4),
        }
        return cls(
            ranks,
            int(rng.integers(2**31)),
            shape,
            int(rng.integers(2**31)),
            tuple(round(float(h), 3) for h in rng.uniform(0.1, 2, axes)),
            some(rng, [20, 0, 1, 300], 0.5),
            without_defaults(weft.ParticleMesh, options),
        )

    def lines(self) -> list[str]:
        order, boundary = self.options.get("order", 2), self.options.get("boundary", "periodic")
        words = (boundary,) * len(self.shape) if isinstance(boundary, str) else boundary
        centring = self.options.get("centring", ("cell",) * len(self.shape))
        centring = (centring,) * len(self.shape) if isinstance(centring, str) else centring
        dtype = self.options.get("dtype", "float64")
        # A rounding may bring a particle midway between points to the next of them.
        skips = ["bound = np.inf"] if order == 1 else []
        totals = [
            "check.that(abs(comm.allreduce(density.sum(dtype=float)) - charges.sum()) <= rounding, 'total charge')"
        ]
        return [
            f"here = {draws.box_text(draws.tiling(self.owners, self.shape, self.ranks))}",
            f"layout = weft.Field(np.zeros([s.stop - s.start for s in here]), here, {self.shape}, comm).layout",
            f"where = {self.shape}, {order}, {words}, {centring}",
            f"mesh = weft.ParticleMesh(layout, {self.spacing}{options_text(self.options)})",
            f"x = meshes.particles({self.data} + comm.rank, {self.count} + comm.rank, *where)",
            f"origin = np.broadcast_to({self.options.get('origin', 0.0)}, {len(self.shape)})",
            f"x = (origin + x * {self.spacing}).astype({dtype!r})",
            f"q = numbers({self.data} + 100 + comm.rank, len(x), {dtype!r})",
            "moves = mesh.migration(x)",
            "mine, charge = moves.forward(x), moves.forward(q)",
            "check.bits(moves.backward(mine), x, 'positions there and back')",
            "check.bits(moves.backward(charge), q, 'charges there and back')",
            "density = mesh.deposit(mine, charge)",
            "everybody = np.concatenate(comm.allgather(x)).astype(float)",
            f"places = (everybody - origin) / {self.spacing}",
            "charges = np.concatenate(comm.allgather(q)).astype(float)",
            "want = meshes.deposited(places, charges, *where)",
            "eps = np.finfo(density.dtype).eps",
            "# A place errs by some units in the last place of a position, its share by as much: slopes of splines and",
            "# charges are at most 1. Weights and sums round to units as well.",
            f"far = np.abs(everybody / {self.spacing}).max(initial=0) + np.abs(origin / {self.spacing}).max()",
            "unit = eps * (4 + far)",
            f"bound = {8 * len(self.shape) * order} * unit * (1 + len(places))",
            "rounding = bound * want.size",
            *skips,
            "check.that((np.abs(density - want[here]) <= bound).all(), 'deposit: other charges')",
            *([] if any("odd" in ends for ends in words) else totals),
            "values = numbers(5, (2, *want.shape), density.dtype)",
            "got = mesh.gather(np.array(values[(slice(None), *here)]), mine)",
            "there = comm.allreduce(np.sum(density * values[(0, *here)], dtype=float))",
            "back = comm.allreduce(np.sum(charge * got[:, 0], dtype=float))",
            "check.that(abs(there - back) <= 200 * eps * (1 + len(places)), 'gather is not the adjoint of deposit')",
            "check.bits(mesh.gather(np.array(values[(0, *here)]), mine), got[:, 0].copy(), 'gather of one component')",
        ]

    def simpler(self) -> Iterator[Case]:
        yield from (self.but(options=options) for options in fewer_options(self.options))
        for fewer in (0, 1, self.count // 2):
            if fewer < self.count:
                yield self.but(count=fewer)
        least = self.options.get("order", 2) + 2
        yield from (self.but(shape=shape) for shape in smaller_shapes(self.shape, least))
