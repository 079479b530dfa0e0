"""Poisson solves with values at ends: bits of one rank, sums of solves, exact waves, values in the right-hand side."""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import weft

from fuzz import draws
from fuzz.cases import Case, fewer_options, options_text, smaller_shapes, without_defaults
from fuzz.draws import one_of, some
from fuzz.solves import EXACT, OF_PROBLEM, boundary, is_open, stretched


def _options(rng: np.random.Generator, axes: int, kernel: str) -> dict[str, Any]:
    return {
        "centring": tuple(str(c) for c in rng.choice(["cell", "node"], axes)),
        "kernel": kernel,
        "screening": round(float(rng.uniform(0, 9)), 3) if kernel != "lgf2" and rng.random() < 0.4 else 0.0,
        "dtype": some(rng, ["float64", "float32"], 0.3),
        "strategy": one_of(rng, draws.STRATEGIES),
        "threads": some(rng, [1, 2, 3], 0.4),
        "chunks": some(rng, [1, 2, 3], 0.3),
        "engine": some(rng, ["lanes", "auto"], 0.6),  # not every instruction set has lanes
    }


def _some_ends(rng: np.random.Generator, ends: Sequence[Any], axes: Sequence[int]) -> tuple[tuple[int, str], ...]:
    """Some of the ends of these axes that take values, one at least."""
    closed = [axis for axis in axes if ends[axis] != "periodic" and not is_open(ends[axis])]
    sides = [(axis, side) for axis in closed for side in ("left", "right")]
    return tuple(key for key in sides if rng.random() < 0.7) or (sides[0],)


@dataclasses.dataclass(frozen=True)
class Ends(Case):
    """A solver and one solve with values at some of its ends."""

    cells: tuple[int, ...]
    length: tuple[float, ...]
    boundary: tuple[Any, ...]
    ends: tuple[tuple[int, str], ...]  # axis and side of those that have values
    options: dict[str, Any]

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "Ends":
        axes = int(rng.choice([2, 3]))
        cells = tuple(max(3, n) for n in draws.shape(rng, axes, 18 if axes == 3 else 60, 3000))
        way = one_of(rng, ("waves", "differences", "widths"))
        ends = list(boundary(rng, axes, 0.6 if way == "differences" else 1.0, 0.3))
        across = int(rng.integers(axes))
        ends[across] = (one_of(rng, ("even", "odd")), one_of(rng, ("even", "odd")))
        options = _options(rng, axes, "lgf2" if way == "differences" else one_of(rng, EXACT))
        equal = options["kernel"] in ("lgf2", "hej0")
        length = tuple(n / max(cells) if equal else round(float(rng.uniform(0.3, 3)), 3) for n in cells)
        if way == "widths":
            options |= stretched(rng, cells, length, ends, across)
        taking = [across] if way == "widths" else range(axes)
        return cls(
            ranks,
            int(rng.integers(2**31)),
            cells,
            length,
            tuple(ends),
            _some_ends(rng, ends, taking),
            without_defaults(weft.Poisson, options),
        )

    def lines(self) -> list[str]:
        centring = self.options.get("centring", "cell")
        centring = (centring,) * len(self.cells) if isinstance(centring, str) else centring
        alone = options_text({name: self.options[name] for name in OF_PROBLEM if name in self.options})
        same = "check.near(got, one[here], 'solve', 1000 * eps, one)"
        if self.options.get("engine") == "lanes":
            same = "check.bits(got, one[here], 'solve')"
        return [
            f"problem = {self.cells}, {self.length}, {self.boundary}",
            f"solver = weft.Poisson(*problem, comm=comm{options_text(self.options)})",
            f"alone = weft.Poisson(*problem, comm=MPI.COMM_SELF, threads=1{alone})",
            "here, eps = solver.local_slices, np.finfo(solver.dtype).eps",
            f"f = numbers({self.data}, solver.shape, solver.dtype)",
            "values = {}",
            f"for i, key in enumerate({self.ends}):",
            "    plane = [1 if axis == key[0] else n for axis, n in enumerate(solver.shape)]",
            f"    values[key] = numbers({self.data} + 1 + i, plane, solver.dtype)",
            "mine = {key: cut(plane, here) for key, plane in values.items()}",
            "one = alone.solve(f, ends=values)",
            "got = solver.solve(block(f, here), ends=mine)",
            same,
            "parts = [alone.solve(f)] + [alone.solve(0 * f, ends={key: v}) for key, v in values.items()]",
            *self._edges(centring),
            "bound, size = len(parts) * references.solve_bound(alone.shape, eps), sum(map(np.abs, parts))",
            "check.near(one, sum(parts), 'a sum of solves', bound, size)",
            *self._theory(centring),
        ]

    def _theory(self, centring: Any) -> list[str]:
        """What values at ends do by themselves."""
        if "widths" in self.options:
            return []
        if self.options.get("kernel") == "lgf2":
            return [
                f"moved = references.ends_moved(f, values, *problem, {centring})",
                "want = alone.solve(moved)",
                *(f"np.moveaxis(want, {axis}, 0)[{at}] = {given}" for axis, at, given in self._odd_nodes(centring)),
                "want[edges > 1] = 0",
                "check.near(one, want, 'values in the right-hand side', bound, size)",
            ]
        screening = self.options.get("screening", 0.0)
        return [
            "for key, part in zip(values, parts[1:], strict=True):",
            f"    others = [ends for axis, ends in enumerate({self.boundary}) if axis != key[0]]",
            "    flat = all(ends == 'periodic' or set(ends) == {'even'} for ends in others)",
            f"    if {screening} or not flat:",
            f"        points, wave = references.end_wave(key, values[key], *problem, {centring}, {screening})",
            "        check.near(part[points], wave, 'exact waves', bound, np.abs(wave))",
        ]

    def _odd_nodes(self, centring: Any) -> list[tuple[int, int, str]]:
        """The ends whose points have the values themselves: axis, place along it, the values there."""
        return [
            (axis, 0 if side == "left" else -1, f"values[{axis}, {side!r}].squeeze({axis})")
            for axis, side in self.ends
            if centring[axis] == "node" and self.boundary[axis][0 if side == "left" else 1] == "odd"
        ]

    def _edges(self, centring: Any) -> list[str]:
        """Where two such ends meet, one of both has its way: these points are left out."""
        result = ["edges = np.zeros(alone.shape, int)"]
        result += [f"np.moveaxis(edges, {axis}, 0)[{at}] += 1" for axis, at, _ in self._odd_nodes(centring)]
        return [*result, "for array in (one, *parts):", "    array[edges > 1] = 0"]

    def simpler(self) -> Iterator[Case]:
        yield from (self.but(options=options) for options in fewer_options(self.options, ("engine", "kernel")))
        if len(self.ends) > 1:
            yield from (self.but(ends=(key,)) for key in self.ends)
        for cells in smaller_shapes(self.cells, 3):
            if "widths" not in self.options:
                yield self.but(cells=cells, length=tuple(n / max(cells) for n in cells))
