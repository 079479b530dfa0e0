"""The results of the cases of weft validate's families."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weft._mpi import MPI

EPS = float(np.finfo(np.float64).eps)


@dataclass
class Finding:
    """The result of one case."""

    case: str
    error: float  # over its bound
    order: float | None = None  # observed
    faults: list[str] = field(default_factory=list)

    def judged(self) -> "Finding":
        """Adds a fault if the error is above its bound, as a NaN is."""
        if not self.error <= 1:
            self.faults.append(f"the error is {self.error:.3g} times its bound")
        return self


def largest(comm: MPI.Intracomm, values: Any) -> float:
    """The largest magnitude over all ranks; infinite if there is a NaN, which MPI.MAX may lose."""
    own = float(np.max(np.abs(values), initial=0.0))
    return comm.allreduce(np.inf if np.isnan(own) else own, MPI.MAX)
