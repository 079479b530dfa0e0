"""A picture of a distributed field: its three mid-planes (or the whole of a 2-D field), drawn by rank 0."""

from pathlib import Path

import numpy as np

from weft._arguments import raise_together
from weft.cli.output import file_positions, replace_file
from weft.errors import Error, FileError
from weft.poisson import Poisson

_AXES = "xyz"


def gather_plane(field: np.ndarray, solver: Poisson, normal: int, index: int) -> np.ndarray | None:
    """The plane of global index `index` along axis `normal`, on rank 0; None on the others. Collective."""
    mine = solver.local_slices[normal]
    others = [axis for axis in range(field.ndim) if axis != normal]
    piece = None
    if mine.start <= index < mine.stop and field.size:
        piece = (
            tuple(solver.local_slices[axis] for axis in others),
            np.ascontiguousarray(np.take(field, index - mine.start, axis=normal)),
        )
    pieces = solver.comm.gather(piece, root=0)
    if pieces is None:
        return None
    plane = np.zeros([solver.shape[axis] for axis in others], field.dtype)
    for found in pieces:
        if found is not None:
            plane[found[0]] = found[1]
    return plane


def _planes(field: np.ndarray, solver: Poisson) -> list[tuple[int | None, int, int, np.ndarray | None]]:
    """(normal axis, horizontal axis, vertical axis, plane on rank 0) for each panel. Collective."""
    if field.ndim == 2:
        pieces = solver.comm.gather((solver.local_slices, field), root=0)
        whole = None
        if pieces is not None:
            whole = np.zeros(solver.shape, field.dtype)
            for slices, block in pieces:
                whole[slices] = block
        return [(None, 0, 1, whole)]
    panels: list[tuple[int | None, int, int, np.ndarray | None]] = []
    for normal, size in reversed(list(enumerate(solver.shape))):
        across, up = (axis for axis in range(3) if axis != normal)
        panels.append((normal, across, up, gather_plane(field, solver, normal, size // 2)))
    return panels


def _colours(values: list[np.ndarray]) -> dict[str, object]:
    """One scale for all panels: symmetric about zero when the field has both signs, else from end to end."""
    low, high = min(float(v.min()) for v in values), max(float(v.max()) for v in values)
    if low < 0 < high:
        largest = max(-low, high)
        # A field of one sign with a little overshoot is better seen on the one-sided scale.
        if min(-low, high) > 0.05 * largest:
            return {"cmap": "RdBu_r", "vmin": -largest, "vmax": largest}
    return {"cmap": "viridis_r" if abs(low) > abs(high) else "viridis", "vmin": low, "vmax": high}


def _ends(pair: tuple[str, str], first: str, last: str) -> str:
    """The boundaries of an axis in words."""
    return pair[0] if pair[0] == pair[1] else f"{pair[0]} ({first}), {pair[1]} ({last})"


def _edges(positions: np.ndarray) -> tuple[float, float]:
    """Where the pixels of the first and the last point end: half a spacing outside of them."""
    half = (positions[-1] - positions[0]) / max(2 * (len(positions) - 1), 1)
    return float(positions[0] - half), float(positions[-1] + half)


def _draw(title: str, panels: list, solver: Poisson, path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.3 * len(panels) + 1.2, 4.8), dpi=130, layout="constrained")
    positions = file_positions(solver)
    colours = _colours([plane for *_, plane in panels])
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for ax, (normal, across, up, plane) in zip(axes, panels, strict=True):
        image = ax.imshow(
            plane.T, origin="lower", extent=(*_edges(positions[across]), *_edges(positions[up])), **colours
        )
        ax.set_xlim(0.0, solver.length[across])
        ax.set_ylim(0.0, solver.length[up])
        ax.set_xlabel(f"{_AXES[across]}\n{_ends(solver.boundary[across], 'left', 'right')}")
        ax.set_ylabel(f"{_ends(solver.boundary[up], 'bottom', 'top')}\n{_AXES[up]}")
        if normal is not None:
            ax.set_title(f"{_AXES[normal]} = {positions[normal][solver.shape[normal] // 2]:.4g}", fontsize="medium")
    figure.colorbar(image, ax=list(axes), shrink=0.85, label="solution")
    figure.suptitle(title)
    replace_file(path, lambda file: figure.savefig(file, format="png"))


def plot_solution(title: str, field: np.ndarray, solver: Poisson, path: Path) -> None:
    """Writes the PNG at path, whole or not at all. Collective; FileError on every rank alike."""
    panels = _planes(field, solver)
    problem: Error | None = None
    if solver.comm.rank == 0:
        try:
            _draw(title, panels, solver, path)
        except OSError as error:
            problem = FileError(f"{path}: the picture cannot be written: {error.strerror or error}")
    raise_together(solver.comm, problem)
