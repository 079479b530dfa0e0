"""DistArray of mpi4py-fft: this rank's part of a global array, a numpy array that knows how it is cut."""

import functools
import math
import warnings
from numbers import Integral, Number
from typing import Any

import numpy as np
from mpi4py import MPI

from weft._arguments import raise_together, whole, whole_entries
from weft._arrays import empty
from weft.compat.mpi4py_fft.io import FileBase, file_for
from weft.compat.mpi4py_fft.pencil import Pencil, Subcomm, Transfer, axis_number
from weft.errors import Error
from weft.redistribution import Redistribution


@functools.cache
def _world(dims: tuple[int, ...]) -> Subcomm:
    """The communicators of COMM_WORLD on a grid, made once each. Collective the first time."""
    return Subcomm(MPI.COMM_WORLD, dims)


class _Memory(np.ndarray):
    """Memory of a type of its own: numpy would make it the base of plain views, which are to have the DistArray."""


def _memory(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Memory on cache lines."""
    return empty((math.prod(shape) * dtype.itemsize,), np.uint8).view(_Memory)


def _pencil(shape: tuple[int, ...], subcomm: Any, alignment: int | None) -> Pencil:
    """How an array is cut, from the arguments of DistArray."""
    axes = len(shape)
    if subcomm is None:
        alignment = axes - 1 if alignment is None else axis_number(alignment, axes, "alignment")
        subcomm = _world(tuple(int(axis == alignment) for axis in range(axes)))
    elif not isinstance(subcomm, Subcomm) and not all(isinstance(c, MPI.Comm) for c in subcomm):
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


class DistArray(np.ndarray):
    """This rank's part of a global array.

    global_shape  of the whole array, tensor indices first.
    subcomm    how it is cut: a Subcomm, or ranks per axis of COMM_WORLD, 0 where MPI may choose and 1 for whole axes.
               None cuts all axes but `alignment`.
    val        what it is filled with; None leaves it as it is.
    dtype      any numpy type.
    buffer     memory to use instead of new one.
    alignment  an axis that is whole on every rank; None is the last such axis.
    rank       how many of the first indices are those of a tensor (0 scalar, 1 vector, 2 matrix); they are not cut, and
               not counted by subcomm and alignment.

    Arithmetic is that of numpy on local parts. An index of a tensor gives a component, a DistArray; any other gives a
    plain array. Arrays of one axis are not cut. Collective.
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
        """Copies, views and results of arithmetic are cut as the array that they come from."""
        self._p0, self._rank = getattr(other, "_p0", None), getattr(other, "_rank", 0)

    def __getitem__(self, index: Any) -> Any:
        """A component of a tensor, or a plain array or number."""
        tensor = isinstance(index, Integral | slice) or (isinstance(index, tuple) and len(index) <= self.rank)
        if self.ndim > 1 and self.rank > 0 and tensor:
            part = np.ndarray.__getitem__(self, index)
            part._rank = self.rank - (self.ndim - part.ndim)
            return part
        return np.ndarray.__getitem__(self if self.ndim == 1 else self.v, index)

    @property
    def pencil(self) -> Pencil:
        """How the array is cut, tensor indices left out."""
        if self._p0 is None:
            raise Error(f"this array of shape {self.shape} is not cut: arrays with 2 axes or more are")
        return self._p0

    @property
    def rank(self) -> int:
        """The number of tensor indices."""
        return self._rank

    @property
    def alignment(self) -> int:
        """The axis along which it is whole, tensor indices not counted."""
        return self.pencil.axis

    @property
    def global_shape(self) -> tuple[int, ...]:
        """The shape of the whole array."""
        return self.shape[: self.rank] + self.pencil.shape

    @property
    def substart(self) -> tuple[int, ...]:
        """Where this part begins."""
        return (0,) * self.rank + self.pencil.substart

    @property
    def subcomm(self) -> tuple[MPI.Comm, ...]:
        """The ranks that share each axis."""
        return (MPI.COMM_SELF,) * self.rank + self.pencil.subcomm

    @property
    def commsizes(self) -> list[int]:
        """How many they are."""
        return [1] * self.rank + list(self.pencil.sizes)

    @property
    def dimensions(self) -> int:
        """Axes, tensor indices not counted."""
        return len(self.pencil.shape)

    @property
    def v(self) -> np.ndarray:
        """The local part as a plain numpy array, the same memory."""
        return self.view(np.ndarray)

    def local_slice(self) -> tuple[slice, ...]:
        """Where this part lies in the global array."""
        return tuple(slice(0, n) for n in self.shape[: self.rank]) + self.pencil.slices

    def get(self, gslice: Any) -> np.ndarray | None:
        """A slice of the global array on rank 0, None on the others. Collective.

        gslice  an index or a slice per axis, tensor indices included; missing ones are everything.
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
        """The pencil that is whole along another axis, and what moves components of this array to it. Collective."""
        other = self.pencil.pencil(axis)
        return other, self.pencil.transfer(other, self.dtype)

    def redistribute(self, axis: int | None = None, out: "DistArray | None" = None) -> "DistArray":
        """The same global array, whole along another axis, or cut as out is. Collective.

        axis  to make whole. Where it is so already, this very array is returned.
        out   the array to fill, of the same global shape, however it is cut.
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
        moves = Redistribution(self.local_slice(), out.local_slice(), self.dtype, comm=self.pencil.comm)
        moves.forward(self.v, out=out.v)
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
        """Writes the array, or a slice of the global one, to an HDF5 file (see HDF5File.write). Collective."""
        file = file_for(filename, "a", domain)
        field = self if global_slice is None else (self, global_slice)
        file.write(step, {name: [field]}, as_scalar=as_scalar)

    def read(self, filename: str | FileBase, name: str = "darray", step: int = 0) -> None:
        """Reads a whole array of an HDF5 file into this one, which may be cut otherwise than it was. Collective."""
        file_for(filename, "r", None).read(self, name, step=step)


def global_slices(given: Any, shape: tuple[int, ...]) -> list[tuple[slice, Any]]:
    """Per axis the smallest box that holds what is asked for, and the index that picks it from the box."""
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
            raise Error(f"slice: {entry!r} is no index or slice of axis {axis}, which has {n} points")
    return result


def newDistArray(
    pfft: Any, forward_output: bool = True, val: Any = 0, rank: int = 0, view: bool = False
) -> "DistArray | np.ndarray":
    """A new array for a PFFT: its modes, or its points where forward_output is False. Collective.

    val   what it is filled with.
    rank  0 for a scalar, 1 for a vector with as many components as axes, 2 for a matrix.
    view  whether to return a plain numpy array, whose base is the DistArray.
    """
    side = pfft.pencil[bool(forward_output)]
    shape = (len(side.shape),) * rank + side.shape
    dtype = pfft.dtype(bool(forward_output))
    array = DistArray(shape, side.subcomm, val=val, dtype=dtype, alignment=side.axis, rank=rank)
    return array.v if view else array


def Function(*args: Any, tensor: Any = None, **kwargs: Any) -> "DistArray | np.ndarray":
    """The old name of newDistArray; tensor stands for rank=1."""
    warnings.warn("Function is the old name of newDistArray", FutureWarning, stacklevel=2)
    if tensor is not None:
        kwargs["rank"] = 1
    return newDistArray(*args, **kwargs)
