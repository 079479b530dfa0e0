"""Models of both parts of a Cannon step as functions of the block size: polynomials fitted to measured times.

The time of a communication event (a block of the tensor and one of the matrix are sent to a neighbour) grows with the
bytes of the blocks, a cubic. The time of a local update grows with its flops, a quartic (Malapally et al. 2024, section
2.4). Where the curves meet, messages and arithmetic overlap perfectly. Where the update takes longer, the event is
hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Polynomial

from weft.errors import Error

EVENT_DEGREE, UPDATE_DEGREE = 3, 4


def fitted(blocks: Sequence[int], seconds: Sequence[float], degree: int) -> Polynomial:
    """The polynomial of a degree with the least squares of relative errors.

    Errors are relative because the times of the smallest and of the largest block differ by orders of magnitude.
    """
    if len(set(blocks)) <= degree:
        text = (
            f"--blocks: {len(set(blocks))} sizes are given; a polynomial of degree {degree} needs {degree + 1} or more"
        )
        raise Error(text)
    return Polynomial.fit(blocks, seconds, degree, w=1 / np.asarray(seconds))


def intersections(one: Polynomial, other: Polynomial, low: float, high: float) -> list[float]:
    """The intersections of two polynomials between low and high, in order."""
    difference = one.convert() - other.convert()
    roots = difference.trim().roots()
    # The computed imaginary part of a real root is a rounding error.
    real = [float(root.real) for root in roots if abs(root.imag) <= 1e-9 * max(1.0, float(abs(root)))]
    return sorted(root for root in real if low <= root <= high)


@dataclass(frozen=True)
class Interval:
    """Block sizes."""

    low: float
    high: float


def hidden(event: Polynomial, update: Polynomial, low: float, high: float) -> list[Interval]:
    """The intervals of [low, high] in which the update takes longer than the event."""
    ends = [low, *intersections(event, update, low, high), high]
    pairs = [Interval(a, b) for a, b in zip(ends[:-1], ends[1:], strict=True) if a < b]
    return [one for one in pairs if update((one.low + one.high) / 2) > event((one.low + one.high) / 2)]


def worst_deviation(curve: Polynomial, blocks: Sequence[int], seconds: Sequence[float]) -> float:
    """The largest relative deviation of a measured time from the curve."""
    given = np.asarray(seconds)
    return float(np.max(np.abs(curve(np.asarray(blocks, dtype=float)) - given) / given))
