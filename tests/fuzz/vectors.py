"""Vector solves: every method of VectorPoisson with the bits of one rank, and projections that have no divergence."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import weft

from fuzz import draws
from fuzz.cases import Case, fewer_options, options_text, smaller_shapes, without_defaults
from fuzz.draws import one_of, some
from fuzz.solves import boundary, displaced, is_open

STEPS = ("solve", "biot_savart", "curl", "divergence", "gradient", "solve_gradient", "project")
OF_PROBLEM = ("centring", "kernel", "alpha", "screening", "derivative", "power", "shift", "dtype", "engine")


@dataclasses.dataclass(frozen=True)
class VectorPoisson(Case):
    """A solver for vector fields, and which of its methods are called."""

    cells: tuple[int, ...]
    scalar: tuple[Any, ...]  # the boundaries of scalars that the fields are gradients of
    options: dict[str, Any]
    steps: tuple[str, ...] = STEPS
    fields: bool = False  # whether the methods get fields or arrays

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "VectorPoisson":
        axes = int(rng.choice([2, 3]))
        cells = tuple(max(2, n) for n in draws.shape(rng, axes, 12 if axes == 3 else 40, 1200))
        options = {
            "centring": one_of(rng, ["cell", "node"]),
            "kernel": some(rng, ["chat2", *weft.kernels()]),
            "screening": some(rng, [0.0, 1.5], 0.1),
            "dtype": some(rng, ["float64", "float32"], 0.3),
            "derivative": some(rng, ["spectral", 2, 4, 6], 0.4),
            "batch": some(rng, [None, 1, 3], 0.2),
            "engine": some(rng, ["lanes", "fftw", "auto"], 0.15),
            "strategy": one_of(rng, draws.STRATEGIES),
            "threads": some(rng, [1, 2], 0.3),
        }
        ends = boundary(rng, axes, 0.25, 0.35)
        if options["kernel"] == "chat2" and not any(map(is_open, ends)):
            options["power"] = some(rng, [1.0, 0.5, 2.0, -0.5], 0.5)
        options |= displaced(rng, cells, tuple(n / max(cells) for n in cells), ends, options)
        options = without_defaults(weft.VectorPoisson, options)
        return cls(ranks, int(rng.integers(2**31)), cells, ends, options, fields=bool(rng.random() < 0.2))

    def lines(self) -> list[str]:
        alone = options_text({name: self.options[name] for name in OF_PROBLEM if name in self.options})
        length = tuple(n / max(self.cells) for n in self.cells)
        axes, batch = len(self.cells), self.options.get("batch")
        fields = "" if batch is None else f"{batch}, "
        result = [
            f"problem = {self.cells}, {length}, weft.vector_boundary({self.scalar})",
            f"solver = weft.VectorPoisson(*problem, comm=comm{options_text(self.options)})",
            f"alone = weft.VectorPoisson(*problem, comm=MPI.COMM_SELF, threads=1{alone})",
            "here = solver.local_slices",
            f"v = numbers({self.data}, ({fields}{axes}, *solver.shape), solver.dtype)",
            f"s = numbers({self.data} + 1, ({fields}*solver.shape,), solver.dtype)",
        ]
        for step in self.steps:
            result += self._step(step, axes)
        return result

    def _step(self, name: str, axes: int) -> list[str]:
        of_scalar = name in ("gradient", "solve_gradient") or (name == "biot_savart" and axes == 2)
        given = "s" if of_scalar else "v"
        mine = f"block({given}, ({'slice(None), ' * self._counted(of_scalar)}*here,))"
        call = f"solver.{name}({mine})"
        if self.fields:
            call = f"solver.{name}(solver.{'scalar' if of_scalar else 'vector'}_field({mine})).local"
        several = self.options.get("batch") is not None
        by_one = f"np.stack([alone.{name}(each) for each in {given}])" if several else f"alone.{name}({given})"
        result = [
            f"one, got = check.same_outcome(lambda: {by_one}, lambda: {call}, {name!r})",
            "if one is not None:",
            f"    check.that(np.isfinite(one).all(), {name + ': not finite'!r})",
            f"    part = one[(*(slice(None),) * (one.ndim - {axes}), *here)]",
        ]
        if self.options.get("engine") == "lanes":
            result.append(f"    check.bits(got, part, {name!r})")
        else:
            result.append(f"    check.near(got, part, {name!r}, 1e4 * np.finfo(solver.dtype).eps, one)")
        closed = not any(map(is_open, self.scalar))
        if name == "project" and closed and "derivative" not in self.options and self.options.get("centring") != "node":
            # Differences amplify the rounding of v by the largest wavenumber, pi n / L = pi max(cells) on every axis.
            result += [
                f"    left = norm(alone.divergence(one{'[0]' if several else ''}))",
                "    bound = references.solve_bound(solver.shape, np.finfo(solver.dtype).eps)",
                f"    most = bound * np.pi * {max(self.cells)} * norm(v)",
                "    check.that(left <= most, f'div(project): {left} of at most {most}')",
            ]
        return result

    def _counted(self, scalar: bool) -> int:
        """Axes of arrays before those of the points: fields of a batch, components."""
        return (self.options.get("batch") is not None) + (not scalar)

    def simpler(self) -> Iterator[Case]:
        if len(self.steps) > 1:
            yield from (self.but(steps=(step,)) for step in self.steps)
        yield from (self.but(options=options) for options in fewer_options(self.options, ("engine",)))
        if self.fields:
            yield self.but(fields=False)
        for axis, ends in enumerate(self.scalar):
            if ends != "periodic":
                yield self.but(scalar=(*self.scalar[:axis], "periodic", *self.scalar[axis + 1 :]))
        if len(self.cells) == 3:
            yield from (self._without(axis) for axis in range(3))
        yield from (self.but(cells=cells) for cells in smaller_shapes(self.cells, 2))

    def _without(self, axis: int) -> Case:
        def rest(values: tuple[Any, ...]) -> tuple[Any, ...]:
            return (*values[:axis], *values[axis + 1 :])

        options = dict(self.options)
        if "shift" in options:
            options["shift"] = rest(options["shift"])
        return self.but(cells=rest(self.cells), scalar=rest(self.scalar), options=options)
