"""Halo: layers of the neighbours' points around a rank's block of a distributed array, and their adjoint."""

from typing import Any

import numpy as np

from weft import _core
from weft._arguments import (
    agreed,
    array_problem,
    entries,
    one_per_axis,
    raise_together,
    refuse,
    together,
    whole,
    word,
)
from weft._arrays import zeros
from weft._mpi import MPI
from weft._options import options_of, plan_options
from weft._planned import Planned
from weft._problem import axis_ends
from weft._text import box_text, call_text
from weft.errors import Error
from weft.field import Field
from weft.field.elements import number_type
from weft.field.layout import Layout

Ends = tuple[str, str]
_TYPES = ("float32", "float64", "complex64", "complex128")


class Halo(Planned):
    """Layers of points around the block of every rank, filled from the ranks that own them.

    layout    the distribution: a Field, such as plan.physical_field() or solver.field(), or its layout.
    width     layers: a number, or one entry per axis, each a number or a pair for the lower and the upper end.
    boundary  what the layers beyond the ends of the array show: a word, or one entry per axis, each a word or a pair
              for the lower and the upper end.
                "periodic"     the point a period away.
                "even", "odd"  the mirror image; with the opposite sign for "odd".
                "unbounded"    nothing: the values there stay as they are.
    component_boundary  instead of boundary: one such list per component.
    centring  "cell" or "node", one word or one per axis. Between cells a mirror lies half a spacing beyond the last
              point, and the period is N points. On nodes it lies at the last point, and the period is N - 1 points,
              as the last point repeats the first.
    components  how many arrays are exchanged together, as the first axis; None: arrays without such an axis.
    dtype     float32, float64, complex64 or complex128; None: that of the Field, float64 with a layout.
    threads, node_ranks, message_limit  as in Plan.

    Local arrays have the shape `shape`: that of the block and the layers, in C order, after the components. A rank
    that owns nothing receives nothing. Layers may be wider than blocks, and up to 8 times as wide as the array.

    The constructor, exchange, start, finish and accumulate are collective. An error raises the same Error on every
    rank.
    """

    def __init__(
        self,
        layout: Field | Layout,
        width: Any = 1,
        boundary: Any = "periodic",
        *,
        component_boundary: Any = None,
        centring: Any = "cell",
        components: int | None = None,
        dtype: Any = None,
        threads: int | None = None,
        node_ranks: int = 0,
        message_limit: int = 2**31 - 1,
    ) -> None:
        self.layout = layout.layout if isinstance(layout, Field) else layout
        if not isinstance(self.layout, Layout):
            raise Error(f"layout: {type(layout).__name__} is not a layout; give a Field or its layout")
        self.comm = self.layout.comm
        axes = len(self.layout.global_shape)
        wanted = layout.dtype if dtype is None and isinstance(layout, Field) else dtype
        options = options_of(locals())
        given = agreed(
            self.comm,
            lambda: {
                "width": _widths(width, axes),
                "boundary": _boundaries(boundary, component_boundary, axes),
                "centring": axis_centrings(centring, axes),
                "components": None if components is None else whole(components, "components", bits=32),
                "dtype": _dtype(wanted),
                "options": plan_options(**options),
            },
        )
        problem = {name: given[name] for name in ("width", "boundary", "centring")}
        problem |= {"components": 1 if given["components"] is None else given["components"]}
        problem |= {"dtype": given["dtype"].name}
        owned = [(part.start, part.stop) for part in self.layout.slices]
        address, shape = MPI._addressof(self.comm), list(self.layout.global_shape)
        self._core = _core.Halo(address, shape, owned, problem, given["options"])
        self.dtype: np.dtype = given["dtype"]
        self.width: tuple[tuple[int, int], ...] = tuple(given["width"])
        self.padded_slices = tuple(slice(lo, hi) for lo, hi in self._core.padded_box)
        leading = () if given["components"] is None else (given["components"],)
        self.shape = (*leading, *(part.stop - part.start for part in self.padded_slices))
        self._under_way: np.ndarray | None = None

    def __repr__(self) -> str:
        place = f"{box_text(self.layout.slices)} in {box_text(self.padded_slices)}", f"of {self.layout.global_shape}"
        more = f"{self.dtype}", f"strategy={self.strategy!r}", f"ranks={self.comm.size}"
        return call_text("Halo", [*place, *more])

    def zeros(self) -> np.ndarray:
        """A local array of zeros with room for the layers."""
        return zeros(self.shape, self.dtype)

    def interior(self, array: np.ndarray) -> np.ndarray:
        """The view of the points that this rank owns in an array whose last axes have the layers."""
        axes = len(self.width)
        if not isinstance(array, np.ndarray) or array.shape[-axes:] != self.shape[-axes:]:
            what = f"shape {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
            raise Error(f"array: {what} has no layers of this halo around it; give an array of {self.shape[-axes:]}")
        ends = zip(self.width, self.shape[-axes:], strict=True)
        inside: tuple[Any, ...] = (..., *(slice(lower, n - upper) for (lower, upper), n in ends))
        return array[inside]

    def padded(self, values: Field | np.ndarray) -> np.ndarray:
        """A new local array with the given points of this rank and their layers. Collective.

        values    a Field of the halo's layout, or an array that broadcasts to the points of this rank.
        """
        array = self.zeros()
        with together(self.comm, isinstance(values, Field)):
            if isinstance(values, Field) and values.layout != self.layout:
                refuse("values: the field has another layout than the halo; bring it there by redistribute_to()")
            self.interior(array)[...] = values.local if isinstance(values, Field) else values
        self._core.exchange(array)
        return array

    def exchange(self, array: np.ndarray) -> np.ndarray:
        """Fills the layers of an array, which it returns. Collective."""
        self._check(array)
        self._core.exchange(array)
        return array

    def start(self, array: np.ndarray) -> None:
        """Begins to fill the layers, which are complete after finish(). Collective.

        Meanwhile compute results that need no layers. Points that the rank owns may be overwritten at once.
        """
        self._check(array)
        self._core.start(array)
        self._under_way = array

    def finish(self) -> np.ndarray:
        """Completes the exchange that start() has begun, and returns the array. Collective."""
        if self._under_way is None:
            raise Error("finish: no exchange is under way; call start() before")
        array, self._under_way = self._under_way, None
        self._core.finish()
        return array

    def accumulate(self, array: np.ndarray) -> np.ndarray:
        """Adds the layers to the points that they show, also of other ranks; returns the array. Collective.

        This is the adjoint of exchange(): a layer that shows a point with the opposite sign is subtracted from it. The
        layers keep their values. Rounding of the sums of several layers depends on the number of ranks.
        """
        self._check(array)
        self._core.accumulate(array)
        return array

    def _check(self, array: Any) -> None:
        """Raises Error on every rank unless the array can be used and no exchange is pending. Collective."""
        problem = None
        if self._under_way is not None:
            problem = "array: an exchange is under way; call finish() first"
        problem = problem or array_problem(array, "array", self.shape, self.dtype, "make one by zeros()")
        if problem is None and not array.flags.writeable:
            problem = "array is read-only; pass a copy"
        raise_together(self.comm, None if problem is None else Error(problem))


