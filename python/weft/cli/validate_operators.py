"""The tests of weft validate besides kernels: powers of the Laplacian, and several right-hand sides at once.

Both take the place of a kernel in selections, reports and the texts of cases. power: waves that the grid resolves, for
which the operator, or that of a lattice kernel, is a number; with an unbounded end the power must be refused. batch:
both sources of the kernels at once, whose solutions must have the bits that they have alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from weft._mpi import MPI
from weft.cli.validate_cases import Selection, Subject
from weft.cli.validate_exact import Axis, Broad, Charged, Domain, outer
from weft.cli.validate_runs import Check, Result, examine, join, largest, make_solver, solved, turn_of
from weft.cli.validate_symbols import polynomial, stencils
from weft.cli.validate_theory import Theory
from weft.errors import Error


class Operator(NamedTuple):
    """-(screening^2 - laplacian)^power."""

    power: float
    screening: float = 0.0

    def __str__(self) -> str:
        screened = f", screening {self.screening:g}" if self.screening else ""
        return f"power {self.power:g}{screened}"


OPERATORS = (Operator(2.0), Operator(0.5), Operator(-1.0), Operator(1.5, 3.0))
_LATTICES = ("lgf2", "lgf4", "lgf6", "lgf8", "mehr4l", "mehr6l", "mehr6f")
_WAVES = 5  # per axis: below half of the points of a wave that 16 cells resolve


def _along(axis: Axis, lattice: bool) -> np.ndarray:
    """The squared wavenumbers of the first waves of an axis, or for a lattice those of second differences times h^2."""
    w = axis.waves[1][:_WAVES]
    return 4 * np.sin(w / axis.cells / 2) ** 2 if lattice else w**2


def symbol(domain: Domain, kernel: str, operator: Operator) -> np.ndarray:
    """The factor of the operator for each product of the first waves: [wave, wave, ...]; 0 where a constant is free."""
    found = stencils(kernel, len(domain.axes))
    values = [_along(axis, found is not None) for axis in domain.axes]
    grids = np.meshgrid(*values, indexing="ij", sparse=True)
    if found is None:
        square = sum(grids, start=np.zeros(())) + operator.screening**2
    else:
        square = domain.cells**2 * polynomial(found[0], grids) / polynomial(found[1], grids)
    return np.where(square > 0, -(np.where(square > 0, square, 1.0) ** operator.power), 0.0)


@dataclass
class Powers:
    """Powers of the Laplacian, or of the differences of a lattice kernel, on one grid."""

    comm: MPI.Intracomm
    domain: Domain
    number: int

    def _kernels(self, operator: Operator) -> Sequence[str]:
        lattice = _LATTICES[self.number % len(_LATTICES)]
        return ("chat2",) if operator.screening else ("chat2", lattice)

    def check(self, strategy: str) -> dict[str, Check]:
        """The checks of this rank by name. Collective."""
        if self.domain.convolved:
            return {"a power with an unbounded end": Check(error=0.0 if self._refused(strategy) else np.inf)}
        cases = [(operator, kernel) for operator in OPERATORS for kernel in self._kernels(operator)]
        return {f"{operator} of {kernel}": self._compare(operator, kernel, strategy) for operator, kernel in cases}

    def _solver(self, operator: Operator, kernel: str, strategy: str) -> Any:
        return make_solver(self.comm, self.domain, kernel, strategy, **operator._asdict())

    def _refused(self, strategy: str) -> bool:
        try:
            self._solver(OPERATORS[0], "chat2", strategy)
        except Error as error:
            return str(error).startswith("power: 2 given with an unbounded axis")
        return False

    def _waves(self, coefficients: np.ndarray, solver: Any) -> np.ndarray:
        """The sum of products of waves at the points of this rank."""
        result = coefficients
        for axis, (lo, hi) in zip(self.domain.axes, solver.local_box, strict=True):
            result = np.tensordot(result, axis.wave(range(_WAVES), axis.points[lo:hi]), (0, 0))
        return np.ascontiguousarray(result)

    def _compare(self, operator: Operator, kernel: str, strategy: str) -> Check:
        solver = self._solver(operator, kernel, strategy)
        factors = symbol(self.domain, kernel, operator)
        amplitudes = outer([axis.waves[0][:_WAVES] for axis in self.domain.axes])
        rhs = self._waves(np.where(factors < 0, amplitudes, 0.0), solver)
        inverse = np.divide(1.0, factors, out=np.zeros_like(factors), where=factors < 0)
        exact = self._waves(inverse * amplitudes, solver)
        error = largest(solved(solver, rhs) - exact)
        norm = np.sqrt(self.comm.allreduce(float(np.sum(rhs**2))))
        bound = self._rounding(factors, operator, float(norm))
        # Tolerances are summed over the ranks when results are joined.
        return Check(error=error, deviation=error, bound=bound, tolerance=bound if self.comm.rank == 0 else 0.0)

    def _rounding(self, factors: np.ndarray, operator: Operator, norm: float) -> float:
        """The bound of kernels with the largest factor of the operator (that of the last wave if it is applied)."""
        axes, cells = len(self.domain.axes), self.domain.cells
        last = axes * (np.pi * cells) ** 2 + operator.screening**2
        most = np.max(-1 / factors[factors < 0]) if operator.power > 0 else last**-operator.power
        return float(14 * np.finfo(float).eps * axes * (np.log2(4.0 * cells) + 2) * most * norm)

    def solution(self, strategy: str) -> np.ndarray:
        """A solution whose bits are compared between strategies. Collective."""
        if self.domain.convolved:
            return np.full(1, float(self._refused(strategy)))
        solver = self._solver(OPERATORS[1], "chat2", strategy)
        return solved(solver, self._waves(outer([axis.waves[0][:_WAVES] for axis in self.domain.axes]), solver))


@dataclass
class Batch:
    """The sources of the kernels at once, on one grid."""

    comm: MPI.Intracomm
    domain: Domain
    number: int

    def _sides(self, box: Sequence[tuple[int, int]]) -> np.ndarray:
        at = [axis.points[lo:hi] for axis, (lo, hi) in zip(self.domain.axes, box, strict=True)]
        return np.stack([source.rhs(at) for source in (Charged(self.domain), Broad(self.domain))])

    def check(self, strategy: str) -> dict[str, Check]:
        """The checks of this rank by name. Collective."""
        one = make_solver(self.comm, self.domain, "chat2", strategy)
        alone = np.stack([solved(one, rhs) for rhs in self._sides(one.local_box)])
        together = self.solution(strategy)
        # Different bits of equal values count as the smallest difference.
        difference = largest(together - alone) or float(together.tobytes() != alone.tobytes()) * 5e-324
        return {"both sources": Check(error=difference, deviation=difference)}

    def solution(self, strategy: str) -> np.ndarray:
        """Both solutions. Collective."""
        both = make_solver(self.comm, self.domain, "chat2", strategy, batch=2)
        return solved(both, self._sides(both.local_box[1:]))


NAMES: dict[str, Callable[[MPI.Intracomm, Domain, int], Powers | Batch]] = {"power": Powers, "batch": Batch}


def _examine_family(comm: MPI.Intracomm, subject: Subject, selection: Selection, name: str) -> Result:
    """Tests one family on one subject: its checks on every grid, the bits of all strategies on the first."""
    result = Result(subject, name)
    for turn, cells in enumerate(selection.sizes):
        domain = Domain(subject.pairs, cells, subject.centring == "node")
        family = NAMES[name](comm, domain, subject.number)
        first = turn_of(selection.strategies, subject, turn)
        result.checks[cells] = family.check(first)
        if turn > 0:
            continue
        bits = family.solution(first).tobytes()
        for strategy in selection.strategies[1:]:
            result.different[strategy] = family.solution(strategy).tobytes() != bits
    return result


def examine_all(theory: Theory, subject: Subject, selection: Selection) -> list[Result]:
    """Tests all kernels, families and strategies on one subject. Collective; the results are equal on all ranks."""
    kernels = tuple(name for name in selection.kernels if name not in NAMES)
    results = examine(theory, subject, replace(selection, kernels=kernels)) if kernels else []
    names = [name for name in selection.kernels if name in NAMES]
    families = [_examine_family(theory.comm, subject, selection, name) for name in names]
    if families:
        join(theory.comm, families)
    return results + families
