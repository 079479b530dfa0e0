"""The checks of weft validate of displaced points, and of lattice kernels on cells that are not cubes.

displaced: a Gaussian charge along the unbounded axes times waves along the others, at points displaced by parts of a
cell and by many boxes, with kernels whose only error is rounding. lattices: waves for every kind of end, whose
differences along each axis are known numbers.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import erf, erfc
from typing import Any

import numpy as np

from weft._mpi import MPI
from weft.cli.validate_findings import EPS, Finding, largest
from weft.poisson import Poisson

_WIDTH = 0.07  # of the charge, in the middle of a box of 1: erfc(5) = 1.5e-12 of it is beyond the ends of each axis
_CUT = erfc(0.5 / _WIDTH / np.sqrt(2))
_SHIFTS = ((0.0123, -0.31, 0.5), (-3.3, 1.7, 17.0))
# Ends, cells, and wavenumbers over pi along axes that are not unbounded; the periodic ones of these are displaced.
_DOMAINS = (
    (("unbounded",) * 3, (40, 36, 44), (0, 0, 0)),
    (("periodic", "even", "unbounded"), (8, 6, 48), (4, 1, 0)),
    (("unbounded", "periodic"), (48, 8), (0, 2)),
    (("odd", "unbounded"), (6, 48), (1, 0)),
)
_POWERS = (1, 1 / 12, 1 / 90, 1 / 560)  # of 4 sin^2(k h / 2), in differences of order 2, 4, ...


def _charge(r: np.ndarray, axes: int) -> np.ndarray:
    return np.exp(-((r / _WIDTH) ** 2) / 2) / (2 * np.pi * _WIDTH**2) ** (axes / 2)


def _potential(r: np.ndarray, k: float) -> np.ndarray:
    """The potential of a charge of 1 in free space, or of a sheet of waves of wavenumber k > 0, at a distance."""
    if k == 0:
        return -np.vectorize(erf)(r / (np.sqrt(2) * _WIDTH)) / (4 * np.pi * r)
    parts = [np.exp(s * k * r) * np.vectorize(erfc)((k * _WIDTH + s * r / _WIDTH) / np.sqrt(2)) for s in (-1, 1)]
    return -np.exp((k * _WIDTH) ** 2 / 2) / (4 * k) * sum(parts)


def _along(points: Sequence[np.ndarray], ends: Any, waves: Any, shift: Any) -> tuple[np.ndarray, np.ndarray]:
    """The distance from the middle along the unbounded axes, and the wave along the others, at displaced points."""
    square, wave = np.zeros(()), np.ones(())
    for x, end, k, d in zip(points, ends, waves, shift, strict=True):
        if end == "unbounded":
            square = square + (x + d - 0.5) ** 2
        else:
            wave = wave * (np.sin if end == "odd" else np.cos)(np.pi * k * (x + d))
    return np.sqrt(square), wave


def displaced(comm: MPI.Intracomm, quickly: bool) -> Iterator[Finding]:
    """Kernels of spectral accuracy."""
    for (ends, cells, waves), given in product(_DOMAINS, _SHIFTS[:1] if quickly else _SHIFTS):
        shift = tuple(0.0 if end in ("even", "odd") else d for end, d in zip(ends, given, strict=False))
        axes, k = ends.count("unbounded"), np.pi * float(np.sqrt(sum(n * n for n in waves)))
        for kernel, centring in (("truncated", "cell"), ("truncated", "node"), ("hej0", "cell")):
            counts = [max(cells) if kernel == "hej0" else n for n in cells]  # hej0 takes equal spacings only
            options: dict[str, Any] = {"kernel": kernel, "centring": centring, "shift": shift}
            solver = Poisson(counts, [1.0] * len(ends), ends, comm=comm, threads=1, **options)
            r, wave = _along(solver.points(), ends, waves, [0.0] * len(ends))
            found = solver.solve(np.ascontiguousarray(_charge(r, axes) * wave + 0 * sum(solver.points())))
            r, wave = _along(solver.points(), ends, waves, shift)
            # The part cut off has the potential of a charge in one cell: 3/(8 pi 0.62 h) in space, 1/(2 k) for a sheet.
            bound = axes * _CUT * (0.2 * max(cells) if axes == 3 else 0.5 / k) + 100 * EPS * max(cells) / 5
            error = largest(comm, found - _potential(r, k) * wave) / bound
            yield Finding(f"{kernel} {centring} {' '.join(ends)} by {shift}", error).judged()


def lattices(comm: MPI.Intracomm, quickly: bool) -> Iterator[Finding]:
    """The inverse of differences of waves, on cells of 1 : 2.7 : 0.4."""
    cells, lengths = (8, 6, 10), (1.0, 2.0, 0.5)
    for number, ends in enumerate(product(("periodic", "even", "odd"), repeat=3)):
        for order, centring in product((2, 4, 6, 8), ("cell", "node")):
            if quickly and (number + order // 2) % 4:
                continue
            solver = Poisson(cells, lengths, ends, kernel=f"lgf{order}", centring=centring, comm=comm, threads=1)
            symbol, wave = 0.0, np.ones(())
            for x, n, length, end in zip(solver.points(), cells, lengths, ends, strict=True):
                k = (2 if end == "periodic" else 1) * np.pi * 2 / length
                y = 4 * np.sin(k * length / n / 2) ** 2
                symbol += sum(power * y ** (j + 1) for j, power in enumerate(_POWERS[: order // 2])) * (n / length) ** 2
                wave = wave * (np.sin if end == "odd" else np.cos)(k * x)
            # Transforms of mirrored 16 x 12 x 20 points err by 14 eps log2 N of the whole, which has a mean square of
            # 1/8 at 9 x 7 x 11 points, times the inverse of the lowest mode's symbol, which is above 1.
            error = largest(comm, solver.solve(np.ascontiguousarray(wave)) + wave / symbol)
            bound = 14 * EPS * np.log2(16 * 12 * 20) * np.sqrt(9 * 7 * 11 / 8)
            yield Finding(f"lgf{order} {centring} {' '.join(ends)}", error / bound).judged()
