"""Solves with coefficients that vary: the equation by numpy's differences, its residual, and one rank's bits."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import weft

from fuzz import draws
from fuzz.cases import Case, fewer_options, options_text, smaller_shapes, without_defaults
from fuzz.draws import some
from fuzz.solves import boundary

# What one rank needs to solve the same problem.
OF_PROBLEM = ("form", "faces", "around", "tolerance", "most_iterations", "mean", "dtype")


@dataclasses.dataclass(frozen=True)
class VariablePoisson(Case):
    """A solver, its coefficients and one solve."""

    cells: tuple[int, ...]
    length: tuple[float, ...]
    boundary: tuple[Any, ...]
    options: dict[str, Any]
    contrast: float = 1.0
    absorbs: str = "nothing"  # c: 0, a number, or an array with zeros among its values
    guess: bool = False

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "VariablePoisson":
        axes = int(rng.choice([2, 3]))
        single = rng.random() < 0.3
        options = {
            "form": some(rng, ["finite-volume", "spectral"], 0.5),
            "faces": some(rng, ["harmonic", "arithmetic"], 0.6),
            "around": some(rng, ["scaled", "laplacian"], 0.6),
            "tolerance": 1e-4 if single else some(rng, [1e-10, 1e-3, 1e-7], 0.5),
            "most_iterations": some(rng, [500, 3, 60], 0.15),
            "mean": some(rng, ["remove", "error"], 0.1),
            "dtype": "float32" if single else "float64",
            "strategy": some(rng, draws.STRATEGIES, 0.8),
            "threads": some(rng, [1, 2, 3], 0.3),
        }
        cells = tuple(max(2, n) for n in draws.shape(rng, axes, 14 if axes == 3 else 30, 1200))
        return cls(
            ranks,
            int(rng.integers(2**31)),
            cells,
            tuple(round(float(x), 3) for x in rng.uniform(0.5, 2, axes)),
            boundary(rng, axes, 1.0, 0.35),
            without_defaults(weft.VariablePoisson, options),
            contrast=some(rng, [1.0, 3.0, 30.0], 0.8),
            absorbs=some(rng, ["nothing", "alike", "here and there"], 0.6),
            guess=bool(rng.random() < 0.2),
        )

    def lines(self) -> list[str]:
        problem = f"{self.cells}, {self.length}, {self.boundary}"
        alone = options_text({name: self.options[name] for name in OF_PROBLEM if name in self.options})
        c = {
            "nothing": "0.0",
            "alike": "2.5",
            "here and there": f"np.maximum(0, 4 * numbers({self.data} + 2, {self.cells}, s.dtype))",
        }[self.absorbs]
        result = [
            f"s = weft.VariablePoisson({problem}, comm=comm{options_text(self.options)})",
            f"alone = weft.VariablePoisson({problem}, comm=MPI.COMM_SELF, threads=1{alone})",
            "here = s.local_slices",
            f"a = {self.contrast} ** numbers({self.data}, {self.cells}, s.dtype)",
            f"c = {c}",
            f"f = numbers({self.data} + 1, {self.cells}, s.dtype)",
            f"guess = {f'numbers({self.data} + 3, {self.cells}, s.dtype)' if self.guess else 'None'}",
            "s.set_coefficients(block(a, here), block(c, here) if np.ndim(c) else c)",
            "alone.set_coefficients(a, c)",
            "check.that(s.mean_is_free == alone.mean_is_free, 'whether the mean is free differs')",
            "whole, given = (None, None) if guess is None else (alone.field(guess), s.field(block(guess, here)))",
            "one, u = check.same_outcome(lambda: alone.solve(alone.field(f), whole), "
            "lambda: s.solve(s.field(block(f, here)), given), 'solve')",
            "w = numbers(7, f.shape, s.dtype)",
            "check.bits(s.apply(s.field(block(w, here))).local, alone.apply(alone.field(w)).local[here], 'apply')",
        ]
        if self.options.get("form") != "spectral":
            faces = self.options.get("faces", "harmonic")
            result += [
                f"terms = references.diffusion(w, a, c, {self.length}, {self.boundary}, {faces!r})",
                "check.near(alone.apply(alone.field(w)).local, terms.sum(0), 'apply', "
                "16 * np.finfo(s.dtype).eps, np.abs(terms))",
            ]
        result += [
            "if u is not None:",
            "    check.bits(u.local, one.local[here], 'solve')",
            "    check.that(s.iterations == alone.iterations, 'other iterations')",
            "    check.that(s.residual <= s.tolerance, f'residual {s.residual}')",
        ]
        return result

    def simpler(self) -> Iterator[Case]:
        yield from (self.but(options=options) for options in fewer_options(self.options))
        plain = {"contrast": 1.0, "absorbs": "nothing", "guess": False}
        yield from (self.but(**{name: value}) for name, value in plain.items() if getattr(self, name) != value)
        yield from (self.but(cells=cells) for cells in smaller_shapes(self.cells, 2))
        for axis, ends in enumerate(self.boundary):
            if ends != "periodic":
                yield self.but(boundary=(*self.boundary[:axis], "periodic", *self.boundary[axis + 1 :]))
