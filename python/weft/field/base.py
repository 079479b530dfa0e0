"""The base of all parts of Field: a local array, its layout and its axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weft._arguments import agreed
from weft._mpi import MPI
from weft.errors import Error
from weft.field.axes import Space
from weft.field.layout import Layout, Slices

if TYPE_CHECKING:
    from typing import Self  # since Python 3.11


class FieldBase:
    """A local array with its layout; see weft.Field."""

    __slots__ = ("_layout", "_local", "_space")

    _local: np.ndarray
    _layout: Layout
    _space: Space | None

    @classmethod
    def _of(cls, local: np.ndarray, layout: Layout, space: Space | None) -> Self:
        """A field of parts that are known to fit together; nothing is checked and nothing is sent."""
        field = cls.__new__(cls)
        field._local, field._layout, field._space = local, layout, space
        return field

    @property
    def local(self) -> np.ndarray:
        """This rank's block: the array from which the field was made, not a copy. Write by u.local[...] = values."""
        return self._local

    @property
    def slices(self) -> Slices:
        """The position of the block in the global array, one slice per axis."""
        return self._layout.slices

    @property
    def global_shape(self) -> tuple[int, ...]:
        """Points or modes per axis of the global array."""
        return self._layout.global_shape

    @property
    def comm(self) -> MPI.Intracomm:
        """The communicator whose ranks have the blocks."""
        return self._layout.comm

    @property
    def layout(self) -> Layout:
        """The distribution: the boxes of all ranks. Fields with equal layouts can be added."""
        return self._layout

    @property
    def dtype(self) -> np.dtype:
        """The type of the elements."""
        return self._local.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._local.ndim

    @property
    def side(self) -> str | None:
        """ "physical" or "spectral": points or modes of a plan or solver; None if that is not known."""
        return None if self._space is None else self._space.side

    def _agree(self, **same: Any) -> None:
        """Raises Error on every rank unless these arguments are the same on all. Collective."""
        agreed(self.comm, lambda: same)

    def _mismatch(self, other: FieldBase, name: str) -> str | None:
        """Why this field and another cannot be combined, or None. It is the same on every rank; nothing is sent."""
        if self._layout != other._layout:
            mine, theirs = self._layout, other._layout
            return (
                f"{name} has another layout: {theirs.global_shape} on {theirs.comm.size} ranks, here {theirs.slices}, "
                f"not {mine.global_shape} on {mine.comm.size} ranks, here {mine.slices}; bring it into this one by "
                "redistribute_to()"
            )
        a, b = self._space, other._space
        if a is None or b is None or a is b:
            return None
        if a.side != b.side:
            return f"{name} is {b.side}, but the other field is {a.side}; transform one of them by plan.forward()"
        if a.side == "spectral" and a.key != b.key:
            return f"{name} has modes of another kind: {b.key}, not {a.key}; take spectra of equal plans"
        return None


def require_match(a: FieldBase, b: FieldBase, name: str) -> None:
    """Raises Error on every rank alike if two fields cannot be combined."""
    if text := a._mismatch(b, name):
        raise Error(text)
