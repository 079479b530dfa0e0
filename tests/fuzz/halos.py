"""Halos beside numpy.pad: layers of any widths and ends around any parts of an array, and what they add back."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import weft

from fuzz import draws
from fuzz.cases import Case, fewer_options, options_text, smaller_shapes, without_defaults
from fuzz.draws import one_of, some

ENDS = ("even", "odd", "unbounded")
DTYPES = ("float64", "float32", "complex128", "complex64")


def axis_ends(rng: np.random.Generator, periodic: float) -> Any:
    """The ends of an axis."""
    return "periodic" if rng.random() < periodic else (one_of(rng, ENDS), one_of(rng, ENDS))


@dataclasses.dataclass(frozen=True)
class Halo(Case):
    """A halo: its layers, at once or in two parts, and the layers added back."""

    shape: tuple[int, ...]
    owners: int  # seed of the parts that the ranks have
    width: tuple[tuple[int, int], ...]
    boundary: tuple[tuple[Any, ...], ...]  # per component
    options: dict[str, Any]
    in_parts: bool = False

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "Halo":
        axes = int(rng.integers(1, 5))
        shape = tuple(max(2, n) for n in draws.shape(rng, axes, [0, 40, 20, 10, 6][axes], 2000))
        components = some(rng, [None, 1, 2, 3], 0.4)
        options = {
            "components": components,
            "centring": tuple(str(c) for c in rng.choice(["cell", "node"], axes)),
            "dtype": one_of(rng, DTYPES),
            "threads": some(rng, [1, 2, 3], 0.4),
            "node_ranks": some(rng, [0, 1, 2], 0.4),
            "message_limit": some(rng, [draws.ALL_MESSAGES, 1, 7, 100], 0.4),
        }
        boundary = tuple(tuple(axis_ends(rng, 0.4) for _ in shape) for _ in range(components or 1))
        # Layers may be as wide as the array, and wider along periodic axes: elsewhere they would show the other end.
        centring = options["centring"]
        most = [n if word == "cell" else n - 1 for n, word in zip(shape, centring, strict=True)]
        most = [m if rng.random() < 0.1 else min(4, m) for m in most]
        for axis in range(axes):
            if all(ends[axis] == "periodic" for ends in boundary) and rng.random() < 0.2:
                most[axis] = 3 * shape[axis]
        width = tuple((int(rng.integers(0, m + 1)), int(rng.integers(0, m + 1))) for m in most)
        return cls(
            ranks,
            int(rng.integers(2**31)),
            shape,
            int(rng.integers(2**31)),
            width,
            boundary,
            without_defaults(weft.Halo, options),
            bool(rng.random() < 0.4),
        )

    def lines(self) -> list[str]:
        several = self.options.get("components") is not None
        count, dtype = self.options.get("components") or 1, self.options.get("dtype", "float64")
        ends = f"component_boundary={self.boundary}" if several else f"boundary={self.boundary[0]}"
        centring = self.options.get("centring", ("cell",) * len(self.shape))
        padded = f"meshes.padded(u[c], {self.width}, {self.boundary}[c], {centring})"
        fill = ["halo.exchange(got)"]
        if self.in_parts:
            fill = ["halo.start(got)", "mine[...] = 0", "halo.finish()", "mine[...] = owned"]
        return [
            f"here = {draws.box_text(draws.tiling(self.owners, self.shape, self.ranks))}",
            f"layout = weft.Field(np.zeros([s.stop - s.start for s in here]), here, {self.shape}, comm).layout",
            f"halo = weft.Halo(layout, {self.width}, {ends}{options_text(self.options)})",
            f"u = np.round(90 * numbers({self.data}, {(count, *self.shape)}, {dtype!r}))",
            f"meshes.repeat_nodes(u, {self.boundary}, {centring})",
            "owned = np.array(u[(slice(None), *here)]).reshape(halo.interior(halo.zeros()).shape)",
            "got = halo.zeros()",
            "got[...] = meshes.LEFT_ALONE",
            "mine = halo.interior(got)",
            "mine[...] = owned",
            *fill,
            f"window = tuple(slice(s.start, s.stop + sum(w)) for s, w in zip(here, {self.width}, strict=True))",
            f"want = np.stack([{padded}[window] for c in range({count})])",
            "if owned.size:",
            "    check.that(np.array_equal(got, want.reshape(got.shape)), 'exchange: other layers')",
            "# The layers added back are the adjoint, exactly so for whole numbers.",
            f"v = np.round(9 * numbers({self.data + 1} + comm.rank, halo.shape, {dtype!r}))",
            "w = halo.zeros()",
            "halo.interior(w)[...] = owned",
            "there = np.sum(v * halo.exchange(w))",
            "back = np.sum(halo.interior(halo.accumulate(v.copy())) * owned)",
            "check.that(comm.allreduce(there) == comm.allreduce(back), 'accumulate is not the adjoint of exchange')",
        ]

    def simpler(self) -> Iterator[Case]:
        yield from (self.but(options=options) for options in fewer_options(self.options, ("components",)))
        if self.in_parts:
            yield self.but(in_parts=False)
        if len(self.boundary) > 1:
            rest = dict(self.options, components=1)
            yield from (self.but(boundary=(part,), options=rest) for part in self.boundary)
        for axis, (lower, upper) in enumerate(self.width):
            for pair in ((0, 0), (0, upper), (lower, 0), (min(lower, 1), min(upper, 1))):
                if pair != (lower, upper):
                    yield self.but(width=(*self.width[:axis], pair, *self.width[axis + 1 :]))
        for shape in smaller_shapes(self.shape, 2):
            if all(max(pair) < n for pair, n in zip(self.width, shape, strict=True)):
                yield self.but(shape=shape)
