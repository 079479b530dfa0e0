"""A picture of a distributed field, drawn by rank 0: its three mid-planes, or all of a 2-D field."""

from pathlib import Path

import numpy as np

from weft._arguments import together
from weft._picture import Axis, Panel, mid_planes, planes_figure
from weft._point_grid import PointGrid
from weft.cli.output import file_positions
from weft.cli.picture import save_figure
from weft.errors import FileError


def _of_points(solver: PointGrid) -> tuple[tuple[slice, ...], tuple[int, ...]]:
    """This rank's points and all points, without the axis of a batch."""
    axes = len(solver.cells)
    return solver.local_slices[-axes:], solver.shape[-axes:]


def gather_plane(field: np.ndarray, solver: PointGrid, normal: int, index: int) -> np.ndarray | None:
    """The plane of global index `index` along axis `normal`, on rank 0; None on the others. Collective."""
    slices, shape = _of_points(solver)
    mine = slices[normal]
    others = [axis for axis in range(field.ndim) if axis != normal]
    piece = None
    if mine.start <= index < mine.stop and field.size:
        piece = (
            tuple(slices[axis] for axis in others),
            np.ascontiguousarray(np.take(field, index - mine.start, axis=normal)),
        )
    pieces = solver.comm.gather(piece, root=0)
    if pieces is None:
        return None
    plane = np.zeros([shape[axis] for axis in others], field.dtype)
    for found in pieces:
        if found is not None:
            plane[found[0]] = found[1]
    return plane


def _panels(field: np.ndarray, solver: PointGrid) -> list[Panel] | None:
    """The planes of a field on rank 0, None on the others. Collective."""
    slices, shape = _of_points(solver)
    if field.ndim == 2:
        pieces = solver.comm.gather((slices, field), root=0)
        if pieces is None:
            return None
        whole = np.zeros(shape, field.dtype)
        for place, block in pieces:
            whole[place] = block
        return [Panel(0, 1, whole)]
    planes = {normal: gather_plane(field, solver, normal, shape[normal] // 2) for normal in (2, 1, 0)}
    found = {normal: plane for normal, plane in planes.items() if plane is not None}
    return mid_planes(found, shape) if found else None


def _words(pair: tuple[str, str], first: str, last: str) -> str:
    """The boundaries of an axis in words."""
    return pair[0] if pair[0] == pair[1] else f"{pair[0]} ({first}), {pair[1]} ({last})"


def _axes(solver: PointGrid) -> list[Axis]:
    return [
        Axis(name, positions, (0.0, length), (_words(pair, "left", "right"), _words(pair, "bottom", "top")))
        for name, positions, length, pair in zip(
            "xyz", file_positions(solver), solver.length, solver.boundary, strict=False
        )
    ]


def plot_solution(title: str, field: np.ndarray, solver: PointGrid, path: Path) -> None:
    """Writes the PNG at path, completely or not at all. Collective; raises the same FileError on every rank."""
    panels = _panels(field, solver)
    with together(solver.comm):
        if panels is None:
            return
        try:
            save_figure(planes_figure(title, "solution", _axes(solver), panels), path)
        except OSError as error:
            raise FileError(f"{path}: the picture cannot be written: {error.strerror or error}") from error
