"""Figures of planes of a field: one panel each, one scale of colours for all; and of a curve.

They are matplotlib's own Figure, without pyplot, which would keep them open and take them for the current one.
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
    """An axis of an array: its name, where its points are, what the panel shows of it, and what its ends are called."""

    name: str
    positions: np.ndarray
    limits: tuple[float, float]
    ends: tuple[str, str] = ("", "")  # below a horizontal axis, beside a vertical one


@dataclass(frozen=True)
class Panel:
    """A plane: what is across and up in it, and which axis it is normal to, at which index."""

    across: int
    up: int
    values: np.ndarray  # indexed [across, up]
    normal: int | None = None
    index: int = 0


def edges(positions: np.ndarray) -> tuple[float, float]:
    """Where the pixels of the first and the last point end: half a spacing outside of them."""
    half = (0.5 * positions[-1] - 0.5 * positions[0]) / (len(positions) - 1) if len(positions) > 1 else 0.5
    return float(positions[0] - half), float(positions[-1] + half)


def extremes(arrays: Iterable[np.ndarray]) -> tuple[float, float] | None:
    """The smallest and the largest number in all of them, NaN left out; None where there is none."""
    numbers = [values[~np.isnan(values)] for values in arrays]
    numbers = [values for values in numbers if values.size]
    if not numbers:
        return None
    return min(float(values.min()) for values in numbers), max(float(values.max()) for values in numbers)


def _colours(values: list[np.ndarray], *, signed: bool) -> dict[str, object]:
    """One scale for all panels: symmetric about zero when signs matter and there are both, else from end to end."""
    found = extremes(values)
    if found is None:
        return {"cmap": "viridis"}
    low, high = found
    if not signed:
        return {"cmap": "viridis", "vmin": low, "vmax": high}
    if low < 0 < high:
        largest = max(-low, high)
        # A field of one sign with a little overshoot is better seen on the one-sided scale.
        if min(-low, high) > 0.05 * largest:
            return {"cmap": "RdBu_r", "vmin": -largest, "vmax": largest}
    return {"cmap": "viridis_r" if abs(low) > abs(high) else "viridis", "vmin": low, "vmax": high}


def _scale(largest: float) -> float:
    """What numbers are divided by where matplotlib, which adds and squares them, would leave those of a computer."""
    return 1.0 if not largest or 1e-100 < largest < 1e100 else 10.0 ** max(-300, floor(log10(largest)))


def _scaled(arrays: list[np.ndarray], label: str) -> tuple[list[np.ndarray], str]:
    """Arrays that can be drawn, NaN left as it is, and the label that says what they have been divided by."""
    found = extremes(arrays)
    scale = 1.0 if found is None else _scale(max(abs(found[0]), abs(found[1])))
    return ([array / scale for array in arrays], f"{label} / {scale:.0e}") if scale != 1 else (arrays, label)


def _scaled_axis(axis: Axis) -> Axis:
    """The same for positions and what is shown of them."""
    scale = _scale(max(map(abs, (*edges(axis.positions), *axis.limits))))
    if scale == 1:
        return axis
    low, high = axis.limits
    return replace(
        axis, name=f"{axis.name} / {scale:.0e}", positions=axis.positions / scale, limits=(low / scale, high / scale)
    )


def mid_planes(planes: dict[int, np.ndarray], shape: tuple[int, ...]) -> list[Panel]:
    """The panels of the planes through the middle, by the axis that they are normal to."""
    panels = []
    for normal, values in planes.items():
        across, up = (axis for axis in range(3) if axis != normal)
        panels.append(Panel(across, up, values, normal, shape[normal] // 2))
    return panels


def planes_figure(title: str, label: str, axes: list[Axis], panels: list[Panel], *, signed: bool = True) -> "Figure":
    """One panel beside the other. Names are the user's: a $ in them begins no formula.

    signed    whether zero is the middle of numbers of both signs; it is not that of logarithms.
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
    """The same for an array of one axis: a curve."""
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
