"""Plans with any options: forward, backward and apply beside numpy and scipy, and one rank's bits."""

import dataclasses
import math
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import weft

from fuzz import draws
from fuzz.cases import Case, fewer_options, options_text, smaller_shapes, without_defaults
from fuzz.checks import LAYOUTS
from fuzz.draws import one_of, some
from fuzz.references import KINDS, modes_of

STEPS = ("forward", "backward", "apply", "forward in itself", "explain", "again")
OUTS = ("new", "rows with gaps", "full of NaN", "part of a larger array", "field")
TYPES = ("float64", "float32", "complex128", "complex64", "int8", "bool")
SYMBOLS = (*TYPES, "2.5", "3", "np.float32(0.1)", "True", "np.int8(-3)")
# What one rank needs to compute the same numbers.
OF_RESULTS = ("dtype", "engine", "norm", "modes")


@dataclasses.dataclass(frozen=True)
class OfPlan(Case):
    """A case about one plan."""

    shape: tuple[int, ...]
    kinds: tuple[str, ...]
    options: dict[str, Any]

    @property
    def keep(self) -> tuple[int, ...]:
        """Points per axis whose modes are kept."""
        return tuple(m or n for m, n in zip(self.options.get("modes") or self.shape, self.shape, strict=True))

    @property
    def modes(self) -> tuple[int, ...]:
        return tuple(modes_of(k, m) for k, m in zip(self.kinds, self.keep, strict=True))

    @property
    def exact(self) -> bool:
        """Whether one rank has the same bits: FFTW, and what is measured, may choose other algorithms."""
        single = self.options.get("wire") == "single" and self.options.get("dtype") != "float32"
        return self.options.get("engine") == "lanes" and not single and "effort" not in self.options

    def alone(self, *others: str) -> str:
        """The plan of one rank that computes the same numbers, as Python; `others`: further options that it takes."""
        known = {name: self.options[name] for name in (*OF_RESULTS, *others) if name in self.options}
        return f"weft.Plan(shape, kinds, comm=MPI.COMM_SELF, threads=1{options_text(known)})"

    def with_fewer_options(self) -> Iterator[Self]:
        yield from (self.but(options=options) for options in fewer_options(self.options, ("engine",)))

    def smaller(self) -> Iterator[Self]:
        """With fewer points, or with complex transforms."""
        for shape in smaller_shapes(self.shape):
            options = dict(self.options)
            if options.get("modes"):
                options["modes"] = tuple(min(m, n) for m, n in zip(options["modes"], shape, strict=True))
            yield self.but(shape=shape, options=options)
        for axis, kind in enumerate(self.kinds):
            if kind not in ("c2c", "none"):
                yield self.but(kinds=(*self.kinds[:axis], "c2c", *self.kinds[axis + 1 :]))


