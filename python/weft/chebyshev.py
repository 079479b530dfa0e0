"""Chebyshev points between two walls: positions, weights in integrals, derivatives along such axes."""

from typing import Any

import numpy as np

from weft import _core
from weft._arguments import array_problem, entries, real, refuse, together, whole
from weft._arrays import empty
from weft._mpi import MPI
from weft._related import RelatedPlans
from weft.errors import Error
from weft.field import Field
from weft.field.makers import unwrapped

# The options that an operation along an axis takes from its plan.
_SHARED = ("threads", "engine", "strategy", "scheme", "batch_axes", "node_ranks", "message_limit", "workspace")


def chebyshev_points(n: int, a: float = -1.0, b: float = 1.0) -> np.ndarray:
    """The n points of Gauss and Lobatto from a to b, a float64 array: (a+b)/2 - (b-a)/2 cos(pi j / (n-1)).

    n  2 or more; the first point is a, the last b. A Poisson axis with centring "chebyshev" and N cells has the points
       chebyshev_points(N + 1, 0, length). A dct1 of values at these points is that of a Chebyshev series.

    Raises Error for fewer points, and unless a and b are finite with a < b.
    """
    return _core.chebyshev_points(whole(n, "n"), real(a, "a"), real(b, "b"))


def chebyshev_weights(n: int, a: float = -1.0, b: float = 1.0) -> np.ndarray:
    """The weights of values at chebyshev_points(n, a, b) in the integral from a to b, a float64 array.

    The sum of weights times values is the integral of the polynomial of degree n - 1 through them (Clenshaw and Curtis,
    Numer. Math. 2, 1960). Errors as in chebyshev_points.
    """
    return _core.chebyshev_weights(whole(n, "n"), real(a, "a"), real(b, "b"))


class ChebyshevOperations(RelatedPlans):
    """The operations of a plan along an axis of Chebyshev points."""

    kinds: tuple[str, ...]
    _made_axes: dict[tuple[int, float, float], Any] | None = None

    @property
    def workspace_bytes(self) -> int:
        """Bytes that are held on this rank, besides the user's arrays and fields.

        Plans made by derivatives, integrals and dealiased() are kept and count from then on: all of them, or the
        largest if they share a Workspace.
        """
        made = [axis.workspace_bytes for axis in (self._made_axes or {}).values()]
        return (sum if self._workspace is None else max)([super().workspace_bytes, *made])

    def _chebyshev_ends(self, axis: int, chebyshev: Any) -> tuple[float, float]:
        """The ends a and b of an axis of Chebyshev points, checked."""
        ends = entries(chebyshev, "chebyshev", "(-1.0, 1.0)")
        if len(ends) != 2:
            raise Error(f"chebyshev: {len(ends)} entries given; give the 2 ends of the axis, such as (-1.0, 1.0)")
        a, b = real(ends[0], "chebyshev[0]"), real(ends[1], "chebyshev[1]")
        if self.kinds[axis] != "dct1":
            raise Error(
                f"chebyshev: given for axis {axis} of kind {self.kinds[axis]}; Chebyshev points belong to the kind "
                '"dct1", make the plan with it or omit the argument'
            )
        if self._kept(axis) != self.shape[axis]:
            raise Error(f"chebyshev: given for axis {axis}, whose modes are truncated; give modes=0 for this axis")
        return a, b

    def _along_chebyshev(self, u: Any, axis: int, ends: tuple[float, float], order: int | None) -> Any:
        """The derivative of an order, or for None the integral, along an axis of Chebyshev points. Collective."""
        here = self._region("physical")
        with together(self.comm, alike=isinstance(u, Field)):
            local, _, text = unwrapped(u, "u", None, here, here)
            maker = "plan.physical() makes a suitable one"
            refuse(text or array_problem(local, "u", self.physical_shape, self.physical_dtype, maker))
            result = empty(self.physical_shape, self.physical_dtype)
            is_complex = self.physical_dtype != self.dtype
            # The parts of complex numbers, one after the other, each in place.
            parts = [local.real.copy(), local.imag.copy()] if is_complex else [local]
        made = self._chebyshev_axis(axis, ends)
        for part in parts:
            out = part if is_complex else result
            made.integral(part, out) if order is None else made.derivative(part, out, order)
        if is_complex:
            result.real, result.imag = parts
        return self._as_given(u, None, result, "physical")

    def _chebyshev_axis(self, axis: int, ends: tuple[float, float]) -> Any:
        """The compiled object of an axis, made at the first call, which is collective."""
        if self._made_axes is None:
            self._made_axes = {}
        key = (axis, *ends)
        if key not in self._made_axes:
            box = [(part.start, part.stop) for part in self.physical_slices]
            options = {name: self._options[name] for name in _SHARED}
            self._made_axes[key] = _core.ChebyshevAxis(
                MPI._addressof(self.comm), list(self.shape), axis, ends, box, self.dtype.name, options
            )
        return self._made_axes[key]
