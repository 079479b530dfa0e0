"""The parts of arrays on their way to files: rank 0 receives them one at a time and writes them.

So any h5py and netCDF4 can be used, also without MPI. These libraries are imported only where they are used, since they
load their own HDF5.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI

from weft._arguments import together
from weft.errors import Error, FileError

if TYPE_CHECKING:
    from weft.compat.mpi4py_fft.distarray import DistArray

_MESSAGE = 1 << 30  # bytes of one message: not every MPI supports counts beyond 31 bits
_TAG = 71

Parts = Iterator[tuple[tuple[slice, ...], np.ndarray]]


class Part:
    """This rank's part of an array or slice to write, and its position in the file.

    axes    the axes of the array that the slice keeps, tensor indices first
    shape   the shape of the whole slice
    suffix  the slice in words, such as slice_4_slice
    kept    the number of kept axes, without tensor indices
    """

    def __init__(self, u: "DistArray", chosen: Any) -> None:
        entries = _checked(u.pencil.shape, chosen)
        self.kept = sum(isinstance(entry, slice) for entry in entries)
        self.suffix = "_".join("slice" if isinstance(entry, slice) else str(entry) for entry in entries)
        full, local = [slice(None)] * u.rank + entries, u.local_slice()
        self.axes = [axis for axis, entry in enumerate(full) if isinstance(entry, slice)]
        self.shape = tuple(u.global_shape[axis] for axis in self.axes)
        self.place = tuple(local[axis] for axis in self.axes)
        self.dtype = u.dtype
        self.values = _picked(u.v, full, local)

    def at_root(self, comm: MPI.Intracomm, filename: str, store: Callable[[Parts], None]) -> None:
        """Calls store on rank 0 with the positions and the parts of all ranks. Collective."""
        if comm.rank > 0:
            self._send(comm)
        parts = self._all(comm) if comm.rank == 0 else iter(())
        at_root(comm, filename, lambda: store(parts), lambda: [*parts])

    def _all(self, comm: MPI.Intracomm) -> Parts:
        """The positions and the parts of all ranks, on rank 0."""
        if self.values is not None:
            yield self.place, self.values
        for rank in range(1, comm.size):
            place = comm.recv(source=rank, tag=_TAG)
            if place is not None:
                values = np.empty([part.stop - part.start for part in place], self.dtype)
                for piece in _pieces(values):
                    comm.Recv(piece, source=rank, tag=_TAG)
                yield place, values

    def _send(self, comm: MPI.Intracomm) -> None:
        """Sends this rank's part to rank 0."""
        comm.send(None if self.values is None else self.place, dest=0, tag=_TAG)
        if self.values is not None:
            for piece in _pieces(self.values):
                comm.Send(piece, dest=0, tag=_TAG)


def _checked(shape: tuple[int, ...], chosen: Any) -> list[Any]:
    """The entry for each axis: slice(None), or an index."""
    entries = [slice(None)] * len(shape) if chosen is None else list(chosen)
    possible = [
        entry == slice(None) or (isinstance(entry, Integral) and 0 <= int(entry) < n)
        for entry, n in zip(entries, shape, strict=False)
    ]
    if len(entries) != len(shape) or not all(possible):
        text = f"global_slice: {entries} is not possible for an array of shape {shape}"
        raise Error(f"{text}; give slice(None) or an index from 0 for each axis")
    return entries


def _picked(values: np.ndarray, entries: list[Any], local: tuple[slice, ...]) -> np.ndarray | None:
    """This rank's points of a slice of the global array, or None if it has none."""
    index: list[Any] = []
    for entry, part in zip(entries, local, strict=True):
        if not isinstance(entry, slice) and not part.start <= entry < part.stop:
            return None
        index.append(entry if isinstance(entry, slice) else entry - part.start)
    return np.ascontiguousarray(values[tuple(index)]) if values.size else None


def _pieces(values: np.ndarray) -> Iterator[np.ndarray]:
    """The bytes of an array, in pieces for messages."""
    data = values.reshape(-1).view(np.uint8)
    for first in range(0, data.size, _MESSAGE):
        yield data[first : first + _MESSAGE]


def at_root(
    comm: MPI.Intracomm, filename: str, work: Callable[[], None], always: Callable[[], object] = lambda: None
) -> None:
    """Calls work() on rank 0, then always(). Raises FileError on every rank if work failed. Collective."""
    with together(comm):
        if comm.rank == 0:
            try:
                with file_errors(filename, "this file cannot be used"):
                    work()
            finally:
                always()


@contextmanager
def file_errors(filename: str, problem: str) -> Iterator[None]:
    """Turns a library's exceptions about a file into a FileError that names the file."""
    try:
        yield
    except Error:
        raise
    except (OSError, RuntimeError, TypeError, ValueError) as error:
        raise FileError(f"{filename}: {problem}: {getattr(error, 'strerror', None) or error}") from error


def ends_of(u: "DistArray", domain: Any) -> Any:
    """The entry of a domain for each axis of an array."""
    ends = ((0.0, 2 * np.pi),) * u.dimensions if domain is None else domain
    if len(ends) != u.dimensions:
        raise Error(f"domain: {len(ends)} entries for {u.dimensions} axes; give a pair or positions for each")
    return ends


def components(name: str, u: "DistArray") -> Iterator[tuple[str, "DistArray"]]:
    """The components of a tensor with separate names."""
    if u.rank == 0:
        yield name, u
        return
    for index in range(u.shape[0]):
        yield from components(f"{name}{index}", u[index])
