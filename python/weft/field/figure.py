"""Views of fields: figures, and tables for notebooks."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from weft._arguments import agreed, entries, naming, together, whole, word
from weft._picture import Axis, Panel, edges, line_figure, mid_planes, planes_figure
from weft._text import box_text, extents_text, html_table
from weft.errors import Error
from weft.field.moves import FieldMoves

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The largest number of elements for the statistics of a table, which should not take long.
_FEW = 1 << 20


def field_figure(field: FieldMoves, name: Any, index: Any, limit: Any) -> "Figure | None":
    """See Field.plot. Collective."""
    given = agreed(field.comm, lambda: _arguments(field, name, index, limit))
    first, limit = given["index"], given["limit"]
    shape = field.global_shape[len(first) :]
    steps = [-(-n // limit) for n in shape]
    cuts = [slice(None, None, step) for step in steps]
    middle = [
        0 if field.side == "spectral" else len(range(0, n, step)) // 2 for n, step in zip(shape, steps, strict=True)
    ]
    planes = {}
    for normal in (2, 1, 0) if len(shape) == 3 else (-1,):
        place: list[Any] = list(cuts)
        if normal >= 0:
            place[normal] = middle[normal] * steps[normal]
        planes[normal] = field[(*first, *place)]
    figure = None
    with together(field.comm), naming("the figure"):
        if field.comm.rank == 0:
            title = given["name"] + (f"[{', '.join(map(str, first))}]" if first else "")
            title += f", 1 of {extents_text(steps)} points" if max(steps) > 1 else ""
            figure = _drawn(field, title, steps, {normal: _shown(field, values) for normal, values in planes.items()})
    return figure


def _arguments(field: FieldMoves, name: Any, index: Any, limit: Any) -> dict[str, Any]:
    """The arguments, checked. Raises Error for fields that cannot be drawn."""
    given = entries(index, "index", "(0,) or ()")
    first = [whole(one, f"index[{i}]") for i, one in enumerate(given)]
    if not 1 <= field.ndim - len(first) <= 3:
        raise Error(
            f"index: {tuple(first)} leaves {field.ndim - len(first)} of {field.ndim} axes; give indices of the first "
            "axes so that 1 to 3 are left"
        )
    for axis, (place, n) in enumerate(zip(first, field.global_shape, strict=False)):
        if not -n <= place < n:
            raise Error(f"index[{axis}]: {place} is out of range for {n} points; allowed are {-n} to {n - 1}")
    if whole(limit, "limit") < 2:
        raise Error(f"limit: {limit} is not allowed; give 2 points or more")
    most = max(field.global_shape[len(first) :])
    if field.side == "spectral" and most > limit:
        raise Error(f"limit: an axis has {most} modes, more than {limit}; give limit={most}, or draw uh.spectrum()")
    return {"name": word(name, "name", "u"), "index": first, "limit": int(limit)}


def _shown(field: FieldMoves, values: np.ndarray) -> np.ndarray:
    """The numbers that are drawn for elements; NaN if they are not finite."""
    with np.errstate(all="ignore"):
        found = np.abs(values) if field.dtype.kind == "c" or field.side == "spectral" else values.astype(float)
        found = np.log10(found) if field.side == "spectral" else found
    return np.where(np.isfinite(found), found, np.nan)


def _drawn(field: FieldMoves, title: str, steps: list[int], planes: dict[int, np.ndarray]) -> "Figure":
    """The figure of planes, by their normal axis; -1: the whole array of one or two axes."""
    axes = [_axis(field, axis, step) for axis, step in enumerate(steps, field.ndim - len(steps))]
    # Modes in the order of wavenumbers; points are in order.
    orders = [np.argsort(axis.positions, kind="stable") for axis in axes]
    for normal, values in planes.items():
        planes[normal] = values[np.ix_(*(order for axis, order in enumerate(orders) if axis != normal))]
    axes = [_sorted(axis, order) for axis, order in zip(axes, orders, strict=True)]
    if len(axes) == 1:
        return line_figure(title, _label(field), axes[0], planes[-1])
    panels = [Panel(0, 1, planes[-1])] if len(axes) == 2 else _panels(field, axes, planes)
    return planes_figure(title, _label(field), axes, panels, signed=field.side != "spectral")


def _sorted(axis: Axis, order: np.ndarray) -> Axis:
    """An axis with its positions in order, and with limits where its pixels end."""
    positions = axis.positions[order]
    return Axis(axis.name, positions, edges(positions))


def _panels(field: FieldMoves, axes: list[Axis], planes: dict[int, np.ndarray]) -> list[Panel]:
    """The planes of three axes: through the middle of points, through the lowest mode."""
    panels = mid_planes(planes, tuple(len(axis.positions) for axis in axes))
    if field.side != "spectral":
        return panels
    lowest = [int(np.argmin(np.abs(axis.positions))) for axis in axes]
    return [replace(panel, index=lowest[panel.normal]) for panel in panels if panel.normal is not None]


def _label(field: FieldMoves) -> str:
    """The label of the numbers of a figure."""
    if field.side == "spectral":
        return "log10 of the magnitude"
    return "magnitude" if field.dtype.kind == "c" else "value"


def _axis(field: FieldMoves, axis: int, step: int) -> Axis:
    """An axis of the array with the positions of the drawn points; indices if it has no positions."""
    axes = () if field._space is None else field._space.axes
    measured = [number for number, one in enumerate(axes) if one.positions is not None]
    found = axes[axis].positions if axes else None
    if found is None:
        return Axis(f"axis {axis}", np.arange(0, field.global_shape[axis], step, dtype=float), (0.0, 0.0))
    place = measured.index(axis)
    letter = "xyz"[place] if len(measured) <= 3 else f"x{place}"
    return Axis(f"k{letter}" if field.side == "spectral" else letter, found[::step].astype(float), (0.0, 0.0))


def html_of(field: FieldMoves) -> str:
    """A table for notebooks. Nothing is sent; small arrays on a single rank have statistics."""
    counts = [len({(lo, hi) for lo, hi in part if hi > lo}) for part in field.layout.boxes.transpose(1, 0, 2).tolist()]
    rows = {
        "array": f"{extents_text(field.global_shape)}, {field.dtype}",
        "side": field.side or "not known",
        "ranks": field.comm.size,
        "parts along the axes": extents_text(counts),
        "part of this rank": box_text(field.slices),
    }
    values = field.local
    if field.comm.size == 1 and 0 < values.size <= _FEW:
        if field.dtype.kind == "c":
            rows["largest magnitude"] = f"{float(np.abs(values).max()):.6g}"
        else:
            low, high, mean = (float(one) for one in (values.min(), values.max(), values.mean()))
            rows["smallest, largest, mean"] = f"{low:.6g}, {high:.6g}, {mean:.6g}"
    return html_table("weft.Field", rows)