@dataclasses.dataclass(frozen=True)
class Plan(OfPlan):
    """A plan, what is done with it, and which arrays it is given."""

    workspace: int | None = None
    physical: int | None = None  # seeds of boxes of the ranks' own
    spectral: int | None = None
    steps: tuple[str, ...] = STEPS[:3]
    out: str = "new"
    symbol: str = "float64"
    varies: tuple[bool, ...] = ()  # along which axes the symbol does
    layout: str = "C"
    in_itself: bool = False  # whether apply writes to its input
    spectrum: bool = False  # whether backward is given what forward gave

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "Plan":
        axes = int(rng.choice([1, 2, 3, 4, 5, 6], p=[0.12, 0.26, 0.34, 0.14, 0.08, 0.06]))
        shape = draws.shape(rng, axes, [0, 3000, 160, 48, 14, 9, 7][axes], 24000)
        in_place = bool(rng.random() < 0.25)
        kinds = plan_kinds(rng, axes, in_place=in_place)
        options = plan_options(rng, shape, kinds, ranks, in_place=in_place)
        steps = STEPS[:3] + tuple(step for step, p in zip(STEPS[3:], (0.2, 0.03, 0.3), strict=True) if rng.random() < p)
        boxes = [int(rng.integers(2**31)) if rng.random() < 0.2 and not in_place else None for _ in range(2)]
        if rng.random() < 0.02:
            shape = (0, *shape[1:])
        return cls(
            ranks,
            int(rng.integers(2**31)),
            shape,
            kinds,
            without_defaults(weft.Plan, options),
            workspace=int(rng.integers(3)) if rng.random() < 0.25 else None,
            physical=boxes[0],
            spectral=boxes[1],
            steps=tuple(step for step in steps if not in_place or step in (*STEPS[:3], "again")),
            out=some(rng, OUTS, 0.6),
            symbol=one_of(rng, SYMBOLS),
            varies=tuple(bool(b) for b in rng.integers(0, 2, axes)),
            layout=some(rng, LAYOUTS, 0.6),
            in_itself=bool(rng.random() < 0.3),
            spectrum=bool(rng.random() < 0.5),
        )

    def lines(self) -> list[str]:
        given = options_text(self.options)
        if self.workspace is not None:
            given += f", workspace=workspace(comm, {self.workspace})"
        own = (("physical_box", self.physical, self.shape), ("spectral_box", self.spectral, self.modes))
        for name, seed, size in own:
            if seed is not None:
                given += f", {name}={draws.box_text(draws.tiling(seed, size, self.ranks))}"
        norm, single = self.options.get("norm", "backward"), self.options.get("wire") == "single"
        about = f"kinds, {self.keep}, {norm!r}"
        result = [
            f"shape, kinds = {self.shape}, {self.kinds}",
            f"plan = weft.Plan(shape, kinds, comm=comm{given})",
            f"alone = {self.alone()}",
            "here, there = plan.physical_slices, plan.spectral_slices",
            f"check.that(plan.global_spectral_shape == {self.modes}, f'shape of modes {{plan.global_spectral_shape}}')",
            "bounds = references.Bounds(kinds, shape, np.finfo(plan.dtype).eps, "
            f"{norm!r}, {self.keep != self.shape}, {single})",
            f"u = numbers({self.data}, shape, plan.physical_dtype)",
        ]
        if "forward" in self.steps or self.spectrum or "forward in itself" in self.steps:
            result.append(f"modes = references.forward(u, {about})")
        for step in self.steps:
            result += _LINES[step](self, about)
        return result

    def compared(self, got: str, want: str, near: str, of: str, part: str, bound: str, what: str) -> list[str]:
        """Lines that compare a result with the reference and with one rank."""
        result = [f"check.near({got}, {near}[{part}], {what!r}, {bound}, {of})"]
        if self.exact:
            result.append(f"check.bits({got}, {want}[{part}], {what!r})")
        return result

    def simpler(self) -> Iterator[Case]:
        if len(self.steps) > 1:
            yield from (self.but(steps=(step,)) for step in self.steps)
        yield from self.with_fewer_options()
        plain = {
            "workspace": None, "physical": None, "spectral": None, "out": "new", "symbol": "float64", "layout": "C",
            "in_itself": False, "spectrum": False, "varies": (False,) * len(self.shape),
        }  # fmt: skip
        yield from (self.but(**{name: value}) for name, value in plain.items() if getattr(self, name) != value)
        yield from self._fewer_axes()
        yield from self.smaller()

    def _fewer_axes(self) -> Iterator[Case]:
        for axis in range(len(self.shape) if len(self.shape) > 1 else 0):
            left = [i for i in range(len(self.shape)) if i != axis]
            options = dict(self.options)
            if options.get("modes"):
                options["modes"] = tuple(options["modes"][i] for i in left)
            if options.get("batch_axes"):
                options["batch_axes"] = tuple(i - (i > axis) for i in options["batch_axes"] if i != axis)
            shape, kinds = tuple(self.shape[i] for i in left), tuple(self.kinds[i] for i in left)
            yield self.but(shape=shape, kinds=kinds, options=options, varies=tuple(self.varies[i] for i in left))


def plan_kinds(rng: np.random.Generator, axes: int, *, in_place: bool) -> tuple[str, ...]:
    """A kind per axis; more than one r2c, and an r2c in place that is not last, now and then: they are refused."""
    kinds = [str(k) for k in rng.choice(KINDS, axes)]
    if rng.random() < 0.2:
        kinds = ["c2c"] * (axes - 1) + ["r2c"]
    half, most = [int(i) for i in rng.permutation(axes) if kinds[i] == "r2c"], 1
    if rng.random() < 0.4:
        most = one_of(rng, [0, 0, 0, axes])
    allowed = half[:most]
    if in_place and rng.random() < 0.8:
        allowed = [i for i in allowed if i == axes - 1]
    return tuple("c2c" if k == "r2c" and i not in allowed else k for i, k in enumerate(kinds))


