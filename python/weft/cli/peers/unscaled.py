"""Code shared by the peers in Python whose backward transform is unscaled."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mpi4py import MPI

from weft.cli.bench_turns import Work, largest
from weft.cli.report import peak_bytes

TYPES = {("double", False): "d", ("float", False): "f", ("double", True): "D", ("float", True): "F"}


def factor(kinds: str, shape: Sequence[int]) -> float:
    """The factor by which a forward and a backward transform multiply."""
    if kinds in ("r2c", "c2c"):
        return math.prod(map(float, shape))
    ends = {"dct1": -1, "dst1": 1}.get(kinds, 0)
    return math.prod(2.0 * (points + ends) for points in shape)


def most_in_a_row(growth: float, dtype: np.dtype) -> int:
    """The number of pairs after which values that were below 1, and all intermediate sums, are finite."""
    return max(1, math.floor(np.finfo(dtype).maxexp / math.log2(max(growth, 2.0))) - 1)


def make_work(job: dict[str, Any], points: np.ndarray, pair: Callable[[], None], threads: int, before: int) -> Work:
    """The timed functions: pairs of transforms of `points`, which are filled anew before each timing.

    before    bytes that were resident before the arrays were made. The caller adds the size of the arrays to the facts.
    """
    growth = factor(job["kinds"], job["shape"])
    start = np.empty(points.shape, points.dtype)
    reals = start.view(start.real.dtype)
    np.random.default_rng(MPI.COMM_WORLD.rank).random(out=reals, dtype=reals.dtype)

    def refill() -> None:
        points[...] = start

    def error() -> float:
        refill()
        pair()
        return largest(float(np.max(np.abs(points / growth - start), initial=0.0)))

    def workspace() -> float:
        return max(peak_bytes() - before - work.facts["array_bytes"] - start.nbytes, 0)

    work = Work(threads, workspace, refill=refill, most_in_a_row=most_in_a_row(growth, points.dtype))
    work.series["seconds"] = pair
    work.endings["error"] = error
    work.facts["local_bytes"] = largest(start.nbytes)
    return work
