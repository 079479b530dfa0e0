"""Draws that several kinds of cases make: shapes, parts of arrays, process grids, the options of exchanges."""

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import weft

Box = tuple[tuple[int, int], ...]
STRATEGIES = ("auto", *weft.strategies())
BETWEEN_NODES = ("cyclic", "pairwise", "alltoallv", "persistent", "multistage", "datatype")
ALL_MESSAGES = 2**31 - 1


def some(rng: np.random.Generator, values: Sequence[Any], p: float = 0.5) -> Any:
    """The first of the values with probability 1 - p, else any."""
    return values[0] if rng.random() > p else values[int(rng.integers(len(values)))]


def one_of(rng: np.random.Generator, values: Sequence[Any]) -> Any:
    return values[int(rng.integers(len(values)))]


def shape(rng: np.random.Generator, axes: int, most: int, total: int) -> tuple[int, ...]:
    """Points per axis, up to `most`, and up to `total` together; one of them often is 1, 2 or 3.

    Lengths that transforms by vectors of the processor like, multiples of 8, have ways of their own: a third is such.
    """
    while True:
        eights = rng.random(axes) < 1 / 3
        drawn = [int(n) for n in rng.integers(1, most + 1, axes)]
        drawn = [max(8, n // 8 * 8) if most >= 8 and eight else n for n, eight in zip(drawn, eights, strict=True)]
        if rng.random() < 0.15:
            drawn[int(rng.integers(axes))] = int(rng.integers(1, 4))
        if math.prod(drawn) <= total:
            return tuple(drawn)
        most = max(2, int(most * 0.8))


def tiling(seed: int, points: Sequence[int], parts: int) -> list[Box]:
    """A box for each rank, which make up the array together; some may be empty."""
    rng = np.random.default_rng(seed)

    def split(box: Box, count: int) -> list[Box]:
        if count == 1:
            return [box]
        axis = int(rng.integers(len(box)))
        lo, hi = box[axis]
        at, few = int(rng.integers(lo, hi + 1)), int(rng.integers(1, count))
        left, right = list(box), list(box)
        left[axis], right[axis] = (lo, at), (at, hi)
        return split(tuple(left), few) + split(tuple(right), count - few)

    boxes = split(tuple((0, n) for n in points), parts)
    return [boxes[i] for i in rng.permutation(parts)]


def box_text(boxes: Sequence[Box]) -> str:
    """The part of each rank as Python."""
    parts = [f"({''.join(f'slice({lo}, {hi}), ' for lo, hi in box)})".replace(", )", ",)") for box in boxes]
    return parts[0] if len(parts) == 1 else f"[{', '.join(parts)}][comm.rank]"


def grid(rng: np.random.Generator, ranks: int, axes: int) -> tuple[int, ...] | None:
    """Ranks per cut axis, often none, sometimes such that do not fit."""
    if rng.random() < 0.6:
        return None
    left, drawn = ranks, []
    for _ in range(int(rng.integers(1, max(2, axes)))):
        drawn.append(int(one_of(rng, [d for d in range(1, left + 1) if left % d == 0])))
        left //= drawn[-1]
    if rng.random() < 0.85:
        drawn[-1] *= left
    return tuple(int(n) for n in rng.permutation(drawn))


def exchange_options(rng: np.random.Generator, points: int) -> dict[str, Any]:
    """How data move; messages are not cut so small that time grows with the square of their number."""
    options = {
        "strategy": one_of(rng, STRATEGIES),
        "threads": some(rng, [1, 2, 3], 0.4),
        "between_nodes": some(rng, BETWEEN_NODES, 0.5),
        "message_limit": some(rng, [ALL_MESSAGES, 1, 7, 64, 1000], 0.35),
    }
    if points > 100 * options["message_limit"]:
        options["message_limit"] = 1 + points // 100
    return options


def others(rng: np.random.Generator, called: Callable[..., Any], drawn: dict[str, Any]) -> dict[str, Any]:
    """The flags and numbers among the arguments of a constructor that are not drawn elsewhere."""
    known = inspect.signature(called).parameters.values()
    values = {
        p.name: (p.default, *((not p.default,) if p.annotation is bool else range(1, 4)))
        for p in known
        if p.annotation in (bool, int) and p.name not in drawn
    }
    return {name: some(rng, any_of, 0.4) for name, any_of in values.items()}
