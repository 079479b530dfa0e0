"""HDF5File of mpi4py-fft: snapshots of DistArrays in one HDF5 file, in the groups that mpi4py-fft makes.

    NAME/3D/STEP               an array (2D, 4D, ...); the dataset is named after the number of the step
    NAME/2D/slice_slice_4/STEP a slice of an array
    NAME/domain/x0, x1, ...    origin and length per axis, or NAME/mesh/x0, ...: positions
    attributes of NAME: shape, rank

Rank 0 writes all parts through h5py, and the other ranks send it one part at a time, so any h5py can be used. Every
rank reads its own part. Weft's own functions write files for restarts and for ParaView in parallel.
"""

from collections.abc import Callable, Iterator
from numbers import Integral
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from mpi4py import MPI

from weft._arguments import together, whole
from weft.compat.mpi4py_fft.xdmf import generate_xdmf as generate_xdmf  # a public name of this module
from weft.errors import Error, FileError

if TYPE_CHECKING:
    from weft.compat.mpi4py_fft.distarray import DistArray

# h5py is imported where it is used, since it loads an HDF5 of its own.

_MESSAGE = 1 << 30  # bytes of one message: not every MPI supports counts beyond 31 bits
_TAG = 71


class FileBase:
    """The base of file classes: the name of a file, and the domain of its data."""

    def __init__(self, filename: str, domain: Any = None) -> None:
        self.filename, self.domain = filename, domain

    def open(self, mode: str = "r+") -> None:
        """Has no effect. Files are open only while they are read or written."""

    def close(self) -> None:
        """Has no effect. Files are open only while they are read or written."""


class HDF5File(FileBase):
    """An HDF5 file with snapshots of DistArrays.

    h5name  the name of the file.
    domain  per axis (origin, length), or an array of positions; None is (0, 2 pi) for all.
    mode    "w" replaces an old file, "a" adds to it, "r" reads.
    Collective over COMM_WORLD.
    """

    def __init__(self, h5name: str, domain: Any = None, mode: str = "a", **kw: Any) -> None:
        super().__init__(str(h5name), domain)
        if mode not in ("r", "w", "a") or kw:
            raise Error(f"mode: {mode!r} with options {sorted(kw)} is not possible; give r, w or a, and no options")
        _at_root(MPI.COMM_WORLD, self.filename, lambda h5py: h5py.File(self.filename, mode).close())

    @staticmethod
    def backend() -> str:
        """The kind of the file."""
        return "hdf5"

    def write(self, step: int, fields: dict[str, Any], as_scalar: bool = False, **_: Any) -> None:
        """Writes arrays and slices of global arrays as one step. Other options have no effect, as there. Collective.

        fields     name: list of DistArrays and of pairs of a DistArray and a list with an index or slice(None) per axis
                   (without tensor indices).
        as_scalar  whether components of tensors are written under separate names, such as U0, U1, U2.
        """
        whole(step, "step")
        for name, entries in fields.items():
            for entry in entries:
                u, chosen = entry if isinstance(entry, tuple | list) else (entry, None)
                for part, field in _scalars(name, u) if as_scalar else [(name, u)]:
                    self._write_one(part, field, chosen, step)

    def read(self, u: "DistArray", name: str, step: int = 0, **_: Any) -> None:
        """Reads an array into u. It may have been written in another distribution. Collective."""
        path = f"{name}/{u.dimensions}D/{step}"
        with together(u.pencil.comm):
            import h5py

            try:
                with h5py.File(self.filename, "r") as file:
                    data = file.get(path)
                    found = None if data is None else data.shape
                    if found != u.global_shape:
                        text = "there is no such dataset" if found is None else f"its shape is {found}"
                        raise FileError(f"{self.filename}: {path}: {text}; an array of {u.global_shape} is to be read")
                    u[...] = data[u.local_slice()]
            except OSError as error:
                raise FileError(f"{self.filename}: it cannot be read: {error.strerror or error}") from error

    def _write_one(self, name: str, u: "DistArray", chosen: Any, step: int) -> None:
        """Writes one array or slice. Collective."""
        comm, where = u.pencil.comm, _Slice(u, chosen)
        path = f"{name}/{where.folder}/{step}"

        def write(h5py: Any) -> None:
            with h5py.File(self.filename, "a") as file:
                _describe(file.require_group(name), u, self.domain)
                data = file.require_dataset(path, where.shape, u.dtype)
                for place, values in parts:
                    data[place] = values

        parts = where.parts(comm) if comm.rank == 0 else iter(())
        if comm.rank > 0:
            where.send(comm)
        _at_root(comm, self.filename, write, lambda: [*parts])


