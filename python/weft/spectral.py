"""Derivatives of fields on the points of a plan, products without aliasing, convolutions."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from weft import dealiasing
from weft._arguments import (
    agreed,
    array_problem,
    axis_shaped,
    one_per_axis,
    output_problem,
    refuse,
    together,
    whole,
    whole_entries,
)
from weft._arrays import empty, zeros
from weft._kinds import FOURIER
from weft.chebyshev import ChebyshevOperations
from weft.errors import Error
from weft.field import Field
from weft.field.layout import Slices
from weft.field.makers import unwrapped

if TYPE_CHECKING:
    from weft.plan import Plan

# An array gives arrays, a field gives fields.
Array = TypeVar("Array", np.ndarray, Field)


class Conjugate(NamedTuple):
    """The kind of odd derivatives of another kind: cosines turn into sines and sines into cosines.

    kind      of the derivative.
    more      the number of additional points of the derivative.
    sign      of the factors of modes.
    point, mode  the index in the derivative's array of point or mode 0.
    """

    kind: str
    more: int
    sign: int
    point: int
    mode: int


# Modes and points without a partner are zero: waves that vanish on all points, and points at which all waves vanish.
CONJUGATES = {
    "dct1": Conjugate("dst1", -2, -1, -1, -1),
    "dst1": Conjugate("dct1", 2, 1, 1, 1),
    "dct2": Conjugate("dst2", 0, -1, 0, -1),
    "dst2": Conjugate("dct2", 0, 1, 0, 1),
    "dct3": Conjugate("dst3", 0, -1, -1, 0),
    "dst3": Conjugate("dct3", 0, 1, 1, 0),
    "dct4": Conjugate("dst4", 0, -1, 0, 0),
    "dst4": Conjugate("dct4", 0, 1, 0, 0),
}


class SpectralOperations(ChebyshevOperations):
    """Methods of a plan that multiply modes by functions of their wavenumbers, and one that multiplies points."""

    def derivative(self, u: Array, axis: int, order: int = 1, lengths: Any = None, *, chebyshev: Any = None) -> Array:
        """The derivative of u along an axis, spectral: exact for all waves that the plan holds. Collective.

        u         this rank's points: an array of physical_shape and physical_dtype, or a Field of points. It is
                  preserved.
        axis      the axis of the derivative, from 0, or from -1 backwards; it must have a transform.
        order     1 or more.
        lengths   of the box, one per axis that is not among batch_axes, as in wavenumbers(). None: 2 pi and pi.
        chebyshev  (a, b): the points of the axis, whose kind is "dct1", are weft.chebyshev_points(n, a, b), not those
                  of cosines. The result is the derivative of the polynomial through the points of each line; its
                  rounding errors grow with n**2 for each order, at the ends. lengths is omitted then.

        The result is a new array or Field on the same points, for any norm=. It is real if u is real.

        c2c, r2c  modes are multiplied by (i k)**order. The mode n/2 of an even n (of the n of modes= if the plan
                  truncates), the wave +1, -1, +1, ..., has no derivative of odd order on the points: it is set to 0.
        dct, dst  even orders keep the kind. Odd orders turn even fields into odd ones and the reverse, at both ends.
                  Their values are on the points of this plan, 0 where an odd field has to vanish, but of another
                  kind: dct1 and dst1, dct2 and dst2, dct3 and dst3, dct4 and dst4 turn into each other. A plan of
                  that kind is made when it is first needed, and kept with its workspace. To differentiate the result
                  again, use the higher order here. The last mode of dst2 and dct1 is treated like n/2 of r2c.

        Raises Error on every rank alike for an axis of kind "none", for in-place plans, and for wrong lengths, ends and
        types.
        """
        if chebyshev is not None:
            given = self._chebyshev_arguments(u, axis, order, lengths, chebyshev)
            return self._along_chebyshev(u, given["axis"], given["ends"], given["order"])
        given = self._arguments(u, lengths, lambda: self._axis_and_order(axis, order))
        axis, order, scales = given["axis"], given["order"], self._length_scales(given["lengths"])
        self._require_finite({axis: order}, scales)
        if order % 2 == 1 and self.kinds[axis] not in FOURIER:
            return self._of_conjugate(u, self.forward(u), axis, order, scales)
        return self.apply(u, self._symbol(axis, order, scales))

    def integral(self, u: Array, axis: int, *, chebyshev: Any) -> Array:
        """The integral of u along an axis of Chebyshev points, from its first point to each point. Collective.

        u         as in derivative(), like the other arguments.

        The result, a new array or Field, is 0 at the first point up to rounding. It is the integral of the polynomial
        through the points of each line, so its last point is the sum with weft.chebyshev_weights(n, a, b).
        """
        given = self._chebyshev_arguments(u, axis, 1, None, chebyshev)
        return self._along_chebyshev(u, given["axis"], given["ends"], None)

    def _chebyshev_arguments(self, u: Any, axis: Any, order: Any, lengths: Any, chebyshev: Any) -> dict[str, Any]:
        """The axis, the order and the ends, checked and the same on all ranks. Collective."""

        def others() -> dict[str, Any]:
            if lengths is not None:
                raise Error("lengths: given with chebyshev, which has the ends of the axis; omit it")
            found = self._axis_and_order(axis, order)
            return found | {"ends": self._chebyshev_ends(found["axis"], chebyshev)}

        return self._arguments(u, None, others)

    def gradient(self, u: Array, lengths: Any = None) -> tuple[Array, ...]:
        """The first derivatives of u, one per axis with a transform, in their order; see derivative. Collective.

        One forward transform serves all. Axes of kind "none" are omitted.
        """
        scales = self._length_scales(self._arguments(u, lengths, dict)["lengths"])
        self._require_finite(dict.fromkeys(self._transformed_axes(), 1), scales)
        modes = self.forward(u)
        local = modes.local if isinstance(modes, Field) else modes
        results = []
        for axis in self._transformed_axes():
            if self.kinds[axis] in FOURIER:
                with together(self.comm):
                    product = empty(self.spectral_shape, self.spectral_dtype)
                    np.multiply(self._symbol(axis, 1, scales).astype(self.spectral_dtype), local, out=product)
                points = self._transformed(product, "u", None, forward=False, owner="plan")
                results.append(self._as_given(u, None, points, "physical"))
            else:
                results.append(self._of_conjugate(u, modes, axis, 1, scales))
        return tuple(results)

    def laplacian(self, u: Array, lengths: Any = None) -> Array:
        """The sum of the second derivatives of u along all axes with a transform; see derivative. Collective.

        The kinds of the plan do not change. Besides the result it needs memory for one real factor per mode.
        """
        scales = self._length_scales(self._arguments(u, lengths, dict)["lengths"])
        self._require_finite(dict.fromkeys(self._transformed_axes(), 2), scales)
        with together(self.comm):
            symbol = sum(self._symbol(axis, 2, scales) for axis in self._transformed_axes())
        return self.apply(u, symbol)

    def dealiased(self, function: Callable[..., Any], *modes: Any, degree: int = 2) -> Any:
        """The spectrum of a pointwise function of fields without aliasing: products by the 3/2 rule. Collective.

            uvh = plan.dealiased(lambda u, v: u * v, uh, vh)

        function  a function of one array per spectrum: the values of the fields on this rank's part of a finer grid, in
                  the precision of the plan. It returns an array of their shape, or a tuple of such arrays, works
                  point by point, and runs on every rank, also on a rank without points.
        modes     spectra of this plan: arrays of spectral_shape and spectral_dtype, or Fields of modes. They are
                  preserved.
        degree    the highest number of factors in a product of fields: 2 for u * v, 3 for u * v * w.

        The result, or each of a tuple of results, is a spectrum of this plan, with its norm: an array, or a Field for
        Fields. Modes that the plan does not hold are cut off. The result is exact for polynomials of the given degree.
        Other functions have infinitely many modes; the finer grid reduces their aliasing.

        If K is the largest wavenumber of an axis, the finer grid has more than (degree + 1) K points per period, a
        number with small prime factors: slightly more than 3/2 n for degree 2, so that the mode n/2 of an even n is
        right, too. An axis with enough points, as in a plan with modes=, keeps them. The finer plan is made when it is
        first needed, and kept with its workspace.

        Products of two sines, and of two waves of dct3 or dct4, are of another kind than their factors. With dst, dct3
        and dct4 the degree therefore has to be odd, and every term of the function a product of an odd number of
        fields.

        Raises Error on every rank alike for other degrees, in-place plans, arrays of other shapes or types, and
        functions that fail or return anything else.
        """
        return dealiasing.dealiased(self, function, modes, degree)

    def convolve(self, u: Array, v: Array, out: Array | None = None, origin: Any = None) -> Array:
        """The convolution of two fields: w[i] = sum over j of u[j] * v[i - j]. Collective.

        u, v      arrays of physical_shape and physical_dtype, or Fields of points. They are preserved.
        out       the result instead of a new array; it may be u or v.
        origin    None: indices are modulo the points of each transformed axis. Else fields are 0 outside their points,
                  and w[i] = sum over j of u[j] * v[i + origin - j]: of the 2 n - 1 sums along an axis, the n from
                  origin on. A number from 0 to n - 1 for all transformed axes, one per axis (0 for the kind "none"),
                  or "same", the middle, (n - 1) // 2, as scipy.signal.fftconvolve has it.

        Norms have no influence; each index along an axis of kind "none" is a separate convolution. Without origin the
        plan keeps memory for one spectrum. With origin fields are padded inside the passes, to
        max(origin + n, 2 n - 1 - origin) points or a few more, and no spectrum is stored: buffers hold three fields of
        which only the last axis is padded, see workspace_bytes. Raises Error for real-to-real kinds and in-place plans.
        """
        return self._summed(self._core.convolve, u, v, out, origin, lambda n: (n - 1) // 2)

    def correlate(self, u: Array, v: Array, out: Array | None = None, origin: Any = None) -> Array:
        """The cross-correlation: w[i] = sum over j of conj(u[j]) * v[j + i]. Otherwise like convolve(). Collective.

        With origin w[i] = sum over j of conj(u[j]) * v[j + i - origin]: lags from -origin on. "same" is n // 2, as
        scipy.signal.correlate(v, u, "same") has it.
        """
        return self._summed(self._core.correlate, u, v, out, origin, lambda n: n // 2)

    def product(self, uh: Array, vh: Array, out: Array | None = None) -> Array:
        """The modes of the product of two fields from their modes, without aliasing. Collective.

        uh, vh    arrays of spectral_shape and spectral_dtype, or Fields of modes. They are preserved.
        out       the result instead of a new array; it may be uh or vh.

        Equals dealiased(lambda u, v: u * v, uh, vh) up to rounding, but takes less memory: only parts of the finer grid
        exist at a time, and the plan keeps the buffers of two exchanges. Raises Error for the kinds that dealiased()
        refuses.
        """
        return self._multiplied(self._core.product, uh, vh, out, side="spectral")

    def _summed(self, product: Any, u: Any, v: Any, out: Any, origin: Any, middle: Callable[[int], int]) -> Any:
        """A cyclic or a linear sum over products of points by a function of the extension."""
        first = agreed(self.comm, lambda: {"origin": self._origin(origin, middle)})["origin"]
        return self._multiplied(lambda a, b, w: product(a, b, w, first), u, v, out)

    def _origin(self, origin: Any, middle: Callable[[int], int]) -> list[int] | None:
        """One entry per axis. Raises Error."""
        if origin is None:
            return None
        axes = list(zip(self.kinds, self.shape, strict=True))
        if isinstance(origin, str):
            if origin != "same":
                raise Error(f'origin: {origin!r} is not a name; give "same", a number, or one per axis')
            return [0 if kind == "none" else middle(n) for kind, n in axes]
        if isinstance(origin, list | tuple):
            one_per_axis(origin, len(axes), "origin", "shape")
            return whole_entries(origin, "origin", "(0, 0, 0)")
        return [0 if kind == "none" else whole(origin, "origin") for kind, _ in axes]

    def _multiplied(self, product: Any, u: Any, v: Any, out: Any, side: str = "physical") -> Any:
        """A product of two fields, of points or modes, by a function of the extension."""
        here = self._region(side)
        shape, dtype = getattr(self, f"{side}_shape"), getattr(self, f"{side}_dtype")
        with together(self.comm, alike=isinstance(u, Field)):
            for name, given in ("u", u), ("v", v):
                self._require_arrays(given, name)
            local, result, text = unwrapped(u, "u", out, here, here)
            other, _, other_text = unwrapped(v, "v", None, here, here)
            result = empty(shape, dtype) if result is None else result
            text = text or other_text
            for name, values in ("u", local), ("v", other):
                text = text or array_problem(values, name, shape, dtype, f"plan.{side}() makes a suitable one")
                text = text or output_problem(result, values, shape, dtype, may_be_given=True)
            refuse(text)
        product(local, other, result)
        return self._as_given(u, out, result, side)

    def _arguments(self, u: Any, lengths: Any, others: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The arguments, the same on all ranks. Collective."""

        def make() -> dict[str, Any]:
            self._require_arrays(u, "u")
            self._length_scales(lengths)
            return others() | {"lengths": None if lengths is None else list(map(float, lengths))}

        return agreed(self.comm, make)

    def _transformed_axes(self) -> list[int]:
        return [axis for axis, kind in enumerate(self.kinds) if kind != "none"]

    def _axis_and_order(self, axis: Any, order: Any) -> dict[str, Any]:
        """The axis, from 0, and the order, both checked."""
        axes = len(self.shape)
        if not -axes <= whole(axis, "axis") < axes:
            raise Error(f"axis: {axis} is out of range for {axes} axes; allowed are {-axes} to {axes - 1}")
        if self.kinds[axis] == "none":
            allowed = ", ".join(map(str, self._transformed_axes()))
            raise Error(
                f'axis: {axis} has the kind "none" and no wavenumbers; allowed are axes with a transform: {allowed}'
            )
        if whole(order, "order") < 1:
            raise Error(f"order: {order} is not allowed; give 1 or more")
        return {"axis": int(axis) % axes, "order": int(order)}

    def _require_finite(self, orders: dict[int, int], scales: list[float]) -> None:
        """Raises Error on every rank alike if the largest wavenumber to the given order is not finite."""
        for axis, order in orders.items():
            largest = self._largest_wavenumber(axis) * scales[axis]
            if largest > 1 and not order * math.log(largest) < math.log(np.finfo(self.dtype).max):
                what = f"the wavenumber {largest:.4g} of axis {axis} to the power {order} is beyond {self.dtype}"
                raise Error(f"order, lengths: {what}; give a smaller order or other lengths")

    def _symbol(self, axis: int, order: int, scales: list[float]) -> np.ndarray:
        """The factors of modes for a derivative that keeps the kind, in double precision."""
        k = self._core.wavenumbers(axis)
        factors = (-1) ** (order // 2) * (k * scales[axis]) ** order
        if order % 2 == 1:
            factors = 1j * np.where(2 * np.abs(k) == self._kept(axis), 0, factors)
        return axis_shaped(factors, axis, len(self.shape))

    def _of_conjugate(self, u: Any, modes: Any, axis: int, order: int, scales: list[float]) -> Any:
        """The points of an odd derivative along a real-to-real axis, from the modes of u. Collective."""
        conjugate, partner = CONJUGATES[self.kinds[axis]], self._partner(axis)
        with together(self.comm):
            result = zeros(self.physical_shape, self.physical_dtype)
            if partner is not None:
                theirs = partner.spectral()
                mine, there = _common(axis, conjugate.mode, self.spectral_slices, partner.spectral_slices)
                factors = conjugate.sign * (-1) ** (order // 2) * (self._core.wavenumbers(axis) * scales[axis]) ** order
                symbol = axis_shaped(factors.astype(self.dtype)[mine[axis]], axis, len(self.shape))
                local = modes.local if isinstance(modes, Field) else modes
                np.multiply(local[mine], symbol, out=theirs[there])
        if partner is not None:
            points = partner.backward(theirs)
            mine, there = _common(axis, conjugate.point, self.physical_slices, partner.physical_slices)
            result[mine] = points[there]
        return self._as_given(u, None, result, "physical")

    def _partner(self, axis: int) -> "Plan | None":
        """The plan of the derivative's kind; None if it has no modes. The call that makes it is collective."""
        conjugate, n, kept = CONJUGATES[self.kinds[axis]], self.shape[axis], self._kept(axis)
        if min(n, kept) + conjugate.more < 1:
            return None
        shape, kinds = list(self.shape), list(self.kinds)
        modes = [self._kept(i) for i in range(len(shape))]
        shape[axis], kinds[axis], modes[axis] = n + conjugate.more, conjugate.kind, kept + conjugate.more
        return self._related(
            shape,
            kinds,
            modes,
            physical_box=_moved(self.physical_slices, axis, conjugate.point, n, conjugate.more),
            spectral_box=_moved(self.spectral_slices, axis, conjugate.mode, kept, conjugate.more),
        )


def _moved(slices: Slices, axis: int, offset: int, size: int, more: int) -> Slices:
    """The part of a longer axis for a part of an axis of `size` elements, which begins at an offset in the longer one.

    Parts at the ends are extended to the ends, so that all parts tile the longer axis.
    """

    def place(index: int) -> int:
        if index in (0, size):
            return index and size + more
        return min(max(index + offset, 0), size + more)

    part = slice(place(slices[axis].start), place(slices[axis].stop))
    return (*slices[:axis], part, *slices[axis + 1 :])


def _common(axis: int, offset: int, mine: Slices, theirs: Slices) -> tuple[Slices, Slices]:
    """The slices of the common elements of two blocks in either; index i of one is i + offset of the other."""
    start = max(mine[axis].start, theirs[axis].start - offset)
    stop = max(start, min(mine[axis].stop, theirs[axis].stop - offset))
    places = []
    for block, first in ((mine, start), (theirs, start + offset)):
        part = slice(first - block[axis].start, first + stop - start - block[axis].start)
        places.append(tuple(part if i == axis else slice(None) for i in range(len(mine))))
    return places[0], places[1]
