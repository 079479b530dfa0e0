"""The transforms of weft check, and all the ways to do them, as plain data."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from weft._kinds import KINDS as ALL_KINDS

KINDS = tuple(kind for kind in ALL_KINDS if kind != "none")
PRECISIONS = {"double": "float64", "float": "float32"}

# No extent of the first shape is a multiple of the usual rank counts. The others have contiguous or single lines.
_SHAPES = ((9, 10, 11), (11, 9), (5, 4, 6, 3), (64, 64), (9, 40), (56,))
_MIXED = {
    2: (("dct2", "dst3"),),
    3: (("dct2", "r2c", "c2c"), ("none", "c2c", "r2c"), ("r2c", "c2c", "dst3"), ("c2c", "dct1", "dst4")),
    4: (("dct3", "none", "r2c", "c2c"),),
}
_QUICK = ("c2c", "r2c", "dct2", "dst1")


def expand(kinds: Sequence[str], axes: int) -> tuple[str, ...]:
    """One kind per axis from one kind for all axes. r2c is as numpy's rfftn."""
    if len(kinds) > 1:
        return tuple(kinds)
    return ("c2c",) * (axes - 1) + ("r2c",) if kinds[0] == "r2c" else (kinds[0],) * axes


@dataclass(frozen=True)
class Case:
    """An array and its transform; one kind per axis."""

    shape: tuple[int, ...]
    kinds: tuple[str, ...]
    precision: str = "double"

    @property
    def is_complex(self) -> bool:
        """Whether the array is complex."""
        return "c2c" in self.kinds and "r2c" not in self.kinds

    def __str__(self) -> str:
        return f"{' x '.join(map(str, self.shape))} {','.join(self.kinds)} {self.precision}"


@dataclass(frozen=True)
class Way:
    """A way to move data."""

    strategy: str
    grid: tuple[int, ...]
    chunks: int


def _kinds_of(axes: int, quick: bool) -> list[tuple[str, ...]]:
    """The combinations of kinds: all kinds in 3-D, Fourier kinds in other dimensions, and mixtures."""
    if quick:
        return [(kind,) for kind in _QUICK]
    uniform = KINDS if axes == 3 else ("c2c", "r2c")
    return [*((kind,) for kind in uniform), *_MIXED.get(axes, ())]


def cases(
    shape: tuple[int, ...] | None, kinds: tuple[str, ...] | None, precision: str | None, quick: bool
) -> list[Case]:
    """The cases: all, or those of one shape, some kinds, or one precision."""
    shapes = _SHAPES[:1] if quick else _SHAPES
    found = []
    for size in (shape,) if shape else shapes:
        for given in (kinds,) if kinds else _kinds_of(len(size), quick):
            if len(given) not in (1, len(size)):
                continue
            names = [precision] if precision else ["double", *(["float"] if given[0] in ("r2c", "dct2") else [])]
            found += [Case(size, expand(given, len(size)), name) for name in names]
    return found


def grids(ranks: int, axes: int) -> Iterator[tuple[int, ...]]:
    """Every process grid of so many ranks that does not cut all axes of the array."""
    for dims in range(1, max(axes, 2)):
        divisors = [size for size in range(1, ranks + 1) if ranks % size == 0]
        yield from (grid for grid in itertools.product(divisors, repeat=dims) if math.prod(grid) == ranks)


def ways(
    case: Case, ranks: int, strategies: Sequence[str], grid: tuple[int, ...] | None, chunks: Sequence[int]
) -> list[Way]:
    """Every strategy on every process grid (or on one grid if it suits the case) with every number of chunks."""
    wanted = [one for one in grids(ranks, len(case.shape)) if grid in (None, one)]
    return [Way(*way) for way in itertools.product(strategies, wanted, chunks)]
