"""The report of a solve, as lines of text and as one JSON object: times, throughput, memory, errors."""

import json
import math
from pathlib import Path
from typing import Any

from weft._mpi import MPI
from weft._point_grid import PointGrid
from weft._text import wrapped


class Reporter:
    """Prints lines on rank 0. Silent on other ranks, and if a JSON object is the only output."""

    def __init__(self, comm: MPI.Intracomm, silent: bool) -> None:
        self._speaks = comm.rank == 0 and not silent

    def line(self, label: str, text: str) -> None:
        """Prints one line, a short label and a text."""
        if self._speaks:
            print(wrapped(f"{label:<10} {text}", indent=11), flush=True)


def json_text(value: Any) -> str:
    """The value as JSON. Infinite numbers and NaN, which JSON does not have, become null."""
    return json.dumps(_without_nan(value), indent=2, allow_nan=False)


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def print_json(value: Any) -> None:
    """Prints the value as JSON."""
    print(json_text(value), flush=True)


def peak_bytes() -> int:
    """The largest resident memory of this process so far, including shared memory.

    It is read from /proc because getrusage includes the process before exec.
    """
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def bytes_of_others() -> int:
    """Resident shared memory minus this process's share of it, which other processes count as well.

    It is 0 if the system does not report it (Linux before 5.x).
    """
    try:
        lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii", errors="replace").splitlines()
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0
    kilobytes = {line.split()[0]: int(line.split()[1]) for line in [*lines[1:], *status] if line.endswith(" kB")}
    return 1024 * max(0, kilobytes.get("RssShmem:", 0) - kilobytes.get("Pss_Shmem:", kilobytes.get("RssShmem:", 0)))


def _transform_order(pair: tuple[str, str]) -> int:
    """The rank of an axis in the order symmetric, periodic, mixed, unbounded."""
    if "periodic" in pair:
        return 1
    return (0, 2, 3)[pair.count("unbounded")]


def doubling_factor(solver: PointGrid) -> float:
    """The mean growth of the data over the transforms. The papers multiply the throughput of unbounded solves by it.

    Axes with an unbounded end double the data, in the order in which they are transformed: symmetric, periodic, mixed,
    unbounded. For three unbounded axes it is (2 + 4 + 8) / 3 = 14/3 (FLUPS 2023, section VI), without any it is 1.
    """
    growth, total = 1.0, 0.0
    for pair in sorted(solver.boundary, key=_transform_order):
        growth *= 2.0 if "unbounded" in pair else 1.0
        total += growth
    return total / len(solver.boundary)


def measures(solver: PointGrid, solve_seconds: float) -> dict[str, Any]:
    """Times of the slowest rank, memory of the largest rank, and throughput of a solve. Collective.

    The throughput per rank is defined as in the FLUPS paper: mean bytes of the right-hand side per rank over the time
    of the solve.
    """
    comm = solver.comm
    setup, solve = comm.allreduce(solver.setup_seconds, op=MPI.MAX), comm.allreduce(solve_seconds, op=MPI.MAX)
    points = 1
    for size in solver.shape:
        points *= size
    throughput = points * solver.dtype.itemsize / comm.size / solve / 1e6
    return {
        "setup_seconds": setup,
        "solve_seconds": solve,
        "throughput_mb_per_s_per_rank": throughput,
        "doubling_factor": doubling_factor(solver),
        "peak_bytes_per_rank": comm.allreduce(peak_bytes(), op=MPI.MAX),
        "workspace_bytes_per_rank": comm.allreduce(solver.workspace_bytes, op=MPI.MAX),
    }


def throughput_text(figures: dict[str, Any]) -> str:
    """The throughput, and for unbounded problems the scaled one that the papers compare with periodic problems."""
    plain, factor = figures["throughput_mb_per_s_per_rank"], figures["doubling_factor"]
    text = f"{plain:.1f} MB/s per rank"
    return text if factor == 1 else f"{text}, {plain * factor:.1f} with the factor {factor:.3g} for the doubled domain"
