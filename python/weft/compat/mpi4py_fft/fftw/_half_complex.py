"""FFTW's kind R2HC: the modes of real data as real numbers, r0, r1, ..., rn/2, i(n+1)/2-1, ..., i1 along an axis."""

from collections.abc import Callable, Sequence

import numpy as np

from weft.compat.mpi4py_fft.fftw.kinds import axis_kinds
from weft.compat.mpi4py_fft.fftw.utilities import FFTW_R2HC
from weft.plan import Plan


class HalfComplexPlan:
    """Transforms of kind R2HC along some axes and of real-to-real kinds along others, one axis after the other.

    make     makes the plan of kinds per axis.
    numbers  FFTW's numbers for `axes`, R2HC among them.
    """

    def __init__(
        self, make: Callable[[list[str]], Plan], numbers: Sequence[int], axes: Sequence[int], dims: int
    ) -> None:
        self._axes = [axis for axis, number in zip(axes, numbers, strict=True) if number == FFTW_R2HC]
        others = [(axis, number) for axis, number in zip(axes, numbers, strict=True) if number != FFTW_R2HC]
        rest = axis_kinds([number for _, number in others], [axis for axis, _ in others], dims) if others else []
        self._first = make(rest) if others else None
        self._halved = [make(["r2c" if i == axis else "none" for i in range(dims)]) for axis in self._axes]

    def forward(self, source: np.ndarray, out: np.ndarray) -> None:
        """Fills out with the modes of source, which is preserved."""
        values = source if self._first is None else self._first.forward(source)
        for axis, plan in zip(self._axes, self._halved, strict=True):
            values = _packed(plan.forward(np.ascontiguousarray(values)), axis, values.shape[axis])
        out[...] = values

    def explain(self) -> str:
        """The steps of all plans."""
        return "".join(plan.explain() for plan in [self._first, *self._halved] if plan is not None)


def _packed(modes: np.ndarray, axis: int, points: int) -> np.ndarray:
    """The real parts of the modes of real data along an axis, and after them the imaginary ones in reverse order."""
    turned = np.moveaxis(modes, axis, -1)
    backwards = turned.imag[..., (points - 1) // 2 : 0 : -1]
    return np.moveaxis(np.concatenate([turned.real, backwards], axis=-1), -1, axis)
