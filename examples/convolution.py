"""Convolutions that do not wrap around, and products of modes: python examples/convolution.py [--points 64] [--axes 3]

Convolves two random fields by one call and by scipy.signal.fftconvolve, multiplies two spectra without aliasing by one
call and by numpy with the 3/2 rule written out, and prints the fastest times and the bytes that each takes beside the
fields. On several ranks, as by mpiexec -n 2, it does so without the others.
"""

import argparse
import sys
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import scipy.fft
import scipy.signal
import weft
from mpi4py import MPI


def seconds_of(work: Callable[[], object]) -> float:
    """The time of the slowest rank."""
    MPI.COMM_WORLD.Barrier()
    start = time.perf_counter()
    work()
    return MPI.COMM_WORLD.allreduce(time.perf_counter() - start, op=MPI.MAX)


def bytes_of(work: Callable[[], object]) -> int:
    """The most bytes that numpy holds at once while it works."""
    tracemalloc.start()
    work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def written_out(uh: np.ndarray, vh: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The modes of the product of two real fields, on 3/2 n points; those of n/2 are left out."""
    finer = tuple(3 * n // 2 for n in shape)
    # The modes that both grids have, on each: negative ones are at the end.
    half = [n // 2 for n in shape]
    kept = [np.r_[0:h, -h + 1 : 0] for h in half[:-1]] + [np.arange(half[-1])]

    def points(modes: np.ndarray) -> np.ndarray:
        wide = np.zeros((*finer[:-1], finer[-1] // 2 + 1), modes.dtype)
        wide[np.ix_(*kept)] = modes[np.ix_(*kept)]
        return scipy.fft.irfftn(wide, finer)

    found = scipy.fft.rfftn(points(uh) * points(vh))
    result = np.zeros_like(uh)
    result[np.ix_(*kept)] = found[np.ix_(*kept)] * np.prod(finer) / np.prod(shape)
    return result


def smooth(modes: np.ndarray) -> np.ndarray:
    """Without the modes n/2, which a fixed 3/2 n points cannot tell from others."""
    for axis in range(modes.ndim):
        np.moveaxis(modes, axis, 0)[modes.shape[axis] - 1 if axis == modes.ndim - 1 else modes.shape[axis] // 2] = 0
    return modes


def row(name: str, ours: float, held: int, others: tuple[float, int] | None) -> None:
    if MPI.COMM_WORLD.rank == 0:
        beside = "" if others is None else f"  written out {others[0] * 1e3:9.3f} ms {others[1] / 1e6:8.2f} MB"
        print(f"{name:24}  weft {ours * 1e3:9.3f} ms {held / 1e6:8.2f} MB{beside}")


def convolution(given: argparse.Namespace, name: str, origin: int | str) -> float:
    """Times one; its largest error relative to the largest sum, where there is one rank."""
    shape = (given.points,) * given.axes
    plan = weft.Plan(shape, "r2c", threads=1)
    rng = np.random.default_rng(plan.comm.rank)
    u, v, w = (rng.standard_normal(plan.physical_shape) for _ in range(3))
    before = plan.workspace_bytes
    plan.convolve(u, v, w, origin=origin)
    ours = min(seconds_of(lambda: plan.convolve(u, v, w, origin=origin)) for _ in range(given.repeat))
    held = plan.workspace_bytes - before
    if plan.comm.size > 1:
        row(name, ours, held, None)
        return 0.0
    times = [seconds_of(lambda: scipy.signal.fftconvolve(u, v)) for _ in range(given.repeat)]
    row(name, ours, held, (min(times), bytes_of(lambda: scipy.signal.fftconvolve(u, v))))
    first = 0 if origin == 0 else (given.points - 1) // 2
    full = scipy.signal.fftconvolve(u, v)
    part = (slice(first, first + given.points),) * given.axes
    return float(np.abs(w - full[part]).max() / np.abs(full).max())


def products(given: argparse.Namespace) -> float:
    """The same of modes."""
    shape = (given.points,) * given.axes
    plan = weft.Plan(shape, "r2c", threads=1)
    rng = np.random.default_rng(plan.comm.rank)
    uh, vh = (plan.forward(rng.standard_normal(plan.physical_shape)) for _ in range(2))
    wh, before = plan.spectral(), plan.workspace_bytes
    plan.product(uh, vh, wh)
    ours = min(seconds_of(lambda: plan.product(uh, vh, wh)) for _ in range(given.repeat))
    held = plan.workspace_bytes - before
    if plan.comm.size > 1:
        row("product of modes", ours, held, None)
        return 0.0
    times = [seconds_of(lambda: written_out(uh, vh, shape)) for _ in range(given.repeat)]
    row("product of modes", ours, held, (min(times), bytes_of(lambda: written_out(uh, vh, shape))))
    smooth(uh), smooth(vh)
    difference = smooth(plan.product(uh, vh)) - written_out(uh, vh, shape)
    return float(np.abs(difference).max() / np.abs(plan.product(uh, vh)).max())


def main() -> int:
    """Prints a line for each; 1 if a result is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("points", 64), ("axes", 3), ("repeat", 10)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    # Sums of some transforms: eps log2 of their lengths, with a factor for the constants of the factorisation.
    bound = 50 * np.finfo(float).eps * given.axes * np.log2(2 * given.points)
    errors = [
        convolution(given, "sums from the first", 0),
        convolution(given, "sums in the middle", "same"),
        products(given),
    ]
    return int(max(errors) > bound)


if __name__ == "__main__":
    sys.exit(main())
