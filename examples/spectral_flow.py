"""An incompressible flow in a periodic box by its Fourier modes: du/dt = P(u x curl u) + nu lap u.

P is the projection on fields without divergence; products are taken on 3/2 as many points, so that nothing is aliased
(Orszag 1971). The three components are one array of one plan. Used by taylor_green.py.
"""

from collections.abc import Callable, Sequence

import numpy as np
import weft

CYCLES = (0, 1, 2), (1, 2, 0), (2, 0, 1)


class Flow:
    """A velocity field by its modes, an array (3, kx, ky, kz) of Fourier coefficients.

    cells       modes along each axis of the box, of side 2 pi; products are taken on 3/2 as many points.
    viscosity   kinematic.
    start       the velocity (u, v, w) at t = 0 as a function of coordinates that broadcast.
    """

    def __init__(self, cells: int, viscosity: float, start: Callable[..., Sequence[np.ndarray | float]]) -> None:
        self.viscosity = viscosity
        n = 3 * cells // 2
        self.plan = plan = weft.Plan(
            (3, n, n, n), ("none", "c2c", "c2c", "r2c"), modes=(0, cells, cells, cells), batch_axes=(0,), norm="forward"
        )
        self.k = [k[0] for k in plan.wavenumbers()[1:]]
        self.squared = sum(k**2 for k in self.k)
        # The mode of cells/2 stands for two waves and has no derivative: it stays 0, and so does the mean.
        self.kept = np.prod(np.broadcast_arrays(self.squared > 0, *(abs(k) < cells / 2 for k in self.k)), 0, float)
        self.weights = 0.5 * plan.weights()[0]
        self.u, self.vorticity, self.product = (plan.physical() for _ in range(3))
        self.curl = plan.spectral()
        for part, values in zip(self.u, start(*(c[0] for c in plan.coordinates()[1:])), strict=True):
            part[...] = values
        self.modes = plan.forward(self.u)

    def curl_of(self, modes: np.ndarray) -> np.ndarray:
        """The vorticity on the points."""
        for i, a, b in CYCLES:
            np.multiply(1j * self.k[a], modes[b], out=self.curl[i])
            self.curl[i] -= 1j * self.k[b] * modes[a]
        return self.plan.backward(self.curl, out=self.vorticity)

    def accelerated(self, modes: np.ndarray) -> np.ndarray:
        """Modes of P(u x curl u)."""
        w, u = self.curl_of(modes), self.plan.backward(modes, out=self.u)
        for i, a, b in CYCLES:
            np.multiply(u[a], w[b], out=self.product[i])
            self.product[i] -= u[b] * w[a]
        result = self.plan.forward(self.product)
        result *= self.kept
        pressure = sum(k * part for k, part in zip(self.k, result, strict=True)) / np.maximum(self.squared, 1)
        for part, k in zip(result, self.k, strict=True):
            part -= k * pressure
        return result

    def step(self, dt: float) -> None:
        """Runge-Kutta of order 4 for the modes times exp(nu k^2 t)."""
        u, half = self.modes, np.exp(-self.viscosity * self.squared * dt / 2)
        a = self.accelerated(u)
        b = self.accelerated(half * (u + dt / 2 * a))
        c = self.accelerated(half * u + dt / 2 * b)
        d = self.accelerated(half * (half * u + dt * c))
        self.modes = half * (half * (u + dt / 6 * a) + dt / 3 * (b + c)) + dt / 6 * d

    def energy(self) -> np.ndarray:
        """Of the modes of this rank, per volume."""
        return self.weights * np.sum(self.modes.real**2 + self.modes.imag**2, axis=0)

    def totals(self) -> np.ndarray:
        """Kinetic energy, and 2 nu times the enstrophy. Collective."""
        energy = self.energy()
        return self.plan.comm.allreduce(np.array([np.sum(energy), 2 * self.viscosity * np.sum(self.squared * energy)]))

    def spectrum(self) -> np.ndarray:
        """Energy of the shells |k| = 0, 1, 2, ... to the nearest. Collective."""
        shell = np.rint(np.sqrt(self.squared)).astype(int).ravel()
        return self.plan.comm.allreduce(np.bincount(shell, self.energy().ravel(), minlength=self.plan.shape[1]))
