"""Poisson solves: the bits of one rank, exact modes without open ends, the direct sum in free space."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import weft

from fuzz import draws
from fuzz.cases import Case, fewer_options, options_text, smaller_shapes, without_defaults
from fuzz.draws import one_of, some

ENDS = ("even", "odd", "unbounded")
# Kernels that need equal spacings, and those that solve problems without open ends by exact modes.
EQUAL_SPACINGS = ("hej", "lgf", "meh")
SMOOTHING = ("hej2", "hej4", "hej6", "hej8", "hej10")
EXACT = ("chat2", "truncated", "igf", "hej0")
OF_EQUATION = ("kernel", "alpha", "screening", "power", "mean")
OF_PROBLEM = ("centring", *OF_EQUATION, "widths", "robin", "order", "shift", "dtype", "engine")
DIRECT_POINTS = 700


def boundary(rng: np.random.Generator, axes: int, closed: float, periodic: float) -> tuple[Any, ...]:
    """Ends of every axis; `closed` is the probability that none is open."""
    ends = ENDS[:2] if rng.random() < closed else ENDS
    return tuple("periodic" if rng.random() < periodic else (one_of(rng, ends), one_of(rng, ends)) for _ in range(axes))


def is_open(ends: Any) -> bool:
    return ends != "periodic" and "unbounded" in ends


def stretched(rng: np.random.Generator, cells: Any, length: Any, ends: Any, axis: int) -> dict[str, Any]:
    """Cells of their own widths along one axis, and lengths at its odd ends."""
    order = int(rng.choice([2, 4]))
    parts = rng.uniform(0.2 if order == 2 else 0.5, 1, cells[axis])
    widths = tuple(float(x) for x in parts / parts.sum() * length[axis])
    pair = (ends[axis],) * 2 if isinstance(ends[axis], str) else ends[axis]
    return {
        "widths": tuple(widths if a == axis else None for a in range(len(cells))),
        "robin": tuple(round(float(rng.uniform(0, 1)), 3) if end == "odd" else 0.0 for end in pair),
        "order": order,
        "kernel": one_of(rng, ("chat2", "lgf2", "lgf4")),
        "centring": "cell",
    }


def _between_walls(rng: np.random.Generator, cells: Any, ends: Any, centring: Any) -> dict[str, Any]:
    """Chebyshev points along one axis that has walls, and lengths at its odd ends; nothing where there is none."""
    axes = [axis for axis, pair in enumerate(ends) if pair != "periodic" and cells[axis] > 1]
    if not axes:
        return {}
    chosen = int(one_of(rng, axes))
    return {
        "centring": tuple("chebyshev" if axis == chosen else word for axis, word in enumerate(centring)),
        "robin": tuple(round(float(rng.uniform(0, 1)), 3) if end == "odd" else 0.0 for end in ends[chosen]),
        "kernel": one_of(rng, ("chat2", "lgf2", "lgf4")),
    }


def _solved_along(rng: np.random.Generator, cells: Any, length: Any, ends: Any, centring: Any) -> dict[str, Any]:
    """An axis with widths or with Chebyshev points, or none."""
    kind = rng.random()
    if kind < 0.4:
        return stretched(rng, cells, length, ends, int(rng.integers(len(cells))))
    return _between_walls(rng, cells, ends, centring) if kind < 0.65 else {}


@dataclasses.dataclass(frozen=True)
class Poisson(Case):
    """A solver and one solve."""

    cells: tuple[int, ...]
    length: tuple[float, ...]
    boundary: tuple[Any, ...]
    options: dict[str, Any]
    workspace: int | None = None
    given: str = "new"  # as what solve() gets f and gives u: "new" arrays, "in itself" or "field"

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "Poisson":
        axes = int(rng.choice([2, 3]))
        cells = draws.shape(rng, axes, 18 if axes == 3 else 96, 4000)
        cells = tuple(max(2, n) for n in cells) if rng.random() < 0.97 else cells
        ends = boundary(rng, axes, 0.35, 0.28)
        kernel = some(rng, ["chat2", *weft.kernels()], 0.6)
        length = tuple(n / max(cells) for n in cells)
        if not kernel.startswith(EQUAL_SPACINGS) and rng.random() < 0.5:
            length = tuple(round(float(x), 3) for x in rng.uniform(0.3, 3, axes))
        screened = rng.random() < 0.3 and not kernel.startswith(("lgf", "meh"))
        options = {
            "centring": tuple(str(c) for c in rng.choice(["cell", "node"], axes)),
            "kernel": kernel,
            "alpha": some(rng, [2.0, 1.0, 3.5], 0.2),
            "screening": round(float(rng.uniform(0, 9)), 3) if screened else 0.0,
            "dtype": some(rng, ["float64", "float32"], 0.4),
            "mean": some(rng, ["remove", "error"], 0.1),
            "strategy": one_of(rng, draws.STRATEGIES),
            "threads": some(rng, [1, 2, 3], 0.4),
            "chunks": some(rng, [1, 0, 2, 3, 7], 0.5),
            "engine": some(rng, ["lanes", "fftw", "auto"], 0.3),
            "in_place": bool(not any(map(is_open, ends)) and rng.random() < 0.3),
        }
        if not any(map(is_open, ends)):
            options |= _solved_along(rng, cells, length, ends, options["centring"])
        options |= _operator(rng, ends, options)
        options |= displaced(rng, cells, length, ends, options)
        return cls(
            ranks,
            int(rng.integers(2**31)),
            cells,
            length,
            ends,
            without_defaults(weft.Poisson, options),
            int(rng.integers(3)) if rng.random() < 0.25 else None,
            some(rng, ["new", "in itself", "field"], 0.6),
        )

    def lines(self) -> list[str]:
        given = options_text(self.options)
        if self.workspace is not None:
            given += f", workspace=workspace(comm, {self.workspace})"
        alone = options_text({name: self.options[name] for name in OF_PROBLEM if name in self.options})
        by_one = "np.stack([alone.solve(side) for side in f])" if "batch" in self.options else "alone.solve(f)"
        result = [
            f"problem = {self.cells}, {self.length}, {self.boundary}",
            f"solver = weft.Poisson(*problem, comm=comm{given})",
            f"alone = weft.Poisson(*problem, comm=MPI.COMM_SELF, threads=1{alone})",
            "here, eps = solver.local_slices, np.finfo(solver.dtype).eps",
            f"f = numbers({self.data}, solver.shape, solver.dtype)",
            # What is left of the mean may be beyond rounding: then one rank refuses it, too.
            *(["f -= f.mean()"] if "mean" in self.options else []),
            *self._solve(),
            f"one, got = check.same_outcome(lambda: {by_one}, solve, 'solve')",
            "if one is not None:",
            "    check.that(np.isfinite(one).all(), 'u is not finite')",
        ]
        if self.options.get("engine") == "lanes" and not self._halves_a_single_cell():
            result.append("    check.bits(got, one[here], 'solve')")
        else:
            result.append("    check.near(got, one[here], 'solve', 1000 * eps, one)")
        return result + [f"    {line}" for line in self._theory()]

    def _halves_a_single_cell(self) -> bool:
        """Whether the solve in place has its real transform along a single cell, and others another axis."""
        last_is_single = self.cells[-1] == 1 and self.boundary[-1] == "periodic"
        return last_is_single and bool(self.options.get("in_place"))

    def _solve(self) -> list[str]:
        """The function solve(), as the case gives it f."""
        if self.options.get("in_place"):
            return [
                "def solve():",
                "    field = solver.in_place_field()",
                "    field.values[...] = f[here]",
                "    return solver.solve(field).copy()",
            ]
        call = {
            "new": "solver.solve(block(f, here))",
            "in itself": "solver.solve(local, local)",
            "field": "solver.solve(solver.field(block(f, here))).local",
        }
        return ["local = block(f, here)", f"solve = lambda: {call[self.given]}"]

    def _theory(self) -> list[str]:
        """What is known of the solution by itself."""
        centring = self.options.get("centring", "cell")
        centring = (centring,) * len(self.cells) if isinstance(centring, str) else centring
        kernel, screening = self.options.get("kernel", "chat2"), self.options.get("screening", 0.0)
        power = self.options.get("power", 1.0)
        result = ["f, one = f[0], one[0]"] if "batch" in self.options else []
        for axis, ends in enumerate(self.boundary):
            if centring[axis] == "node":
                result += _ends_of_nodes(axis, ends)
        if "shift" in self.options:
            return result
        if not any(map(is_open, self.boundary)) and kernel in EXACT and not _is_solved_along(self.options):
            result += [
                f"points, u = references.closed_solution(f, *problem, {centring}, {screening}, {power})",
                "check.near(one[points], u, 'exact modes', references.solve_bound(alone.shape, eps), u)",
            ]
        free = all(ends == ("unbounded", "unbounded") for ends in self.boundary)
        return result + (self._direct_sum() if free and kernel == "chat2" and not screening else [])

    def _direct_sum(self) -> list[str]:
        """What a point adds to itself is one number times f, which any point tells."""
        volume = " * ".join(f"{x} / {n}" for x, n in zip(self.length, self.cells, strict=True))
        return [
            f"if f.size <= {DIRECT_POINTS}:",
            f"    total = references.free_space_sum(alone.points(), f, {volume})",
            "    rest, most = one - total, np.unravel_index(np.argmax(np.abs(f)), f.shape)",
            "    bound = references.solve_bound([2 * n for n in alone.shape], eps)",
            "    check.near(rest, rest[most] / f[most] * f, 'direct sum', bound, np.abs(one) + np.abs(total))",
        ]

    def simpler(self) -> Iterator[Case]:
        yield from (self.but(options=options) for options in fewer_options(self.options, ("engine",)))
        if self.workspace is not None:
            yield self.but(workspace=None)
        if self.given != "new":
            yield self.but(given="new")
        for axis, ends in enumerate(self.boundary):
            for simple in ("periodic", ("unbounded", "unbounded"), ("even", "even")):
                if ends != simple and ends != "periodic":
                    yield self.but(boundary=(*self.boundary[:axis], simple, *self.boundary[axis + 1 :]))
        if len(self.cells) == 3:
            yield from (self._without(axis) for axis in range(3))
        for cells in smaller_shapes(self.cells, 2):
            yield self.but(cells=cells, length=tuple(n / max(cells) for n in cells))

    def _without(self, axis: int) -> Case:
        def rest(values: Any) -> Any:
            return values if isinstance(values, str) else (*values[:axis], *values[axis + 1 :])

        options = dict(self.options)
        for name in ("centring", "shift"):
            if name in options:
                options[name] = rest(options[name])
        return self.but(cells=rest(self.cells), length=rest(self.length), boundary=rest(self.boundary), options=options)


def _is_solved_along(options: dict[str, Any]) -> bool:
    """Whether an axis has widths or Chebyshev points."""
    return "widths" in options or "chebyshev" in options.get("centring", ())


def _operator(rng: np.random.Generator, ends: Any, options: dict[str, Any]) -> dict[str, Any]:
    """A power, where there may be one, and several right-hand sides, of which a refusal would name one."""
    found: dict[str, Any] = {}
    kernel = options["kernel"]
    if not any(map(is_open, ends)) and not _is_solved_along(options) and not kernel.startswith(SMOOTHING):
        found["power"] = some(rng, [1.0, 2.0, 0.5, -0.5] if kernel != "mehr4f" else [1.0, 2.0], 0.5)
    if rng.random() < 0.2:
        found |= {"batch": int(rng.integers(1, 4)), "mean": "remove"}
    return found


def displaced(rng: np.random.Generator, cells: Any, length: Any, ends: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Displaced points, by whole cells, which lattice kernels want, or by any length; now and then along mirrors."""
    if _is_solved_along(options) or rng.random() < 0.75:
        return {}
    free = [pair in ("periodic", ("unbounded", "unbounded")) or rng.random() < 0.02 for pair in ends]
    counts = rng.uniform(-30, 30, len(cells)) * np.array(free)
    if rng.random() < 0.5:
        counts = np.round(counts)
    return {"shift": tuple(float(c * x / n) for c, x, n in zip(counts, length, cells, strict=True))}


def _ends_of_nodes(axis: int, ends: Any) -> list[str]:
    """What is known of the points on both ends of an axis."""
    line = f"np.moveaxis(one, {axis}, 0)"
    if ends == "periodic":
        return [f"check.bits({line}[0], {line}[-1], 'the periodic points of axis {axis}')"]
    odd = [place for place, end in zip((0, -1), ends, strict=True) if end == "odd"]
    return [f"check.that(not {line}[{place}].any(), 'u is not 0 on an odd end of axis {axis}')" for place in odd]
