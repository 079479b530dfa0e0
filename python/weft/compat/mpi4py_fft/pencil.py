"""Subcomm, Pencil and Transfer of mpi4py-fft: the distribution of an array, and its redistribution.

An axis of n points over p ranks is cut into blocks, and the first n mod p blocks have one point more. Unlike in
mpi4py-fft, ranks may have no data (more ranks than points).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from mpi4py import MPI

from weft._arguments import entries, whole, whole_entries
from weft.errors import Error
from weft.redistribution import Redistribution

# The attribute of a subcommunicator that holds the communicator of which it is a part.
_WHOLE = MPI.Comm.Create_keyval()


def block(points: int, ranks: int, rank: int) -> tuple[int, int]:
    """The number of points of the rank, and its first point."""
    each, more = divmod(points, ranks)
    return each + (rank < more), rank * each + min(rank, more)


def axis_number(axis: Any, axes: int, name: str) -> int:
    """An axis counted from 0. A negative number counts from the end."""
    number = whole(axis, name, bits=32)
    if not -axes <= number < axes:
        raise Error(f"{name}: {axis} is not an axis of an array with {axes}; give {-axes} to {axes - 1}")
    return number % axes


def rank_grid(ranks: int, dims: Sequence[int]) -> list[int]:
    """Ranks per axis. MPI chooses entries that are not positive. Raises Error if the ranks do not fit."""
    fixed = int(np.prod([d for d in dims if d > 0], dtype=np.int64))
    free = any(d <= 0 for d in dims)
    if ranks % fixed != 0 or (not free and fixed != ranks):
        text = f"grid: {list(dims)} cannot hold {ranks} ranks"
        raise Error(f"{text}; give entries whose product divides the number of ranks, and 0 or -1 where MPI may choose")
    return list(MPI.Compute_dims(ranks, [max(int(d), 0) for d in dims]))


class Subcomm(tuple):
    """A tuple of communicators, one per axis. Each has the ranks that share an axis, on a Cartesian grid of all ranks.

    comm  an intra-communicator, or a Cartesian one, whose grid is used (dims has to be None then).
    dims  ranks per axis: 1 does not cut an axis, 0 lets MPI choose; a number is that many zeros; None is [0].
    reorder  has no effect; ranks keep their numbers.
    Collective.
    """

    def __new__(cls, comm: MPI.Intracomm, dims: Any = None, reorder: bool = True) -> "Subcomm":
        """Makes the communicators."""
        if not isinstance(comm, MPI.Intracomm) or comm == MPI.COMM_NULL:
            raise Error(f"comm: {comm!r} is not usable; give an intra-communicator")
        if comm.Get_topology() == MPI.CART:
            if dims is not None:
                raise Error("dims: the communicator has a grid of its own; omit dims")
            cart, own = MPI.Cartcomm(comm), False
        else:
            cart, own = comm.Create_cart(rank_grid(comm.size, _dims(dims)), reorder=False), True
        axes = cart.Get_dim()
        parts = [cart.Sub([other == axis for other in range(axes)]) for axis in range(axes)]
        for part in parts:
            part.Set_attr(_WHOLE, comm)
        if own:
            cart.Free()
        return super().__new__(cls, parts)

    def destroy(self) -> None:
        """Frees the communicators. Collective."""
        for comm in self:
            if comm != MPI.COMM_NULL:
                comm.Free()


def _dims(dims: Any) -> list[int]:
    if dims is None:
        return [0]
    if np.ndim(dims) == 0:
        count = whole(dims, "dims", bits=32)
        if count < 1:
            raise Error(f"dims: {dims} axes are not possible; give 1 or more, or a list with the ranks of each")
        return [0] * count
    found = whole_entries(dims, "dims", "[0, 0, 1]", bits=32)
    if not found:
        raise Error("dims: the list is empty; give an entry per axis, 0 where MPI may choose")
    return found


def whole_of(subcomm: Sequence[MPI.Comm]) -> MPI.Intracomm:
    """The communicator of all ranks that share an array. Raises Error if the subcommunicators do not tell it."""
    for comm in subcomm:
        found = comm.Get_attr(_WHOLE) if comm != MPI.COMM_NULL else None
        if isinstance(found, MPI.Intracomm):
            return found
    ranks = int(np.prod([comm.size for comm in subcomm], dtype=np.int64))
    known = next((comm for comm in (MPI.COMM_SELF, MPI.COMM_WORLD) if comm.size == ranks), None)
    if known is None:
        raise Error(f"subcomm: communicators of {ranks} ranks in all were not made by Subcomm; make them by Subcomm")
    return known


class Pencil:
    """The distribution of a global array: it is cut along every axis but `axis`, which is complete on every rank.

    subcomm  one communicator per axis, as Subcomm makes them; missing ones are COMM_SELF. `axis` has one rank.
    shape    the shape of the global array.
    axis     counted from the end where negative.

    Attributes: shape, axis, subcomm, subshape (shape of this rank's part) and substart (its first indices).
    """

    def __init__(self, subcomm: Sequence[MPI.Comm], shape: Any, axis: int = -1) -> None:
        self.shape = tuple(whole_entries(shape, "shape", "(64, 64, 64)"))
        axes = len(self.shape)
        self.axis = axis_number(axis, axes, "axis")
        if not 1 <= len(subcomm) <= axes or min(self.shape) < 0:
            raise Error(f"subcomm: {len(subcomm)} communicators do not cut an array of shape {self.shape}; give {axes}")
        self.subcomm = _filled(subcomm, axes, self.axis)
        if self.subcomm[self.axis].size != 1:
            text = f"axis: {self.axis} is cut by {self.subcomm[self.axis].size} ranks, and a pencil is whole along it"
            raise Error(f"{text}; give 1 for this axis in the grid, or another axis")
        # Communicators may be freed later, so their properties are stored.
        self.comm = whole_of(self.subcomm)
        self.sizes = tuple(comm.size for comm in self.subcomm)
        blocks = [block(n, comm.size, comm.rank) for n, comm in zip(self.shape, self.subcomm, strict=True)]
        self.subshape = tuple(count for count, _ in blocks)
        self.substart = tuple(first for _, first in blocks)

    @property
    def slices(self) -> tuple[slice, ...]:
        """This rank's part of the global array."""
        return tuple(slice(lo, lo + n) for lo, n in zip(self.substart, self.subshape, strict=True))

    def pencil(self, axis: int) -> "Pencil":
        """The pencil along another axis. Both axes swap their communicators."""
        other = axis_number(axis, len(self.shape), "axis")
        subcomm = list(self.subcomm)
        subcomm[self.axis], subcomm[other] = subcomm[other], subcomm[self.axis]
        return Pencil(subcomm, self.shape, other)

    def transfer(self, pencil: "Pencil", dtype: Any) -> "Transfer":
        """The transfer of arrays from this pencil to one made by .pencil(axis)."""
        a, b = self.axis, pencil.axis
        swapped = list(self.sizes)
        swapped[a], swapped[b] = swapped[b], swapped[a]
        if a == b or self.shape != pencil.shape or tuple(swapped) != pencil.sizes:
            text = f"pencil: one of shape {pencil.shape}, grid {pencil.sizes} and axis {b} does not follow this one"
            raise Error(f"{text} ({self.shape}, {self.sizes}, {a}); make it by .pencil(axis), or redistribute arrays")
        shape = list(self.subshape)
        shape[b] = self.shape[b]
        return Transfer(MPI.Intracomm(self.subcomm[b]), shape, dtype, self.subshape, a, pencil.subshape, b)


def _filled(subcomm: Sequence[MPI.Comm], axes: int, axis: int) -> tuple[MPI.Comm, ...]:
    """One communicator per axis. Missing ones are those of `axis` first, then of the last axes."""
    given = list(entries(subcomm, "subcomm", "Subcomm(comm, [0, 0, 1])"))
    for comm in given:
        if not isinstance(comm, MPI.Intracomm):
            raise Error(f"subcomm: {comm!r} is not a communicator; make them by Subcomm")
    if len(given) == axes:
        return tuple(given)
    given += [MPI.COMM_SELF] * (axes - 1 - len(given))
    return (*given[:axis], MPI.COMM_SELF, *given[axis:])


class Transfer:
    """Moves an array between two pencils that share all but two axes: forward from A to B, backward from B to A.

    comm has the ranks that exchange, and shape is the shape of their parts together. subshapeA and subshapeB are the
    shapes of both parts of this rank, axisA and axisB the axes of the pencils. forward and backward are collective.
    """

    def __init__(
        self, comm: MPI.Intracomm, shape: Any, dtype: Any, subshapeA: Any, axisA: int, subshapeB: Any, axisB: int
    ) -> None:
        self.comm, self.shape = comm, tuple(shape)
        self.subshapeA, self.axisA = tuple(subshapeA), axisA
        self.subshapeB, self.axisB = tuple(subshapeB), axisB
        self.dtype = np.dtype(dtype)
        parts = self._part(axisB, self.subshapeA), self._part(axisA, self.subshapeB)
        self._parts: tuple[Any, Any] | None = parts
        self._moves: Redistribution | None = None

    def _part(self, axis: int, subshape: tuple[int, ...]) -> tuple[slice, ...]:
        """This rank's slices: a block along one axis, and the other axes completely."""
        count, first = block(self.shape[axis], self.comm.size, self.comm.rank)
        if count != subshape[axis]:
            raise Error(f"subshape: {subshape} is not this rank's part of {self.shape} along axis {axis}, {count}")
        return tuple(slice(first, first + count) if i == axis else slice(0, n) for i, n in enumerate(self.shape))

    def forward(self, arrayA: np.ndarray, arrayB: np.ndarray) -> None:
        """Fills arrayB from arrayA, which is preserved."""
        self._plan().forward(np.asarray(arrayA), out=np.asarray(arrayB))

    def backward(self, arrayB: np.ndarray, arrayA: np.ndarray) -> None:
        """Fills arrayA from arrayB, which is preserved."""
        self._plan().backward(np.asarray(arrayB), out=np.asarray(arrayA))

    def _plan(self) -> Redistribution:
        """The redistribution. The first call makes it, so that making a transfer is not collective."""
        if self._parts is None:
            raise Error("transfer: it was destroyed; make another")
        if self._moves is None:
            before, after = self._parts
            self._moves = Redistribution(before, after, self.dtype, comm=self.comm)
        return self._moves

    def destroy(self) -> None:
        """Frees the memory of the transfer."""
        self._moves = self._parts = None
