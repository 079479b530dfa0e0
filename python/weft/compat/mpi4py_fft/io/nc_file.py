"""NCFile of mpi4py-fft: snapshots of DistArrays in one NetCDF file, in the variables that mpi4py-fft makes.

    time                 the steps; every write of a new step makes it one longer
    x, y, z, r, s, t     positions along the axes of the grid, as many as it has
    i, j, k              tensor indices
    NAME                 an array: time, tensor indices, axes
    NAME_slice_4_slice   a slice of an array, without the axes that have an index

Rank 0 writes all parts through netCDF4, and every rank reads its own part. All arrays of a file have one grid.
"""

from errno import ENOENT
from os import strerror
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI

from weft._arguments import flag, real, whole
from weft.compat.mpi4py_fft.io._parts import Part, Parts, ends_of
from weft.compat.mpi4py_fft.io.file_base import FileBase
from weft.errors import Error, FileError

if TYPE_CHECKING:
    from weft.compat.mpi4py_fft.distarray import DistArray

comm = MPI.COMM_WORLD  # a public name of this module

_TIME, _INDICES, _AXES = "time", "ijk", "xyzrst"


class NCFile(FileBase):
    """A NetCDF file (the format NetCDF-4) with snapshots of DistArrays of real numbers. It needs netCDF4 on every rank.

    ncname   the name of the file.
    domain   per axis (first, last position), between which the points are spread evenly, both included, or an array of
             positions; None is (0, 2 pi) for all. What the file has already is kept.
    mode     "w" replaces an old file, "a" adds to it or makes it, "r" reads.
    clobber  whether "w" may replace an old file; else it is an error that there is one.
    kw       further arguments of netCDF4.Dataset, for a file that is made now.
    Collective over COMM_WORLD.

    step is a number, by which write finds the position along `time`, or adds one. For read it is that position, as in
    mpi4py-fft: 0 for the first step that was written, -1 for the last.
    """

    def __init__(self, ncname: str, domain: Any = None, mode: str = "a", clobber: bool = True, **kw: Any) -> None:
        super().__init__(str(ncname), domain)
        if mode not in ("r", "w", "a"):
            raise Error(f"mode: {mode!r} is not possible; give r, w or a")
        replaces = flag(clobber, "clobber")

        def make() -> None:
            how = "w" if mode == "a" and not Path(self.filename).exists() else mode
            with self._opened(how, clobber=replaces, **kw) as file:
                if how != "r" and _TIME not in file.variables:
                    file.createDimension(_TIME, None)
                    file.createVariable(_TIME, float, (_TIME,))

        self._make(make)

    @staticmethod
    def backend() -> str:
        """The kind of the file."""
        return "netcdf4"

    def _opened(self, mode: Any, **kw: Any) -> Any:
        try:
            from netCDF4 import Dataset
        except ImportError as error:
            text = "NCFile: the package netCDF4 is not installed"
            raise Error(f"{text} ({error}); run pip install netCDF4, or write an HDF5File") from error
        if mode == "r+" and not Path(self.filename).exists():  # netCDF4 would make an empty file
            raise FileNotFoundError(ENOENT, strerror(ENOENT), self.filename)
        file = Dataset(self.filename, mode=mode, **kw)
        file.set_auto_mask(False)
        return file

    def _read_part(self, u: "DistArray", name: str, step: Any) -> None:
        at = whole(step, "step")
        with self._opened("r") as file:
            data = file.variables.get(name)
            found = None if data is None else tuple(data.shape)
            if found is None or found[1:] != u.global_shape or not -found[0] <= at < found[0]:
                text = "there is no such variable" if found is None else f"its shape, steps first, is {found}"
                wanted = f"step {at} of an array of {u.global_shape} is to be read"
                raise FileError(f"{self.filename}: {name}: {text}; {wanted}")
            if u.size:
                u[...] = data[(at, *u.local_slice())]

    def _write_one(self, name: str, u: "DistArray", part: Part, step: Any) -> None:
        moment, axes = real(step, "step"), _axes_of(u)
        if not np.isfinite(moment):
            raise Error(f"step: {moment} is not possible; give a finite number")
        if u.dtype.kind == "c":
            raise Error(f"{name}: NetCDF has no complex numbers; write u.real and u.imag, or an HDF5File")
        if name in (_TIME, *axes):
            raise Error(f"{name}: that is the name of an axis in a NetCDF file; give the array another name")
        label = name if part.kept == u.dimensions else f"{name}_{part.suffix}"
        kept = (_TIME, *(axes[axis] for axis in part.axes))

        def store(parts: Parts) -> None:
            with self._opened("r+") as file:
                _describe(file, u, self.domain)
                data = file.variables.get(label)
                if data is None:
                    data = file.createVariable(label, u.dtype, kept)
                elif data.dimensions != kept:
                    raise Error(f"{label}: the file has it with the axes {data.dimensions}, not {kept}")
                at = _position(file.variables[_TIME], moment)
                for place, values in parts:
                    data[(at, *place)] = values

        part.at_root(u.pencil.comm, self.filename, store)


def _axes_of(u: "DistArray") -> tuple[str, ...]:
    """The names of the axes of an array, tensor indices first."""
    if u.rank > len(_INDICES):
        raise Error(f"a tensor of rank {u.rank} has no names for its indices in a NetCDF file; write its components")
    return (*_INDICES[: u.rank], *_AXES[: u.dimensions])


def _position(time: Any, moment: float) -> int:
    """The position of a step along the axis of time, which becomes longer for a new one."""
    found = np.flatnonzero(time[:] == moment)
    if found.size:
        return int(found[0])
    time[time.size] = moment
    return int(time.size) - 1


def _describe(file: Any, u: "DistArray", domain: Any) -> None:
    """Writes the axes of an array that the file does not have yet, and checks those that it has."""
    positions: list[Any] = [np.arange(n, dtype=float) for n in u.global_shape[: u.rank]]
    for n, ends in zip(u.pencil.shape, ends_of(u, domain), strict=True):
        given = np.ravel(np.asarray(ends, dtype=float))
        positions.append(np.linspace(given[0], given[1], n) if given.size == 2 else given)
    for name, n, places in zip(_axes_of(u), u.global_shape, positions, strict=True):
        if np.shape(places) != (n,):
            raise Error(f"domain: the axis {name} has {np.size(places)} positions for {n} points; give one for each")
        if name not in file.variables:
            file.createDimension(name, n)
            file.createVariable(name, float, (name,))[:] = places
        elif file.dimensions[name].size != n:
            text = f"{file.filepath()}: the axis {name} has {file.dimensions[name].size} points there, not {n}"
            raise Error(f"{text}; write arrays of another grid to another file")
