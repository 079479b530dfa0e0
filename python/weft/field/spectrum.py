"""Shell spectra: mean squares by wavenumber."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from weft._arguments import agreed, converted, together
from weft._exact import totals_of
from weft._lengths import positive
from weft.errors import Error
from weft.field.axes import Axis, Space
from weft.field.base import FieldBase, require_match
from weft.field.reductions import squares_of

# More shells than any array has wavenumbers are a mistake that would only cost memory.
_MOST_SHELLS = 10**7


def shell_spectrum(fields: Sequence[FieldBase], width: Any, lengths: Any) -> tuple[np.ndarray, np.ndarray]:
    """(k, E) of the fields together; see Field.spectrum. Collective."""
    first = fields[0]
    space: Space = converted(first.comm, lambda: {"space": _modes_of(fields)})["space"]
    axes = [axis for axis in space.axes if axis.positions is not None]
    given = agreed(
        first.comm,
        lambda: {
            "width": positive(width, "width"),
            "scales": space.wavenumber_scales(lengths, "the spectrum"),
            "the number of components": len(fields),
        },
    )
    # Always in double precision, so that shells are the same for both precisions.
    with together(first.comm):
        parts = zip(space.positions(first.slices), given["scales"], strict=True)
        wavenumbers = [k.astype(np.float64) * scale for k, scale in parts]
        count = _shell_count(axes, given["scales"], given["width"])
        shells = np.floor(np.sqrt(sum(k * k for k in wavenumbers)) / given["width"] + 0.5)
        bins = np.broadcast_to(np.minimum(shells, count - 1).astype(np.int64), first.local.shape)
        squares = sum(squares_of(field.local) for field in fields) * space.product("squares", first.slices)
        totals = totals_of(squares, bins, count)
    energy = totals.over_ranks(first.comm)
    with together(first.comm):
        result = np.arange(count) * given["width"], energy * space.factor
    return result


def _modes_of(fields: Sequence[FieldBase]) -> Space:
    """The common axes of fields of modes. Raises Error for other fields."""
    space = fields[0]._space
    if space is None or space.side != "spectral":
        maker = "plan.forward() or plan.spectral_field()"
        raise Error(f"spectrum: this field has no wavenumbers; take one that {maker} made")
    for number, field in enumerate(fields[1:], 1):
        if not isinstance(field, FieldBase):
            raise Error(f"spectrum: component {number} is {type(field).__name__}, not a Field of modes")
        require_match(fields[0], field, f"component {number}")
    return space


def _shell_count(axes: Sequence[Axis], scales: Sequence[float], width: float) -> int:
    """Shells up to the largest wavenumber of the whole spectrum."""
    largest = [
        float(np.abs(axis.positions).max()) * scale
        for axis, scale in zip(axes, scales, strict=True)
        if axis.positions is not None
    ]
    limit = math.hypot(*largest)
    last = limit / width + 0.5  # infinite for a width that is small enough
    if last >= _MOST_SHELLS:
        raise Error(f"width: {width} makes {last:.6g} shells up to the wavenumber {limit}; give a larger one")
    return math.floor(last) + 1
