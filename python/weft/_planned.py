"""The common properties of plans and solvers."""

import warnings
from typing import Any

import numpy as np

from weft._arguments import axis_shaped, raise_together
from weft._mpi import MPI
from weft.errors import Error
from weft.field.axes import solver_weights


class Counted:
    """Properties that come from the compiled object in `_core`."""

    _core: Any

    @property
    def workspace_bytes(self) -> int:
        """Bytes that are held on this rank, besides the user's arrays and fields."""
        return self._core.workspace_bytes

    @property
    def threads(self) -> int:
        """Threads in use per rank."""
        return self._core.threads

    @property
    def bytes_sent(self) -> int:
        """Bytes that this rank sends in one call."""
        return self._core.bytes_sent


class Planned(Counted):
    """Properties of objects that exchange data between ranks."""

    @property
    def strategy(self) -> str:
        """The strategy in use; never "auto"."""
        return self._core.strategy

    def explain(self) -> str:
        """Every step with its lines, bytes and times, and why the strategy was chosen."""
        return self._core.explain()


class PlannedGrid(Planned):
    """Facts about the points of a solver."""

    comm: MPI.Intracomm
    cells: tuple[int, ...]
    length: tuple[float, ...]
    centring: tuple[str, ...]
    shape: tuple[int, ...]
    local_slices: tuple[slice, ...]
    local_shape: tuple[int, ...]
    widths: tuple[np.ndarray | None, ...]
    """Per axis, of the cells of a finite-difference axis; None for an axis that is transformed."""
    _periodic: tuple[bool, ...]

    def _take_grid(self, problem: dict[str, Any]) -> None:
        """Sets the attributes from the arguments and the compiled object; rank 0 warns of the notes.

        The constructor of a solver calls it, and the warning points to the caller of the constructor.
        """
        self.cells, self.length = tuple(problem["cells"]), tuple(problem["length"])
        self.centring = tuple(problem["centring"])
        self._periodic = tuple(tuple(pair) == ("periodic", "periodic") for pair in problem["boundary"])
        self.widths = tuple(np.array(one) if one else None for one in problem.get("widths") or [None] * len(self.cells))
        self.shape = tuple(self._core.global_shape)
        self.local_slices = tuple(slice(lo, hi) for lo, hi in self._core.local_box)
        self.local_shape = tuple(s.stop - s.start for s in self.local_slices)
        if self.notes:
            raise_together(self.comm, self._warned())

    def _warned(self) -> Error | None:
        """Warns on rank 0. Returns the Error for all ranks if the user turns warnings into errors."""
        try:
            for note in self.notes if self.comm.rank == 0 else ():
                warnings.warn(note, RuntimeWarning, stacklevel=4)
        except RuntimeWarning as warning:
            return Error(str(warning))
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about this problem and kernel, which explain() also has. Usually there are none.

        Rank 0 has warned of it (RuntimeWarning) when the solver was made.
        """
        return tuple(self._core.notes)

    @property
    def setup_seconds(self) -> float:
        """Seconds that planning and the Green's function took."""
        return self._core.setup_seconds

    @property
    def spacing(self) -> tuple[float, ...]:
        """Distance between points, per axis; the mean distance along an axis with widths or Chebyshev points."""
        return tuple(length / cells for length, cells in zip(self.length, self.cells, strict=True))

    def _point_weights(self) -> list[np.ndarray]:
        """The weights of the points of every axis in means over the domain."""
        kinds = zip(self.shape[-len(self.cells) :], self.centring, self._periodic, strict=True)
        solved = self._solved_axis()
        return [
            np.array(self._core.cell_weights) if axis == solved else solver_weights(*kind)
            for axis, kind in enumerate(kinds)
        ]

    def _solved_axis(self) -> int | None:
        """The axis that is solved along, with widths or Chebyshev points, or None."""
        both = zip(self.widths, self.centring, strict=True)
        return next((axis for axis, (w, c) in enumerate(both) if w is not None or c == "chebyshev"), None)

    def local_volumes(self) -> np.ndarray | None:
        """Volumes of the local cells, or weights of Chebyshev points, over the mean volume of a cell, broadcastable.

        None if all cells are equal.
        """
        axis, axes = self._solved_axis(), len(self.cells)
        if axis is None:
            return None
        widths = self.widths[axis]
        volumes = np.array(self._core.cell_weights) if widths is None else widths / np.mean(widths)
        return axis_shaped(volumes[self.local_slices[-axes:][axis]], axis, axes)

    def points(self) -> tuple[np.ndarray, ...]:
        """Positions of the local points, one float64 array per axis, broadcastable against the local arrays."""
        axes = len(self.cells)
        return tuple(axis_shaped(self._core.points(axis), axis, axes) for axis in range(axes))
