"""Shell spectra: mean squares by wavenumber."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from weft._arguments import agreed, entries, one_per_axis, real
from weft._exact import sums_over_ranks
from weft.errors import Error
from weft.field.axes import Axis
from weft.field.base import FieldBase, require_match
from weft.field.reductions import _squares

# More shells than any array has wavenumbers are a mistake, and would only cost memory.
_MOST_SHELLS = 10**7


def shell_spectrum(
    fields: Sequence[FieldBase], width: Any, lengths: Any
) -> tuple[np.ndarray, np.ndarray]:
    """(k, E) of the fields together; see Field.spectrum. Collective."""
    first = fields[0]
    space = first._space
    if space is None or space.side != "spectral":
        raise Error("spectrum: this field has no wavenumbers; take one that plan.forward() or plan.spectral_field() made")
    for number, field in enumerate(fields[1:], 1):
        if not isinstance(field, FieldBase):
            raise Error(f"spectrum: component {number} is {type(field).__name__}, not a Field of modes")
        require_match(first, field, f"component {number}")
    axes = [axis for axis in space.axes if axis.positions is not None]
    given = agreed(
        first.comm,
        lambda: {"width": _positive(width, "width"), "scales": _scales(lengths, axes)},
    )
    scales = given["scales"]
    limit = math.sqrt(
        sum((float(np.abs(axis.positions).max()) * s) ** 2 for axis, s in zip(axes, scales, strict=True))
    )
    count = _shell_count(limit, given["width"])
    # In double precision whatever the plan's, so that shells are the same for both.
    wavenumbers = [k.astype(np.float64) * s for k, s in zip(space.positions(first.slices), scales, strict=True)]
    magnitude = np.sqrt(sum(k * k for k in wavenumbers))
    shells = np.minimum(np.floor(magnitude / given["width"] + 0.5).astype(np.int64), count - 1)
    bins = np.broadcast_to(shells, first.local.shape)
    squares = sum(_squares(field.local) for field in fields) * space.product("squares", first.slices)
    energy = sums_over_ranks(squares, first.comm, bins, count) * space.factor
    return np.arange(count) * given["width"], energy


def _positive(value: Any, name: str) -> float:
    number = real(value, name)
    if not 0 < number < math.inf:
        raise Error(f"{name}: {value} is not allowed; give a positive number")
    return number


def _scales(lengths: Any, axes: Sequence[Axis]) -> list[float]:
    """What the plan's wavenumbers are multiplied by for boxes of these lengths."""
    if lengths is None:
        return [1.0] * len(axes)
    given = entries(lengths, "lengths", "(1.0, 1.0, 2.0)")
    one_per_axis(given, len(axes), "lengths", "the spectrum")
    return [axis.length / _positive(length, f"lengths[{i}]") for i, (axis, length) in enumerate(zip(axes, given))]


def _shell_count(limit: float, width: float) -> int:
    shells = math.floor(limit / width + 0.5) + 1
    if shells > _MOST_SHELLS:
        raise Error(f"width: {width} makes {shells} shells up to the wavenumber {limit}; give a larger one")
    return shells
