"""Bad input on one rank or on all: the same weft.Error on every rank, and nobody waits for the others."""

import dataclasses
import inspect
from collections.abc import Iterator
from operator import attrgetter

import numpy as np
import weft

from fuzz.cases import Case
from fuzz.draws import one_of

# What nobody should give, in Python.
JUNK = (
    "None", "0", "-1", "3.5", "'x'", "''", "b'r2c'", "[]", "{}", "(1, 2, 3, 4, 5, 6, 7)", "np.nan", "np.inf", "10**30",
    "-(10**400)", "2**33", "2**63", "set()", "True", "[None]", "'\\xe9\\ud800'", "[[1]]", "np.zeros(3)",
    "np.zeros((2, 2))", "slice(0, 3)", "(slice(0, 3),)", "len", "'\\0'", "'auto\\0'", "1e308", "5e-324", "-0.0",
    "2**62", "[2**40, 2**40]", "'a' * 100000", "range(3)", "np.float32(2)", "np.array(4)", "float", "Exception",
    "[1, 'x']", "iter([1])", "object()", "memoryview(b'1')", "np.ma.masked", "1j", "np.datetime64('now')", "'float16'",
    "lambda *given: 1 / 0", "[[[]]]",
)  # fmt: skip
# Arrays that do not fit, of u, a local array of float64 points, and uh, of modes.
ARRAYS = (
    "None", "3", "'x'", "u.astype('f4')", "u[..., :-1]", "u.astype('>f8')", "uh", "u.tolist()", "u.astype(object)",
    "np.zeros(0)", "np.ma.array(u)", "np.matrix([[1.0]])", "object()", "read_only",
    "np.zeros(u.nbytes + 1, np.uint8)[1:].view('f8').reshape(u.shape)", "np.broadcast_to(1.0, u.shape)", "u[None]",
)  # fmt: skip
# What calls need, and what is right for it; every other argument is right as it is by default.
CONSTRUCTORS: dict[str, dict[str, str]] = {
    "weft.Plan": {"shape": "(8, 6, 4)", "kinds": "'c2c'"},
    "weft.Poisson": {"cells": "(8, 6)", "length": "(1.0, 1.0)", "boundary": "('periodic', 'odd')"},
    "weft.VectorPoisson": {
        "cells": "(8, 6)", "length": "(1.0, 0.75)", "boundary": "[['periodic', 'unbounded']] * 2",
    },
    "weft.Redistribution": {"from_slices": "slabs[:1]", "to_slices": "slabs[:1]"},
    "weft.TensorDft": {"shape": "(4, 5, 6)", "kind": "'c2c'"},
    "weft.Field": {"local": "u", "slices": "slabs", "global_shape": "(12, 2)"},
    "weft.Field.from_global": {"array": "np.zeros((12, 2))", "slices": "slabs", "root": "0"},
    "weft.Field.zeros": {"global_shape": "(12, 2)", "dtype": "'float64'"},
}  # fmt: skip
# Calls on objects that are right; {0} is what is wrong, here an array, there anything.
OF_ARRAYS = {
    "plan.forward({0})": "u", "plan.forward(u, {0})": "plan.spectral()", "plan.backward({0})": "uh",
    "plan.apply({0}, 1.0)": "u", "plan.apply(u, {0})": "1.0", "plan.physical_field({0})": "u",
    "solver.solve({0})": "f", "solver.field({0})": "f", "vector.curl({0})": "np.stack([f, f])",
    "vector.gradient({0})": "f",
}  # fmt: skip
OF_ANYTHING = {
    "field[{0}]": "1", "field[...] = {0}": "1.0", "field[{0}] = 1.0": "1", "field.gather({0})": "0",
    "field.redistribute_to({0})": "slabs", "field.norm({0})": "2", "field.dot({0})": "field", "field.save({0})": "path",
    "field.vdot({0})": "field", "modes.spectrum({0})": "modes", "modes.spectrum(width={0})": "1.0",
    "modes.spectrum(lengths={0})": "(1.0, 2.0)", "weft.Field.load({0}, comm=comm)": "path",
    "field.scatter(np.zeros((12, 2)), {0})": "0",
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class BadInput(Case):
    """A call with one argument that is wrong (or happens to be right) on one rank, or on all."""

    call: str
    argument: str  # of a constructor: its name
    value: str
    victim: int | None  # the rank that gives it, None: all

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "BadInput":
        victim = int(rng.integers(ranks)) if rng.random() < 0.7 else None
        draw = rng.random()
        if draw < 0.6:
            call = one_of(rng, [*list(CONSTRUCTORS), "weft.Plan", "weft.Plan"])
            argument, value = one_of(rng, list(_arguments(call))), one_of(rng, JUNK)
        elif draw < 0.8:
            call, argument, value = one_of(rng, list(OF_ARRAYS)), "", one_of(rng, ARRAYS)
        else:
            call, argument, value = one_of(rng, list(OF_ANYTHING)), "", one_of(rng, JUNK)
        return cls(ranks, int(rng.integers(2**31)), call, argument, value, victim)

    def lines(self) -> list[str]:
        if self.call in CONSTRUCTORS:
            arguments = CONSTRUCTORS[self.call] | {self.argument: self._wrong(_arguments(self.call)[self.argument])}
            needed = self.call == "weft.Redistribution" or self.call.startswith("weft.Field")
            given = "".join(f"{name}={value}, " for name, value in arguments.items())
            return [*(_SLABS if needed else []), f"{self.call}({given}comm=comm)"]
        if self.call in OF_ARRAYS:
            made = [line for name, lines in _MADE.items() if name in self.call for line in lines]
            right = OF_ARRAYS[self.call]
            if self.value == "read_only":
                made += ["read_only = u.copy()", "read_only.flags.writeable = False"]
            others = [line for line in made if line not in _MADE["plan"]]
            return [*_MADE["plan"], *others, self.call.format(self._wrong(right))]
        right = OF_ANYTHING[self.call]
        made = [*_SLABS, "field = weft.Field(u, slabs, (12, 2), comm)", *_path(self.call)]
        if "modes" in self.call:
            made.append("modes = weft.Plan((8, 6), 'r2c', comm=comm).spectral_field()")
        return [*made, self.call.format(self._wrong(right))]

    def _wrong(self, right: str) -> str:
        return f"({self.value})" + ("" if self.victim is None else f" if comm.rank == {self.victim} else {right}")

    def simpler(self) -> Iterator[Case]:
        """There is nothing to leave out; another value may be easier to read."""
        if self.victim is not None and self.ranks > 1:
            yield self.but(victim=None)
        for value in ("None", "-1", "'x'"):
            if value != self.value:
                yield self.but(value=value)


def _arguments(call: str) -> dict[str, str]:
    """What is right for each argument of a constructor."""
    known = inspect.signature(attrgetter(call.removeprefix("weft."))(weft)).parameters.values()
    return {p.name: repr(p.default) for p in known if p.name != "comm"} | CONSTRUCTORS[call]


_SLABS = [
    "part = slice(comm.rank * 12 // comm.size, (comm.rank + 1) * 12 // comm.size)",
    "slabs, u = (part, slice(0, 2)), np.zeros((part.stop - part.start, 2))",
]
_MADE = {
    "plan": ["plan = weft.Plan((8, 6, 4), 'r2c', comm=comm)", "u, uh = plan.physical(), plan.spectral()"],
    "solver": [
        "solver = weft.Poisson((8, 6), (1.0, 1.0), ('periodic', 'odd'), comm=comm)",
        "f = np.zeros(solver.local_shape)",
    ],
    "vector": [
        "vector = weft.VectorPoisson((8, 6), (1.0, 0.75), [['periodic', 'unbounded']] * 2, comm=comm)",
        "f = np.zeros(vector.local_shape)",
    ],
}


def _path(call: str) -> list[str]:
    """A file, where there has to be one."""
    if "load" in call:
        return ["path = check.path('npy')", "field.save(path)"]
    return ["path = check.path('npy')"] if "save" in call else []
