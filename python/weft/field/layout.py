"""Layout: the distribution of a global array over the ranks."""

import math
from typing import Any

import numpy as np

from weft import _core
from weft._arguments import (
    agreed,
    box,
    communicator,
    converted,
    inside,
    raise_together,
    together,
    whole,
    whole_entries,
)
from weft._arrays import zeros
from weft._mpi import MPI
from weft._text import box_text, call_text
from weft.errors import Error, ResourceError

Slices = tuple[slice, ...]
# The largest number of bytes of one call of MPI, whose counts have 32 bits.
_PIECE = 1 << 30


def same_ranks(a: MPI.Intracomm, b: MPI.Intracomm) -> bool:
    """Whether two communicators have the same ranks in the same order."""
    return MPI.Comm.Compare(a, b) in (MPI.IDENT, MPI.CONGRUENT)


def rank_in(comm: MPI.Intracomm, root: Any) -> int:
    """A rank of the communicator. Raises Error for anything else."""
    if not 0 <= whole(root, "root") < comm.size:
        raise Error(f"root: {root} is not a rank; give 0 to {comm.size - 1}")
    return int(root)


def shape_of(slices: Slices) -> tuple[int, ...]:
    """Points per axis of a box."""
    return tuple(part.stop - part.start for part in slices)


def combine_bits(values: np.ndarray, comm: MPI.Intracomm) -> None:
    """Combines arrays of all ranks by a bitwise or, in place. Places that several ranks have are equal. Collective."""
    if comm.size == 1:
        return
    memory = values.reshape(-1).view(np.uint8)
    for start in range(0, memory.size, _PIECE):
        comm.Allreduce(MPI.IN_PLACE, memory[start : start + _PIECE], MPI.BOR)


class Layout:
    """The boxes of all ranks, which tile a global array.

    global_shape  points per axis. slices: this rank's part. comm: the ranks.
    boxes         of all ranks, as an array [rank, axis, (first, end)].
    """

    __slots__ = ("boxes", "comm", "global_shape", "slices")

    def __init__(self, slices: Slices, global_shape: tuple[int, ...], comm: MPI.Intracomm) -> None:
        """Collective; the arguments fit each other."""
        self.slices, self.global_shape, self.comm = slices, global_shape, comm
        mine = np.array([(part.start, part.stop) for part in slices], np.int64)
        self.boxes = np.empty((comm.size, *mine.shape), np.int64)
        comm.Allgather(mine, self.boxes)

    def zeros(self, dtype: Any) -> np.ndarray:
        """This rank's block of zeros. Collective; ResourceError on every rank if a node has too little memory."""
        self.require_memory(dtype, math.prod(self.local_shape))
        with together(self.comm):
            return zeros(self.local_shape, dtype)

    def require_memory(self, dtype: Any, elements: int) -> None:
        """Raises ResourceError on every rank if a node has too little memory for its ranks. Collective.

        Systems grant such memory and kill a process that uses it. Small requests are not checked.

        elements  the number of elements for which this rank needs memory.
        """
        item = np.dtype(dtype).itemsize
        if item * math.prod(self.global_shape) >= _PIECE:
            raise_together(self.comm, self._shortage(item * elements))

    def _shortage(self, wanted: int) -> Error | None:
        """The error if the ranks of this node need more bytes than it has, or None. Collective."""
        node = self.comm.Split_type(MPI.COMM_TYPE_SHARED)
        of_all, left = node.allreduce(wanted), _core.available_memory()
        node.Free()
        if of_all <= left:
            return None
        return ResourceError(
            f"global_shape: {self.global_shape} takes {of_all / 1e9:.3g} GB on a node with {left / 1e9:.3g} GB "
            "of memory left; use more nodes or a smaller array"
        )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Layout) or self.global_shape != other.global_shape:
            return False
        return same_ranks(self.comm, other.comm) and np.array_equal(self.boxes, other.boxes)

    def __hash__(self) -> int:
        return hash((self.global_shape, self.comm.size))

    def __repr__(self) -> str:
        place = box_text(self.slices), f"of {self.global_shape}"
        return call_text("Layout", [place, f"ranks={self.comm.size}"])

    @property
    def local_shape(self) -> tuple[int, ...]:
        """Points per axis of this rank's part."""
        return shape_of(self.slices)

    def starts(self) -> tuple[int, ...]:
        """The global index of this rank's first point."""
        return tuple(part.start for part in self.slices)


