"""The axes of a field: positions of points or modes, and their weights."""

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from weft._arguments import together
from weft._kinds import FOURIER, KINDS
from weft._lengths import default_length, length_scales
from weft._mpi import MPI
from weft.errors import Error
from weft.field.layout import Layout, Slices, combine_bits


class Axis(NamedTuple):
    """One axis of the global array, index by index.

    positions  coordinates or wavenumbers; None along components.
    weights    weights of modes in sums: 2 for the doubled modes of a half spectrum; ones for points.
    squares    weights of squares in the mean of squares, besides the factor of Space; for the points of a solver also
               the weights in the mean.
    length     the length for which positions hold: 2 pi for a period, pi for cosines and sines; None for solvers, which
               have their own lengths.
    """

    positions: np.ndarray | None
    weights: np.ndarray
    squares: np.ndarray
    length: float | None = 2 * math.pi


@dataclass(frozen=True, eq=False)
class Space:
    """The axes of a field.

    side       "physical" or "spectral".
    key        properties that must be equal for spectra to be added: kinds, numbers of modes, normalisation.
    factor     mean of the squares of the points = factor times the sum of squares times Axis.squares.
    dtype      real precision of coordinates and wavenumbers.
    half       whether modes stand for their conjugates, too: sums are real.
    means      the weights of elements in their mean: Axis.weights or Axis.squares.
    other      the layout of the other side of the plan; None for a solver.
    """

    side: str
    key: tuple[Any, ...]
    axes: tuple[Axis, ...]
    factor: float
    dtype: np.dtype
    half: bool = False
    means: str = "weights"
    other: Layout | None = None

    def positions(self, slices: Slices, lengths: Any = None) -> tuple[np.ndarray, ...]:
        """Positions along the axes that have some, in a box; broadcastable against its array.

        lengths   of the box, one per axis that has positions; None: those of Axis.length.
        """
        scales = self.wavenumber_scales(lengths, "the field")
        both = zip(self.axes, slices, strict=True)
        cut = [None if axis.positions is None else axis.positions[part] for axis, part in both]
        found = [(number, values) for number, values in enumerate(cut) if values is not None]
        scaled = operator.mul if self.side == "spectral" else operator.truediv
        return tuple(
            scaled(values, scale).astype(self.dtype, copy=False).reshape(_shape_along(number, len(cut)))
            for (number, values), scale in zip(found, scales, strict=True)
        )

    def wavenumber_scales(self, lengths: Any, of: str) -> list[float]:
        """The factors of wavenumbers for a box of these lengths, per axis that has positions.

        of        what has the axes, for the message of an Error.
        """
        known = [axis.length for axis in self.axes if axis.positions is not None]
        if lengths is not None and None in known:
            raise Error("lengths: the points of a solver lie on the lengths it was made for; omit the argument")
        return length_scales(lengths, [length or 1.0 for length in known], of)

    def product(self, of: str, slices: Slices) -> np.ndarray:
        """The product over the axes of "weights" or "squares" in a box, broadcastable against its array."""
        result = np.ones((1,) * len(self.axes))
        for number, (axis, part) in enumerate(zip(self.axes, slices, strict=True)):
            values = getattr(axis, of)[part]
            if (values != 1).any():
                result = result * values.reshape(_shape_along(number, len(self.axes)))
        return result


def _shape_along(axis: int, axes: int) -> list[int]:
    return [-1 if i == axis else 1 for i in range(axes)]


def assembled(
    parts: Sequence[np.ndarray], slices: Slices, global_shape: tuple[int, ...], comm: MPI.Intracomm
) -> list[np.ndarray]:
    """The values of whole axes, from the parts that the ranks have according to their slices. Collective."""
    ends = np.cumsum((0, *global_shape)).tolist()
    with together(comm):
        values = np.zeros(ends[-1])
        if all(part.stop > part.start for part in slices):
            for start, part, mine in zip(ends, slices, parts, strict=False):
                values[start + part.start : start + part.stop] = mine
    combine_bits(values, comm)
    return np.split(values, ends[1:-1])


def logical_size(kind: str, n: int) -> int:
    """The divisor of the inverse of an unscaled transform of n points: the period of the mirrored data in points."""
    return 1 if kind == "none" else KINDS[kind].period(n)


def point_axis(kind: str, positions: np.ndarray, components: bool) -> tuple[Axis, float]:
    """An axis of points, and its factor for the mean over the period, which has points on mirror planes once."""
    n = positions.size
    squares = np.ones(n)
    for end in KINDS[kind].mirror_points:
        squares[end] /= 2
    points = KINDS[kind].period(n) // KINDS[kind].period_factor
    axis = Axis(None if components else positions, np.ones(n), squares, default_length(kind))
    return axis, 1.0 if components else 1 / points


def solver_weights(points: int, centring: str, periodic: bool) -> np.ndarray:
    """Weights of the points of an axis with equal spacings in a mean over its length: nodes by the trapezoidal rule."""
    weights = np.ones(points)
    if centring == "node" and periodic:
        weights[-1] = 0  # the first point once more
    elif centring == "node":
        weights[[0, -1]] = 0.5
    return weights


def solver_axis(positions: np.ndarray, weights: np.ndarray) -> tuple[Axis, float]:
    """An axis of a solver's points, and its factor: the mean over the length."""
    return Axis(positions, np.ones(positions.size), weights, None), 1 / float(weights.sum())


def mode_axis(kind: str, n: int, kept: int, wavenumbers: np.ndarray, components: bool) -> tuple[Axis, float]:
    """An axis of modes of n points, of which the modes of a transform of `kept` points are stored, and its factor.

    Parseval's theorem on the period: the stored mode of a cosine or sine stands for two modes, unless it is its own
    mirror image. A mode that truncation has made from the halves of two has half of their squares.
    """
    weights = np.ones(wavenumbers.size)
    if kind == "r2c":
        weights[1 : (kept + 1) // 2] = 2
    squares = weights.copy()
    for end in KINDS[kind].mirror_modes:
        squares[end] = 0.5
    folded = _folded_mode(kind, kept)
    if folded is not None and kept < n:
        squares[folded] /= 2
    if components:
        return Axis(None, weights, squares), 1.0
    if kind == "none":
        return Axis(wavenumbers, weights, squares), 1 / n
    size = logical_size(kind, n)
    if kind in FOURIER:
        return Axis(wavenumbers, weights, squares), 1 / size**2
    # `squares` are half of the squares on the period.
    return Axis(wavenumbers, weights, squares, math.pi), 2 / size**2


def _folded_mode(kind: str, kept: int) -> int | None:
    """The index of the mode that stands for itself and its mirror image, if there is one."""
    if kind in FOURIER:
        return kept // 2 if kept % 2 == 0 else None
    return -1 if -1 in KINDS[kind].mirror_modes else None


def spectral_scale(norm: str, kinds: Sequence[str], shape: Sequence[int]) -> float:
    """The factor of forward relative to its defining sums."""
    total = float(math.prod(logical_size(kind, n) for kind, n in zip(kinds, shape, strict=True)))
    return {"backward": 1.0, "forward": 1 / total, "ortho": 1 / math.sqrt(total)}[norm]
