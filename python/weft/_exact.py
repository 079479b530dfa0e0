"""Sums of doubles without rounding, which are the same in every order and thus for every number of ranks.

From all numbers the parts that are multiples of one power of two are split off and summed. The remainders are split
again until they are zero. Each sum has so few terms and bits that it is exact. Compare Demmel and Nguyen, "Parallel
reproducible summation" (2015), who stop after some parts; here the sums of the parts are added as integers of any size.
"""

import math

import numpy as np

from weft._arguments import together
from weft._mpi import MPI

# Every double is an integer multiple of 2^_LOWEST.
_LOWEST = -1074
# So many numbers of _BITS bits are summed without rounding in the 53 bits of a double, and fit the nearest caches.
_CHUNK_BITS = 15
_BITS = 52 - _CHUNK_BITS
# Larger numbers are scaled by 2^-_SHRINK: the split adds up to 2^17 times the largest number.
_HUGE, _LARGE, _SHRINK = 1000, 900, 200


def exact_sums(values: np.ndarray, bins: np.ndarray | None = None, count: int = 1) -> list[int]:
    """The sums of finite doubles in `count` bins, in units of 2^-1074.

    bins: the bin of each value, 0 <= bin < count; None puts all values into the first.
    """
    totals = [0] * count
    flat = np.ravel(values)
    where = None if bins is None else np.ravel(bins)
    for start in range(0, flat.size, 1 << _CHUNK_BITS):
        chunk = slice(start, start + (1 << _CHUNK_BITS))
        _add_chunk(totals, flat[chunk].astype(np.float64), None if where is None else where[chunk])
    return totals


def _add_chunk(totals: list[int], rest: np.ndarray, bins: np.ndarray | None, scale: int = 0) -> None:
    """Adds 2^scale times the values of `rest`, which is overwritten, to the totals."""
    while (top := max(-float(rest.min()), float(rest.max()))) > 0:
        exponent = max(math.frexp(top)[1], _LOWEST + _BITS)
        if exponent > _HUGE:
            large = np.abs(rest) > 2.0**_LARGE
            _add_chunk(totals, np.where(large, rest * 2.0**-_SHRINK, 0), bins, scale + _SHRINK)
            rest[large] = 0
            continue
        unit = exponent - _BITS
        # Adding this number rounds to its last bit, the unit; the factor 3/2 makes it so for negative values as well.
        rounder = 1.5 * 2.0 ** (unit + 52)
        parts = (rest + rounder) - rounder
        rest -= parts
        sums = [float(parts.sum())] if bins is None else np.bincount(bins, parts, len(totals)).tolist()
        shift = unit - _LOWEST + scale
        for place, value in enumerate(sums):
            if value:
                totals[place] += int(math.ldexp(value, -unit)) << shift


def rounded(total: int) -> float:
    """A sum of exact_sums as the nearest double, or infinity beyond the largest double."""
    try:
        # Division of integers rounds correctly, even if both are far beyond the range of a double.
        return total / (1 << -_LOWEST)
    except OverflowError:
        return math.inf if total > 0 else -math.inf


class Totals:
    """Exact sums of the finite doubles of this rank, and for each the sum of its NaN and infinite terms."""

    def __init__(self, exact: list[int], special: list[float]) -> None:
        self.exact, self.special = exact, special

    def __add__(self, other: "Totals") -> "Totals":
        """The concatenation of two lists of sums."""
        return Totals(self.exact + other.exact, self.special + other.special)

    def over_ranks(self, comm: MPI.Intracomm) -> np.ndarray:
        """The sums over all ranks, each rounded once, hence the same for every distribution. Collective."""
        with together(comm):
            mine = np.array([*self.exact, *self.special], dtype=object)
        totals = comm.allreduce(mine, op=MPI.SUM)
        with together(comm):
            exact, special = np.split(totals, 2)
            sums = np.array([rounded(total) + more for total, more in zip(exact, special, strict=True)], float)
        return sums


def totals_of(values: np.ndarray, bins: np.ndarray | None = None, count: int = 1) -> Totals:
    """Rounded sums. NaN and infinite terms give the result of additions in any order."""
    flat = np.ravel(np.asarray(values, np.float64))
    special: np.ndarray = np.zeros(count)
    odd = ~np.isfinite(flat)
    if odd.any():
        places = np.zeros(np.count_nonzero(odd), np.int64) if bins is None else np.ravel(bins)[odd]
        with np.errstate(invalid="ignore"):
            special = np.bincount(places, flat[odd], count)
        flat = np.where(odd, 0.0, flat)
    return Totals(exact_sums(flat, bins, count), special.tolist())