def _widths(width: Any, axes: int) -> list[tuple[int, int]]:
    if isinstance(width, int | np.integer):
        return [(whole(width, "width"),) * 2] * axes
    given = entries(width, "width", "(2, 2, (1, 0))")
    one_per_axis(given, axes, "width", "the layout")
    widths = []
    for i, value in enumerate(given):
        both = (value, value) if isinstance(value, int | np.integer) else value
        if not isinstance(both, list | tuple) or len(both) != 2:
            raise Error(f"width[{i}]: {value!r} is neither a number nor a pair; write 2 or (1, 0)")
        widths.append((whole(both[0], f"width[{i}][0]"), whole(both[1], f"width[{i}][1]")))
    return widths


def _boundaries(boundary: Any, of_components: Any, axes: int) -> list[list[Ends]]:
    if of_components is None:
        return [axis_ends(boundary, axes, "boundary", "the layout")]
    if boundary != "periodic":
        raise Error("component_boundary: boundary is given, too; give one of them")
    given = entries(of_components, "component_boundary", '(("odd", "even"), ("even", "odd"))')
    return [axis_ends(value, axes, f"component_boundary[{i}]", "the layout") for i, value in enumerate(given)]


def axis_centrings(centring: Any, axes: int) -> list[str]:
    """One word per axis."""
    given = [centring] * axes if isinstance(centring, str) else entries(centring, "centring", '("cell", "node")')
    one_per_axis(given, axes, "centring", "the layout")
    return [word(value, f"centring[{i}]", "cell") for i, value in enumerate(given)]


def _dtype(dtype: Any) -> np.dtype:
    found = number_type("float64" if dtype is None else dtype)
    if found.name not in _TYPES:
        raise Error(f"dtype: {found} is not allowed; give {', '.join(_TYPES)}")
    return found
