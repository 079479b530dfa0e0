"""Reductions of fields: sums, norms, products and extremes, the same on every rank and for every number of ranks."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from weft._arguments import refuse, shown, together
from weft._exact import joined, totals_of
from weft._mpi import MPI
from weft.errors import Error
from weft.field.base import FieldBase

Number = int | float | complex


class FieldReductions(FieldBase):
    """Methods that give one number of the whole array. All are collective.

    Sums of integers are exact. Sums of floating-point numbers are the nearest double to the exact sum of the terms,
    so they do not depend on the number of ranks or on the layout. A term is an element, times its weight or another
    element, or its square, rounded to double precision. These sums take about ten times as long as numpy's.

    Spectra are summed as wholes: a mode that stands for its conjugate, too, counts as both (weights), which makes sums
    and products of half spectra real. norm(2), dot and vdot count each mode so that Parseval's theorem holds for every
    kind of transform, see mean_square.
    """

    __slots__ = ()

    def sum(self) -> Number:
        """The sum of all elements; of a spectrum, with weights."""
        if self.dtype.kind in "biu":
            return self._whole_total(lambda: self.local)
        return self._total(lambda: self.local, "weights")

    def mean(self) -> Number:
        """sum() divided by the number of elements; of a spectrum, by the sum of weights.

        Of a solver's points on nodes it is the mean over the domain, by the trapezoidal rule: the repeated periodic
        point does not count, and points at both ends of other axes count half.
        """
        space = self._space
        if space is None:
            return self.sum() / math.prod(self.global_shape)
        total = self.sum() if space.means == "weights" else self._total(lambda: self.local, space.means)
        return total / math.prod([float(getattr(axis, space.means).sum()) for axis in space.axes], start=1.0)

    def norm(self, order: float = 2) -> float:
        """(sum |u|^2)^(1/2) for order 2, sum |u| for 1, max |u| for infinity; of a spectrum, with weights.

        For a spectrum norm(2)**2 is the sum of squares of the points (of dct1, dct3 and dst3 those on mirror planes
        count half in it) times the product over the axes of n (c2c, r2c), 2n (dct2 to dct4, dst2 to dst4), 2(n - 1)
        (dct1), 2(n + 1) (dst1), times the square of what norm= scales forward with: for norm="ortho" both are the same.
        """
        self._agree(order=order)
        # The type first: an array is neither equal nor unequal.
        if not isinstance(order, int | float | np.integer | np.floating) or order not in (1, 2, math.inf):
            raise Error(f"order: {shown(order)} is not allowed; give 1, 2 or math.inf")
        if order == 2:
            return math.sqrt(float(self._total(lambda: squares_of(self.local), self._products()).real))
        if order == 1:
            return float(self._total(lambda: _magnitudes(self.local), "weights").real)
        with together(self.comm):
            magnitudes = _magnitudes(self.local)
        return float(self._of(magnitudes, self._layout, self._space).max())

    def mean_square(self) -> float:
        """The mean over the points of |u|^2, summed over components; also of a spectrum, by Parseval's theorem.

        Points on mirror planes (dct1, dct3, dst3) count half: the mean is that over the period, mirrored points
        included. A solver's points on nodes count as in mean(). A spectrum and its points have the same mean square,
        for all kinds, norm= and modes= of the plan.
        """
        space = self._space
        if space is None:
            return float(self._total(lambda: squares_of(self.local), None).real) / math.prod(self.global_shape)
        return float(self._total(lambda: squares_of(self.local), "squares").real) * space.factor

    def dot(self, other: FieldBase) -> Number:
        """The sum of u v, without conjugates; of spectra, with weights as norm(2)."""
        return self._product(other, conjugate=False)

    def vdot(self, other: FieldBase) -> Number:
        """The sum of conj(u) v; of spectra, with weights as norm(2)."""
        return self._product(other, conjugate=True)

    def max(self) -> Any:
        """The largest element, NaN if there is one. Of real fields."""
        return self._extreme("max")[0]

    def min(self) -> Any:
        """The smallest element, NaN if there is one. Of real fields."""
        return self._extreme("min")[0]

    def max_location(self) -> tuple[Any, tuple[int, ...]]:
        """The largest element and its global index; of several, the first in C order. NaN comes before all."""
        return self._extreme("max")

    def min_location(self) -> tuple[Any, tuple[int, ...]]:
        """The smallest element and its global index; of several, the first in C order. NaN comes before all."""
        return self._extreme("min")

    def all(self) -> bool:
        """Whether all elements are true."""
        with together(self.comm):
            mine = bool(self.local.all())
        return bool(self.comm.allreduce(mine, op=MPI.LAND))

    def any(self) -> bool:
        """Whether any element is true."""
        with together(self.comm):
            mine = bool(self.local.any())
        return bool(self.comm.allreduce(mine, op=MPI.LOR))

    def _products(self) -> str | None:
        """The weights of elements in sums of products."""
        return "squares" if self.side == "spectral" else None

    def _total(self, terms: Callable[[], np.ndarray], of: str | None) -> float | complex:
        """The sum of local values, which terms() makes, times "weights" or "squares" over all ranks."""
        space = self._space
        with together(self.comm):
            values = terms()
            factors = None if space is None or of is None else space.product(of, self.slices)
            parts = [values.real, values.imag] if values.dtype.kind == "c" else [values]
            if space is not None and space.half:
                parts = parts[:1]  # the imaginary parts of conjugates cancel
            totals = joined([totals_of(_weighted(part, factors)) for part in parts])
        sums = totals.over_ranks(self.comm).tolist()
        return sums[0] if len(sums) == 1 else complex(*sums)

    def _whole_total(self, terms: Callable[[], np.ndarray]) -> int:
        """The sum of local whole numbers, which terms() makes, over all ranks."""
        with together(self.comm):
            mine = _whole_sum(terms())
        return int(self.comm.allreduce(mine, op=MPI.SUM))

    def _product(self, other: Any, conjugate: bool) -> Number:
        text = f"other is {type(other).__name__}, not a Field; write (u * array).sum() for a local array"
        unfit = self._mismatch(other, "other") if isinstance(other, FieldBase) else text
        with together(self.comm):
            refuse(unfit)
        a, b = self.local, other.local
        if a.dtype.kind in "biu" and b.dtype.kind in "biu":
            return self._whole_total(lambda: a.astype(object) * b.astype(object))
        return self._total(lambda: _multiplied(a, b, conjugate), self._products())

    def _extreme(self, which: str) -> tuple[Any, tuple[int, ...]]:
        if self.dtype.kind == "c":
            raise Error(f"{which}: complex numbers have no order; take abs(u), u.real or u.imag")
        with together(self.comm):
            best = self._local_extreme(which)
        found = [one for one in self.comm.allgather(best) if one is not None]
        value, index = min(found, key=_before(which))
        return value, index

    def _local_extreme(self, which: str) -> tuple[Any, tuple[int, ...]] | None:
        """The extreme of this rank's block and its global index; None for an empty block."""
        if not self.local.size:
            return None
        # The first of the block in C order is the first of the array among those of the block.
        place = int(np.argmax(self.local) if which == "max" else np.argmin(self.local))
        local = np.unravel_index(place, self.local.shape)
        index = tuple(int(i) + start for i, start in zip(local, self._layout.starts(), strict=True))
        return self.local[local].item(), index


