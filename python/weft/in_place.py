"""Fields in place: the points and the modes of a plan as two numpy views of one memory, and the points of a solver."""

import numpy as np

from weft import _core
from weft._mpi import MPI
from weft._text import call_text


class InPlaceField:
    """This rank's points and modes of a distributed array in one memory. Points overwrite modes and modes points.

    Plan.in_place_field makes a field of zeros. forward turns the points into modes; backward and apply leave points.
    Only the view that the last of these calls has left is meaningful. It may be read and written at any time. In a new
    field either view may be written. Later the other view may be written only after every rank has finished with the
    present values, since ranks of a node work in each other's memory: call plan.comm.Barrier() before new points are
    written over modes.

    The views are not contiguous in general, because rows are padded. Copies of them are ordinary arrays. The memory
    exists as long as the field or a view of it, even after the plan; freeing it involves no other rank.
    """

    __slots__ = ("_comm", "_core", "_mark", "_physical", "_spectral")

    def __init__(self, core: _core.InPlaceField, comm: MPI.Intracomm, mark: object = None) -> None:
        self._core, self._comm, self._mark = core, comm, mark
        self._physical: np.ndarray = core.physical()
        self._spectral: np.ndarray = core.spectral()

    def __repr__(self) -> str:
        sides = [f"{side.shape} {side.dtype}" for side in (self._physical, self._spectral)]
        return call_text("InPlaceField", [*sides, f"ranks={self._comm.size}"])

    @property
    def physical(self) -> np.ndarray:
        """The local points, a writeable view of the plan's physical_shape and physical_dtype. Assign to points[...]."""
        return self._physical

    @property
    def spectral(self) -> np.ndarray:
        """The local modes, a writeable view of the plan's spectral_shape and spectral_dtype. Assign to modes[...]."""
        return self._spectral

    @property
    def nbytes(self) -> int:
        """The size of this rank's share of the memory, in bytes."""
        return self._core.nbytes


class SolverField:
    """This rank's part of the right-hand side of a solver in place, which solve() turns into the solution.

    Poisson.in_place_field makes a field of zeros. The ranks of a node share the memory and access each other's parts
    during solve() only. The view is not contiguous in general, because rows are padded. The memory exists as long as
    the field or a view of it, even after the solver; freeing it involves no other rank.
    """

    __slots__ = ("_comm", "_core", "_values")

    def __init__(self, core: _core.SolverField, comm: MPI.Intracomm) -> None:
        self._core, self._comm = core, comm
        self._values: np.ndarray = core.values()

    def __repr__(self) -> str:
        return f"SolverField({self._values.shape} {self._values.dtype}, ranks={self._comm.size})"

    @property
    def values(self) -> np.ndarray:
        """The local points, a writeable view of the solver's local_shape and dtype. Assign to values[...]."""
        return self._values

    @property
    def nbytes(self) -> int:
        """The size of this rank's share of the memory, in bytes."""
        return self._core.nbytes