def plan_options(
    rng: np.random.Generator, shape: tuple[int, ...], kinds: tuple[str, ...], ranks: int, *, in_place: bool
) -> dict[str, Any]:
    """All options but the boxes and the workspace."""
    points, axes = math.prod(shape), len(shape)
    options = {
        "engine": some(rng, ["lanes", "fftw", "auto"], 0.35),
        "dtype": some(rng, ["float64", "float32"]),
        "in_place": in_place,
        "norm": some(rng, ["backward", "forward", "ortho"], 0.6),
        "effort": "measure" if rng.random() < 0.02 and points < 300 else "estimate",
        "chunks": some(rng, [1, 0, 2, 3, 5, 17], 0.6),
        "scheme": some(rng, ["even", "first", "grouped", "block"], 0.6),
        "wire": some(rng, ["same", "single"], 0.2),
        "output": some(rng, ["transposed", "natural"], 0.5),
        "grid": draws.grid(rng, ranks, axes),
        "ranks": some(rng, [0, *range(1, ranks + 1)], 0.25),
        **draws.exchange_options(rng, points),
    }
    options |= draws.others(rng, weft.Plan, options)
    if options["ranks"] and options["grid"] is not None:
        options["grid"] = draws.grid(rng, options["ranks"], axes)
    options["batch_axes"] = tuple(i for i, k in enumerate(kinds) if k == "none" and rng.random() < 0.4)
    if rng.random() < 0.3:
        options["modes"] = tuple(_kept(rng, kind, n) for kind, n in zip(kinds, shape, strict=True))
    if in_place and rng.random() < 0.9:
        options |= {"output": "transposed", "modes": None, "ranks": 0}
    return options


def _kept(rng: np.random.Generator, kind: str, n: int) -> int:
    """Points whose modes are kept, 0 for all."""
    if kind == "none" or rng.random() < 0.4:
        return some(rng, [0, n])
    return max(int(rng.integers(1, n + 1)), min(2, n) if kind == "dct1" else 1)


def _rows_with_gaps(shape: str) -> str:
    """An array of a shape, as Python, with 3 further elements between its rows."""
    return f"np.zeros([*{shape}[:-1], {shape}[-1] + 3], plan.spectral_dtype)[..., : {shape}[-1]]"


def _forward(case: Plan, about: str) -> list[str]:
    result = []
    if case.options.get("in_place"):
        result += ["f = plan.in_place_field()", "f.physical[...] = u[here]", "got = plan.forward(f).copy()"]
    else:
        result += ["local = block(u, here)", "kept = local.copy()"]
        outs = {
            "rows with gaps": _rows_with_gaps("plan.spectral_shape"),
            "full of NaN": "np.full(plan.spectral_shape, np.nan, plan.spectral_dtype)",
            "part of a larger array": "np.zeros([n + 1 for n in plan.spectral_shape[:-1]] + [plan.spectral_shape[-1]], "
            "plan.spectral_dtype)[tuple(slice(0, n) for n in plan.spectral_shape)]",
        }
        if case.out == "field":
            result.append("got = plan.forward(plan.physical_field(local)).local")
        else:
            result.append(f"got = plan.forward(local{', ' + outs[case.out] if case.out in outs else ''})")
        result.append("check.bits(local, kept, 'the input of forward')")
    if case.exact:
        result.append("one = alone.forward(u)")
    return result + case.compared("got", "one", "modes", "u", "there", "bounds.forward()", "forward")


