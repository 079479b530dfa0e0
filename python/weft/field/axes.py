"""What a field knows about its axes: where points or modes are, and how much each counts."""

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

    positions  coordinates or wavenumbers; None along components, which are nowhere.
    weights    how often a mode counts in sums: 2 for the doubled modes of a half spectrum; ones of points.
    squares    how much a square counts in the mean of squares, beside the factor of Space; of the points of a solver
               also how much they count in the mean.
    length     that positions are for: 2 pi of a period, pi of cosines and sines; None of solvers, which know their own.
    """

    positions: np.ndarray | None
    weights: np.ndarray
    squares: np.ndarray
    length: float | None = 2 * math.pi


@dataclass(frozen=True, eq=False)
class Space:
    """The axes of a field.

    side       "physical" or "spectral".
    key        what spectra have to agree in to be added: kinds, numbers of modes, normalisation.
    factor     mean of the squares of the points = factor times the sum of squares times Axis.squares.
    dtype      real precision of coordinates and wavenumbers.
    half       whether modes stand for their conjugates, too: sums are real.
    means      which of Axis.weights and Axis.squares elements count with in their mean.
    other      the layout of the other side of the plan, None of a solver.
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
        """Of the axes that have some, in a box; broadcastable against its array.

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
        """What wavenumbers are multiplied by for a box of these lengths, per axis that has positions.

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
    """The values of whole axes, of which every rank has the part of its slices. Collective."""
    ends = np.cumsum((0, *global_shape)).tolist()
    with together(comm):
        values = np.zeros(ends[-1])
        if all(part.stop > part.start for part in slices):
            for start, part, mine in zip(ends, slices, parts, strict=False):
                values[start + part.start : start + part.stop] = mine
    combine_bits(values, comm)
    return np.split(values, ends[1:-1])


def logical_size(kind: str, n: int) -> int:
    """What the inverse of an unscaled transform of n points divides by: the period in points, of the mirrored data."""
    return 1 if kind == "none" else KINDS[kind].period(n)


def point_axis(kind: str, positions: np.ndarray, components: bool) -> tuple[Axis, float]:
    """An axis of points, and its factor: the mean over the period, in which points on mirror planes come once."""
    n = positions.size
    squares = np.ones(n)
    for end in KINDS[kind].mirror_points:
        squares[end] /= 2
    points = KINDS[kind].period(n) // KINDS[kind].period_factor
    axis = Axis(None if components else positions, np.ones(n), squares, default_length(kind))
    return axis, 1.0 if components else 1 / points


def solver_weights(points: int, centring: str, periodic: bool) -> np.ndarray:
    """How much the points of an axis with equal spacings count in a mean over its length: nodes by the trapezoidal
    rule.
    """
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
    """An axis of modes of n points, of which those of a transform of `kept` are stored, and its factor.

    Parseval's theorem on the period: a cosine or sine is two modes, which the stored one stands for, but those that
    are their own mirror image. A mode that truncation made of two, half of each, has half their squares.
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
    # `squares` are half those on the period.
    return Axis(wavenumbers, weights, squares, math.pi), 2 / size**2


def _folded_mode(kind: str, kept: int) -> int | None:
    """The index of the mode that stands for itself and its mirror image, if there is one."""
    if kind in FOURIER:
        return kept // 2 if kept % 2 == 0 else None
    return -1 if -1 in KINDS[kind].mirror_modes else None


def spectral_scale(norm: str, kinds: Sequence[str], shape: Sequence[int]) -> float:
    """What forward multiplies the sums that define it with."""
    total = float(math.prod(logical_size(kind, n) for kind, n in zip(kinds, shape, strict=True)))
    return {"backward": 1.0, "forward": 1 / total, "ortho": 1 / math.sqrt(total)}[norm]
