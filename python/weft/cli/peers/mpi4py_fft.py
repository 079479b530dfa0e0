"""mpi4py-fft (Dalcin, Mortensen and Keyes 2019), timed for weft bench fft --peers mpi4py-fft.

usage: python -m weft.cli.peers.mpi4py_fft JSON, on every rank (bench_turns.py). It plans with FFTW_MEASURE, its
default, works out of place, and uses the process grid of the job if there is one, else its own choice.
"""

from functools import partial
from typing import Any

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, fftw, newDistArray

from weft.cli.bench_turns import Work, largest, take_part
from weft.cli.report import peak_bytes

_TYPES = {("double", False): "d", ("float", False): "f", ("double", True): "D", ("float", True): "F"}


def _transforms(kinds: str, axes: int) -> dict[tuple[int, ...], tuple[Any, Any]] | None:
    """The real-to-real transforms of each group of axes that it may do at once; None for Fourier transforms."""
    if kinds in ("r2c", "c2c"):
        return None
    family, kind = kinds[:3], int(kinds[3])
    pair = (partial(getattr(fftw, f"{family}n"), type=kind), partial(getattr(fftw, f"i{family}n"), type=kind))
    return {tuple(range(first, last)): pair for first in range(axes) for last in range(first + 1, axes + 1)}


def _bytes_sent(plan: PFFT) -> int:
    """Bytes that this rank sends to others in one direction: all but its own part in each exchange."""
    total = 0
    for transfer in plan.transfer:
        rank, ranks = transfer.comm.rank, transfer.comm.size
        cut = transfer.subshapeA[transfer.axisA]
        kept = cut // ranks + (rank < cut % ranks)
        total += int(np.prod(transfer.subshapeA)) // cut * (cut - kept) * transfer.dtype.itemsize
    return total


def make(job: dict[str, Any]) -> Work:
    """The plan, its arrays, and the timed functions."""
    before = peak_bytes()
    shape, kinds = job["shape"], job["kinds"]
    dtype = np.dtype(_TYPES[job["precision"], kinds == "c2c"])
    plan = PFFT(
        MPI.COMM_WORLD,
        shape,
        dtype=dtype,
        grid=job["grid"] or None,
        collapse=True,
        transforms=_transforms(kinds, len(shape)),
    )
    u, uh = newDistArray(plan, False), newDistArray(plan, True)
    start = np.empty(u.shape, dtype)
    reals = start.view(start.real.dtype)
    np.random.default_rng(MPI.COMM_WORLD.rank).random(out=reals, dtype=reals.dtype)
    u[...] = start

    def pair() -> None:
        plan.forward(u, uh)
        plan.backward(uh, u)

    def error() -> float:
        u[...] = start
        pair()
        return largest(float(np.max(np.abs(u - start), initial=0.0)))

    array_bytes = u.nbytes + uh.nbytes
    work = Work(1, lambda: max(peak_bytes() - before - array_bytes - start.nbytes, 0))
    work.series["seconds"] = pair
    work.endings["error"] = error
    sizes = [comm.size for comm in plan.subcomm]
    work.facts = {
        "strategy": "alltoallw",
        "grid": sizes[: max([axis + 1 for axis, size in enumerate(sizes) if size > 1], default=1)],
        "local_bytes": largest(start.nbytes),
        "array_bytes": largest(array_bytes),
        "bytes_sent_per_rank": 2 * largest(_bytes_sent(plan)),
    }
    return work


if __name__ == "__main__":
    take_part(make)
