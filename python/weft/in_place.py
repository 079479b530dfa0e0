"""Fields in place: the points and the modes of a plan, two numpy views of one memory; the points of a solver."""

import numpy as np
from mpi4py import MPI

from weft import _core
from weft._text import call_text


class InPlaceField:
    """This rank's points and modes of a distributed array, in one memory: each overwrites the other.

    Plan.in_place_field makes them, of zeros; forward turns the points into modes, backward and apply leave points. Only
    the side that the last of them left is meaningful, and reading it is safe at any time. Writing to it is, too. The
    other side may be written at once in a new field; later only when every rank has finished with what is there, since
    ranks of a node work in each other's memory: call plan.comm.Barrier() before new points are written over modes.

    The views are not contiguous in general: rows are padded. Copies of them are ordinary arrays. The memory lives as
    long as the field or any view does, also when the plan is gone; freeing it needs no other rank.
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
        """The local points: the plan's physical_shape and physical_dtype, writeable, no copy. Fill them by [...] =."""
        return self._physical

    @property
    def spectral(self) -> np.ndarray:
        """The local modes: the plan's spectral_shape and spectral_dtype, writeable, no copy. Fill them by [...] =."""
        return self._spectral

    @property
    def nbytes(self) -> int:
        """Bytes of this rank's share of the memory."""
        return self._core.nbytes


class SolverField:
    """This rank's part of the right-hand side of a solver in place, which solve() turns into the solution.

    Poisson.in_place_field makes them, of zeros. On a node the memory is shared by all ranks, which touch each other's
    parts during solve() only. The view is not contiguous in general: rows are padded. The memory lives as long as the
    field or the view does, also when the solver is gone; freeing it needs no other rank.
    """

    __slots__ = ("_comm", "_core", "_values")

    def __init__(self, core: _core.SolverField, comm: MPI.Intracomm) -> None:
        self._core, self._comm = core, comm
        self._values: np.ndarray = core.values()

    def __repr__(self) -> str:
        return f"SolverField({self._values.shape} {self._values.dtype}, ranks={self._comm.size})"

    @property
    def values(self) -> np.ndarray:
        """The local points: the solver's local_shape and dtype, writeable, no copy. Fill them by [...] =."""
        return self._values

    @property
    def nbytes(self) -> int:
        """Bytes of this rank's share of the memory."""
        return self._core.nbytes
