"""The work of weft check: compares every way of moving data with a transform on one rank and with the defining sums.

Plans are made through the extension directly. The checks in Python synchronise all ranks a dozen times per plan, which
takes minutes if ranks share cores. The results of the ranks are joined once, at the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from weft import _core
from weft._mpi import MPI
from weft.cli import check_reference as reference
from weft.cli.check_cases import PRECISIONS, Case, Way
from weft.errors import Error

_COMPLEX = {"float64": np.complex128, "float32": np.complex64}


def _plan(comm: MPI.Intracomm, case: Case, **options: Any) -> Any:
    return _core.Plan(
        MPI._addressof(comm),
        shape=case.shape,
        kinds=case.kinds,
        dtype=PRECISIONS[case.precision],
        physical_box=[],  # the plan's own
        spectral_box=[],
        options=options | {"threads": 1},
    )


def _same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    return np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


def _square(values: np.ndarray) -> float:
    return float(np.sum(np.abs(values) ** 2))


@dataclass
class Outcome:
    """The result of one way of one case: in the part of this rank, and after joined() in the whole arrays."""

    case: Case
    way: Way
    same_modes: bool = True  # the same bits as on one rank
    same_points: bool = True  # after the backward transform
    mode_error: float = 0.0  # squares of 2-norms until joined, then fractions of the bound on rounding errors
    point_error: float = 0.0
    refused: str = ""
    used: str = "none"  # the strategy, or none if no data have to be moved

    @property
    def faults(self) -> list[str]:
        """Descriptions of all faults."""
        checks = [
            (bool(self.refused), f"refused: {self.refused}"),
            (self.used not in (self.way.strategy, "none") and self.way.strategy != "auto", f"{self.used} ran instead"),
            (not self.same_modes, "modes differ from those on one rank"),
            (not self.same_points, "points that come back differ from those on one rank"),
            # A NaN counts as a fault.
            (not self.mode_error <= 1, f"the error of the modes is {self.mode_error:.3g} times its bound"),
            (not self.point_error <= 1, f"the error of the returned points is {self.point_error:.3g} times its bound"),
        ]
        return [text for wrong, text in checks if wrong]


class Subject:
    """The array of a case, its transform on one rank, and by the defining sums."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.types = np.dtype(PRECISIONS[case.precision]), np.dtype(_COMPLEX[PRECISIONS[case.precision]])
        random = np.random.default_rng(len(case.shape))
        u = random.uniform(-1, 1, case.shape) + (1j * random.uniform(-1, 1, case.shape) if case.is_complex else 0)
        self.points = u.astype(self.types[case.is_complex])
        self.modes, self.back = self.transform(_plan(MPI.COMM_SELF, case), self.points)

    @cached_property
    def exact(self) -> np.ndarray:
        """The modes by the defining sums."""
        return reference.forward(self.points, self.case.kinds)

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The bounds on the errors of the modes and of the round trip in the 2-norm."""
        kinds, shape, eps = self.case.kinds, self.case.shape, float(np.finfo(self.types[0]).eps)
        norm = np.sqrt(_square(self.points))
        return (
            norm * reference.forward_bound(kinds, shape, eps),
            norm * reference.round_trip_bound(kinds, shape, eps),
        )

    def transform(self, plan: Any, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The results of forward, and of backward from there."""
        extents = [hi - lo for lo, hi in plan.spectral_box]
        modes = np.zeros(extents, self.types[plan.spectral_complex])
        back = np.zeros_like(points)
        plan.forward(points, modes)
        plan.backward(modes, back)
        return modes, back

    def outcome(self, comm: MPI.Intracomm, way: Way) -> Outcome:
        """The result of this rank in its part. Collective."""
        result = Outcome(self.case, way)
        # Strategies that depend on nodes get nodes of half of the ranks, since one machine would be one node.
        nodes = {"node_ranks": (comm.size + 1) // 2} if way.strategy == "hierarchical" else {}
        try:
            plan = _plan(comm, self.case, strategy=way.strategy, grid=list(way.grid), chunks=way.chunks, **nodes)
        except Error as error:
            result.refused = str(error)
            return result
        result.used = plan.strategy
        here, there = (tuple(slice(*ends) for ends in box) for box in (plan.physical_box, plan.spectral_box))
        modes, back = self.transform(plan, np.ascontiguousarray(self.points[here]))
        result.same_modes = _same_bits(modes, self.modes[there])
        result.same_points = _same_bits(back, self.back[here])
        result.mode_error = _square(modes - self.exact[there])
        result.point_error = _square(back - self.points[here])
        return result


def joined(comm: MPI.Intracomm, subjects: Sequence[Subject], outcomes: list[list[Outcome]]) -> list[Outcome]:
    """The joined results of all ranks, one list per subject, on every rank. Collective."""
    flat = [outcome for found in outcomes for outcome in found]
    same = np.array([[one.same_modes, one.same_points] for one in flat], dtype=np.int32).reshape(-1, 2)
    squares = np.array([[one.mode_error, one.point_error] for one in flat], dtype=np.float64).reshape(-1, 2)
    comm.Allreduce(MPI.IN_PLACE, same, MPI.MIN)
    comm.Allreduce(MPI.IN_PLACE, squares, MPI.SUM)
    limits = np.array([subject.bounds for subject, found in zip(subjects, outcomes, strict=True) for _ in found])
    errors = np.sqrt(squares) / limits.reshape(-1, 2)
    for one, equal, error in zip(flat, same, errors, strict=True):
        one.same_modes, one.same_points = bool(equal[0]), bool(equal[1])
        one.mode_error, one.point_error = float(error[0]), float(error[1])
    return flat
