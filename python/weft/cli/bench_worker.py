"""One contender of weft bench: plans, then times rounds of transforms when the files that start them appear.

usage: python -m weft.cli.bench_worker JSON, on every rank. Speaks one JSON object a line on stdout: one when planned,
one for every round, one at the end. Between its rounds every rank sleeps; in MPI it would spin and disturb the others.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from mpi4py import MPI

from weft.cli.report import peak_bytes
from weft.errors import Error
from weft.plan import Plan

_COMM = MPI.COMM_WORLD
_COPY_BYTES = 64 << 20


def _say(value: dict[str, Any]) -> None:
    if _COMM.rank == 0:
        print(json.dumps(value), flush=True)


def _largest(value: float) -> float:
    return _COMM.allreduce(value, op=MPI.MAX)


def _wait_for(folder: Path, name: str) -> bool:
    """Sleeps until the round starts (True) or the end has come (False)."""
    while not (folder / name).exists():
        if not folder.exists() or (folder / "stop").exists():
            return False
        time.sleep(0.001)
    return True


def _copy_speed() -> float:
    """GB/s read and written over all ranks, when all copy 64 MB at once; best of 3."""
    source, target = np.ones(_COPY_BYTES // 8), np.zeros(_COPY_BYTES // 8)
    best = np.inf
    for _ in range(3):
        _COMM.Barrier()
        start = time.perf_counter()
        np.copyto(target, source)
        best = min(best, _largest(time.perf_counter() - start))
    return 2e-9 * _COPY_BYTES * _COMM.size / best


def _round(plan: Plan, u: np.ndarray, uh: np.ndarray, back: np.ndarray, repeats: int) -> dict[str, Any]:
    seconds = []
    # The first pair brings the program back into the caches and is not counted.
    for _ in range(1 + repeats):
        _COMM.Barrier()
        start = time.perf_counter()
        plan.forward(u, out=uh)
        plan.backward(uh, out=back)
        seconds.append(_largest(time.perf_counter() - start))
    peak = _largest(peak_bytes())
    return {"seconds": seconds[1:], "peak_rss_bytes": peak, "copy_gb_per_s": _copy_speed()}


def work(job: dict[str, Any]) -> None:
    """Plans, says so, and takes part in the rounds until the end."""
    kinds = job["kinds"].split(",")
    plan = Plan(job["shape"], kinds[0] if len(kinds) == 1 else kinds, strategy=job["strategy"], threads=job["threads"])
    u, uh, back = plan.physical(), plan.spectral(), plan.physical()
    u[...] = np.random.default_rng(_COMM.rank).random(u.shape)
    _say(
        {
            "strategy": plan.strategy,
            "threads": plan.threads,
            "workspace_bytes": _largest(plan.workspace_bytes),
            "bytes_sent_per_rank": 2 * _largest(plan.bytes_sent),
        }
    )
    turn = 0
    while _wait_for(Path(job["folder"]), f"{job['tag']}.{turn}"):
        _say(_round(plan, u, uh, back, job["repeats"]))
        turn += 1
    _say({"error": _largest(float(np.max(np.abs(back - u), initial=0.0)))})


def main() -> None:
    """Exit status 2 and one line on stderr for bad input, as everywhere on the command line."""
    try:
        work(json.loads(sys.argv[1]))
    except Error as error:
        if _COMM.rank == 0:
            print(f"weft: error: {error}", file=sys.stderr, flush=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
