"""Moving fields between ranks: global indexing, gather, scatter and other layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weft._arguments import agreed, converted, naming, raise_together, together
from weft._arrays import empty
from weft.errors import Error
from weft.field.base import FieldBase
from weft.field.layout import Layout, checked_layout, combine_bits, rank_in, same_ranks
from weft.field.selection import Selection, selection
from weft.redistribution import Redistribution

if TYPE_CHECKING:
    from typing import Self  # since Python 3.11


class FieldMoves(FieldBase):
    """Methods that need other ranks' elements. All are collective."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        """The elements at global indices, in the same new array on every rank; a number if all indices are numbers.

        Whole numbers, slices with steps, negative ones too, and ..., as in numpy. The requested region should be
        small compared with the array, because every rank gets all of it. Collective.
        """
        region = self._selection(index)
        mine, there = region.part_of(self.slices)
        with together(self.comm):
            result = np.zeros(region.counts, self.dtype)
            result[there] = self.local[mine]
        combine_bits(result, self.comm)
        return result.reshape(region.shape)[()]

    def __setitem__(self, index: Any, value: Any) -> None:
        """Sets the elements at global indices; each rank writes the elements that it owns. Collective.

        value     a number or an array that broadcasts to the shape of the region, the same on all ranks. For u[...],
                  the whole array, also a Field of the same layout, or an array that broadcasts to this rank's block,
                  such as numpy.sin(x) of x, y, z = u.coordinates().

        u.local[...] = value does the last of these without communication.
        """
        region = self._selection(index)
        values = converted(self.comm, lambda: {"value": self._values_for(region, value)})["value"]
        self.local[region.part_of(self.slices)[0]] = values

    def gather(self, root: int | None = 0) -> np.ndarray | None:
        """The whole array on rank root, None on the others; on every rank for root=None. Collective."""
        root = agreed(self.comm, lambda: {"root": None if root is None else rank_in(self.comm, root)})["root"]
        here = root is None or root == self.comm.rank
        moves = self._moves_to(tuple(slice(0, n if here else 0) for n in self.global_shape))
        whole_array = moves.forward(self.local)
        return whole_array if here else None

    def scatter(self, array: np.ndarray | None, root: int = 0) -> Self:
        """Sets all elements to those of a whole array, which only rank root has to give; returns the field. Collective.

        array     of global_shape, and of a type that numpy converts to this field's ("same_kind"). Any strides.
        """
        root = agreed(self.comm, lambda: {"root": rank_in(self.comm, root)})["root"]
        here = root == self.comm.rank
        with together(self.comm):
            problem = self._whole_problem(array) if here else self._write_problem()
            if problem is not None:
                raise problem
            given = empty((0,) * self.ndim, self.dtype)
            if here and array is not None:
                given = array.astype(self.dtype, copy=False)
        parts = tuple(slice(0, n if here else 0) for n in self.global_shape)
        Redistribution(parts, self.slices, self.dtype, comm=self.comm).forward(given, out=self.local)
        return self

    def redistribute_to(self, target: Any) -> Self:
        """A new field with the same elements in another layout. Collective.

        target    a Field or its layout, or this rank's slices, such as plan.physical_slices; the slices of all ranks
                  tile the array. For repeated redistributions plan a weft.Redistribution once.
        """
        given = target.layout if isinstance(target, FieldBase) else target
        is_layout = isinstance(given, Layout)
        raise_together(self.comm, self._layout_problem(given) if is_layout else None, alike=is_layout)
        layout = given if is_layout else checked_layout(given, self.global_shape, self.comm)
        return self._of(self._moves_to(layout.slices).forward(self.local), layout, self._space)

    def _layout_problem(self, layout: Layout) -> Error | None:
        if layout.global_shape == self.global_shape and same_ranks(self.comm, layout.comm):
            return None
        return Error(
            f"target has {layout.global_shape} on {layout.comm.size} ranks, but this field {self.global_shape} on "
            f"{self.comm.size}; give a layout of the same array and communicator"
        )

    def _moves_to(self, slices: tuple[slice, ...]) -> Redistribution:
        return Redistribution(self.slices, slices, self.dtype, comm=self.comm)

    def _selection(self, index: Any) -> Selection:
        return agreed(self.comm, lambda: {"index": selection(index, self.global_shape)})["index"]

    def _write_problem(self) -> Error | None:
        return None if self.local.flags.writeable else Error("this field's local block is read-only; make a copy()")

    def _whole_problem(self, array: Any) -> Error | None:
        """Why an array cannot be scattered."""
        if not isinstance(array, np.ndarray) or array.shape != self.global_shape:
            what = f"has shape {array.shape}" if isinstance(array, np.ndarray) else f"is {type(array).__name__}"
            return Error(f"array {what}; rank root has to give a numpy array of {self.global_shape}")
        return self._type_problem(array, "array") or self._write_problem()

    def _type_problem(self, array: np.ndarray, name: str) -> Error | None:
        if np.can_cast(array.dtype, self.dtype, "same_kind"):
            return None
        return Error(f"{name} has dtype {array.dtype}, this field {self.dtype}; convert it by astype() first")

    def _values_for(self, region: Selection, value: Any) -> np.ndarray:
        """The values for this rank's part of the region."""
        if problem := self._write_problem():
            raise problem
        everything = region.is_everything(self.global_shape)
        if isinstance(value, FieldBase):
            if not everything:
                raise Error("value is a Field; give an array, such as v[...] of the same region")
            if text := self._mismatch(value, "value"):
                raise Error(text)
            value = value.local
        with naming("value"):
            values = np.asarray(value)
        if problem := self._type_problem(values, "value"):
            raise problem
        if everything and _broadcasts(values, self.local.shape):
            return values
        if not _broadcasts(values, region.shape):
            also = f" or to this rank's block {self.local.shape}" if everything else ""
            raise Error(f"value has shape {values.shape}, which does not broadcast to the region {region.shape}{also}")
        spread = np.broadcast_to(values, region.shape)
        return spread[tuple(None if gone else slice(None) for gone in region.dropped)][region.part_of(self.slices)[1]]


def _broadcasts(values: np.ndarray, shape: tuple[int, ...]) -> bool:
    try:
        return np.broadcast_shapes(values.shape, shape) == shape
    except ValueError:
        return False