class _Slice:
    """This rank's part of an array to write, and its position in the file."""

    def __init__(self, u: "DistArray", chosen: Any) -> None:
        entries = _checked(u.pencil.shape, chosen)
        kept = sum(isinstance(entry, slice) for entry in entries)
        name = "_".join("slice" if isinstance(entry, slice) else str(entry) for entry in entries)
        self.folder = f"{kept}D" if kept == u.dimensions else f"{kept}D/{name}"
        full, local = [slice(None)] * u.rank + entries, u.local_slice()
        whole_axes = [axis for axis, entry in enumerate(full) if isinstance(entry, slice)]
        self.shape = tuple(u.global_shape[axis] for axis in whole_axes)
        self.place = tuple(local[axis] for axis in whole_axes)
        self.dtype = u.dtype
        self.values = _picked(u.v, full, local)

    def parts(self, comm: MPI.Intracomm) -> Iterator[tuple[tuple[slice, ...], np.ndarray]]:
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

    def send(self, comm: MPI.Intracomm) -> None:
        """Receives the part of another rank on rank 0."""
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


def _at_root(
    comm: MPI.Intracomm, filename: str, work: Callable[[Any], None], always: Callable[[], object] = lambda: None
) -> None:
    """Calls work(h5py) on rank 0, then always(). Raises FileError on every rank if work failed. Collective."""
    with together(comm):
        if comm.rank == 0:
            try:
                import h5py

                work(h5py)
            except Error:
                raise
            except (OSError, RuntimeError, TypeError, ValueError) as error:
                words = getattr(error, "strerror", None) or error
                raise FileError(f"{filename}: this HDF5 file cannot be used: {words}") from error
            finally:
                always()


def _describe(group: Any, u: "DistArray", domain: Any) -> None:
    """Writes or checks the shape, rank and domain of the arrays of one name, which all steps share."""
    for key, value in (("shape", u.pencil.shape), ("rank", u.rank)):
        if key not in group.attrs:
            group.attrs[key] = value
        elif np.any(np.asarray(group.attrs[key]) != np.asarray(value)):
            raise Error(f"{group.name}: the file has arrays of {key} {group.attrs[key]} there, not {value}")
    ends = ((0.0, 2 * np.pi),) * u.dimensions if domain is None else domain
    if len(ends) != u.dimensions:
        raise Error(f"domain: {len(ends)} entries for {u.dimensions} axes; give (origin, length) or positions for each")
    place = group.require_group("mesh" if isinstance(ends[0], np.ndarray) else "domain")
    for axis, values in enumerate(ends):
        if f"x{axis}" not in place:
            place[f"x{axis}"] = np.squeeze(np.asarray(values, dtype=float))


def _scalars(name: str, u: "DistArray") -> Iterator[tuple[str, "DistArray"]]:
    """The components of a tensor with separate names."""
    if u.rank == 0:
        yield name, u
        return
    for index in range(u.shape[0]):
        yield from _scalars(f"{name}{index}", u[index])


def _no_netcdf(*_: Any, **__: Any) -> NoReturn:
    raise Error("NCFile: NetCDF files are not written here; use HDF5File, and file names that end in .h5")


NCFile = _no_netcdf


def file_for(filename: "str | FileBase", mode: str, domain: Any) -> HDF5File:
    """Opens the file of a name, or returns the given file. Collective."""
    if isinstance(filename, HDF5File):
        return filename
    if not str(filename).endswith((".h5", ".hdf5")):
        raise Error(f"filename: {filename!r} is not an HDF5 file; give a name that ends in .h5")
    return HDF5File(str(filename), domain=domain, mode=mode)
