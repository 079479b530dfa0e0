"""The work of weft check tensor: compares every variant of the tensor transform with numpy's FFT.

As in weft check, transforms are made through the extension directly, and the results of the ranks are joined once.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from weft import _core
from weft._mpi import MPI
from weft.cli import check_reference as reference
from weft.cli.check_cases import PRECISIONS, Case, expand
from weft.errors import Error

ALGORITHMS = ("cannon", "transpose")
MATRICES = ("circulate", "own")
FOLDINGS = ("off", "on")
KINDS = ("c2c", "r2c")
SIZES, QUICK_SIZES = (12, 24, 30, 31, 48), (12, 31)
_COMPLEX = {"float64": np.complex128, "float32": np.complex64}


@dataclass(frozen=True)
class Way:
    """A variant of the transform."""

    algorithm: str
    matrix: str
    folding: str
    threads: int = 1  # of two threads, one handles the messages

    def __str__(self) -> str:
        words = [self.algorithm, self.matrix, f"folding {self.folding}"]
        return ", ".join([*words, *(["communication thread"] if self.threads > 1 else [])])


@dataclass
class Outcome:
    """The result of one variant of one case: in the part of this rank, and after joined() in the whole arrays."""

    case: Case
    way: Way
    mode_error: float = 0.0  # squares of 2-norms until joined, then fractions of the bound on rounding errors
    point_error: float = 0.0
    messages: int = 0  # of a forward transform: of this rank until joined, then of all ranks
    told: int = 0  # of a forward transform according to the products, of all ranks
    refused: str = ""

    @property
    def faults(self) -> list[str]:
        """Descriptions of all faults."""
        if self.refused:
            return [f"refused: {self.refused}"]
        checks = [
            # A NaN counts as a fault.
            (not self.mode_error <= 1, f"the error of the modes is {self.mode_error:.3g} times its bound"),
            (not self.point_error <= 1, f"the error of the returned points is {self.point_error:.3g} times its bound"),
            (self.messages != self.told, f"ranks sent {self.messages} messages, the products report {self.told}"),
        ]
        return [text for wrong, text in checks if wrong]


def cases(shapes: Sequence[tuple[int, ...]], kinds: Sequence[str], precisions: Sequence[str]) -> list[Case]:
    """The cases: every shape, kind and precision."""
    return [Case(shape, expand((kind,), 3), name) for shape, kind, name in itertools.product(shapes, kinds, precisions)]


def ways(algorithms: Sequence[str], matrices: Sequence[str], foldings: Sequence[str]) -> list[Way]:
    """Every variant, and the first variant of each algorithm with a thread for messages."""
    plain = [Way(*words) for words in itertools.product(algorithms, matrices, foldings)]
    return plain + [Way(name, matrices[0], foldings[0], 2) for name in algorithms]


class Subject:
    """The array of a case and its transform by numpy, in double precision."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.kind = case.kinds[-1]
        self.types = np.dtype(PRECISIONS[case.precision]), np.dtype(_COMPLEX[PRECISIONS[case.precision]])
        random = np.random.default_rng(case.shape[0])
        u = random.uniform(-1, 1, case.shape) + (1j * random.uniform(-1, 1, case.shape) if case.is_complex else 0)
        self.points = u.astype(self.types[case.is_complex])
        self.modes = (np.fft.fftn if case.is_complex else np.fft.rfftn)(self.points.astype(u.dtype))

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The bounds on the errors of the modes and of the round trip in the 2-norm, with those of numpy in double.

        A folded axis rounds no more than its defining sums: one addition first, then sums of half as many products.
        """
        kinds, shape, eps = self.case.kinds, self.case.shape, float(np.finfo(self.types[0]).eps)
        norm = float(np.linalg.norm(self.points))
        theirs = reference.forward_bound(kinds, shape, float(np.finfo(float).eps))
        return (
            norm * (reference.forward_bound(kinds, shape, eps) + theirs),
            norm * reference.round_trip_bound(kinds, shape, eps),
        )

    def outcome(self, comm: MPI.Intracomm, way: Way, mesh: Sequence[int]) -> Outcome:
        """The result of this rank in its part. Collective."""
        result = Outcome(self.case, way)
        try:
            transform = self._make(comm, way, mesh)
        except Error as error:
            result.refused = str(error)
            return result
        here, there = (tuple(slice(*ends) for ends in box) for box in (transform.physical_box, transform.spectral_box))
        points, expected = np.ascontiguousarray(self.points[here]), self.modes[there]
        modes, back = np.zeros(expected.shape, self.types[1]), np.zeros_like(points)
        transform.forward(points, modes)
        result.messages = transform.messages_sent
        result.told = sum(one["alignments"] + one["shifts"] for one in transform.traffic())
        transform.backward(modes, back)
        result.mode_error = float(np.sum(np.abs(modes - expected) ** 2))
        result.point_error = float(np.sum(np.abs(back - points) ** 2))
        return result

    def _make(self, comm: MPI.Intracomm, way: Way, mesh: Sequence[int]) -> Any:
        options: dict[str, Any] = {
            "algorithm": way.algorithm,
            "matrix": way.matrix,
            "folding": way.folding,
            "mesh": list(mesh),
        }
        options |= {"threads": way.threads, "communication_thread": way.threads > 1}
        return _core.TensorDft(MPI._addressof(comm), self.case.shape, self.kind, self.types[0].name, options=options)


def joined(comm: MPI.Intracomm, subjects: Sequence[Subject], outcomes: list[list[Outcome]]) -> list[Outcome]:
    """The joined results of all ranks, one list per subject, on every rank. Collective."""
    flat = [outcome for found in outcomes for outcome in found]
    sums = np.array([[one.mode_error, one.point_error, one.messages] for one in flat])
    comm.Allreduce(MPI.IN_PLACE, sums, MPI.SUM)
    limits = [subject.bounds for subject, found in zip(subjects, outcomes, strict=True) for _ in found]
    for one, (modes, points, messages), (mode_bound, point_bound) in zip(flat, sums, limits, strict=True):
        one.mode_error, one.point_error = float(np.sqrt(modes)) / mode_bound, float(np.sqrt(points)) / point_bound
        one.messages = round(messages)
    return flat
