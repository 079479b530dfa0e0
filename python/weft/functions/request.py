"""The request of a call of fftn or a relative: transforms and shapes. Nothing here reads elements."""

import math
import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from weft._arguments import flag, shown, whole, whole_entries
from weft.errors import Error

# The largest number of axes of a plan.
_MOST_AXES = 6
_NORMS = ("backward", "ortho", "forward")
_ROOT = math.sqrt(2)
# The points (before) and modes (after) that have to be multiplied or divided by sqrt(2) to make the matrix orthogonal,
# by the kind of the plan.
_ORTHOGONAL: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "dct1": ((0, -1), (0, -1)),
    "dct2": ((), (0,)),
    "dct3": ((0,), ()),
    "dst2": ((), (-1,)),
    "dst3": ((-1,), ()),
}
_INVERSE = {"dct2": "dct3", "dct3": "dct2", "dst2": "dst3", "dst3": "dst2"}


class Transform(NamedTuple):
    """A family of functions, "c2c", "r2c", "dct" or "dst", and its direction."""

    family: str
    forward: bool


class Call(NamedTuple):
    """The arguments of a function without the array and the number of threads, in types that can be compared.

    name      of the function, for messages.
    single    whether it takes n and axis instead of s and axes.
    """

    name: str
    transform: Transform
    sizes: tuple[int, ...] | None
    axes: tuple[int, ...] | None
    norm: str = "backward"
    type: int = 2
    orthogonalize: bool = False
    single: bool = False


class Key(NamedTuple):
    """The properties that distinguish plans of arrays."""

    shape: tuple[int, ...]
    kinds: tuple[str, ...]
    dtype: str
    norm: str
    threads: int | None


class Step(NamedTuple):
    """One plan, the shape of its input, and whether its result fits in the memory of the input."""

    key: Key
    shape: tuple[int, ...]
    fits: bool


class Factor(NamedTuple):
    """The factor of the elements at one place along an axis."""

    axis: int
    place: int
    value: float


class Request(NamedTuple):
    """A call for an array of some shape and type.

    dtype     the type that the array must have; plans see its memory as numbers of step_dtype, complex ones as pairs.
    shape     the shape to which it is cut or padded with zeros.
    kinds     per axis; points: per axis of the array of points; result: the shape of the result.
    before, after  factors of elements.
    steps     empty if there is nothing to transform.
    """

    dtype: np.dtype
    step_dtype: np.dtype
    result_dtype: np.dtype
    shape: tuple[int, ...]
    kinds: tuple[str, ...]
    points: tuple[int, ...]
    result: tuple[int, ...]
    before: tuple[Factor, ...]
    after: tuple[Factor, ...]
    steps: tuple[Step, ...]


def call_of(name: str, transform: Transform, s: Any, axes: Any, norm: Any) -> Call:
    """The arguments of a transform along several axes. Raises Error for wrong types."""
    sizes = None if s is None else _several(s, "s")
    along = None if axes is None else _several(axes, "axes")
    return Call(name, transform, sizes, along, "backward" if norm is None else _norm(norm))


def call_along(name: str, transform: Transform, n: Any, axis: Any, norm: Any) -> Call:
    """The arguments of a transform along one axis. Raises Error for wrong types."""
    sizes = None if n is None else (whole(n, "n"),)
    known = "backward" if norm is None else _norm(norm)
    return Call(name, transform, sizes, (whole(axis, "axis"),), known, single=True)


def real_call(call: Call, type: Any, orthogonalize: Any) -> Call:
    """The call of a cosine or sine transform."""
    number = whole(type, "type")
    if not 1 <= number <= 4:
        raise Error(f"type: {number} is not allowed; give 1, 2, 3 or 4")
    orthogonal = call.norm == "ortho" if orthogonalize is None else flag(orthogonalize, "orthogonalize")
    return call._replace(type=number, orthogonalize=orthogonal)


