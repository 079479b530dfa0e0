"""Weft as a contender of weft bench solve. usage: python -m weft.cli.bench_solve_worker JSON, on every rank."""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from weft._arrays import empty
from weft._mpi import MPI
from weft.cli.bench_turns import Work, largest, take_part
from weft.cli.report import peak_bytes
from weft.poisson import Poisson

_COMM = MPI.COMM_WORLD
_TYPES = {"double": "float64", "float": "float32"}
_MOST_SAMPLES = 4096


def _plane_indices(solver: Poisson) -> np.ndarray:
    """The index of every point of a local plane of the first axis within the global plane."""
    found = np.zeros((), np.uint64)
    for size, own in zip(solver.shape[1:], solver.local_slices[1:], strict=True):
        found = found[..., None] * np.uint64(size) + np.arange(own.start, own.stop, dtype=np.uint64)
    return found


def _planes(solver: Poisson) -> Iterator[np.ndarray]:
    """The global indices of the local points, plane by plane, so that they need little memory."""
    rest, own = _plane_indices(solver), solver.local_slices[0]
    for plane in range(own.start, own.stop):
        yield rest + np.uint64(plane * math.prod(solver.shape[1:]))


def _source(index: np.ndarray) -> np.ndarray:
    """A number in [-1/2, 1/2) from the scrambled global index, as in every contender (padded_fftw.cpp)."""
    bits = index * np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return ((bits ^ (bits >> np.uint64(32))) >> np.uint64(11)) * 2.0**-53 - 0.5


def _sample(solution: np.ndarray, solver: Poisson) -> list[float]:
    """Samples of the solution in the order of their indices, on rank 0; empty on other ranks. Collective."""
    step = -(-math.prod(solver.shape) // _MOST_SAMPLES) | 1
    found: list[tuple[int, float]] = []
    for values, index in zip(solution, _planes(solver), strict=True):
        chosen = index % np.uint64(step) == 0
        found += zip(index[chosen].tolist(), values[chosen].tolist(), strict=True)
    parts = _COMM.gather(found) or []
    return [value for _, value in sorted(itertools.chain.from_iterable(parts))]


def _widths(job: dict[str, Any]) -> list[np.ndarray | None] | None:
    """Widths of the cells along the stretched axis, which are narrow at its ends."""
    axis = job["stretched"]
    if axis is None:
        return None
    edges = np.tanh(1.5 * np.linspace(-1, 1, job["cells"][axis] + 1)) / np.tanh(1.5)
    widths: list[np.ndarray | None] = [None] * len(job["cells"])
    widths[axis] = np.diff(edges) * (job["length"][axis] / 2)
    return widths


def _values(solver: Poisson, job: dict[str, Any]) -> dict[tuple[int, str], np.ndarray]:
    """Values that differ from point to point, at both ends of the axes that take them."""
    found: dict[tuple[int, str], np.ndarray] = {}
    for axis in job["taking"]:
        others = [np.cos(5 * x) for a, x in enumerate(solver.points()) if a != axis]
        plane = np.ascontiguousarray(
            sum(others) + np.zeros([1 if a == axis else n for a, n in enumerate(solver.local_shape)])
        )
        found |= {(axis, side): plane.astype(solver.dtype) for side in ("left", "right")}
    return found


def _add_ends(work: Work, solver: Poisson, job: dict[str, Any], rhs: np.ndarray, solution: np.ndarray) -> None:
    """Adds solves with values at ends. Their solution is the one without values plus one without right-hand side."""
    ends = _values(solver, job)

    def error() -> float:
        both = solver.solve(rhs, ends=ends)
        alone = solver.solve(np.zeros_like(rhs), ends=ends)
        rest = both - alone - solver.solve(rhs)
        return largest(float(np.max(np.abs(rest), initial=0))) / largest(float(np.max(np.abs(both), initial=0)))

    work.series["ends seconds"] = lambda: solver.solve(rhs, out=solution, ends=ends)
    work.endings["ends error"] = error


def make(job: dict[str, Any]) -> Work:
    """The solver, its arrays, and the timed functions."""
    before = peak_bytes()
    solver = Poisson(
        job["cells"],
        job["length"],
        [tuple(ends) for ends in job["boundary"]],
        centring=job["centring"],
        kernel=job["kernel"],
        widths=_widths(job),
        order=2 if job["stretched"] is None else job["order"],
        dtype=_TYPES[job["precision"]],
        strategy=job["strategy"],
        threads=job["threads"],
    )
    made = peak_bytes()
    rhs, solution = (empty(solver.local_shape, solver.dtype) for _ in range(2))
    for values, index in zip(rhs, _planes(solver), strict=True):
        values[...] = _source(index)
    arrays = rhs.nbytes + solution.nbytes
    work = Work(solver.threads, lambda: solver.workspace_bytes)
    work.series["seconds"] = lambda: solver.solve(rhs, out=solution)
    work.endings["sample"] = lambda: _sample(solver.solve(rhs, out=solution), solver)
    if job["taking"]:
        _add_ends(work, solver, job, rhs, solution)
    work.facts = {
        "strategy": solver.strategy,
        "setup_seconds": largest(solver.setup_seconds),
        "local_bytes": largest(rhs.nbytes),
        "array_bytes": largest(arrays),
        "before_bytes": largest(before),
        "setup_peak_bytes": largest(made),
        "bytes_sent_per_rank": largest(solver.bytes_sent),
    }
    return work


if __name__ == "__main__":
    take_part(make)
