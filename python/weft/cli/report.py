"""What a solve reports: times, throughput, memory, errors; as lines for people and as one JSON object."""

import json
import math
from pathlib import Path
from typing import Any

from mpi4py import MPI

from weft.poisson import Poisson


class Reporter:
    """Lines with progress from rank 0; silent elsewhere and when a JSON object is to be the only output."""

    def __init__(self, comm: MPI.Intracomm, silent: bool) -> None:
        self._speaks = comm.rank == 0 and not silent

    def line(self, label: str, text: str) -> None:
        """One line: a short label and what there is to say."""
        if self._speaks:
            print(f"{label:<10} {text}", flush=True)


def json_text(value: Any) -> str:
    """The value as JSON, null where a number is infinite or none, for which JSON has no words."""
    return json.dumps(_without_nan(value), indent=2, allow_nan=False)


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def print_json(value: Any) -> None:
    """The value as JSON on stdout."""
    print(json_text(value), flush=True)


def peak_bytes() -> int:
    """The largest amount of memory this process has had resident, shared memory included.

    From /proc, because getrusage counts what the process was before exec, too.
    """
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def bytes_of_others() -> int:
    """Resident shared memory less this process's share of it: what other processes that map it count as well.

    0 where the system does not tell (Linux before 5.x).
    """
    try:
        lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii", errors="replace").splitlines()
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0
    kilobytes = {line.split()[0]: int(line.split()[1]) for line in [*lines[1:], *status] if line.endswith(" kB")}
    return 1024 * max(0, kilobytes.get("RssShmem:", 0) - kilobytes.get("Pss_Shmem:", kilobytes.get("RssShmem:", 0)))


def _transform_order(pair: tuple[str, str]) -> int:
    """Symmetric, periodic, mixed, unbounded."""
    if "periodic" in pair:
        return 1
    return (0, 2, 3)[pair.count("unbounded")]


def doubling_factor(solver: Poisson) -> float:
    """Mean growth of the data over the transforms, by which the papers multiply the throughput of unbounded solves.

    The axes with an unbounded end double the data, in the order in which they are transformed: symmetric, periodic,
    mixed, unbounded. Three unbounded axes: (2 + 4 + 8) / 3 = 14/3 (FLUPS 2023, section VI). Without any it is 1.
    """
    growth, total = 1.0, 0.0
    for pair in sorted(solver.boundary, key=_transform_order):
        growth *= 2.0 if "unbounded" in pair else 1.0
        total += growth
    return total / len(solver.boundary)


def measures(solver: Poisson, solve_seconds: float) -> dict[str, Any]:
    """Times, throughput and memory of a solve; the slowest and the largest rank count. Collective.

    Throughput per rank is the definition of the FLUPS paper: bytes of the right-hand side per rank (the mean) over the
    time of the solve.
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
    """The throughput, and for unbounded problems what the papers compare with periodic ones."""
    plain, factor = figures["throughput_mb_per_s_per_rank"], figures["doubling_factor"]
    text = f"{plain:.1f} MB/s per rank"
    return text if factor == 1 else f"{text}, {plain * factor:.1f} with the factor {factor:.3g} for the doubled domain"
