"""Sums and error norms of distributed fields that do not depend on the distribution over the ranks."""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod, sqrt

import numpy as np

from weft._arguments import together
from weft._exact import totals_of
from weft._mpi import MPI


def exact_sum(values: np.ndarray, comm: MPI.Intracomm) -> float:
    """The sum of doubles over all ranks, rounded once, hence the same for every distribution. Collective."""
    return _exact_sum(lambda: values, comm)


def _exact_sum(terms: Callable[[], np.ndarray], comm: MPI.Intracomm) -> float:
    """The sum of the doubles that terms() returns. Collective."""
    with together(comm):
        totals = totals_of(terms())
    return float(totals.over_ranks(comm)[0])


@dataclass(frozen=True)
class Errors:
    """Norms of u - reference as in FLUPS (2023), equation (7), and the corresponding L2 norm."""

    e_inf: float
    """The largest absolute difference over all stored points."""
    e_2: float
    """The square root of the sum over all stored points of squares times the volume of a cell."""
    removed_mean: float | None
    """The mean difference that was subtracted first if u is determined up to a constant only, else None."""


def errors(
    difference: np.ndarray,
    spacing: tuple[float, ...],
    points: int,
    remove_mean: bool,
    comm: MPI.Intracomm,
    volumes: np.ndarray | None = None,
) -> Errors:
    """The norms of a distributed difference; points is the global number of points. Collective.

    They are maxima and exact sums, hence the same for every number of ranks.

    volumes   of this rank's cells over the mean volume, broadcastable; None: all are equal.
    """
    weights = np.ones(1) if volumes is None else volumes
    mean = _exact_sum(lambda: difference * weights, comm) / points if remove_mean else None
    with together(comm):
        if mean is not None:
            difference = difference - mean
        local = float(np.max(np.abs(difference), initial=0.0))
    total = _exact_sum(lambda: np.square(difference) * weights, comm)
    return Errors(comm.allreduce(local, op=MPI.MAX), sqrt(total * prod(spacing)), mean)
