"""Redistributions of any elements between any parts, whatever the strides."""

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import weft

from fuzz import draws
from fuzz.cases import Case, fewer_options, options_text, smaller_shapes, without_defaults
from fuzz.checks import LAYOUTS
from fuzz.draws import one_of

DTYPES = ("float64", "float32", "complex128", "int8", "bool", "int16", "S7", "complex256",
          [("a", "f8"), ("b", "i4", (3,))], "U2", "V33", "datetime64[s]")  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Redistribution(Case):
    """A redistribution: forward, from its own source, and back."""

    shape: tuple[int, ...]
    owners: int  # seed of the parts that the ranks have
    wanted: int  # and of those that they want
    ghost: int | None  # None: parts that overlap nowhere; n: up to n more elements on all sides; -1: any boxes
    dtype: Any
    options: dict[str, Any]
    layouts: tuple[str, str, str] = ("C", "C", "C")  # of what is given, of what is written to, of what comes back

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "Redistribution":
        axes = int(rng.integers(1, 7))
        shape = draws.shape(rng, axes, [0, 40, 30, 16, 9, 6, 5][axes], 6000)
        options = draws.exchange_options(rng, 10 * math.prod(shape))
        options |= draws.others(rng, weft.Redistribution, options)
        return cls(
            ranks,
            int(rng.integers(2**31)),
            shape,
            int(rng.integers(2**31)),
            int(rng.integers(2**31)),
            one_of(rng, [None, -1, 0, 1, 2, 3]),
            DTYPES[int(rng.integers(len(DTYPES)))],
            without_defaults(weft.Redistribution, options),
            tuple(one_of(rng, LAYOUTS) for _ in range(3)),  # type: ignore[arg-type]
        )

    def wanted_boxes(self) -> list[draws.Box]:
        base = draws.tiling(self.wanted, self.shape, self.ranks)
        if self.ghost is None:
            return base
        if self.ghost == -1:
            rng = np.random.default_rng(self.wanted)
            return [tuple(_interval(rng, n) for n in self.shape) for _ in range(self.ranks)]
        more = self.ghost
        return [
            tuple((max(0, lo - more), min(n, hi + more)) for (lo, hi), n in zip(box, self.shape, strict=True))
            for box in base
        ]

    def lines(self) -> list[str]:
        owners, wanted = draws.tiling(self.owners, self.shape, self.ranks), self.wanted_boxes()
        given, written, back = self.layouts
        return [
            f"here, there = {draws.box_text(owners)}, {draws.box_text(wanted)}",
            f"moves = weft.Redistribution(here, there, {self.dtype!r}, comm=comm{options_text(self.options)})",
            f"u = numbers({self.data}, {self.shape}, {self.dtype!r})",
            f"mine, want = laid_out(block(u, here), {given!r}), block(u, there)",
            f"got = moves.forward(mine, laid_out(np.zeros_like(want), {written!r}))",
            "check.bits(got, want, 'forward')",
            "check.bits(moves.forward(mine), want, 'forward to a new array')",
            "check.bits(mine, block(u, here), 'the input of forward')",
            "moves.source()[...] = mine",
            "check.bits(moves.forward_source(), want, 'forward_source')",
            "# What nobody wants keeps its value; parts that overlap have no way back.",
            f"out = laid_out(block(u, here), {back!r})",
            *self._way_back(given),
        ]

    def _way_back(self, layout: str) -> list[str]:
        back = f"moves.backward(laid_out(want, {layout!r}), out)"
        if self.ghost is None:
            return [f"check.bits({back}, block(u, here), 'backward')"]
        return [
            "try:",
            f"    check.bits({back}, block(u, here), 'backward')",
            "except weft.Error as error:",
            "    check.that('overlap' in str(error), f'backward: {error}')",
        ]

    def simpler(self) -> Iterator[Case]:
        yield from (self.but(options=options) for options in fewer_options(self.options))
        if self.dtype != "float64":
            yield self.but(dtype="float64")
        for i, layout in enumerate(self.layouts):
            if layout != "C":
                yield self.but(layouts=(*self.layouts[:i], "C", *self.layouts[i + 1 :]))
        for seed in (1, 2, 3):
            if self.owners > 3:
                yield self.but(owners=seed)
            if self.wanted > 3:
                yield self.but(wanted=seed)
        if self.ghost is not None:
            yield self.but(ghost=None)
        if len(self.shape) > 1:
            yield from (self.but(shape=(*self.shape[:i], *self.shape[i + 1 :])) for i in range(len(self.shape)))
        yield from (self.but(shape=shape) for shape in smaller_shapes(self.shape))


def _interval(rng: np.random.Generator, n: int) -> tuple[int, int]:
    lo, hi = sorted(int(i) for i in rng.integers(0, n + 1, 2))
    return lo, hi
