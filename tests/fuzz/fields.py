"""Fields beside whole numpy arrays: elements, arithmetic, reductions, moves, files; sums beside exact ones."""

import dataclasses
from collections.abc import Callable, Iterator

import numpy as np

from fuzz import draws
from fuzz.cases import Case, smaller_shapes, without_one
from fuzz.draws import one_of, some

DTYPES = ("float64", "float32", "complex128", "complex64", "float16", "int32", "int64", "uint8", "bool")
FILE_TYPES = DTYPES[:4]
# Elements: in [-1, 1), of very different sizes, with NaN or infinity among them, and small whole numbers.
VALUES = ("numbers", "wide", "nan", "inf", "-inf", "whole")
Step = tuple[str, ...]  # what is done, and the text of what it is done with


@dataclasses.dataclass(frozen=True)
class Field(Case):
    """A field and what is done with it, one step after the other, and with a whole array beside it."""

    shape: tuple[int, ...]
    parts: int  # seed of the ranks' parts
    others: int  # and of those that it is moved to
    dtype: str
    values: str
    steps: tuple[Step, ...]

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "Field":
        axes = int(rng.integers(1, 6))
        shape = draws.shape(rng, axes, [0, 40, 20, 12, 7, 5][axes], 3000)
        dtype = one_of(rng, DTYPES)
        steps = []
        for _ in range(8):
            name = one_of(rng, list(_STEPS))
            if name in ("get", "set"):
                index = index_text(rng, shape)
                steps.append((name, index, some(rng, ["1", "array"], 0.5))[: 2 if name == "get" else 3])
            elif name == "ufunc":
                steps.append((name, one_of(rng, UFUNCS)))
            elif name == "file":
                steps.append((name, one_of(rng, ["h5", "npy"])))
            else:
                steps.append((name,))
        values = some(rng, VALUES, 0.5) if np.dtype(dtype).kind in "fc" else "numbers"
        return cls(
            ranks, int(rng.integers(2**31)), shape, int(rng.integers(2**31)), int(rng.integers(2**31)), dtype, values,
            tuple(steps),
        )  # fmt: skip

    @property
    def kind(self) -> str:
        return np.dtype(self.dtype).kind

    def lines(self) -> list[str]:
        boxes = draws.tiling(self.parts, self.shape, self.ranks)
        made = f"numbers({self.data}, {self.shape}, {self.dtype!r})"
        result = [f"a = {made}"]
        if self.values == "wide":
            most = {"float64": 150, "complex128": 150, "float16": 3}.get(self.dtype, 18)
            powers = f"np.random.default_rng({self.data}).integers({-most}, {most // 2}, {self.shape})"
            result.append(f"a = (a * 10.0 ** {powers}).astype({self.dtype!r})")
        elif self.values == "whole":
            result.append("a = np.rint(3 * a)  # many are equal, some are -0")
        elif self.values != "numbers":
            result.append(f"a.ravel()[{self.data} % a.size] = np.{self.values}".replace("np.-", "-np."))
        last = self.ranks - 1
        result += [
            f"here = {draws.box_text(boxes)}",
            f"u = weft.Field.from_global(a if comm.rank == {last} else None, here, root={last}, comm=comm)",
            "check.bits(u.gather(None), a, 'gather')",
        ]
        for step in self.steps:
            result += _STEPS[step[0]](self, *step[1:])
        return result

    def simpler(self) -> Iterator[Case]:
        half = len(self.steps) // 2
        if half:
            yield self.but(steps=self.steps[:half])
            yield self.but(steps=self.steps[half:])
        yield from (self.but(steps=steps) for steps in without_one(self.steps))
        if self.values != "numbers":
            yield self.but(values="numbers")
        if self.dtype != "float64":
            yield self.but(dtype="float64")
        for seed in (1, 2, 3):
            if self.parts > 3:
                yield self.but(parts=seed)
        if not any(step[0] in ("get", "set") for step in self.steps):
            yield from (self.but(shape=self.shape[:n]) for n in range(1, len(self.shape)))
        yield from (self.but(shape=shape) for shape in smaller_shapes(self.shape))


def index_text(rng: np.random.Generator, shape: tuple[int, ...]) -> str:
    """A selection of elements in Python: whole numbers, slices of any steps, an ellipsis for what lies between."""
    index: list[str] = []
    first = int(rng.integers(0, len(shape) + 1))
    behind = int(rng.integers(0, len(shape) - first + 1)) if rng.random() < 0.4 or first == 0 else None
    chosen = shape[:first] if behind is None else shape[:first] + shape[len(shape) - behind :]
    for n in chosen:
        draw = rng.random()
        if draw < 0.3:
            index.append(str(int(rng.integers(-n, n))))
        elif draw < 0.4:
            index.append(":")
        else:
            ends = ["" if rng.random() < 0.3 else str(int(rng.integers(-2 * n, 2 * n + 1))) for _ in range(2)]
            index.append(f"{ends[0]}:{ends[1]}:{one_of(rng, [1, 1, 2, 3, -1, -2, -5, n, -n])}")
    if behind is not None:
        index.insert(first, "...")
    return ", ".join(index)


