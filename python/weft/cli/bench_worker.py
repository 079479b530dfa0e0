"""One contender of weft bench fft: plans, then times rounds of transforms when the files that start them appear.

usage: python -m weft.cli.bench_worker JSON, on every rank. Speaks one JSON object a line on stdout: one when planned,
one for every round, one at the end. Between its rounds every rank sleeps; in MPI it would spin and disturb the others.
"""

import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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


def _copy_speed(threads: int) -> float:
    """GB/s read and written over all ranks, when all threads of all ranks copy 64 MB a rank at once; best of 3."""
    source, target = np.ones(_COPY_BYTES // 8), np.zeros(_COPY_BYTES // 8)
    pieces = list(zip(np.array_split(target, threads), np.array_split(source, threads), strict=True))
    best = np.inf
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(3):
            _COMM.Barrier()
            start = time.perf_counter()
            list(pool.map(lambda piece: np.copyto(*piece), pieces))
            best = min(best, _largest(time.perf_counter() - start))
    return 2e-9 * _COPY_BYTES * _COMM.size / best


class _Work:
    """The plan, its arrays and what is done with them."""

    def __init__(self, job: dict[str, Any]) -> None:
        kinds = job["kinds"].split(",")
        # Only what differs from the defaults.
        chosen = {"in_place": True} if job["in_place"] else {}
        if job["engine"] != "auto":
            chosen["engine"] = job["engine"]
        self.plan = plan = Plan(
            job["shape"],
            kinds[0] if len(kinds) == 1 else kinds,
            dtype={"double": "float64", "float": "float32"}[job["precision"]],
            strategy=job["strategy"],
            threads=job["threads"],
            **chosen,
        )
        self.start = np.random.default_rng(_COMM.rank).random(plan.physical_shape).astype(plan.physical_dtype)
        padded = plan.spectral(padded=True)
        spectral_bytes = padded.strides[0] * padded.shape[0] if padded.size else 0
        self.errors: dict[str, Callable[[], float]] = {}
        self.array_bytes = self.start.nbytes + spectral_bytes
        self.series = {"seconds": self._prepare_in_place() if job["in_place"] else self._prepare_pair()}
        if job["apply"]:
            self.series["apply_seconds"] = self._prepare_apply()

    def _prepare_in_place(self) -> Callable[[], None]:
        plan, field = self.plan, self.plan.field()
        field.physical[...] = self.start
        # Points and modes share the memory, in which rows and planes may be wider than the data.
        self.array_bytes = field.physical.shape[0] * field.physical.strides[0]

        def pair() -> None:
            plan.forward(field)
            plan.backward(field)

        def error() -> float:
            # Rounding errors of all the timed pairs have added up by then.
            field.physical[...] = self.start
            pair()
            return self._difference(field.physical)

        self.errors["error"] = error
        return pair

    def _prepare_pair(self) -> Callable[[], None]:
        # Rows of n/2+1 modes are padded, as those of the in-place arrays of other libraries are.
        plan, uh, back = self.plan, self.plan.spectral(padded=True), self.plan.physical()
        u = plan.physical()
        u[...] = self.start

        def pair() -> None:
            plan.forward(u, out=uh)
            plan.backward(uh, out=back)

        self.errors["error"] = lambda: self._difference(back)
        return pair

    def _prepare_apply(self) -> Callable[[], None]:
        # Ones give back what went in, which tells the error; a factor for every mode is what costs most.
        plan, out = self.plan, self.plan.physical()
        symbol = np.ones(plan.spectral_shape, plan.dtype)
        u = plan.physical()
        u[...] = self.start
        self.errors["apply_error"] = lambda: self._difference(out)
        return lambda: plan.apply(u, symbol, out=out)

    def _difference(self, found: np.ndarray) -> float:
        return _largest(float(np.max(np.abs(found - self.start), initial=0.0)))

    def facts(self) -> dict[str, Any]:
        """What is known when planned."""
        return {
            "strategy": self.plan.strategy,
            "ranks": _COMM.size,
            "threads": self.plan.threads,
            "local_bytes": _largest(self.start.nbytes),
            "array_bytes": _largest(self.array_bytes),
            "bytes_sent_per_rank": 2 * _largest(self.plan.bytes_sent),
        }

    def round(self, repeats: int) -> dict[str, Any]:
        """Times everything that is to be timed, in turns. The first time refills the caches and is not counted."""
        seconds: dict[str, list[float]] = {name: [] for name in self.series}
        for _ in range(1 + repeats):
            for name, run in self.series.items():
                _COMM.Barrier()
                start = time.perf_counter()
                run()
                seconds[name].append(_largest(time.perf_counter() - start))
        peak = _largest(peak_bytes())
        return {
            **{name: times[1:] for name, times in seconds.items()},
            "peak_rss_bytes": peak,
            "workspace_bytes": _largest(self.plan.workspace_bytes),
            "copy_gb_per_s": _copy_speed(self.plan.threads),
        }


def work(job: dict[str, Any]) -> None:
    """Plans, says so, and takes part in the rounds until the end."""
    mine = _Work(job)
    _say(mine.facts())
    turn = 0
    while _wait_for(Path(job["folder"]), f"{job['tag']}.{turn}"):
        _say(mine.round(job["repeats"]))
        turn += 1
    _say({name: error() for name, error in mine.errors.items()})


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
