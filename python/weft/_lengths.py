"""The argument lengths=: physical lengths per axis, and the factors of wavenumbers for them."""

import math
from collections.abc import Sequence
from typing import Any

from weft._arguments import entries, one_per_axis, real, shown
from weft._kinds import FOURIER
from weft.errors import Error


def positive(value: Any, name: str) -> float:
    """A positive finite number. Raises Error for anything else."""
    number = real(value, name)
    if not 0 < number < math.inf:
        raise Error(f"{name}: {shown(value)} is not allowed; give a positive number")
    return number


def default_length(kind: str) -> float:
    """The lengths that coordinates() and wavenumbers() assume: a period of 2 pi, or pi for cosines and sines."""
    return 2 * math.pi if kind in (*FOURIER, "none") else math.pi


def length_scales(lengths: Any, defaults: Sequence[float], of: str) -> list[float]:
    """The factor per axis from wavenumbers for the default lengths to those for boxes of these lengths; ones for None.

    of        what has the axes, for the message.
    """
    if lengths is None:
        return [1.0] * len(defaults)
    given = entries(lengths, "lengths", "(1.0, 1.0, 2.0)")
    one_per_axis(given, len(defaults), "lengths", of)
    both = enumerate(zip(defaults, given, strict=True))
    return [default / positive(length, f"lengths[{i}]") for i, (default, length) in both]