def checked_layout(slices: Any, global_shape: Any, comm: Any) -> Layout:
    """The layout of slices of a user, None for slabs. Collective; raises Error if the parts do not tile the array."""
    comm = communicator(comm)
    shape = tuple(agreed(comm, lambda: {"global_shape": _shape(global_shape)})["global_shape"])
    given = converted(comm, lambda: {"slices": even_slices(shape, comm) if slices is None else _inside(slices, shape)})
    layout = Layout(given["slices"], shape, comm)
    problem = _tiling_problem(layout)
    # All ranks raise the text of one rank, since each one names its own box.
    first = comm.allreduce(comm.size if problem is None else comm.rank, MPI.MIN)
    raise_together(comm, problem if comm.rank == first else None)
    return layout


# Elements of up to 16 bytes: signed 64-bit integers count the bytes.
_MOST_ELEMENTS = 2**59


def even_slices(global_shape: Any, comm: MPI.Intracomm) -> Slices:
    """Slabs: the first axis cut in parts that differ by one point at most."""
    first, *rest = global_shape
    bounds = [rank * first // comm.size for rank in (comm.rank, comm.rank + 1)]
    return (slice(*bounds), *(slice(0, n) for n in rest))


def _shape(global_shape: Any) -> list[int]:
    shape = whole_entries(global_shape, "global_shape", "(64, 64, 64)")
    if not 1 <= len(shape) <= 6 or min(shape) < 1:
        raise Error(f"global_shape: {tuple(shape)} is not allowed; give 1 to 6 axes of at least one point")
    if math.prod(shape) > _MOST_ELEMENTS:
        raise Error(
            f"global_shape: {tuple(shape)} has more than 2^59 elements, whose bytes cannot be counted; give fewer"
        )
    return shape


def _inside(slices: Any, shape: tuple[int, ...]) -> Slices:
    ranges = box(slices, "slices")
    if len(ranges) != len(shape):
        raise Error(f"slices has {len(ranges)} entries, global_shape has {len(shape)}; give one per axis")
    inside(ranges, shape, "slices")
    return tuple(slice(lo, hi) for lo, hi in ranges)


def _tiling_problem(layout: Layout) -> Error | None:
    """Why the boxes of all ranks do not tile the array, or None; each rank checks its own box only."""
    sizes = (layout.boxes[..., 1] - layout.boxes[..., 0]).tolist()
    # Python integers, which cannot overflow.
    held = sum(int(np.prod(size, dtype=object)) for size in sizes)
    rank, mine = layout.comm.rank, layout.boxes[layout.comm.rank]
    lo = np.maximum(layout.boxes[..., 0], mine[:, 0])
    hi = np.minimum(layout.boxes[..., 1], mine[:, 1])
    shared = (hi > lo).all(axis=1)
    shared[rank] = False
    if shared.any():
        other = int(np.argmax(shared))
        text = f"slices: ranks {rank} and {other} both have {_text(lo[other], hi[other])}"
        return Error(f"{text}; give every point to one rank")
    total = int(np.prod(layout.global_shape, dtype=object))
    if held != total:
        return Error(
            f"slices: the parts of all ranks hold {held} points, the array {layout.global_shape} has {total}; "
            "give every point to one rank"
        )
    return None


def _text(lo: np.ndarray, hi: np.ndarray) -> str:
    return "[" + ", ".join(f"{a}:{b}" for a, b in zip(lo.tolist(), hi.tolist(), strict=True)) + "]"