def _backward(case: Plan, about: str) -> list[str]:
    given = "modes.astype(plan.spectral_dtype)"
    if not case.spectrum:
        given = f"numbers({case.data} + 1, {case.modes}, plan.spectral_dtype)"
    result = [f"uh = {given}", f"points = references.backward(uh, kinds, shape, {about.removeprefix('kinds, ')})"]
    if case.options.get("in_place"):
        result += ["f = plan.in_place_field()", "f.spectral[...] = uh[there]", "got = plan.backward(f).copy()"]
    else:
        result.append("local = block(uh, there)")
        if case.out == "rows with gaps":
            result += [f"local = {_rows_with_gaps('local.shape')}", "local[...] = uh[there]"]
        result.append("kept = local.copy()")
        field = "plan.backward(plan.spectral_field(local)).local"
        result += [f"got = {field if case.out == 'field' else 'plan.backward(local)'}"]
        result.append("check.bits(local, kept, 'the input of backward')")
    if case.exact:
        result.append("one = alone.backward(uh)")
    return result + case.compared("got", "one", "points", "uh", "here", "bounds.backward()", "backward")


def _apply(case: Plan, about: str) -> list[str]:
    """The symbol is one of the given type, also complex where modes are; of numbers it is broadcast."""
    shape = tuple(n if v else 1 for n, v in zip(case.modes, case.varies, strict=True))
    if case.symbol in TYPES:
        complex_modes = "r2c" in case.kinds or "c2c" in case.kinds
        sort = case.symbol if complex_modes or not case.symbol.startswith("c") else "float64"
        result = [f"symbol = numbers({case.data} + 2, {shape}, {sort!r})"]
        result.append(f"mine = laid_out(cut(symbol, there), {case.layout!r})")
    else:
        result = [f"symbol = mine = {case.symbol}"]
    result += [
        "exact = np.asarray(symbol).astype(plan.spectral_dtype if np.iscomplexobj(symbol) else plan.dtype)",
        f"applied = references.backward(references.forward(u, kinds, {case.keep}) * exact, kinds, shape, {case.keep})",
        "bound = bounds.apply() * max(1.0, float(np.max(np.abs(exact), initial=0)))",
    ]
    if case.options.get("in_place"):
        result += ["f = plan.in_place_field()", "f.physical[...] = u[here]", "got = plan.apply(f, mine).copy()"]
    elif case.in_itself:
        result += ["local = block(u, here)", "got = plan.apply(local, mine, local)"]
    else:
        result += ["local = block(u, here)", "got = plan.apply(local, mine)"]
        result.append("check.bits(local, block(u, here), 'the input of apply')")
    if case.exact:
        result.append("one = alone.apply(u, symbol)")
    return result + case.compared("got", "one", "applied", "u", "here", "bound", "apply")


def _in_itself(case: Plan, about: str) -> list[str]:
    """Only where points and modes of every rank are alike."""
    inner = ["local = block(u, here)", "got = plan.forward(local, local)"]
    inner += ["one = alone.forward(u)"] if case.exact else []
    inner += case.compared("got", "one", "modes", "u", "there", "bounds.forward()", "forward in itself")
    alike = "plan.physical_dtype == plan.spectral_dtype and plan.physical_shape == plan.spectral_shape"
    return [f"if comm.allreduce({alike}, MPI.LAND):", *(f"    {line}" for line in inner)]


def _explain(case: Plan, about: str) -> list[str]:
    return ["check.that(plan.explain(), 'explain() is empty')"]


def _again(case: Plan, about: str) -> list[str]:
    """The same arrays again and again, and other numbers in them once: the bits of the first time."""
    if case.options.get("in_place"):
        start = ["f = plan.in_place_field()"]
        step = ["f.physical[...] = whole[here]", "got = plan.forward(f).copy()", "back = plan.backward(f).copy()"]
    else:
        start = [f"local, out = block(u, here), {_rows_with_gaps('plan.spectral_shape')}", "points = local.copy()"]
        step = ["local[...] = whole[here]", "got = plan.forward(local, out).copy()"]
        step.append("back = plan.backward(out, points).copy()")
    return [
        *start,
        "first = None",
        "for whole in (u, u, u, -u, u):",
        *(f"    {line}" for line in step),
        "    first = first or (got, back)",
        "    if whole is u:",
        "        check.bits(got, first[0], 'forward again')",
        "        check.bits(back, first[1], 'backward again')",
    ]


_LINES = dict(zip(STEPS, (_forward, _backward, _apply, _in_itself, _explain, _again), strict=True))
