"""Weft as a contender of weft bench fft. usage: python -m weft.cli.bench_worker JSON, on every rank."""

from collections.abc import Callable
from typing import Any

import numpy as np

from weft._mpi import MPI
from weft.cli.bench_turns import Work, largest, take_part
from weft.plan import Plan

_TYPES = {"double": "float64", "float": "float32"}


class _Transforms:
    """The plan, its arrays, and the timed functions."""

    def __init__(self, job: dict[str, Any]) -> None:
        kinds = job["kinds"].split(",")
        # Only options that differ from the defaults are given.
        chosen = {name: job[name] for name in ("in_place", "grid") if job[name]}
        if job["engine"] != "auto":
            chosen["engine"] = job["engine"]
        self.plan = plan = Plan(
            job["shape"],
            kinds[0] if len(kinds) == 1 else kinds,
            dtype=_TYPES[job["precision"]],
            strategy=job["strategy"],
            chunks=job["chunks"],
            threads=job["threads"],
            **chosen,
        )
        self.start = np.random.default_rng(MPI.COMM_WORLD.rank).random(plan.physical_shape).astype(plan.physical_dtype)
        padded = plan.spectral(padded=True)
        spectral_bytes = padded.strides[0] * padded.shape[0] if padded.size else 0
        self.array_bytes = self.start.nbytes + spectral_bytes
        self.work = Work(plan.threads, lambda: plan.workspace_bytes)
        self.work.series["seconds"] = self._prepare_in_place() if job["in_place"] else self._prepare_pair()
        if job["apply"]:
            # Factors of one return the input, which gives the error. A factor for every mode takes the most time.
            shape = plan.spectral_shape
            self._prepare_apply("apply", np.ones(shape, plan.dtype))
            self._prepare_apply("apply axis", np.ones((shape[0], *(1 for _ in shape[1:])), plan.spectral_dtype))
        self.work.facts = self._facts()

    def _prepare_in_place(self) -> Callable[[], None]:
        plan, field = self.plan, self.plan.in_place_field()
        field.physical[...] = self.start
        # Points and modes share memory whose rows and planes may be wider than the data.
        self.array_bytes = field.physical.shape[0] * field.physical.strides[0]

        def pair() -> None:
            plan.forward(field)
            plan.backward(field)

        self._end_with_error(pair, field.physical)
        return pair

    def _prepare_pair(self) -> Callable[[], None]:
        # Rows of n/2+1 modes are padded, as in the in-place arrays of other libraries. The points return to their
        # places, as they do there.
        plan, u, uh = self.plan, self.plan.physical(), self.plan.spectral(padded=True)
        u[...] = self.start

        def pair() -> None:
            plan.forward(u, out=uh)
            plan.backward(uh, out=u)

        self._end_with_error(pair, u)
        return pair

    def _end_with_error(self, pair: Callable[[], None], points: np.ndarray) -> None:
        """The error of one pair, from the accumulated rounding errors of all timed pairs."""

        def error() -> float:
            points[...] = self.start
            pair()
            return self._difference(points)

        self.work.endings["error"] = error

    def _prepare_apply(self, work: str, symbol: np.ndarray) -> None:
        plan, u, out = self.plan, self.plan.physical(), self.plan.physical()
        u[...] = self.start
        self.work.endings[f"{work} error"] = lambda: self._difference(out)
        self.work.series[f"{work} seconds"] = lambda: plan.apply(u, symbol, out=out)

    def _difference(self, found: np.ndarray) -> float:
        return largest(float(np.max(np.abs(found - self.start), initial=0.0)))

    def _facts(self) -> dict[str, Any]:
        plan = self.plan
        return {
            "strategy": plan.strategy,
            "grid": plan.grid,
            "chunks": plan.chunks,
            "local_bytes": largest(self.start.nbytes),
            "array_bytes": largest(self.array_bytes),
            "bytes_sent_per_rank": 2 * largest(plan.bytes_sent),
        }


if __name__ == "__main__":
    take_part(lambda job: _Transforms(job).work)
