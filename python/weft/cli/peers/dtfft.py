"""dtFFT (Shatrov), timed for weft bench fft --peers dtfft.

usage: python -m weft.cli.peers.dtfft JSON, on every rank (bench_turns.py). It plans with its effort PATIENT among all
of its exchanges by MPI, and FFTW measures. It works out of place, leaves the spectrum transposed, and uses the process
grid of the job if there is one, else its own choice.
"""

import ctypes
import importlib
import math
from functools import partial
from typing import Any

from mpi4py import MPI

from weft.cli.bench_turns import Work, largest, take_part
from weft.cli.peers.unscaled import make_work
from weft.cli.report import peak_bytes
from weft.errors import Error, ResourceError

_AXES = 3


def _library() -> Any:
    """The package."""
    try:
        library = importlib.import_module("dtfft")
    except ImportError as error:
        raise ResourceError(f"--peers dtfft: it cannot be loaded: {error}; run tools/setup --also bench") from None
    if not library.is_fftw_enabled():
        raise ResourceError("--peers dtfft: it has no FFTW: pip uninstall dtfft, then pip install dtfft-fftw-mpich")
    return library


def _communicator(grid: list[int]) -> int:
    """The handle of all ranks, with a topology if the grid is given. dtFFT counts axes backwards."""
    if not grid:
        return MPI.COMM_WORLD.handle
    sizes = [*grid, *[1] * (_AXES - len(grid))]
    return MPI.COMM_WORLD.Create_cart(sizes[::-1], reorder=False).handle


def _plan(dtfft: Any, job: dict[str, Any]) -> Any:
    kinds = job["kinds"]
    make = {"r2c": dtfft.PlanR2C, "c2c": dtfft.PlanC2C}.get(kinds)
    if make is None:
        kind = getattr(dtfft.R2RKind, f"{kinds[:3].upper()}_{kinds[3]}")
        make = partial(dtfft.PlanR2R, kinds=[kind] * _AXES)
    precision = {"double": dtfft.Precision.DOUBLE, "float": dtfft.Precision.SINGLE}[job["precision"]]
    return make(
        job["shape"][::-1],
        # mpi4py returns the handle as an unsigned number.
        comm=ctypes.c_int(_communicator(job["grid"])).value,
        precision=precision,
        effort=dtfft.Effort.PATIENT,
        executor=dtfft.Executor.FFTW3,
        config=dtfft.Config(enable_mpi_backends=True),
    )


def _box(plan: Any, layout: Any) -> list[range]:
    """This rank's part. dtFFT names the axes in the order in memory, beginning with the one that is not cut."""
    pencil = plan.get_pencil(layout)
    parts = [range(start, start + count) for start, count in zip(pencil.starts, pencil.counts, strict=True)]
    whole = pencil.dim - 1
    return parts[-whole:] + parts[:-whole]


def _elements_sent(plan: Any, layouts: list[Any]) -> int:
    """Bytes that this rank sends to others in one direction: all but its own part in each exchange."""
    boxes = [_box(plan, layout) for layout in layouts]
    sent = 0
    for old, new in zip(boxes, boxes[1:], strict=False):
        kept = [range(max(a.start, b.start), min(a.stop, b.stop)) for a, b in zip(old, new, strict=True)]
        sent += math.prod(map(len, old)) - math.prod(map(len, kept))
    return sent


def make(job: dict[str, Any]) -> Work:
    """The plan, its arrays, and the timed functions."""
    dtfft = _library()
    before = peak_bytes()
    try:
        plan = _plan(dtfft, job)
    except dtfft.dtfft_Exception as error:
        raise Error(f"--peers dtfft: {error}") from None
    u, uh = plan.get_ndarray(plan.alloc_size), plan.get_ndarray(plan.alloc_size)
    aux = plan.get_ndarray(max(1, plan.aux_size))
    layout, execute = dtfft.Layout, dtfft.Execute

    def pair() -> None:
        plan.execute(u, uh, execute.FORWARD, aux)
        plan.execute(uh, u, execute.BACKWARD, aux)

    points = u[: math.prod(plan.get_pencil(layout.X_PENCILS).counts)]
    work = make_work(job, points, pair, 1, before)
    real = job["kinds"] == "r2c"
    first = layout.X_PENCILS_FOURIER if real else layout.X_PENCILS
    layouts = [first, *([] if plan.z_slab_enabled else [layout.Y_PENCILS]), layout.Z_PENCILS]
    mode_bytes = u.itemsize * (2 if real else 1)
    sizes = plan.grid_dims[::-1]
    work.facts |= {
        "strategy": dtfft.get_backend_string(plan.backend).lower().replace("_", " "),
        "grid": sizes[: max([axis + 1 for axis, size in enumerate(sizes) if size > 1], default=1)],
        "array_bytes": largest(u.nbytes + uh.nbytes),
        "bytes_sent_per_rank": 2 * mode_bytes * largest(_elements_sent(plan, layouts)),
    }
    return work


if __name__ == "__main__":
    take_part(make)
