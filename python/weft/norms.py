"""Sums and error norms of distributed fields that do not depend on how the field is cut over the ranks."""

from dataclasses import dataclass
from math import prod, sqrt

import numpy as np
from mpi4py import MPI

# A double is an integer of 53 bits times a power of two; these many bits are summed at a time, so that partial sums of
# a chunk stay below 2^53 and are exact in the double precision accumulators of numpy.bincount.
_LOW_BITS = 27
_CHUNK = 1 << 24
# The exponent of the smallest double, after its 53 bits are taken as an integer: every double is a multiple of it.
_LOWEST = -1074 - 53


def _exact_local_sum(values: np.ndarray) -> int:
    """The sum of finite doubles, in units of 2^_LOWEST, without rounding."""
    total = 0
    flat = np.ravel(values)
    for start in range(0, flat.size, _CHUNK):
        fraction, exponent = np.frexp(flat[start : start + _CHUNK])
        integer = np.ldexp(fraction, 53).astype(np.int64)
        shift = exponent.astype(np.int64) - 53 - _LOWEST
        smallest = int(shift.min())
        high = np.bincount(shift - smallest, weights=(integer >> _LOW_BITS).astype(float))
        low = np.bincount(shift - smallest, weights=(integer & ((1 << _LOW_BITS) - 1)).astype(float))
        for place, (upper, lower) in enumerate(zip(high.tolist(), low.tolist(), strict=True)):
            total += ((int(upper) << _LOW_BITS) + int(lower)) << (place + smallest)
    return total


def exact_sum(values: np.ndarray, comm: MPI.Intracomm) -> float:
    """The sum over all ranks of finite doubles, rounded once: the same for every distribution. Collective."""
    total = comm.allreduce(_exact_local_sum(np.asarray(values, dtype=np.float64)), op=MPI.SUM)
    # Division of integers rounds correctly, also where both are far beyond the range of a double.
    return total / (1 << -_LOWEST)


@dataclass(frozen=True)
class Errors:
    """Norms of u - reference, the definitions of FLUPS (2023), equation (7) and its L2 companion."""

    e_inf: float
    """Largest absolute difference over all stored points."""
    e_2: float
    """sqrt(sum of the squares times the volume of a cell), over all stored points."""
    removed_mean: float | None
    """The mean difference that was taken out first, where u is determined up to a constant only; else None."""


def errors(
    difference: np.ndarray, spacing: tuple[float, ...], points: int, remove_mean: bool, comm: MPI.Intracomm
) -> Errors:
    """The norms of a distributed difference; points is the global number of points. Collective.

    Maxima and exact sums make them the same for every number of ranks.
    """
    mean = exact_sum(difference, comm) / points if remove_mean else None
    if mean is not None:
        difference = difference - mean
    local = float(np.max(np.abs(difference), initial=0.0))
    total = exact_sum(np.square(difference), comm)
    return Errors(comm.allreduce(local, op=MPI.MAX), sqrt(total * prod(spacing)), mean)
