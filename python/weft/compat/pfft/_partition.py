"""ProcMesh and Partition of pfft-python: which rank has which points and which modes."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from mpi4py import MPI

from weft._arguments import agreed, communicator
from weft.compat.pfft._names import Flags, Type
from weft.errors import Error

_COMPLEX = {"float64": "complex128", "float32": "complex64"}


def split_size_2d(size: int) -> tuple[int, int]:
    """Two factors of a number that are about the same: the first is at most its square root and 1."""
    first = next(a for a in range(math.isqrt(size) + 1, 0, -1) if size % a == 0)
    return first, size // first


class ProcMesh:
    """Ranks in a mesh: ProcMesh([2, 3], comm) has 2 x 3 of them. Collective.

    np      ranks along each axis of the mesh, whose product is the size of the communicator. [] is one rank.
    comm    an mpi4py communicator; None is COMM_WORLD.

    Attributes: np, comm, rank, ndim, this (where this rank is in the mesh; the last axis is the fastest). Raises Error
    on every rank if the product is another one.
    """

    def __init__(self, np: Any, comm: MPI.Intracomm | None = None) -> None:
        self.comm = communicator(comm)
        sizes: Sequence[int] = agreed(self.comm, lambda: {"np": _mesh(np, self.comm.size)})["np"]
        self.rank = self.comm.rank
        self.ndim = len(sizes)
        self.np = _ints(sizes)
        self.this = _ints([self.rank // math.prod(sizes[axis + 1 :]) % size for axis, size in enumerate(sizes)])

    @classmethod
    def split(cls, ndim: int, comm: MPI.Intracomm | None = None) -> list[int]:
        """Ranks along each of 1 or 2 axes. Raises Error for other numbers of axes."""
        size = communicator(comm).size
        if ndim not in (1, 2):
            raise Error(f"ndim: {ndim}; give 1 or 2 axes")
        return [size] if ndim == 1 else list(split_size_2d(size))


class Partition:
    """Which points and modes a rank has: Partition(Type.R2C, [32, 32, 32], procmesh, Flags.TRANSPOSED_OUT). Collective.

    type      Type.C2C, Type.R2C or those of single precision, C2CF and R2CF.
    n         points along each axis, at most 6, not less than the mesh has.
    procmesh  axis i of the points is cut by axis i of the mesh. Modes are cut as the points are, or, with
              Flags.TRANSPOSED_OUT and a mesh of fewer axes, each along the next axis.
    flags     Flags, combined by |.

    Attributes: ndim, n, type, flags, procmesh; ni, no (extents of the global arrays of points and modes), i_edges,
    o_edges (where the parts of each axis begin, and its end), local_i_start, local_ni, local_i_shape, local_i_slice,
    local_i_strides (bytes), i_dtype, and the same of the modes with o. alloc_local counts complex numbers of a buffer.
    Strides are those of C order; Flags.PADDED_R2C leaves room at the end of rows of real points. Raises Error on every
    rank.
    """

    def __init__(self, type: int, n: Any, procmesh: ProcMesh, flags: int) -> None:
        given = agreed(procmesh.comm, lambda: _arguments(type, n, procmesh.ndim, flags))
        self.type, self.flags, self.procmesh = Type(given["type"]), Flags(given["flags"]), procmesh
        points: tuple[int, ...] = given["n"]
        self.ndim = len(points)
        self.n = _ints(points)
        is_real = self.type in (Type.R2C, Type.R2CF)
        modes = (*points[:-1], points[-1] // 2 + 1) if is_real else points
        is_turned = Flags.TRANSPOSED_OUT in self.flags and procmesh.ndim < self.ndim
        self.ni, self.no = _ints(points), _ints(modes)
        self.i_edges, self.local_i_slice = _cut(points, procmesh, first=0)
        self.o_edges, self.local_o_slice = _cut(modes, procmesh, first=1 if is_turned else 0)
        complex_name = _COMPLEX[self.type.precision]
        self.i_dtype = np.dtype(self.type.precision if is_real else complex_name)
        self.o_dtype = np.dtype(complex_name)
        #: Whether points and modes begin at the same places of a buffer, so that rows can be transformed in it.
        self.is_padded = is_real and Flags.PADDED_R2C in self.flags and procmesh.ndim < self.ndim
        row = 2 * modes[-1] if self.is_padded else None
        self.local_i_start, self.local_ni, self.local_i_strides = _local(self.local_i_slice, self.i_dtype, row)
        self.local_o_start, self.local_no, self.local_o_strides = _local(self.local_o_slice, self.o_dtype)
        self.local_i_shape, self.local_o_shape = self.local_ni.copy(), self.local_no.copy()
        # The same whether modes are transposed and rows padded or not, so that such partitions can share buffers.
        cuts = [_cut(modes, procmesh, first=first)[1] for first in (0, 1)]
        self.alloc_local = max(
            _room(self.local_i_slice, is_real=is_real), *(_room(part, is_real=False) for part in cuts), 1
        )

    def __repr__(self) -> str:
        parts = f"local_i_slice={self.local_i_slice}, local_o_slice={self.local_o_slice}"
        return f"Partition(n={self.n}, {parts}, flags={self.flags!r}, type={self.type!r})"


def _ints(values: Any) -> np.ndarray:
    return np.array(values, dtype="intp")


def _mesh(np_: Any, ranks: int) -> tuple[int, ...]:
    """The mesh as a tuple. Raises Error unless it has as many ranks as there are."""
    try:
        sizes = tuple(int(size) for size in np_)
    except (TypeError, ValueError):
        raise Error(f"np: {np_!r} is not usable; give the ranks along each axis, such as [2, 3]") from None
    if any(size < 1 for size in sizes) or int(np.prod(sizes)) != ranks:
        raise Error(f"np: {list(sizes)} is a mesh of another size than the communicator, {ranks}; give a product of it")
    return sizes


def _arguments(type_: int, n: Any, mesh_axes: int, flags: int) -> dict[str, Any]:
    """The arguments of a partition as plain values. Raises Error at one that is not usable."""
    if int(type_) not in (Type.C2C, Type.R2C, Type.C2CF, Type.R2CF):
        raise Error(f"type: {Type(type_).name} is not a type of a partition here; give C2C, R2C, C2CF or R2CF")
    if Flags(flags) & (Flags.SHIFTED_IN | Flags.SHIFTED_OUT | Flags.TRANSPOSED_IN):
        raise Error(f"flags: {Flags(flags)!r}; of a partition only the modes, which are the output, are transposed")
    points = tuple(int(count) for count in n)
    if not max(1, mesh_axes) <= len(points) <= 6 or min(points) < 1:
        allowed = "give 1 to 6 axes, at least as many as the mesh has, with 1 or more points"
        raise Error(f"n: {points} on a mesh of {mesh_axes} axes; {allowed}")
    return {"type": int(type_), "n": points, "flags": int(flags)}


def _cut(extents: Sequence[int], mesh: ProcMesh, *, first: int) -> tuple[list[np.ndarray], tuple[slice, ...]]:
    """Where the parts of every axis begin and end, and this rank's part. Axis `first` is cut by axis 0 of the mesh."""
    edges, mine = [], []
    for axis, extent in enumerate(extents):
        along = axis - first
        is_cut = 0 <= along < mesh.ndim
        parts, place = (int(mesh.np[along]), int(mesh.this[along])) if is_cut else (1, 0)
        block = -(-extent // parts)  # the first parts have it in full, as PFFT's do
        bounds = _ints([min(part * block, extent) for part in range(parts + 1)])
        edges.append(bounds)
        mine.append(slice(int(bounds[place]), int(bounds[place + 1])))
    return edges, tuple(mine)


def _local(
    mine: tuple[slice, ...], dtype: np.dtype, row: int | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where a part begins, its shape, and the bytes from one index to the next. `row`: numbers that a row takes."""
    shape = [part.stop - part.start for part in mine]
    stored = [*shape[:-1], shape[-1] if row is None else row]
    strides = [dtype.itemsize * int(np.prod(stored[axis + 1 :])) for axis in range(len(shape))]
    return _ints([part.start for part in mine]), _ints(shape), _ints(strides)


def _room(part: tuple[slice, ...], *, is_real: bool) -> int:
    """The complex numbers that a part takes, with room at the end of each row of real numbers."""
    *rows, last = (axis.stop - axis.start for axis in part)
    return math.prod(rows) * (last // 2 + 1 if is_real else last)
