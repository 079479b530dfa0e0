"""What a fault test works on: one call of the library, and how to tell whether its result is right."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from mpi4py import MPI


def _no_problem() -> str:
    return ""


@dataclass(frozen=True)
class Operation:
    """A call of the public interface on small data.

    name     for the table
    run      the call; collective unless `local`
    right    whether what it gave is right on this rank; collective, where run is
    local    sends nothing: a rank that fails raises by itself, and no other one waits for it
    folder   where it writes, if it does
    problem  what is wrong with the files there, or nothing; of one rank
    """

    name: str
    run: Callable[[], Any]
    right: Callable[[Any], bool]
    local: bool = False
    folder: Path | None = None
    problem: Callable[[], str] = _no_problem


def near(found: Any, expected: Any) -> bool:
    """Whether arrays are equal but for rounding: errors of these small transforms are below 1e-12 of the largest."""
    expected = np.asarray(expected)
    if np.shape(found) != expected.shape:
        return False
    limit = 1e-12 * max(1.0, float(np.abs(expected).max(initial=0)))
    return bool(np.abs(np.asarray(found) - expected).max(initial=0) <= limit)


def slab(points: int, comm: MPI.Intracomm) -> slice:
    """This rank's part of an axis that is cut in even parts."""
    return slice(comm.rank * points // comm.size, (comm.rank + 1) * points // comm.size)


def noise(shape: tuple[int, ...], seed: int = 1) -> np.ndarray:
    """The same random array on every rank."""
    return np.random.default_rng(seed).standard_normal(shape)
