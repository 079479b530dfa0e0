"""The results of weft validate: counts and extremes by kernel, as a table and as JSON, and the failed cases."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.table import Table

from weft import _build
from weft.cli.report import json_text
from weft.cli.validate_cases import Selection, case_text
from weft.cli.validate_curves import Figure
from weft.cli.validate_findings import Finding
from weft.cli.validate_runs import Result, nominal


@dataclass
class Row:
    """One kernel, or one family of other cases."""

    kernel: str
    order: str
    cases: int = 0
    failed: int = 0
    error_of_bound: float = 0.0  # largest of all sources and grids
    deviation_of_tolerance: float = 0.0  # largest ratio where the solution is known
    orders: tuple[float, float] | None = None  # least and largest observed
    order_difference: float = 0.0  # largest between observed and expected

    def add(self, result: Result) -> None:
        """Updates the extremes by one result."""
        checks = [check for by_source in result.checks.values() for check in by_source.values()]
        for check in checks:
            if check.bound > 0:
                self.error_of_bound = max(self.error_of_bound, check.error / check.bound)
            if check.tolerance > 0:
                self.deviation_of_tolerance = max(self.deviation_of_tolerance, check.deviation / check.tolerance)
        if result.orders is not None:
            observed, expected, _ = result.orders
            low, high = self.orders or (observed, observed)
            self.orders = min(low, observed), max(high, observed)
            self.order_difference = max(self.order_difference, abs(observed - expected))

    def add_finding(self, finding: Finding) -> None:
        """Updates the extremes by one case of a family."""
        self.cases += 1
        self.failed += bool(finding.faults)
        self.error_of_bound = max(self.error_of_bound, finding.error)
        if finding.order is not None:
            low, high = self.orders or (finding.order, finding.order)
            self.orders = min(low, finding.order), max(high, finding.order)
            self.order_difference = max(self.order_difference, abs(finding.order - float(self.order)))


@dataclass
class Tally:
    """All results so far."""

    ranks: int
    selection: Selection
    seconds: float = 0.0
    cases: int = 0
    rows: dict[str, Row] = field(default_factory=dict)
    families: dict[str, Row] = field(default_factory=dict)
    failures: list[tuple[str, list[str]]] = field(default_factory=list)
    failed: int = 0

    def add(self, results: Sequence[Result]) -> None:
        """Adds the results of all kernels on one combination."""
        strategies = self.selection.strategies
        for result in results:
            row = self.rows.setdefault(result.kernel, Row(result.kernel, nominal(result.kernel)))
            row.add(result)
            row.cases += len(strategies)
            self.cases += len(strategies)
            found = result.faults(strategies)
            for (cells, strategy), texts in found.items():
                text = case_text(result.kernel, result.subject, cells, strategy)
                self.failures.append((f'weft validate -n {self.ranks} --case "{text}"', texts))
            count = len({strategy for _, strategy in found})
            row.failed += count
            self.failed += count

    def add_finding(self, family: str, order: str, finding: Finding) -> None:
        """Adds one case of a family."""
        row = self.families.setdefault(family, Row(family, order))
        row.add_finding(finding)
        self.cases += 1
        if finding.faults:
            self.failed += 1
            line = f"weft validate -n {self.ranks} --families {family}"
            self.failures.append((line, [f"{finding.case}: {text}" for text in finding.faults]))


def as_json(tally: Tally, drawn: Sequence[Figure]) -> bytes:
    """All results as one JSON object."""
    value: dict[str, Any] = {
        "ranks": tally.ranks,
        "mpi": f"{_build.MPI} {_build.MPI_VERSION}",
        "weft": _build.VERSION,
        "seconds": tally.seconds,
        "combinations": len(tally.selection.subjects),
        "cells": list(tally.selection.sizes),
        "strategies": list(tally.selection.strategies),
        "cases": tally.cases,
        "failed": tally.failed,
        "kernels": [asdict(row) for row in tally.rows.values()],
        "families": [asdict(row) for row in tally.families.values()],
        "failures": [{"reproducer": line, "faults": texts} for line, texts in tally.failures],
        "curves": [
            {"case": figure.title, "panel": panel.name, **asdict(curve)}
            for figure in drawn
            for panel in figure.panels
            for curve in panel.curves
        ],
    }
    return (json_text(value) + "\n").encode()


COLUMNS = ("order", "cases", "failed", "error / bound", "deviation / tolerance", "orders seen", "from theory")


def cells_of(row: Row) -> list[str]:
    """One line of the table as text."""
    seen = "" if row.orders is None else f"{row.orders[0]:.2f} to {row.orders[1]:.2f}"
    apart = "" if row.orders is None else f"{row.order_difference:.0e}"
    ratios = [f"{row.error_of_bound:.3f}", f"{row.deviation_of_tolerance:.3f}"]
    return [row.order, str(row.cases), str(row.failed), *ratios, seen, apart]


def table(tally: Tally) -> Table:
    """Prints the table with one line per kernel."""
    sizes = " and ".join(map(str, tally.selection.sizes))
    found = Table(
        title=f"{tally.ranks} ranks, {_build.MPI} {_build.MPI_VERSION}: {len(tally.selection.subjects)} combinations "
        f"of boundaries and centring, {sizes} cells per axis",
        title_justify="left",
    )
    found.add_column("kernel", no_wrap=True)
    for column in COLUMNS:
        found.add_column(column, justify="right")
    for row in (*tally.rows.values(), *tally.families.values()):
        found.add_row(row.kernel, *cells_of(row))
    return found
