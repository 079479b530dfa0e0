"""The work of weft validate: one combination of boundaries at a time, with all kernels and strategies.

Solvers are made through the extension directly, because the checks in Python synchronise all ranks several times per
solver. The results of the ranks are joined once for each combination.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import log, prod
from typing import Any

import numpy as np

from weft import _core
from weft._mpi import MPI
from weft.cli.validate_cases import Selection, Subject, boundary_words
from weft.cli.validate_exact import Axis, Broad, Charged, Domain, Source, outer
from weft.cli.validate_symbols import SPECTRAL, Polynomial, order, stencils
from weft.cli.validate_theory import RULE_ERROR, Expected, Sample, Theory, rounding_bound
from weft.errors import Error


def known_kernels() -> list[str]:
    """The kernels of the library."""
    return list(_core.kernels())


def make_solver(comm: MPI.Intracomm, domain: Domain, kernel: str, strategy: str, **more: float) -> Any:
    """A solver on the unit box with one thread per rank. more: screening, power, batch."""
    problem = {
        "cells": [domain.cells] * len(domain.axes),
        "length": [1.0] * len(domain.axes),
        "boundary": boundary_words(domain.pairs),
        "centring": ["node" if domain.nodes else "cell"] * len(domain.axes),
        "kernel": kernel,
        "alpha": 2.0,
        "screening": 0.0,
        "mean": "remove",
        "power": 1.0,
        "batch": 0,
        **more,
    }
    return _core.Poisson(MPI._addressof(comm), problem, "float64", {"strategy": strategy, "threads": 1})


def solved(solver: Any, rhs: np.ndarray) -> np.ndarray:
    """Solves and returns the solution. Collective."""
    solution = np.zeros_like(rhs)
    solver.solve(rhs, solution)
    return solution


class LatticeFields:
    """f = -P w / h^2 and u = Q w for the product w of the broad source, which solve the lattice equation exactly.

    w is known at all positions, so that second differences need no other points and the solution is known everywhere.
    """

    def __init__(self, domain: Domain, positions: Sequence[np.ndarray], kernel: str) -> None:
        found = stencils(kernel, len(domain.axes))
        assert found is not None
        self._domain, (self._p, self._q) = domain, found
        powers = [_differences(axis, at) for axis, at in zip(domain.axes, positions, strict=True)]
        self.rhs = np.ascontiguousarray(_applied(self._p, powers, outer) * -(domain.cells**2))
        self.exact = _applied(self._q, powers, outer) - Broad(domain).mean

    @property
    def outside(self) -> float:
        """A bound on the potential of f beyond unbounded ends, as for the broad source, by sums of |f| h^d."""
        domain, inner, cut = self._domain, [], []
        for axis in domain.axes:
            h, reach = 1 / domain.cells, domain.cells
            at = axis.points[0] + h * np.arange(-reach if axis.convolved else 0, axis.size + reach * axis.convolved)
            # The images beyond a mirror plane are not a part of f.
            low = axis.pair[0] == "U" or not axis.convolved
            high = axis.pair[1] == "U" or not axis.convolved
            inside = (at > -h / 4 if not low else np.ones(len(at), bool)) & (at < 1 + h / 4 if not high else True)
            beyond = inside & ((at < -h / 4) | (at > 1 + h / 4))
            tables = [abs(table) for table in _differences(axis, at)]
            measure = np.sum if axis.convolved else np.max
            weight = h if axis.convolved else 1.0
            inner.append([measure(table[inside]) * weight for table in tables])
            cut.append([np.sum(table[beyond]) * weight for table in tables])
        magnitudes = {powers: abs(coefficient) for powers, coefficient in self._p.items()}
        lost = 0.0
        for i, axis in enumerate(domain.axes):
            if axis.convolved:
                lost += _applied(magnitudes, [*inner[:i], cut[i], *inner[i + 1 :]], lambda factors: prod(factors))
        return float(2 * lost * domain.cells**2 * domain.images)


def _differences(axis: Axis, at: np.ndarray) -> list[np.ndarray]:
    """The broad factor at equidistant positions, and its negative second differences up to the fourth repetition."""
    reach = 4
    start = at[0] if len(at) else 0.0
    values = axis.factor(start + np.arange(-reach, len(at) + reach) / axis.cells)
    tables = []
    for power in range(reach + 1):
        tables.append(values[reach - power : reach - power + len(at)])
        values = 2 * values[1:-1] - values[2:] - values[:-2]
    return tables


def _applied(polynomial: Polynomial, powers: Sequence[Sequence[Any]], combine: Callable[[list], Any]) -> Any:
    return sum(
        coefficient * combine([tables[n] for tables, n in zip(powers, exponents, strict=True)])
        for exponents, coefficient in polynomial.items()
    )


@dataclass
class Check:
    """The result of one source on one grid with one kernel, of this rank until joined."""

    error: float = 0.0  # largest |u_h - u|
    amplitude: float = 0.0  # amplitude of the error, see Result.orders
    deviation: float = 0.0  # largest difference from the expected u_h, at these or (lattice equation) at all points
    bound: float = 0.0  # of the error
    expected: float = 0.0  # of the amplitude; 0 where none is known
    uncertainty: float = 0.0  # of the amplitude, relative
    tolerance: float = 0.0  # of the deviation; infinite where only the bound is known

    def faults(self, source: str) -> list[str]:
        """Descriptions of all faults. A NaN counts as a fault."""
        result = []
        if not self.error <= self.bound:
            result.append(f"{source}: the error {self.error:.3g} is above its bound {self.bound:.3g}")
        if not self.deviation <= self.tolerance:
            result.append(
                f"{source}: the solution is {self.deviation:.3g} from the expected one, {self.tolerance:.3g} is allowed"
            )
        return result


@dataclass
class Result:
    """The results of one kernel on one subject."""

    subject: Subject
    kernel: str
    checks: dict[int, dict[str, Check]] = field(default_factory=dict)  # by cells and source
    different: dict[str, bool] = field(default_factory=dict)  # bits, by strategy
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def orders(self) -> tuple[float, float, float] | None:
        """The observed order of the charged source between both sizes, the expected order, and the allowed difference.

        The amplitude of an error is the factor of the expected shape that fits it best, times the integral of the
        magnitudes of its waves, which is the largest value between the points of any grid if waves do not cancel. None
        if only a bound on the error is known, or if there is no error.
        """
        if len(self.checks) < 2 or not all("charged" in checks for checks in self.checks.values()):
            return None
        (n, coarse), (m, fine) = sorted((cells, checks["charged"]) for cells, checks in self.checks.items())
        if not all(one.expected > 0 and one.uncertainty < 0.01 for one in (coarse, fine)):
            return None
        ratio = log(m / n)
        slack = sum(-log(1 - one.uncertainty) for one in (coarse, fine)) / ratio
        observed = log(max(coarse.amplitude, 1e-300) / max(fine.amplitude, 1e-300)) / ratio
        return observed, log(coarse.expected / fine.expected) / ratio, slack

    def faults(self, strategies: Sequence[str]) -> dict[tuple[int, str], list[str]]:
        """Descriptions of all faults by cells and strategy."""
        found: dict[tuple[int, str], list[str]] = {}

        def add(cells: int, strategy: str, texts: list[str]) -> None:
            if texts:
                found.setdefault((cells, strategy), []).extend(texts)

        sizes = sorted(self.checks)
        for strategy, text in self.refused.items():
            add(sizes[0], strategy, [f"refused: {text}"])
        for strategy, differs in self.different.items():
            add(sizes[0], strategy, [f"other bits than {strategies[0]}"] if differs else [])
        for turn, (cells, checks) in enumerate(sorted(self.checks.items())):
            strategy = turn_of(strategies, self.subject, turn)
            for source, check in checks.items():
                add(cells, strategy, check.faults(source))
        if self.orders is not None:
            observed, expected, slack = self.orders
            wrong = not abs(observed - expected) <= slack
            text = f"observed order {observed:.6f}, expected {expected:.6f} within {slack:.1e}"
            add(sizes[-1], turn_of(strategies, self.subject, len(sizes) - 1), [text] if wrong else [])
        return found


def turn_of(strategies: Sequence[str], subject: Subject, turn: int) -> str:
    """The strategy whose solution is compared with theory: the first one on the first grid, then each in turn."""
    return strategies[0 if turn == 0 else subject.number % len(strategies)]


class Grid:
    """One subject on one grid, with sources, exact solutions and expected errors, which all kernels share."""

    def __init__(self, theory: Theory, subject: Subject, cells: int, kernels: Sequence[str]) -> None:
        self.domain = Domain(subject.pairs, cells, subject.centring == "node")
        self.kernels = list(kernels)
        self.sample = Sample.of(self.domain)
        self.sources: list[Source] = [Charged(self.domain), Broad(self.domain)]
        self.comm = theory.comm
        lattice = [kernel for kernel in kernels if stencils(kernel, len(subject.pairs))]
        others = [kernel for kernel in kernels if kernel not in lattice]
        wanted = {"charged": self.kernels, "broad": others}
        self.expected: dict[str, tuple[Expected, list[str]]] = {
            source.name: (theory.expected(source, self.sample, wanted[source.name]), wanted[source.name])
            for source in self.sources
            if wanted[source.name]
        }
        self._place: tuple[tuple[int, int], ...] | None = None

    def locate(self, box: Sequence[tuple[int, int]]) -> None:
        """Sets the part of this rank, which is the same for all solvers of one grid."""
        place = tuple((lo, hi) for lo, hi in box)
        if place == self._place:
            return
        self._place = place
        self.positions = [axis.points[lo:hi] for axis, (lo, hi) in zip(self.domain.axes, place, strict=True)]
        self.rhs, self.exact = {}, {}
        for source in self.sources:
            self.rhs[source.name] = np.ascontiguousarray(source.rhs(self.positions))
            self.exact[source.name] = source.solution(self.positions)
        self.lattice: dict[str, LatticeFields] = {}
        # The sampled points of this rank, and their numbers among all samples.
        mine = [(i >= lo) & (i < hi) for i, (lo, hi) in zip(self.sample.indices, place, strict=True)]
        local = [i[m] - lo for i, m, (lo, _) in zip(self.sample.indices, mine, place, strict=True)]
        self.sampled = np.ix_(*local)
        self.which = outer(mine).ravel() if mine else np.zeros(0, bool)

    def fields(self, source: str, kernel: str) -> tuple[np.ndarray, np.ndarray]:
        """The right-hand side and the exact solution, for lattice kernels the solution of the lattice equation."""
        if source == "charged" or not stencils(kernel, len(self.domain.axes)):
            return self.rhs[source], self.exact[source]
        if kernel not in self.lattice:
            self.lattice[kernel] = LatticeFields(self.domain, self.positions, kernel)
        return self.lattice[kernel].rhs, self.lattice[kernel].exact

    def measure(self, solver: Any, kernel: str, source: Source) -> tuple[Check, np.ndarray]:
        """The result of this rank, with sums for figures that need all ranks, and the solution. Collective."""
        rhs, exact = self.fields(source.name, kernel)
        solution = solved(solver, rhs)
        difference = solution - exact
        check = Check(error=largest(difference), tolerance=float(np.sum(rhs**2)), bound=largest(exact))
        theory, kernels = self.expected.get(source.name, (None, []))
        if theory is None or kernel not in kernels:
            check.deviation = check.error
            return check, solution
        sampled = difference[self.sampled].ravel()
        expected = theory.error[kernels.index(kernel)][self.which]
        check.amplitude = float(sampled @ expected)
        check.deviation = largest(sampled - expected)
        return check, solution

    def limits(self, kernel: str, source: Source, check: Check) -> None:
        """Computes the final figures from sums over all ranks."""
        slack = rounding_bound(self.domain, float(np.sqrt(check.tolerance)))
        by_lattice = source.name == "broad" and kernel in self.lattice
        slack += (self.lattice[kernel] if by_lattice else source).outside + RULE_ERROR * check.bound
        theory, kernels = self.expected.get(source.name, (None, []))
        if theory is None or kernel not in kernels:
            check.tolerance = check.bound = slack
            return
        which = kernels.index(kernel)
        error, bound = theory.error[which], float(theory.bound[which])
        check.tolerance, check.bound = slack + theory.tail, bound + slack + theory.tail
        square = float(error @ error)
        if kernel in SPECTRAL and self.domain.convolved:
            check.tolerance = float("inf")
        elif square > 0:
            check.expected, check.amplitude = bound, check.amplitude / square * bound
            check.uncertainty = check.tolerance * float(np.sum(abs(error))) / square


def largest(values: np.ndarray) -> float:
    """The largest magnitude, or NaN if there is one."""
    return float(np.max(np.abs(values), initial=0.0))


def examine(theory: Theory, subject: Subject, selection: Selection) -> list[Result]:
    """Tests all kernels and strategies on one subject. Collective; the results are equal on all ranks."""
    grids = {cells: Grid(theory, subject, cells, selection.kernels) for cells in selection.sizes}
    results = [_examine_kernel(theory.comm, subject, selection, kernel, grids) for kernel in selection.kernels]
    join(theory.comm, results)
    for result in results:
        for cells, checks in result.checks.items():
            for source in grids[cells].sources:
                if source.name in checks:
                    grids[cells].limits(result.kernel, source, checks[source.name])
    return results


def _examine_kernel(
    comm: MPI.Intracomm, subject: Subject, selection: Selection, kernel: str, grids: dict[int, Grid]
) -> Result:
    result = Result(subject, kernel)
    for turn, (cells, grid) in enumerate(grids.items()):
        result.checks[cells] = {}
        first = turn_of(selection.strategies, subject, turn)
        try:
            solver = make_solver(comm, grid.domain, kernel, first)
        except Error as error:
            result.refused[first] = str(error)
            continue
        grid.locate(solver.local_box)
        for source in grid.sources:
            result.checks[cells][source.name], solution = grid.measure(solver, kernel, source)
        if turn == 0:
            for strategy in selection.strategies[1:]:
                _compare(comm, grid, kernel, strategy, solution, result)
    return result


def _compare(
    comm: MPI.Intracomm, grid: Grid, kernel: str, strategy: str, reference: np.ndarray, result: Result
) -> None:
    """Whether another strategy gives the same bits."""
    try:
        solver = make_solver(comm, grid.domain, kernel, strategy)
    except Error as error:
        result.refused[strategy] = str(error)
        return
    solution = solved(solver, grid.fields("broad", kernel)[0])
    result.different[strategy] = solution.tobytes() != reference.tobytes()


def join(comm: MPI.Intracomm, results: Sequence[Result]) -> None:
    """Joins the results of all ranks."""
    checks = [check for result in results for by_source in result.checks.values() for check in by_source.values()]
    largest = np.array([[c.error, c.deviation, c.bound] for c in checks]).ravel()
    # MPI.MAX may lose NaN.
    largest = np.where(np.isnan(largest), np.inf, largest)
    sums = np.array([[c.tolerance, c.amplitude] for c in checks])
    bits = np.array([float(d) for result in results for d in result.different.values()])
    maxima = np.concatenate([largest, bits])
    comm.Allreduce(MPI.IN_PLACE, maxima, MPI.MAX)
    comm.Allreduce(MPI.IN_PLACE, sums, MPI.SUM)
    for check, row, totals in zip(checks, maxima[: largest.size].reshape(-1, 3), sums, strict=True):
        check.error, check.deviation, check.bound = map(float, row)
        check.tolerance, check.amplitude = map(float, totals)
    different = iter(maxima[largest.size :])
    for result in results:
        for strategy in result.different:
            result.different[strategy] = bool(next(different))


def nominal(kernel: str) -> str:
    """The description of a wrong order."""
    return "exact" if kernel in ("power", "batch") else str(order(kernel) or "spectral")
