"""Figures 18 and 19 of the FLUPS paper: the velocity of a vortex tube for every kernel and derivative."""

from collections.abc import Sequence

import numpy as np

from weft._mpi import MPI
from weft.cli.validate_curves import Curve, Figure, Panel, slope
from weft.cli.validate_exact import gauss_legendre
from weft.vector_poisson import VectorPoisson

_SIZES, _QUICK_SIZES = (32, 64, 128, 256), (32, 64)
_DERIVATIVES = (2, 4, 6, "spectral")
_RADIUS = 0.4
# Nothing depends on z, so a few cells of the same size suffice.
_LAYERS = 4


def exponential_integral_2(x: np.ndarray) -> np.ndarray:
    """E_2 for x >= 1: int_0^1 exp(-x/y) dy (DLMF 8.19.3 with t = 1/y)."""
    y, w = gauss_legendre(160)
    return np.exp(-x[..., None] / y) @ w


def tube(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The vorticity along z and the velocity around the axis x = y = 1/2 over the distance, for a circulation of 1.

    omega = exp(-1/(1 - rho^2)) / (pi R^2 E_2(1)) for rho = r/R < 1; beyond, the velocity is 1/(2 pi r), where the paper
    prints 0 (its equations (15) to (18)).
    """
    r2 = (x - 0.5) ** 2 + (y - 0.5) ** 2
    inside = r2 < _RADIUS**2
    q = np.where(inside, 1 - r2 / _RADIUS**2, 1.0)
    total = float(exponential_integral_2(np.array(1.0)))
    vorticity = np.where(inside, np.exp(-1 / q), 0.0) / (np.pi * _RADIUS**2 * total)
    circulation = np.where(inside, 1 - q * exponential_integral_2(1 / q) / total, 1.0)
    # At the axis u/r is half of the vorticity.
    near = r2 < 1e-16
    return vorticity, np.where(near, vorticity / 2, circulation / (2 * np.pi * np.where(near, 1.0, r2)))


def _error(comm: MPI.Intracomm, kernel: str, derivative: str | int, cells: int) -> float:
    """The largest error of the node-centred velocity. Collective."""
    across = ["unbounded", "unbounded", "odd"]
    solver = VectorPoisson(
        (cells, cells, _LAYERS),
        (1.0, 1.0, _LAYERS / cells),
        [across, across, ["unbounded", "unbounded", "even"]],
        centring="node",
        kernel=kernel,
        derivative=derivative,
        comm=comm,
        threads=1,
        strategy="alltoallv",
    )
    x, y, _ = solver.points()
    vorticity = np.zeros(solver.vector_shape)
    found, rate = tube(x, y)
    vorticity[2] = found
    velocity = solver.biot_savart(vorticity)
    velocity[0] -= -rate * (y - 0.5)
    velocity[1] -= rate * (x - 0.5)
    return comm.allreduce(float(np.max(np.abs(velocity), initial=0.0)), op=MPI.MAX)


def tube_figure(comm: MPI.Intracomm, kernels: Sequence[str], quickly: bool) -> Figure:
    """Computes one panel per derivative. Collective."""
    sizes = _QUICK_SIZES if quickly else _SIZES
    panels = []
    for derivative in _DERIVATIVES:
        name = "spectral derivative" if derivative == "spectral" else f"derivative of order {derivative}"
        panel = Panel(name)
        for kernel in kernels:
            errors = [_error(comm, kernel, derivative, cells) for cells in sizes]
            panel.curves.append(Curve(kernel, list(sizes), errors, slope(sizes, errors)))
        panels.append(panel)
    return Figure(f"velocity of a vortex tube of radius {_RADIUS}, node-centred", panels)
