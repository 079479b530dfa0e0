"""HDF5File of mpi4py-fft: snapshots of DistArrays in one HDF5 file, in the groups that mpi4py-fft makes.

    NAME/3D/STEP               an array (2D, 4D, ...); the dataset is named after the number of the step
    NAME/2D/slice_slice_4/STEP a slice of an array
    NAME/domain/x0, x1, ...    origin and length per axis, or NAME/mesh/x0, ...: positions
    attributes of NAME: shape, rank

Rank 0 writes all parts through h5py, and every rank reads its own part. Weft's own functions write files for restarts
and for ParaView in parallel.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI

from weft._arguments import whole
from weft.compat.mpi4py_fft.io._parts import Part, Parts, ends_of
from weft.compat.mpi4py_fft.io.file_base import FileBase
from weft.errors import Error, FileError

if TYPE_CHECKING:
    from weft.compat.mpi4py_fft.distarray import DistArray

comm = MPI.COMM_WORLD  # a public name of this module


class HDF5File(FileBase):
    """An HDF5 file with snapshots of DistArrays.

    h5name  the name of the file.
    domain  per axis (origin, length), or an array of positions; None is (0, 2 pi) for all.
    mode    "w" replaces an old file, "a" adds to it, "r" reads.
    kw      further arguments of h5py.File, for a file that is made now, such as libver="latest".
    Collective over COMM_WORLD.
    """

    def __init__(self, h5name: str, domain: Any = None, mode: str = "a", **kw: Any) -> None:
        super().__init__(str(h5name), domain)
        if mode not in ("r", "w", "a"):
            raise Error(f"mode: {mode!r} is not possible; give r, w or a")
        self._make(lambda: self._opened(mode, **kw).close())

    @staticmethod
    def backend() -> str:
        """The kind of the file."""
        return "hdf5"

    def _opened(self, mode: Any, **kw: Any) -> Any:
        import h5py

        return h5py.File(self.filename, mode, **kw)

    def _opened_by_all(self, mode: str) -> Any:
        if mode == "r":
            return self._opened("r")
        from weft.compat.mpi4py_fft.io._alike import FileAlike

        return FileAlike(self.filename, is_writer=MPI.COMM_WORLD.rank == 0)

    def _read_part(self, u: "DistArray", name: str, step: Any) -> None:
        path = f"{name}/{u.dimensions}D/{step}"
        with self._opened("r") as file:
            data = file.get(path)
            found = None if data is None else data.shape
            if found != u.global_shape:
                text = "there is no such dataset" if found is None else f"its shape is {found}"
                raise FileError(f"{self.filename}: {path}: {text}; an array of {u.global_shape} is to be read")
            u[...] = data[u.local_slice()]

    def _write_one(self, name: str, u: "DistArray", part: Part, step: Any) -> None:
        whole_array = part.kept == u.dimensions
        path = f"{name}/{part.kept}D/" + ("" if whole_array else f"{part.suffix}/") + str(whole(step, "step"))

        def store(parts: Parts) -> None:
            with self._opened("r+") as file:
                _describe(file.require_group(name), u, self.domain)
                data = file.require_dataset(path, part.shape, u.dtype)
                for place, values in parts:
                    data[place] = values

        part.at_root(u.pencil.comm, self.filename, store)


def _describe(group: Any, u: "DistArray", domain: Any) -> None:
    """Writes or checks the shape, rank and domain of the arrays of one name, which all steps share."""
    for key, value in (("shape", u.pencil.shape), ("rank", u.rank)):
        if key not in group.attrs:
            group.attrs[key] = value
        elif np.any(np.asarray(group.attrs[key]) != np.asarray(value)):
            raise Error(f"{group.name}: the file has arrays of {key} {group.attrs[key]} there, not {value}")
    ends = ends_of(u, domain)
    place = group.require_group("mesh" if isinstance(ends[0], np.ndarray) else "domain")
    for axis, values in enumerate(ends):
        if f"x{axis}" not in place:
            place[f"x{axis}"] = np.squeeze(np.asarray(values, dtype=float))
