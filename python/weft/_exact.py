"""Sums of doubles without rounding, which are the same in every order and thus for every number of ranks.

The library holds a sum as one integer in words of 32 bits (src/base/exact_sum.hpp); the words of all ranks are added.
"""

import numpy as np

from weft import _core
from weft._arguments import together
from weft._mpi import MPI


class Totals:
    """Exact sums of doubles of this rank: [sum][word], whole numbers that may be added to those of other ranks."""

    def __init__(self, words: np.ndarray) -> None:
        self.words = words

    def over_ranks(self, comm: MPI.Intracomm) -> np.ndarray:
        """The sums over all ranks, each rounded once, hence the same for every distribution. Collective.

        NaN and infinite terms give the result of additions in any order.
        """
        words = comm.allreduce(self.words, op=MPI.SUM)
        with together(comm):
            sums = _core.rounded_sums(words)
        return sums


def joined(totals: list[Totals]) -> Totals:
    """Several lists of sums as one."""
    return Totals(np.concatenate([one.words for one in totals]))


def totals_of(values: np.ndarray, bins: np.ndarray | None = None, count: int = 1) -> Totals:
    """The sums of doubles in `count` bins.

    bins: the bin of each value, 0 <= bin < count; None puts all values into the first.
    """
    flat = np.ascontiguousarray(np.ravel(values), np.float64)
    where = np.zeros(0) if bins is None else np.ravel(bins)
    return Totals(_core.exact_sums(flat, np.ascontiguousarray(where, np.int64), count))