def _before(which: str) -> Callable[[tuple[Any, tuple[int, ...]]], tuple[Any, ...]]:
    """The order of (value, index): NaN first, then the extreme value, then the first index."""
    sign = -1 if which == "max" else 1

    def key(found: tuple[Any, tuple[int, ...]]) -> tuple[Any, ...]:
        value, index = found
        return (0, 0, index) if value != value else (1, sign * value, index)

    return key


def _whole_sum(values: np.ndarray) -> int:
    """The sum of integers, of any size."""
    if values.dtype.kind in "bO" or values.dtype.itemsize < 8:
        return int(values.sum())
    # Upper and lower halves are summed separately: the sum of 2^31 halves fits in 64 bits.
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFFFFFF).sum())


def _real_parts(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Real and imaginary parts in double precision."""
    return values.real.astype(np.float64, copy=False), values.imag.astype(np.float64, copy=False)


# Complex numbers are taken part by part: numpy's own products and magnitudes round differently where a vector of the
# processor ends, so that bits would depend on how the array is cut.


def squares_of(values: np.ndarray) -> np.ndarray:
    """|u|^2 in double precision."""
    if values.dtype.kind != "c":
        return np.square(values, dtype=np.float64)
    real, imaginary = _real_parts(values)
    return real * real + imaginary * imaginary


def _magnitudes(values: np.ndarray) -> np.ndarray:
    """|u| in double precision."""
    if values.dtype.kind != "c":
        return np.abs(values.astype(np.float64, copy=False))
    return np.hypot(*_real_parts(values))


def _multiplied(a: np.ndarray, b: np.ndarray, conjugate: bool) -> np.ndarray:
    """a b or conj(a) b in double precision."""
    if a.dtype.kind != "c" and b.dtype.kind != "c":
        return np.multiply(a, b, dtype=np.float64)
    (ar, ai), (br, bi) = _real_parts(a), _real_parts(b)
    result = np.empty(a.shape, np.complex128)
    if conjugate:
        ai = -ai
    result.real = ar * br - ai * bi
    result.imag = ar * bi + ai * br
    return result


def _weighted(values: np.ndarray, factors: np.ndarray | None) -> np.ndarray:
    if factors is None or factors.size == 1 and factors.item() == 1:
        return values
    # Elements of weight 0 may have any value, also NaN.
    return (values if factors.all() else np.where(factors == 0, 0, values)) * factors