def threads_of(workers: Any, default: int | None) -> int | None:
    """The number of threads for scipy's workers=: -1 is all cores, -2 one less, and so on."""
    if workers is None:
        return default
    number, cores = whole(workers, "workers", bits=32), os.cpu_count() or 1
    if number == 0:
        raise Error("workers must not be zero; give 1 or more, or -1 for all cores")
    if number < -cores:
        raise Error(f"workers value out of range: {number}; give 1 or more, or {-cores} (one core) to -1 (all cores)")
    return number if number > 0 else number + 1 + cores


def _several(values: Any, name: str) -> tuple[int, ...]:
    if isinstance(values, int | np.integer):
        return (whole(values, name),)
    return tuple(whole_entries(values, name, "(0, 1)" if name == "axes" else "(64, 64)"))


def _norm(norm: Any) -> str:
    if not isinstance(norm, str) or norm not in _NORMS:
        raise Error(f'norm: {shown(norm)} is not allowed; give "backward", "ortho" or "forward"')
    return norm


@lru_cache(maxsize=256)
def request(call: Call, shape: tuple[int, ...], dtype: np.dtype, threads: int | None) -> Request:
    """The request of a call for an array of this shape and type. Raises Error if they do not fit."""
    axes = axes_of(call, len(shape))
    given, real = working_dtypes(call, dtype)
    if not axes and call.transform.family == "r2c":
        raise Error(f"axes: () has no axis; {call.name} needs one or more, or None for all")
    points = points_of(call, axes, shape)
    kinds = kinds_of(call, axes, points)
    modes = tuple(n // 2 + 1 if kind == "r2c" else n for n, kind in zip(points, kinds, strict=True))
    source, result = (points, modes) if call.transform.forward else (modes, points)
    is_pair = call.transform.family in ("dct", "dst") and given.kind == "c"  # transforms act on both parts
    result_dtype = real if kinds.count("r2c") and not call.transform.forward else complex_of(real)
    if call.transform.family in ("dct", "dst"):
        result_dtype = given
    before, after = factors_of(call, axes)
    along = (kinds + ("none",), points + (2,)) if is_pair else (kinds, points)
    steps = () if not axes or 0 in points else _steps(*along, call, Key((), (), real.name, call.norm, threads))
    step_dtype = real if is_pair else given
    return Request(given, step_dtype, result_dtype, source, kinds, points, result, before, after, steps)


def complex_of(real: np.dtype) -> np.dtype:
    """The complex type of a real precision."""
    return np.dtype(np.complex64 if real.itemsize == 4 else np.complex128)


def working_dtypes(call: Call, dtype: np.dtype) -> tuple[np.dtype, np.dtype]:
    """The type that an array is converted to, and its real precision: single for single and half, else double."""
    if dtype.char in "gG":
        text = f"x has dtype {dtype}; allowed are single and double precision"
        raise Error(f"{text}, so pass x.astype(numpy.{'float64' if dtype.char == 'g' else 'complex128'})")
    real = np.dtype(np.float32 if dtype.char in "efF" else np.float64)
    is_complex = dtype.kind == "c"
    family, forward = call.transform
    if family == "r2c" and forward and is_complex:
        text = f"x has dtype {dtype}, but must be a real sequence for {call.name}"
        raise Error(f"{text}; pass x.real, or call {call.name.replace('rfft', 'fft')}")
    if family in ("dct", "dst"):
        return (complex_of(real) if is_complex else real), real
    return (real if family == "r2c" and forward else complex_of(real)), real


def axes_of(call: Call, ndim: int) -> tuple[int, ...]:
    """The axes along which a call transforms an array with ndim of them, counted from 0."""
    name = "axis" if call.single else "axes"
    if call.axes is None:
        count = ndim if call.sizes is None else len(call.sizes)
        if count > ndim:
            raise Error(f"s has {count} entries, but x has {ndim} axes; give one per axis at most")
        return tuple(range(ndim - count, ndim))
    axes = tuple(axis + ndim if axis < 0 else axis for axis in call.axes)
    if any(not 0 <= axis < ndim for axis in axes):
        wrong = next(axis for axis, at in zip(call.axes, axes, strict=True) if not 0 <= at < ndim)
        allowed = f"give {-ndim} to {ndim - 1}" if ndim else "give an array with one axis or more"
        raise Error(f"{name}: {wrong} is out of range for x, which has {ndim} axes; {allowed}")
    if len(set(axes)) < len(axes):
        raise Error(f"axes: {call.axes} has an axis twice; give every axis once")
    if call.sizes is not None and len(call.sizes) != len(axes):
        raise Error(f"s has {len(call.sizes)} entries, axes has {len(axes)}; give one per axis")
    return axes


def points_of(call: Call, axes: Sequence[int], shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of the points: that of x, with given sizes, and with 2 (m - 1) for m modes of a half axis."""
    points = list(shape)
    halved = axes[-1] if call.transform == Transform("r2c", False) else None
    for place, axis in enumerate(axes):
        size = -1 if call.sizes is None else call.sizes[place]
        if size == -1 and (call.sizes is None or not call.single):
            size = 2 * (shape[axis] - 1) if axis == halved and call.sizes is None else shape[axis]
        least = 2 if call.type == 1 and call.transform.family == "dct" else 1
        if size < least:
            raise Error(_size_problem(call, axis, size, least))
        points[axis] = size
    return tuple(points)


def _size_problem(call: Call, axis: int, size: int, least: int) -> str:
    name = "n" if call.single else "s"
    needs = f"invalid number of data points ({size}) along axis {axis}; {call.name} needs {least} or more"
    needs += " for type 1" if least == 2 else ""
    return f"{name}: {needs}" if call.sizes is not None else f"x: {needs}; give a longer array, or {name}"


def kinds_of(call: Call, axes: Sequence[int], points: Sequence[int]) -> tuple[str, ...]:
    """The kind of every axis."""
    family = call.transform.family
    kinds = ["none"] * len(points)
    for axis in axes:
        kinds[axis] = f"{family}{call.type}" if family in ("dct", "dst") else "c2c"
    if family == "r2c":
        kinds[axes[-1]] = "r2c"
    return tuple(kinds)


def factors_of(call: Call, axes: Sequence[int]) -> tuple[tuple[Factor, ...], tuple[Factor, ...]]:
    """The factors of elements before and after a real transform that make its matrix orthogonal."""
    kind = f"{call.transform.family}{call.type}"
    if not call.orthogonalize:
        return (), ()
    before, after = _ORTHOGONAL.get(kind if call.transform.forward else _INVERSE.get(kind, kind), ((), ()))
    return (
        tuple(Factor(axis, place, _ROOT) for axis in axes for place in before),
        tuple(Factor(axis, place, 1 / _ROOT) for axis in axes for place in after),
    )


def _steps(kinds: Sequence[str], points: Sequence[int], call: Call, key: Key) -> tuple[Step, ...]:
    """One plan for all axes if a plan can have so many, else one plan after the other."""
    forward = call.transform.forward
    whole_step = _step(kinds, points, key, forward)
    if len(whole_step.key.shape) <= _MOST_AXES:
        return (whole_step,)
    # The half spectrum is made first and undone last: the other axes are complex.
    order = sorted((axis for axis, kind in enumerate(kinds) if kind != "none"), key=lambda axis: kinds[axis] != "r2c")
    halves = [n // 2 + 1 if kind == "r2c" else n for n, kind in zip(points, kinds, strict=True)]
    steps = []
    for axis in order:
        alone = [kind if at == axis else "none" for at, kind in enumerate(kinds)]
        steps.append(_step(alone, points if kinds[axis] == "r2c" else halves, key, forward))
    return tuple(steps if forward else reversed(steps))


def _step(kinds: Sequence[str], points: Sequence[int], key: Key, forward: bool) -> Step:
    """A plan with as few axes as possible: adjacent axes without a transform are merged."""
    names: list[str] = []
    sizes: list[int] = []
    for kind, n in zip(kinds, points, strict=True):
        if kind == "none" and n == 1:
            continue
        if kind == "none" and names and names[-1] == "none":
            sizes[-1] *= n
        else:
            names.append(kind)
            sizes.append(n)
    is_half = "r2c" in names
    modes = [n // 2 + 1 if kind == "r2c" else n for n, kind in zip(sizes, names, strict=True)]
    taken = sizes if forward else modes
    return Step(key._replace(shape=tuple(sizes), kinds=tuple(names)), tuple(taken), not is_half)
