"""Redistribution: moves a distributed numpy array from the boxes of its owners to the requested boxes."""

from typing import Any

import numpy as np

from weft import _core
from weft._arguments import (
    agreed,
    box,
    communicator,
    converted,
    numpy_dtype,
    refuse,
    same_memory,
    shown,
    together,
)
from weft._arrays import empty
from weft._mpi import MPI
from weft._options import options_of, plan_options
from weft._planned import Planned
from weft._text import box_text, call_text
from weft.errors import Error


class Redistribution(Planned):
    """A planned redistribution of a global array of 1 to 6 axes, any element type, between any boxes.

    from_slices  this rank's part of the global array, one slice per axis, such as plan.physical_slices. Parts of
              different ranks do not overlap; a rank without data gives empty slices.
    to_slices  the part that this rank receives. These parts may overlap (ghost layers). Every element needs an owner.
    dtype     the element type: any type that numpy stores by value, including structured types.
    comm      an mpi4py communicator; None is COMM_WORLD.
    strategy, threads, send_batch, max_pending, node_ranks, between_nodes, message_limit  as in weft.Plan.

    The constructor, forward, backward and the first call of source are collective. Arrays may have any strides: views
    of larger arrays, other orders of the axes in memory. An error raises the same Error on every rank.
    """

    def __init__(
        self,
        from_slices: Any,
        to_slices: Any,
        dtype: Any = "float64",
        *,
        comm: MPI.Intracomm | None = None,
        strategy: str = "auto",
        threads: int | None = None,
        send_batch: int = 0,
        max_pending: int = 0,
        node_ranks: int = 0,
        between_nodes: str = "cyclic",
        message_limit: int = 2**31 - 1,
    ) -> None:
        self.comm = communicator(comm)
        choices = options_of(locals())
        given = agreed(self.comm, lambda: {"dtype": _element_type(dtype)} | plan_options(**choices))
        boxes = converted(
            self.comm, lambda: {"from": box(from_slices, "from_slices"), "to": box(to_slices, "to_slices")}
        )
        self.dtype: np.dtype = given.pop("dtype")
        self.from_slices = tuple(slice(lo, hi) for lo, hi in boxes["from"])
        self.to_slices = tuple(slice(lo, hi) for lo, hi in boxes["to"])
        self.from_shape = tuple(hi - lo for lo, hi in boxes["from"])
        self.to_shape = tuple(hi - lo for lo, hi in boxes["to"])
        address = MPI._addressof(self.comm)
        self._core = _core.Redistribution(address, boxes["from"], boxes["to"], self.dtype.itemsize, options=given)

    def __repr__(self) -> str:
        ways = box_text(self.from_slices), f"to {box_text(self.to_slices)}"
        more = f"strategy={self.strategy!r}", f"ranks={self.comm.size}"
        return call_text("Redistribution", [ways, str(self.dtype), *more])

    def forward(self, u: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """This rank's to_slices of the array whose from_slices are u, in a new array or in out. Collective."""
        return self._move(self._core.forward, (u, self.from_shape), (out, self.to_shape))

    def backward(self, u: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """This rank's from_slices of the array whose to_slices are u, in a new array or in out. Collective.

        Raises Error if the to_slices overlap. Elements that belong to no to_slices keep their value in out.
        """
        return self._move(self._core.backward, (u, self.to_shape), (out, self.from_shape))

    def source(self) -> np.ndarray:
        """An array for this rank's part in memory of the library, which other ranks of the node read directly.

        It is filled with zeros at first. Every call returns the same memory, whose rows may be padded. The first call
        is collective.
        """
        memory, strides = self._core.source()
        return np.ndarray(self.from_shape, self.dtype, memory, strides=strides)

    def forward_source(self, out: np.ndarray | None = None) -> np.ndarray:
        """forward(source()), with a single copy inside a node. Collective. Then the source may be written again."""
        with together(self.comm):
            result = empty(self.to_shape, self.dtype) if out is None else out
            refuse(self._problem(result, "out", self.to_shape, writes=True))
        self.source()
        self._core.forward_source(*_place(result))
        return result

    def _move(self, run: Any, given: tuple[Any, tuple[int, ...]], wanted: tuple[Any, tuple[int, ...]]) -> np.ndarray:
        u, out = given[0], wanted[0]
        with together(self.comm):
            result = empty(wanted[1], self.dtype) if out is None else out
            refuse(self._problem(u, "u", given[1]) or self._problem(result, "out", wanted[1], writes=True))
            if same_memory(u, result):
                refuse("out shares memory with u, which is preserved; give another array or omit out=")
        run(*_place(u), *_place(result))
        return result

    def _problem(self, array: Any, name: str, shape: tuple[int, ...], writes: bool = False) -> str | None:
        """Why an array cannot be read from or written to, or None."""
        if not isinstance(array, np.ndarray):
            return f"{name} is {type(array).__name__}, not a numpy array"
        if array.shape != shape:
            return f"{name} has shape {array.shape}, but this rank's part has {shape}"
        if array.dtype != self.dtype:
            return f"{name} has dtype {array.dtype}, but this redistribution moves {self.dtype}"
        if any(stride % array.itemsize for stride in array.strides):
            return f"{name} has strides {array.strides} that are not multiples of {array.itemsize} bytes; pass a copy"
        if writes and not array.flags.writeable:
            return f"{name} is read-only; omit out= to get a new array"
        return None


def _element_type(dtype: Any) -> np.dtype:
    result = numpy_dtype(dtype)
    if result is None:
        raise Error(f"dtype: {shown(dtype)} is not a numpy type; give one such as 'float64'")
    if result.hasobject or result.itemsize == 0:
        raise Error(f"dtype: {result} is not stored by value; give a type of numbers or bytes")
    return result


def _place(array: np.ndarray) -> tuple[int, list[int]]:
    """The address and the strides in elements, as the extension takes them."""
    return array.ctypes.data, [stride // array.itemsize for stride in array.strides]
