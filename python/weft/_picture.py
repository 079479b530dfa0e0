"""Figures of planes of a field: one panel each, one scale of colours for all; and of a curve.

They are instances of matplotlib's Figure, made without pyplot, which would keep them open as current figures.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import floor, log10
from typing import TYPE_CHECKING

import numpy as np

from weft._mesh import is_even

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Axis:
    """An axis of an array: its name, the positions of its points, the shown interval, and the names of its ends."""

    name: str
    positions: np.ndarray
    limits: tuple[float, float]
    ends: tuple[str, str] = ("", "")  # below a horizontal axis, beside a vertical one


@dataclass(frozen=True)
class Panel:
    """A plane: its horizontal and vertical axes, and the axis normal to it with the index on that axis."""

    across: int
    up: int
    values: np.ndarray  # indexed [across, up]
    normal: int | None = None
    index: int = 0


def edges(positions: np.ndarray) -> tuple[float, float]:
    """The outer edges of the pixels of the first and the last point: half a spacing outside of them."""
    half = (0.5 * positions[-1] - 0.5 * positions[0]) / (len(positions) - 1) if len(positions) > 1 else 0.5
    return float(positions[0] - half), float(positions[-1] + half)


def extremes(arrays: Iterable[np.ndarray]) -> tuple[float, float] | None:
    """The smallest and the largest number of all arrays, without NaN; None if there is no number."""
    numbers = [values[~np.isnan(values)] for values in arrays]
    numbers = [values for values in numbers if values.size]
    if not numbers:
        return None
    return min(float(values.min()) for values in numbers), max(float(values.max()) for values in numbers)


def _colours(values: list[np.ndarray], *, signed: bool) -> dict[str, object]:
    """One colour scale for all panels: symmetric about zero if signs matter and both occur, else from end to end."""
    found = extremes(values)
    if found is None:
        return {"cmap": "viridis"}
    low, high = found
    if not signed:
        return {"cmap": "viridis", "vmin": low, "vmax": high}
    if low < 0 < high:
        largest = max(-low, high)
        # A one-sided scale shows a field of one sign with a small overshoot better.
        if min(-low, high) > 0.05 * largest:
            return {"cmap": "RdBu_r", "vmin": -largest, "vmax": largest}
    return {"cmap": "viridis_r" if abs(low) > abs(high) else "viridis", "vmin": low, "vmax": high}


def _scale(largest: float) -> float:
    """A divisor for numbers so large or small that matplotlib, which squares them, would overflow or underflow."""
    return 1.0 if not largest or 1e-100 < largest < 1e100 else 10.0 ** max(-300, floor(log10(largest)))


def _scaled(arrays: list[np.ndarray], label: str) -> tuple[list[np.ndarray], str]:
    """Arrays that can be drawn, with NaN unchanged, and a label with their common divisor."""
    found = extremes(arrays)
    scale = 1.0 if found is None else _scale(max(abs(found[0]), abs(found[1])))
    return ([array / scale for array in arrays], f"{label} / {scale:.0e}") if scale != 1 else (arrays, label)


def _scaled_axis(axis: Axis) -> Axis:
    """An axis whose positions and interval can be drawn."""
    scale = _scale(max(map(abs, (*edges(axis.positions), *axis.limits))))
    if scale == 1:
        return axis
    low, high = axis.limits
    return replace(
        axis, name=f"{axis.name} / {scale:.0e}", positions=axis.positions / scale, limits=(low / scale, high / scale)
    )


def mid_planes(planes: dict[int, np.ndarray], shape: tuple[int, ...]) -> list[Panel]:
    """The panels of the planes through the middle, by their normal axes."""
    panels = []
    for normal, values in planes.items():
        across, up = (axis for axis in range(3) if axis != normal)
        panels.append(Panel(across, up, values, normal, shape[normal] // 2))
    return panels


def planes_figure(title: str, label: str, axes: list[Axis], panels: list[Panel], *, signed: bool = True) -> "Figure":
    """Panels side by side. Names are the user's: a $ in them does not begin a formula.

    signed    whether the scale is centred on zero for numbers of both signs; False for logarithms.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.3 * len(panels) + 1.2, 4.8), dpi=130, layout="constrained")
    planes, label = _scaled([panel.values for panel in panels], label)
    panels = [replace(panel, values=values) for panel, values in zip(panels, planes, strict=True)]
    axes, colours = [_scaled_axis(axis) for axis in axes], _colours(planes, signed=signed)
    places = figure.subplots(1, len(panels), squeeze=False)[0]
    for ax, panel in zip(places, panels, strict=True):
        across, up = axes[panel.across], axes[panel.up]
        if is_even(across.positions) and is_even(up.positions):
            extent = (*edges(across.positions), *edges(up.positions))
            image = ax.imshow(panel.values.T, origin="lower", extent=extent, **colours)
        else:
            image = ax.pcolormesh(across.positions, up.positions, panel.values.T, shading="nearest", **colours)
            ax.set_aspect("equal")
        ax.set_xlim(*across.limits)
        ax.set_ylim(*up.limits)
        ax.set_xlabel(f"{across.name}\n{across.ends[0]}".rstrip())
        ax.set_ylabel(f"{up.ends[1]}\n{up.name}".lstrip())
        if panel.normal is not None:
            normal = axes[panel.normal]
            ax.set_title(f"{normal.name} = {normal.positions[panel.index]:.4g}", fontsize="medium")
    figure.colorbar(image, ax=list(places), shrink=0.85).set_label(label, parse_math=False)
    figure.suptitle(title, parse_math=False)
    return figure


def line_figure(title: str, label: str, axis: Axis, values: np.ndarray) -> "Figure":
    """The figure of an array of one axis: a curve."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), dpi=130, layout="constrained")
    ax = figure.subplots()
    (values,), label = _scaled([values], label)
    axis = _scaled_axis(axis)
    ax.plot(axis.positions, values)
    ax.set_xlabel(axis.name)
    ax.set_ylabel(label, parse_math=False)
    figure.suptitle(title, parse_math=False)
    return figure