def _get(case: Field, index: str) -> list[str]:
    return [f"check.bits(u[{index}], a[{index}], 'u[{index}]')"]


def _set(case: Field, index: str, value: str) -> list[str]:
    made = "value = a.dtype.type(1)"
    if value == "array":
        made = f"value = numbers({case.data} + 1, np.shape(a[{index}]), a.dtype)"
    return [made, f"u[{index}] = a[{index}] = value", f"check.bits(u.local, block(a, here), 'u[{index}] = ...')"]


# With u, another field v, and both as whole arrays, a and b. Magnitudes and products of complex numbers are rounded by
# numpy in another way at the end of a vector of the processor, so that those have no bits of their own.
UFUNCS = ("{0} + {1}", "{0} - 2 * {0}", "-{0}", "np.minimum({0}.real, {1}.real)", "{0} == {1}", "np.isnan({0})",
          "np.conjugate({0})", "{0}.real + {1}.imag", "np.where", "{0}.astype('complex128')", "np.abs({0}.real)",
          "{0}.zeros_like()", "{0}.copy()", "np.copysign({0}.real.astype('f8'), {1}.real.astype('f8'))")  # fmt: skip


def _ufunc(case: Field, text: str) -> list[str]:
    if case.kind in "bu" and ("-" in text or "abs" in text):
        text = "{0} == {1}"
    if text == "np.where":
        text = "np.add({0}, {1}, where={0} == {1}, out={0}.copy())"
    whole = text.format("a", "b").replace("a.zeros_like()", "np.zeros_like(a)")
    return [
        f"b = numbers({case.data} + 2, {case.shape}, a.dtype)",
        "v = weft.Field.from_global(b if comm.rank == 0 else None, here, comm=comm)",
        "with np.errstate(all='ignore'):",
        f"    check.bits(({text.format('u', 'v')}).local, block(np.asarray({whole}), here), {text!r})",
    ]


def _reductions(case: Field) -> list[str]:
    result = []
    if case.kind in "fc":
        result.append("check.exact_sums(u, a)")
    elif case.kind in "biu":
        result += [
            "check.that(u.sum() == int(a.sum(dtype=object)), f'sum {u.sum()}')",
            "check.that(u.dot(u) == int((a.astype(object) ** 2).sum()), f'dot {u.dot(u)}')",
        ]
    if case.kind != "c":
        for name in ("max", "min"):
            result += [
                f"value, place = u.{name}_location()",
                f"want = tuple(int(i) for i in np.unravel_index(np.arg{name}(a), a.shape))",
                f"check.that(tuple(place) == want, f'{name}_location {{place}} instead of {{want}}')",
                f"check.bits(np.asarray(u.{name}(), a.dtype), a[want], {name!r})",
            ]
    result += [f"check.that(u.{name}() == bool(a.{name}()), {name!r})" for name in ("any", "all")]
    return result


def _moves(case: Field) -> list[str]:
    boxes = draws.tiling(case.others, case.shape, case.ranks)
    return [
        f"there = {draws.box_text(boxes)}",
        "w = u.redistribute_to(there)",
        "check.bits(w.local, block(a, there), 'redistribute_to')",
        "check.bits(w.redistribute_to(u).local, block(a, here), 'redistribute_to and back')",
        f"w[...] = numbers({case.data} + 3, {case.shape}, a.dtype)",
        "u[...] = w.redistribute_to(u)",
        f"a = numbers({case.data} + 3, {case.shape}, a.dtype)",
        "check.bits(u.local, block(a, here), 'u[...] = another field')",
    ]


def _file(case: Field, suffix: str) -> list[str]:
    if case.dtype not in FILE_TYPES:
        return []
    return [
        f"path = check.path({suffix!r})",
        "u.save(path)",
        f"there = {draws.box_text(draws.tiling(case.others, case.shape, case.ranks))}",
        "x = weft.Field.load(path, like=u.redistribute_to(there))",
        "check.bits(x.local, block(a, there), 'save and load')",
        "check.bits(weft.Field.load(path, comm=comm, dtype=a.dtype).gather(None), a, 'save and load in slabs')",
    ]


_STEPS: dict[str, Callable[..., list[str]]] = {
    "get": _get, "set": _set, "ufunc": _ufunc, "reductions": _reductions, "moves": _moves, "file": _file,
}  # fmt: skip
