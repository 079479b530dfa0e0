"""Fields of plans and of tensor transforms."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from weft._arguments import array_problem, output_problem, refuse, together
from weft._arrays import empty
from weft._mpi import MPI
from weft.field.core import Field
from weft.field.layout import Slices, shape_of
from weft.field.makers import Home, Region, plan_homes, unwrapped

# Kind, points, points of the transform that has the stored modes, and whether the axis has components.
AxisTransform = tuple[str, int, int, bool]


class TransformFields(ABC):
    """Methods of a plan or tensor transform that make and transform fields of points and modes."""

    comm: MPI.Intracomm
    shape: tuple[int, ...]
    dtype: np.dtype
    physical_slices: Slices
    spectral_slices: Slices
    physical_shape: tuple[int, ...]
    spectral_shape: tuple[int, ...]
    physical_dtype: np.dtype
    spectral_dtype: np.dtype
    global_spectral_shape: tuple[int, ...]
    _core: Any
    _made_homes: dict[str, Home] | None = None

    def physical_field(self, local: np.ndarray | None = None) -> Field:
        """A Field of points: a new one of zeros, or over an array of physical_shape and physical_dtype. Collective."""
        return self._homes()["physical"].field(local)

    def spectral_field(self, local: np.ndarray | None = None) -> Field:
        """A Field of modes: a new one of zeros, or over an array of spectral_shape and spectral_dtype. Collective."""
        return self._homes()["spectral"].field(local)

    @abstractmethod
    def _axis_transforms(self) -> Sequence[AxisTransform]:
        """The transform along each axis."""

    @abstractmethod
    def _axis_positions(self, side: str) -> Sequence[np.ndarray]:
        """Coordinates of local points or wavenumbers of local modes, one list per axis."""

    @abstractmethod
    def _norm(self) -> str:
        """The direction that divides by the number of points: "backward", "ortho" or "forward"."""

    def _region(self, side: str) -> Region:
        maker = f"{type(self).__name__}.{side}_field()"
        if side == "physical":
            return Region(self.comm, self.physical_slices, self.shape, side, maker)
        return Region(self.comm, self.spectral_slices, self.global_spectral_shape, side, maker)

    def _homes(self) -> dict[str, Home]:
        """Both sides for fields, made when fields are first used. The first call is collective."""
        if self._made_homes is None:
            sides = ("physical", "spectral")
            with together(self.comm):
                positions = {side: self._axis_positions(side) for side in sides}
            self._made_homes = plan_homes(
                {side: self._region(side) for side in sides},
                positions,
                {"physical": self.physical_dtype, "spectral": self.spectral_dtype},
                self.dtype,
                self._axis_transforms(),
                self._norm(),
            )
        return self._made_homes

    def _shape_and_type(self, side: str) -> tuple[tuple[int, ...], np.dtype]:
        slices, dtype = (
            (self.physical_slices, self.physical_dtype)
            if side == "physical"
            else (self.spectral_slices, self.spectral_dtype)
        )
        return shape_of(slices), dtype

    def _transformed(self, given: Any, name: str, out: Any, forward: bool, owner: str, padded: bool = False) -> Any:
        """Forward or backward of arrays or fields. padded: the library checks strides and overlaps."""
        source, target = ("physical", "spectral") if forward else ("spectral", "physical")
        maker = f"{owner}.{source}() makes a suitable one"
        with together(self.comm, alike=isinstance(given, Field)):
            local, result, text = unwrapped(given, name, out, self._region(source), self._region(target), padded)
            result = empty(*self._shape_and_type(target)) if result is None else result
            text = text or array_problem(local, name, *self._shape_and_type(source), maker, padded)
            text = text or output_problem(
                result, local, *self._shape_and_type(target), may_be_given=True, may_overlap=padded, padded=padded
            )
            refuse(text)
        (self._core.forward if forward else self._core.backward)(local, result)
        return self._as_given(given, out, result, target)

    def _as_given(self, given: Any, out: Any, result: np.ndarray, side: str) -> Any:
        """The result, as a field if fields were given. The first call is collective."""
        if not isinstance(given, Field):
            return result
        return self._homes()[side].wrap(result) if out is None else out
