"""The solves of weft check: compares scalar and vector solvers on all ranks with those on one rank, bit for bit."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weft._mpi import MPI
from weft.cli.check_runs import _same_bits
from weft.errors import Error
from weft.poisson import Poisson
from weft.vector_poisson import VectorPoisson, vector_boundary

_FREE = ("unbounded", "unbounded")
_VECTOR_WORKS = ("solve", "biot_savart", "project", "solve_gradient")


@dataclass(frozen=True)
class Problem:
    """The problem of a solver. A vector solver has the boundaries of its scalar fields."""

    cells: tuple[int, ...]
    boundary: tuple[Any, ...]
    centring: str = "cell"
    screening: float = 0.0
    vector: bool = False

    def __str__(self) -> str:
        ends = " ".join(end if isinstance(end, str) else "-".join(end) for end in self.boundary)
        kind = "vector solver" if self.vector else "solver"
        return f"{kind} {' x '.join(map(str, self.cells))} {ends} {self.centring} {self.screening:g}"


# --quick takes the first problem of each kind.
PROBLEMS = (
    Problem((9, 40), ("periodic", "periodic")),
    Problem((35, 40), (_FREE, "periodic"), "node", 1.294),
    Problem((9, 10, 11), ("periodic", _FREE, ("odd", "even"))),
    Problem((12, 9, 10), (_FREE, _FREE, _FREE), "node"),
    Problem((5, 10, 11), ("periodic", "periodic", ("unbounded", "even")), vector=True),
    Problem((6, 9, 10), ("odd", "periodic", _FREE), "node", vector=True),
)
QUICK = (PROBLEMS[0], PROBLEMS[4])


@dataclass
class SolveOutcome:
    """The result of one strategy for one problem. works: whether every operation gives the same bits as on one rank."""

    problem: Problem
    strategy: str
    works: dict[str, bool] = field(default_factory=dict)
    refused: str = ""

    @property
    def faults(self) -> list[str]:
        """Descriptions of all faults."""
        found = [f"refused: {self.refused}"] if self.refused else []
        return found + [f"{name} differs from that on one rank" for name, same in self.works.items() if not same]


def _solver(problem: Problem, comm: MPI.Intracomm, strategy: str) -> Any:
    length = tuple(n / max(problem.cells) for n in problem.cells)
    options: dict[str, Any] = {
        "centring": problem.centring,
        "screening": problem.screening,
        "comm": comm,
        "strategy": strategy,
    }
    if not problem.vector:
        return Poisson(problem.cells, length, problem.boundary, **options)
    return VectorPoisson(problem.cells, length, vector_boundary(problem.boundary), **options)


def _results(problem: Problem, solver: Any, scalar: np.ndarray, vector: np.ndarray) -> dict[str, np.ndarray]:
    """The results of all operations of a solver for this rank's part of a scalar or a vector. Collective."""
    if not problem.vector:
        return {"the solution": solver.solve(scalar)}
    given = {"solve_gradient": scalar}
    return {name: getattr(solver, name)(given.get(name, vector)) for name in _VECTOR_WORKS}


def _part(whole: np.ndarray, solver: Any) -> np.ndarray:
    """This rank's part of an array whose last axes are those of the solver."""
    return np.ascontiguousarray(whole[(..., *solver.local_slices)])


class SolveSubject:
    """A problem, its right-hand sides, and the results on one rank."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        alone = _solver(problem, MPI.COMM_SELF, "auto")
        random = np.random.default_rng(len(problem.cells))
        self.scalar = random.uniform(-1, 1, alone.local_shape)
        self.vector = random.uniform(-1, 1, (len(problem.cells), *alone.local_shape))
        self.whole = _results(problem, alone, self.scalar, self.vector)

    def outcome(self, comm: MPI.Intracomm, strategy: str) -> SolveOutcome:
        """The joined results of all ranks. Collective."""
        result = SolveOutcome(self.problem, strategy)
        try:
            solver = _solver(self.problem, comm, strategy)
        except Error as error:
            result.refused = str(error)
            return result
        parts = _results(self.problem, solver, _part(self.scalar, solver), _part(self.vector, solver))
        for name, part in parts.items():
            same = _same_bits(part, _part(self.whole[name], solver))
            result.works[name] = bool(comm.allreduce(same, op=MPI.LAND))
        return result


def check_solves(comm: MPI.Intracomm, problems: Sequence[Problem], strategies: Sequence[str]) -> list[SolveOutcome]:
    """Solves all problems by all strategies. Collective."""
    found = []
    for problem in problems:
        subject = SolveSubject(problem)
        found += [subject.outcome(comm, strategy) for strategy in strategies]
    return found
