"""The tensor transform as a contender. usage: python -m weft.cli.bench_tensor_worker JSON, on every rank."""

from typing import Any

import numpy as np

from weft._mpi import MPI
from weft.cli.bench_turns import Work, largest, take_part
from weft.cli.check_cases import PRECISIONS
from weft.tensor import TensorDft


class _Transforms:
    """The transform, its arrays, and the timed functions."""

    def __init__(self, job: dict[str, Any]) -> None:
        names = ("algorithm", "matrix", "folding", "communication_thread", "threads")
        self.transform = transform = TensorDft(
            job["shape"],
            job["kinds"],
            dtype=PRECISIONS[job["precision"]],
            mesh=job["grid"] or None,
            **{name: job[name] for name in names},
        )
        random = np.random.default_rng(MPI.COMM_WORLD.rank)
        self.start = random.random(transform.physical_shape).astype(transform.physical_dtype)
        self.u, self.modes, self.back = transform.physical(), transform.spectral(), transform.physical()
        self.u[...] = self.start
        self.sent = np.zeros(2)
        self.pair(count=True)
        self.work = Work(transform.threads, lambda: transform.workspace_bytes)
        self.work.series["seconds"] = self.pair
        self.work.endings["error"] = lambda: largest(float(np.max(np.abs(self.back - self.start), initial=0.0)))
        self.work.facts = self._facts()

    def pair(self, count: bool = False) -> None:
        """Runs forward and backward. With count it also counts their messages."""
        for run, given, out in (
            (self.transform.forward, self.u, self.modes),
            (self.transform.backward, self.modes, self.back),
        ):
            run(given, out=out)
            if count:
                self.sent += (self.transform.messages_sent, self.transform.bytes_sent)

    def _facts(self) -> dict[str, Any]:
        transform, (messages, sent) = self.transform, self.sent
        return {
            "strategy": "tensor",
            "grid": transform.mesh,
            "local_bytes": largest(self.start.nbytes),
            "array_bytes": largest(self.start.nbytes + self.modes.nbytes),
            "bytes_sent_per_rank": round(largest(sent)),
            "more": {
                "algorithm": transform.algorithm,
                "matrix": transform.matrix,
                "folded": transform.folded,
                "messages_per_rank": round(largest(messages)),
                "performed_flops_per_rank": 2 * largest(transform.flops),
            },
        }


if __name__ == "__main__":
    take_part(lambda job: _Transforms(job).work)
