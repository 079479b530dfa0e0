"""Errors over the number of cells for every kernel: the validation cases of the FLUPS paper, and charged sources."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import log

import numpy as np

from weft._mpi import MPI
from weft.cli import validate_paper as paper
from weft.cli.validate_exact import Charged, Domain
from weft.cli.validate_runs import make_solver, solved

_SIZES, _QUICK_SIZES = (16, 24, 32, 48, 64, 96), (16, 24, 32)
# Smaller errors are rounding errors, to which no slope is fitted.
_FLOOR = 1e-12
_CHARGED = {
    "charge in free space": ("UU", "UU", "UU"),
    "charges between two unbounded and one periodic axis": ("UU", "UU", "PP"),
    "sheets of charge: one unbounded and two spectral axes": ("UU", "PP", "EE"),
    "charge with images: semi-unbounded axes": ("UE", "OU", "UU"),
    "charge in the plane": ("UU", "UU"),
}
Fields = Callable[[Domain, Sequence[np.ndarray]], tuple[np.ndarray, np.ndarray]]


@dataclass
class Curve:
    """The largest errors of one kernel over the number of cells."""

    kernel: str
    cells: list[int]
    errors: list[float]
    slope: float | None = None  # fitted to the last two errors above rounding


@dataclass
class Panel:
    """The curves of all kernels for one centring or one derivative."""

    name: str
    curves: list[Curve] = field(default_factory=list)


@dataclass
class Figure:
    """One problem."""

    title: str
    panels: list[Panel]


def slope(cells: Sequence[int], errors: Sequence[float]) -> float | None:
    """The order between the last two sizes whose errors are above rounding."""
    kept = [(n, error) for n, error in zip(cells, errors, strict=True) if error > _FLOOR]
    if len(kept) < 2:
        return None
    (n, coarse), (m, fine) = kept[-2:]
    return log(coarse / fine) / log(m / n)


def _charged(domain: Domain, positions: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    source = Charged(domain)
    return np.ascontiguousarray(source.rhs(positions)), source.solution(positions)


def _error(comm: MPI.Intracomm, domain: Domain, kernel: str, fields: Fields) -> float:
    """The largest error on all ranks. Collective."""
    solver = make_solver(comm, domain, kernel, "alltoallv")
    positions = [axis.points[lo:hi] for axis, (lo, hi) in zip(domain.axes, solver.local_box, strict=True)]
    rhs, exact = fields(domain, positions)
    difference = float(np.max(np.abs(solved(solver, rhs) - exact), initial=0.0))
    return comm.allreduce(difference, op=MPI.MAX)


def _figure(
    comm: MPI.Intracomm, title: str, pairs: Sequence[str], kernels: Sequence[str], sizes: Sequence[int], fields: Fields
) -> Figure:
    panels = []
    for nodes in (False, True):
        panel = Panel("node-centred" if nodes else "cell-centred")
        for kernel in kernels:
            errors = [_error(comm, Domain(pairs, cells, nodes), kernel, fields) for cells in sizes]
            panel.curves.append(Curve(kernel, list(sizes), errors, slope(sizes, errors)))
        panels.append(panel)
    return Figure(title, panels)


def figures(comm: MPI.Intracomm, kernels: Sequence[str], quickly: bool) -> list[Figure]:
    """Computes all figures. Collective."""
    sizes = _QUICK_SIZES if quickly else _SIZES
    found = []
    for name, pairs in paper.BOUNDARIES.items():

        def fields(_: Domain, positions: Sequence[np.ndarray], name: str = name) -> tuple[np.ndarray, np.ndarray]:
            return paper.fields(name, positions)

        title = f"case {name} of the FLUPS paper ({' '.join(pairs)})"
        found.append(_figure(comm, title, pairs, kernels, sizes, fields))
    for title, ends in _CHARGED.items():
        found.append(_figure(comm, f"{title} ({' '.join(ends)})", ends, kernels, sizes, _charged))
    return found
