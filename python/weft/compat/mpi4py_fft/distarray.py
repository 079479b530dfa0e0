"""DistArray of mpi4py-fft: this rank's part of a global array, a numpy array that knows its distribution."""

import functools
import math
import warnings
from collections.abc import Iterable
from numbers import Integral, Number
from pathlib import Path
from typing import Any

import numpy as np
from mpi4py import MPI

from weft._arguments import raise_together, whole, whole_entries
from weft._arrays import empty
from weft.compat.mpi4py_fft.io import FileBase, HDF5File, NCFile
from weft.compat.mpi4py_fft.pencil import Pencil, Subcomm, Transfer, axis_number
from weft.errors import Error
from weft.redistribution import Redistribution

comm = MPI.COMM_WORLD  # a public name of this module


@functools.cache
def _world(dims: tuple[int, ...]) -> Subcomm:
    """The communicators of COMM_WORLD on a grid. The first call for a grid is collective."""
    return Subcomm(MPI.COMM_WORLD, dims)


class _Memory(np.ndarray):
    """Memory of a separate type. numpy would make a plain array, not the DistArray, the base of plain views."""


def _memory(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """New memory that begins on a cache line."""
    return empty((math.prod(shape) * dtype.itemsize,), np.uint8).view(_Memory)


def _pencil(shape: tuple[int, ...], subcomm: Any, alignment: int | None) -> Pencil:
    """The distribution of an array, from the arguments of DistArray."""
    axes = len(shape)
    if subcomm is None:
        alignment = axes - 1 if alignment is None else axis_number(alignment, axes, "alignment")
        subcomm = _world(tuple(int(axis == alignment) for axis in range(axes)))
    elif not isinstance(subcomm, Subcomm) and (
        not isinstance(subcomm, Iterable) or not all(isinstance(c, MPI.Comm) for c in subcomm)
    ):
        dims = whole_entries(subcomm, "subcomm", "[0, 1]", bits=32)
        subcomm = _world(tuple(dims))
    if len(subcomm) != axes:
        raise Error(f"subcomm: {len(subcomm)} entries are given for {axes} axes (rank is not counted); give one each")
    sizes = [comm.size for comm in subcomm]
    if alignment is None:
        if 1 not in sizes:
            raise Error(f"subcomm: {sizes} ranks cut every axis; leave one axis whole, by an entry 1")
        alignment = max(axis for axis in range(axes) if sizes[axis] == 1)
    return Pencil(subcomm, shape, alignment)


def _of_local_parts(name: str) -> Any:
    """A method of numpy arrays that changes the axes or their order, applied to the local part: a plain array."""
    method = getattr(np.ndarray, name)

    @functools.wraps(method)
    def plain(self: Any, *args: Any, **kwargs: Any) -> Any:
        return method(self.view(np.ndarray), *args, **kwargs)

    return plain


class DistArray(np.ndarray):
    """This rank's part of a global array.

    global_shape  the shape of the whole array, tensor indices first.
    subcomm    the distribution: a Subcomm, or ranks per axis of COMM_WORLD, 0 where MPI may choose and 1 for axes that
               are not cut. None cuts all axes but `alignment`.
    val        the initial value of all elements; None leaves them uninitialised.
    dtype      any numpy type.
    buffer     memory to use instead of new memory.
    alignment  an axis that is complete on every rank; None is the last such axis.
    rank       the number of tensor indices (0 scalar, 1 vector, 2 matrix). They come first, are not cut, and are not
               counted by subcomm and alignment.

    Arithmetic acts on local parts as in numpy: a scalar times a vector is a vector, and the sum of a vector over its
    first index is a scalar. An index of a tensor gives a component, which is a DistArray. Other indices, sums over axes
    that are cut, and functions that transpose or reshape give plain arrays. Arrays of one axis are not cut. Collective.
    """

    _p0: Pencil | None
    _rank: int

    def __new__(
        cls,
        global_shape: Any,
        subcomm: Any = None,
        val: Any = None,
        dtype: Any = float,
        buffer: Any = None,
        strides: Any = None,
        alignment: int | None = None,
        rank: int = 0,
    ) -> "DistArray":
        """Makes the local part."""
        shape = tuple(whole_entries(global_shape, "global_shape", "(64, 64, 64)"))
        if not 0 <= whole(rank, "rank", bits=32) < len(shape):
            raise Error(f"rank: {rank} is not possible for an array of shape {shape}; give 0 to {len(shape) - 1}")
        pencil = _pencil(shape[rank:], subcomm, alignment) if len(shape) - rank > 1 else None
        local = shape if pencil is None else shape[:rank] + pencil.subshape
        memory = _memory(local, np.dtype(dtype)) if buffer is None else buffer
        array = np.ndarray.__new__(cls, local, dtype=dtype, buffer=memory, strides=strides)
        if buffer is None and isinstance(val, Number):
            array.fill(val)
        array._p0, array._rank = pencil, rank
        return array

    def __array_finalize__(self, other: Any) -> None:
        """Gives copies and views the distribution of the original array if they have its axes."""
        alike = isinstance(other, DistArray) and self.shape == other.shape
        self._p0, self._rank = (getattr(other, "_p0", None), getattr(other, "_rank", 0)) if alike else (None, 0)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
        """Applies numpy's functions to local parts. Results have the distribution of the operands."""
        _check_cuts(inputs)
        given = {"out": tuple(_plain(array) for array in out)} if out is not None else {}
        plain = {name: _plain(value) for name, value in kwargs.items()}
        result = getattr(ufunc, method)(*(_plain(array) for array in inputs), **given, **plain)
        if out is not None:
            return out[0] if len(out) == 1 else out
        if isinstance(result, tuple):
            return tuple(_cut_as(one, ufunc, method, inputs, kwargs) for one in result)
        return _cut_as(result, ufunc, method, inputs, kwargs)

    def __getitem__(self, index: Any) -> Any:
        """A component of a tensor, or a plain array or number."""
        entries = index if isinstance(index, tuple) else (index,)
        tensor = all(isinstance(entry, Integral | slice) and not isinstance(entry, bool) for entry in entries)
        if self.ndim > 1 and 0 < len(entries) <= self.rank and tensor:
            part = np.ndarray.__getitem__(self, index)
            part._p0, part._rank = self._p0, self.rank - (self.ndim - part.ndim)
            return part
        return np.ndarray.__getitem__(self if self.ndim == 1 else self.v, index)

    # A transposed part may have the shape of the original part on one rank and another shape on the next.
    transpose, swapaxes, reshape = _of_local_parts("transpose"), _of_local_parts("swapaxes"), _of_local_parts("reshape")
    ravel, flatten, squeeze = _of_local_parts("ravel"), _of_local_parts("flatten"), _of_local_parts("squeeze")
    diagonal, trace, take = _of_local_parts("diagonal"), _of_local_parts("trace"), _of_local_parts("take")

    @property
    def T(self) -> np.ndarray:  # type: ignore[override]
        """The transposed local part, a plain array."""
        return self.v.T

    @property
    def pencil(self) -> Pencil:
        """The distribution of the array, without tensor indices."""
        if self._p0 is None:
            text = "arrays of one axis are not, nor what numpy has joined or reshaped"
            raise Error(f"this array of shape {self.shape} is not cut: {text}; make a DistArray and fill it")
        return self._p0

    @property
    def rank(self) -> int:
        """The number of tensor indices."""
        return self._rank

    @property
    def alignment(self) -> int:
        """The axis that is not cut, without counting tensor indices."""
        return self.pencil.axis

    @property
    def global_shape(self) -> tuple[int, ...]:
        """The shape of the whole array."""
        return self.shape[: self.rank] + self.pencil.shape

    @property
    def substart(self) -> tuple[int, ...]:
        """The first indices of this part."""
        return (0,) * self.rank + self.pencil.substart

    @property
    def subcomm(self) -> tuple[MPI.Comm, ...]:
        """The communicators of the ranks that share each axis."""
        return (MPI.COMM_SELF,) * self.rank + self.pencil.subcomm

    @property
    def commsizes(self) -> list[int]:
        """The number of ranks per axis."""
        return [1] * self.rank + list(self.pencil.sizes)

    @property
    def dimensions(self) -> int:
        """The number of axes, without tensor indices."""
        return len(self.pencil.shape)

    @property
    def v(self) -> np.ndarray:
        """The local part as a plain numpy array over the same memory."""
        return self.view(np.ndarray)

    def local_slice(self) -> tuple[slice, ...]:
        """The slices of this part in the global array."""
        return tuple(slice(0, n) for n in self.shape[: self.rank]) + self.pencil.slices

    def get(self, gslice: Any) -> np.ndarray | None:
        """A slice of the global array on rank 0, None on the others. Collective.

        gslice  an index or a slice per axis, tensor indices included; missing entries are slice(None).
        """
        comm, problem = self.pencil.comm, None
        wanted: list[Any] = []
        try:
            wanted = global_slices(gslice, self.global_shape)
        except Error as error:
            problem = error
        raise_together(comm, problem)
        box = [slice(0, 0)] * self.ndim if comm.rank else [part[0] for part in wanted]
        found = Redistribution(self.local_slice(), box, self.dtype, comm=comm).forward(self.v)
        return found[tuple(part[1] for part in wanted)] if comm.rank == 0 else None

    def get_pencil_and_transfer(self, axis: int) -> tuple[Pencil, Transfer]:
        """The pencil along another axis, and the transfer of components of this array to it. Collective."""
        other = self.pencil.pencil(axis)
        return other, self.pencil.transfer(other, self.dtype)

    def redistribute(self, axis: int | None = None, out: "DistArray | None" = None) -> "DistArray":
        """The global array in the pencil along another axis, or in the distribution of out. Collective.

        axis  the axis of the pencil. If it is the present one, this array itself is returned.
        out   the array to fill, of the same global shape and any distribution.
        """
        problem = None if axis is None else self._axis_problem(axis, out)
        if out is None and axis is None:
            problem = Error("axis: give the axis to make whole, or an array as out")
        elif out is not None and not isinstance(out, DistArray):
            problem = Error(f"out: {type(out).__name__} is not a DistArray")
        elif out is not None and (out.global_shape, out.dtype) != (self.global_shape, self.dtype):
            text = f"out: {out.global_shape} of {out.dtype} cannot hold {self.global_shape} of {self.dtype}"
            problem = Error(f"{text}; give an array of the same global shape and type")
        raise_together(self.pencil.comm, problem)
        if out is None:
            axis = axis_number(axis, self.dimensions, "axis")
            if self.pencil.sizes[axis] == 1:
                self._p0 = Pencil(self.pencil.subcomm, self.pencil.shape, axis)
                return self
            pencil = self.pencil.pencil(axis)
            out = DistArray(self.global_shape, pencil.subcomm, dtype=self.dtype, alignment=axis, rank=self.rank)
        if out is self:
            return out
        # Whether memory is shared may differ between ranks, so each rank decides for itself.
        source = self.v.copy() if np.may_share_memory(self, out) else self.v
        moves = Redistribution(self.local_slice(), out.local_slice(), self.dtype, comm=self.pencil.comm)
        moves.forward(source, out=out.v)
        return out

    def _axis_problem(self, axis: Any, out: Any) -> Error | None:
        try:
            number = axis_number(axis, self.dimensions, "axis")
        except Error as error:
            return error
        if isinstance(out, DistArray) and out.alignment != number:
            return Error(f"axis: {axis} is not that of out, {out.alignment}; give one of them")
        return None

    def write(
        self,
        filename: str | FileBase,
        name: str = "darray",
        step: int = 0,
        global_slice: Any = None,
        domain: Any = None,
        as_scalar: bool = False,
    ) -> None:
        """Writes the array, or a slice of the global one, to an HDF5 or NetCDF file (see FileBase.write). Collective.

        filename  an HDF5File, an NCFile, or a name: HDF5 where it ends in .h5 or .hdf5, else NetCDF.
        """
        file = _file_for(filename, "a", domain)
        field = self if global_slice is None else (self, global_slice)
        file.write(step, {name: [field]}, as_scalar=as_scalar)

    def read(self, filename: str | FileBase, name: str = "darray", step: int = 0) -> None:
        """Reads an array of a file into this one, whatever its distribution was when written. Collective."""
        _file_for(filename, "r", None).read(self, name, step=step)


def _file_for(filename: Any, mode: str, domain: Any) -> FileBase:
    """Returns the given file, or opens that of a name. Collective."""
    if isinstance(filename, FileBase):
        return filename
    if not isinstance(filename, str | Path):
        raise Error(f"filename: {filename!r} is not a name; give one that ends in .h5 or .nc, an HDF5File or an NCFile")
    kind = HDF5File if str(filename).endswith((".h5", ".hdf5")) else NCFile
    return kind(str(filename), domain=domain, mode=mode)


def _plain(value: Any) -> Any:
    """The local part of a DistArray. Other values are returned unchanged."""
    return value.v if isinstance(value, DistArray) else value


def _check_cuts(inputs: tuple[Any, ...]) -> None:
    """Raises the same Error on every rank for operands of one global shape and different distributions."""
    cuts = {(u._p0.shape, u._p0.sizes) for u in inputs if isinstance(u, DistArray) and u._p0 is not None}
    shapes = [shape for shape, _ in cuts]
    if len(set(shapes)) < len(shapes):
        text = f"operands of global shape {shapes[0]} are cut by {' and '.join(str(sizes) for _, sizes in cuts)} ranks"
        raise Error(f"{text}; redistribute one of them")


def _cut_as(result: Any, ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A result as a DistArray with its tensor indices, or unchanged if its axes are not distributed as before."""
    like = max((u for u in inputs if isinstance(u, DistArray)), key=lambda u: u._p0 is not None, default=None)
    if like is None or not isinstance(result, np.ndarray):
        return result
    rank = _rank_of(result, like, ufunc, method, kwargs)
    if rank is None or result.shape[rank:] != like.shape[like.rank :]:
        return result
    made = result.view(DistArray)
    made._p0, made._rank = like._p0, rank
    return made


def _rank_of(result: np.ndarray, like: DistArray, ufunc: np.ufunc, method: str, kwargs: dict[str, Any]) -> int | None:
    """The number of tensor indices of a result, or None if it has lost axes of the grid."""
    if method == "__call__" and ufunc.signature is None:
        return result.ndim - (like.ndim - like.rank)
    if method == "accumulate":
        return like.rank
    if method not in ("reduce", "reduceat"):
        return None
    axes = kwargs.get("axis", 0)
    listed = range(like.ndim) if axes is None else np.atleast_1d(axes)
    if any(int(axis) % like.ndim >= like.rank for axis in listed):
        return None
    return like.rank - (like.ndim - result.ndim)


def global_slices(given: Any, shape: tuple[int, ...]) -> list[tuple[slice, Any]]:
    """The smallest slice per axis that contains the requested points, and the index of these points in it."""
    entries = list(given) if isinstance(given, tuple | list) else [given]
    if len(entries) > len(shape):
        raise Error(f"slice: {len(entries)} entries for {len(shape)} axes; give an index or a slice per axis")
    result: list[tuple[slice, Any]] = []
    for axis, entry in enumerate(entries + [slice(None)] * (len(shape) - len(entries))):
        n = shape[axis]
        if isinstance(entry, slice):
            chosen = range(*entry.indices(n))
            low, high = (min(chosen), max(chosen) + 1) if chosen else (0, 0)
            end = chosen.stop - low
            result.append((slice(low, high), slice(chosen.start - low, None if end < 0 else end, chosen.step)))
        elif isinstance(entry, Integral) and -n <= int(entry) < n:
            result.append((slice(int(entry) % n, int(entry) % n + 1), 0))
        else:
            raise Error(f"slice: {entry!r} is not an index or a slice of axis {axis}, which has {n} points")
    return result


def newDistArray(
    pfft: Any, forward_output: bool = True, val: Any = 0, rank: int = 0, view: bool = False
) -> "DistArray | np.ndarray":
    """A new array for a PFFT: its modes, or its points where forward_output is False. Collective.

    val   the initial value of all elements.
    rank  0 for a scalar, 1 for a vector with as many components as axes, 2 for a matrix.
    view  whether to return a plain numpy array, whose base is the DistArray.
    """
    side = pfft.pencil[bool(forward_output)]
    shape = (len(side.shape),) * rank + side.shape
    dtype = pfft.dtype(bool(forward_output))
    array = DistArray(shape, side.subcomm, val=val, dtype=dtype, alignment=side.axis, rank=rank)
    return array.v if view else array


def Function(*args: Any, tensor: Any = None, **kwargs: Any) -> "DistArray | np.ndarray":
    """The old name of newDistArray. tensor is equivalent to rank=1."""
    warnings.warn("Function is the old name of newDistArray", FutureWarning, stacklevel=2)
    if tensor is not None:
        kwargs["rank"] = 1
    return newDistArray(*args, **kwargs)
