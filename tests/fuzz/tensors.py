"""Tensor transforms beside numpy, with any mesh, algorithm and folding; a second transform has the same bits."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import weft

from fuzz import draws
from fuzz.cases import Case, fewer_options, options_text, smaller_shapes, without_defaults
from fuzz.draws import one_of, some


@dataclasses.dataclass(frozen=True)
class TensorDft(Case):
    """A tensor transform, forward and backward."""

    shape: tuple[int, ...]
    kind: str
    options: dict[str, Any]
    fields: bool = False

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "TensorDft":
        options = {
            "dtype": some(rng, ["float64", "float32"], 0.4),
            "mesh": tuple(int(n) for n in rng.integers(1, ranks + 1, 3)) if rng.random() < 0.6 else None,
            "algorithm": some(rng, ["cannon", "transpose"], 0.7),
            "matrix": some(rng, ["circulate", "own"], 0.7),
            "folding": some(rng, ["on", "off", "auto"], 0.8),
            "threads": some(rng, [1, 2, 3], 0.4),
            "communication_thread": bool(rng.random() < 0.2),
            "norm": some(rng, ["backward", "forward", "ortho"], 0.5),
        }
        shape, kind = draws.shape(rng, 3, 20, 4000), one_of(rng, ["c2c", "r2c"])
        options = without_defaults(weft.TensorDft, options)
        return cls(ranks, int(rng.integers(2**31)), shape, kind, options, bool(rng.random() < 0.2))

    def lines(self) -> list[str]:
        kinds, norm = ("c2c", "c2c", self.kind), self.options.get("norm", "backward")
        forward, backward = "t.forward(block(u, here))", "t.backward(block(uh, there))"
        if self.fields:
            forward = "t.forward(t.physical_field(block(u, here))).local"
            backward = "t.backward(t.spectral_field(block(uh, there))).local"
        result = [
            f"t = weft.TensorDft({self.shape}, {self.kind!r}, comm=comm{options_text(self.options)})",
            "here, there = t.physical_slices, t.spectral_slices",
            f"bounds = references.Bounds({kinds}, {self.shape}, np.finfo(t.dtype).eps, {norm!r}, False, False)",
            f"u = numbers({self.data}, {self.shape}, t.physical_dtype)",
            f"modes = references.forward(u, {kinds}, norm={norm!r})",
            f"got = {forward}",
            "check.near(got, modes[there], 'forward', bounds.forward(), u)",
            "uh = modes.astype(t.spectral_dtype)",
            f"points = references.backward(uh, {kinds}, {self.shape}, norm={norm!r})",
            f"back = {backward}",
            "check.near(back, points[here], 'backward', bounds.backward(), uh)",
        ]
        if "folding" in self.options:  # what "auto" measures may choose another algorithm
            result.append(f"check.bits({forward}, got, 'forward again')")
        return [*result, "check.that(t.explain(), 'explain() is empty')", "t.traffic()"]

    def simpler(self) -> Iterator[Case]:
        yield from (self.but(options=options) for options in fewer_options(self.options))
        if self.fields:
            yield self.but(fields=False)
        yield from (self.but(shape=shape) for shape in smaller_shapes(self.shape))
