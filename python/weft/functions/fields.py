"""Transforms of fields: plans on their communicator, between their layout and the layout of the other side."""

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from weft._arguments import agreed, together
from weft.errors import Error
from weft.field import Field
from weft.field.layout import Layout
from weft.functions.arrays import multiply
from weft.functions.kept import plans_of
from weft.functions.request import Call, Factor, axes_of, factors_of, kinds_of, points_of, working_dtypes
from weft.plan import Plan


class FieldRequest(NamedTuple):
    """A call for a field.

    points, kinds  per axis, of the plan; real: its precision.
    shape, given   of the field; dtype: the type to which it is converted.
    layouts   a digest of the layouts of both sides, for comparison.
    """

    call: Call
    axes: tuple[int, ...]
    points: tuple[int, ...]
    kinds: tuple[str, ...]
    shape: tuple[int, ...]
    given: np.dtype
    dtype: np.dtype
    real: np.dtype
    threads: int | None
    layouts: str


def of_field(u: Field, arguments: Callable[[], tuple[Call, int | None]]) -> Field:
    """The transform of a field. Collective; an error raises the same Error on every rank.

    arguments  makes the call and the number of threads, or raises Error.
    """
    asked: FieldRequest = agreed(u.comm, lambda: _compared(_asked(u, *arguments())))["the arguments"]
    if not asked.axes:
        return u.copy()
    plan = _plan(u, asked)
    with together(u.comm):
        before, after = factors_of(asked.call, asked.axes)
        local = _multiplied(u, before, asked.dtype)
    real_kinds = asked.call.transform.family in ("dct", "dst")
    if real_kinds and asked.dtype.kind == "c":
        # Plans of real kinds take real numbers, so both parts are transformed one after the other.
        parts = [_done(plan, u, part, asked) for part in (local.real.copy(), local.imag.copy())]
        with together(u.comm):
            made = parts[0]._of(parts[0].local + 1j * parts[1].local, parts[0].layout, parts[0]._space)
    else:
        made = _done(plan, u, local, asked)
    _multiply(made, after)
    if before or after:
        # Neither norms nor weights of the plan hold for modes of another scale.
        made = made._of(made.local, made.layout, None)
    return made


def _compared(asked: FieldRequest) -> dict[str, Any]:
    """The values that must be equal on all ranks, by their names in messages."""
    call, size = asked.call, "n" if asked.call.single else "s"
    return {
        "the function": call.name,
        "the shape of x": asked.shape,
        "the dtype of x": str(asked.given),
        size: call.sizes,
        "axis" if call.single else "axes": call.axes,
        "norm": call.norm,
        "type": call.type,
        "orthogonalize": call.orthogonalize,
        "workers": asked.threads,
        "the layout of x": asked.layouts,
        "the arguments": asked,
    }


def _asked(u: Field, call: Call, threads: int | None) -> FieldRequest:
    side, wanted = u.side, "physical" if call.transform.forward else "spectral"
    if side not in (None, wanted):
        what = {"physical": "points", "spectral": "modes"}
        text = f"x is a field of {what[side]}, but {call.name} takes {what[wanted]}; name all axes in one call"
        raise Error(f"{text}, or give weft.Field(x.local, x.slices, x.global_shape, x.comm)")
    axes = axes_of(call, u.ndim)
    if not axes and call.transform.family == "r2c":
        raise Error(f"axes: () has no axis; {call.name} needs one or more, or None for all")
    dtype, real = working_dtypes(call, u.dtype)
    points = points_of(call, axes, u.global_shape)
    kinds = kinds_of(call, axes, points)
    if "r2c" in kinds and not call.transform.forward:
        points = _points_of_half(u, call, kinds.index("r2c"), points)
    wanted_shape = points if call.transform.forward else _modes(points, kinds)
    if wanted_shape != u.global_shape:
        name = "n" if call.single else "s"
        text = f"{name}: {call.sizes} is not what the field of {u.global_shape} has, which is neither cut nor filled up"
        raise Error(f"{text}; omit {name}=, or transform the array u.gather(None) or a field of the other shape")
    layouts = hashlib.blake2b(repr((_boxes(u.layout), _boxes(_other(u)))).encode(), digest_size=7).hexdigest()
    return FieldRequest(call, axes, points, kinds, u.global_shape, u.dtype, dtype, real, threads, layouts)


def _other(u: Field) -> Layout | None:
    """The layout of the other side of the plan that made the field."""
    return None if u._space is None else u._space.other


def _points_of_half(u: Field, call: Call, axis: int, points: tuple[int, ...]) -> tuple[int, ...]:
    """The number of points of a half spectrum of a plan, which the number of modes does not determine."""
    other = _other(u)
    if call.sizes is None and other is not None and _half(other.global_shape, axis) == u.global_shape:
        return other.global_shape
    return points


def _half(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return tuple(n // 2 + 1 if at == axis else n for at, n in enumerate(shape))


def _modes(points: tuple[int, ...], kinds: tuple[str, ...]) -> tuple[int, ...]:
    return _half(points, kinds.index("r2c")) if "r2c" in kinds else points


def _plan(u: Field, asked: FieldRequest) -> Plan:
    """The plan that takes the layout of the field. Collective.

    The other side has the layout from which the field was made, if a plan has made it, else what the plan chooses.
    """
    forward = asked.call.transform.forward
    other = _other(u)
    target = _modes(asked.points, asked.kinds) if forward else asked.points
    if other is not None and other.global_shape != target:
        other = None
    threads, norm = asked.threads, asked.call.norm
    here = u.layout
    sides = (here, other) if forward else (other, here)
    key = (asked.points, asked.kinds, asked.real.name, norm, threads, *map(_boxes, sides))

    def make() -> Plan:
        physical, spectral = (None if side is None else side.slices for side in sides)
        boxes: dict[str, Any] = {"physical_box": physical, "spectral_box": spectral}
        return Plan(asked.points, asked.kinds, comm=u.comm, dtype=asked.real.name, norm=norm, threads=threads, **boxes)

    return plans_of(u.comm).plan_of_all(key, u.comm, make)


def _boxes(layout: Layout | None) -> bytes | None:
    return None if layout is None else layout.boxes.tobytes()


def _multiplied(u: Field, factors: tuple[Factor, ...], dtype: np.dtype) -> np.ndarray:
    """The block of points in the type that the plan takes, with its factors."""
    local = u.local.astype(dtype, copy=bool(factors))
    multiply(local, _local_factors(factors, u))
    return local


def _multiply(u: Field, factors: tuple[Factor, ...]) -> None:
    multiply(u.local, _local_factors(factors, u))


def _local_factors(factors: tuple[Factor, ...], u: Field) -> tuple[Factor, ...]:
    """The factors of this rank's indices, counted from its first."""
    mine = []
    for axis, at, value in factors:
        place = at % u.global_shape[axis] - u.slices[axis].start
        if 0 <= place < u.local.shape[axis]:
            mine.append(Factor(axis, place, value))
    return tuple(mine)


def _done(plan: Plan, u: Field, local: np.ndarray, asked: FieldRequest) -> Field:
    """The plan's transform of a block at the position of the block of u. Collective."""
    given = Field._of(local, u.layout, None)
    return plan.forward(given) if asked.call.transform.forward else plan.backward(given)
