"""A wave that grows between walls: mpiexec -n 2 python examples/tollmien_schlichting.py [--cells 64] [--out F.png]

The flow U = 1 - z^2 along x between walls at z = -1 and 1 is unstable at the Reynolds number R = 10000. Its velocity v
across the channel obeys, if small (Orr 1907, Sommerfeld 1908), with q = laplacian(v)

    q_t = -U q_x + U'' v_x + laplacian(q) / R,    v = v_z = 0 at both walls.

A wave exp(i (x - w t)) has w = 0.23752649 + 0.00373967i (Orszag, J. Fluid Mech. 50, 1971). Here it is followed in time:
terms with U by Adams and Bashforth's second-order steps, friction by Crank and Nicolson's. A step is two solves on
Chebyshev points, l^2 = 2 R / dt:

    (laplacian - l^2) q' = right-hand side,    laplacian(v') = q',  v' = 0 at both walls.

q has no values at walls of its own: they are those that make v_z vanish there. What values at one wall do to v_z is
found once, by a solve with them.
"""

from pathlib import Path
from typing import Any

import numpy as np
import weft
from common import Arguments, conclude, plane, subplots, whole
from mpi4py import MPI
from scipy.linalg import eig

REYNOLDS, END = 10000.0, 2.0
ORSZAG = 0.23752649 + 0.00373967j
STEPS = (50, 100)
WALLS = ("left", "right")


def mode(z: np.ndarray, cells: int) -> tuple[complex, np.ndarray, np.ndarray]:
    """The frequency of the growing wave, and the profiles of v and q on points z, by collocation; v(0) = 1."""
    inner = np.cos(np.pi * (np.arange(cells - 3) + 0.5) / (cells - 3))
    wall = np.polynomial.Chebyshev([0.375, 0, -0.5, 0, 0.125])  # (1 - z^2)^2, which is 0 with its slope at both walls
    basis = [wall * np.polynomial.Chebyshev.basis(k) for k in range(cells - 3)]
    vorticity = [f.deriv(2) - f for f in basis]
    v, q = (np.array([f(inner) for f in functions]).T for functions in (basis, vorticity))
    friction = np.array([f.deriv(2)(inner) - f(inner) for f in vorticity]).T
    w, vectors = eig((1 - inner**2)[:, None] * q + 2 * v + 1j / REYNOLDS * friction, q)
    growing = int(np.argmin(abs(w - ORSZAG)))
    wave = vectors[:, growing] / (vectors[:, growing] @ [f(0) for f in basis])
    return complex(w[growing]), *(wave @ np.array([f(z) for f in functions]) for functions in (basis, vorticity))


class Channel:
    """One step of the wave after the other. Collective."""

    def __init__(self, cells: int, dt: float) -> None:
        box = (8, cells), (2 * np.pi, 2.0), ["periodic", "odd"]
        self.screening = 2 * REYNOLDS / dt
        self.friction, self.velocity = (
            weft.Poisson(*box, centring=("cell", "chebyshev"), screening=screening)
            for screening in (np.sqrt(self.screening), 0.0)
        )
        self.plan = weft.Plan((8, cells + 1), ("r2c", "dct1"), physical_box=self.velocity.local_slices)
        self.x, self.z = self.velocity.points()
        self.z = self.z - 1
        zero = np.zeros(self.velocity.local_shape)
        # Profiles over the channel that values of 1 at one wall have, times a wave along x.
        self.answers = []
        for wall in WALLS:
            q = self.friction.solve(zero, ends={(1, wall): np.cos(self.x)}) / np.cos(self.x)
            v = self.velocity.solve(q * np.cos(self.x)) / np.cos(self.x)
            self.answers.append((q, v))
        self.slopes = np.stack([self.slope(v * np.cos(self.x)) / np.cos(self.x) for _, v in self.answers], -1)

    def slope(self, v: np.ndarray) -> np.ndarray:
        """v_z at both walls for all x, which ranks have that own points on the walls; these are cut along z alone."""
        across, here = self.plan.derivative(v, 1, chebyshev=(-1, 1)), self.velocity.local_slices[1]
        found = np.zeros((8, 2))
        for wall, point in enumerate((0, self.velocity.shape[1] - 1)):
            if here.start <= point < here.stop:
                found[:, wall] = across[:, point - here.start]
        return self.plan.comm.allreduce(found)

    def carried(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The terms with U."""
        q_x, v_x = (self.plan.derivative(f, 0, lengths=(2 * np.pi, np.pi)) for f in (q, v))
        return -(1 - self.z**2) * q_x - 2 * v_x

    def step(self, q: np.ndarray, bend: np.ndarray, carried: np.ndarray) -> tuple[np.ndarray, ...]:
        """q, v and laplacian(q) after a step, with the mean of the terms with U over it."""
        rhs = -bend - self.screening * q - 2 * REYNOLDS * carried
        q = self.friction.solve(rhs)
        v = self.velocity.solve(q)
        values = -np.linalg.solve(self.slopes, self.slope(v)[..., None])[..., 0]
        for wall, (more_q, more_v) in enumerate(self.answers):
            q, v = q + more_q * values[:, [wall]], v + more_v * values[:, [wall]]
        return q, v, rhs + self.screening * q


def followed(cells: int, steps: int) -> tuple[complex, np.ndarray, Any]:
    """The frequency of the wave from its change in time, v at the end, and the channel. Collective."""
    dt = END / steps
    channel = Channel(cells, dt)
    w, v_shape, q_shape = mode(channel.z.ravel(), cells)

    def wave(shape: np.ndarray, t: float) -> np.ndarray:
        return np.ascontiguousarray((shape * np.exp(1j * (channel.x - w * t))).real)

    q, v = wave(q_shape, 0), wave(v_shape, 0)
    before = channel.carried(wave(q_shape, -dt), wave(v_shape, -dt))
    bend = channel.plan.derivative(q, 1, 2, chebyshev=(-1, 1)) - q
    comm, phase = channel.plan.comm, np.exp(-1j * channel.x)

    def amplitude(u: np.ndarray) -> complex:
        return comm.allreduce(complex(np.sum(u * phase * np.conj(v_shape))))

    start = amplitude(v)
    for _ in range(steps):
        now = channel.carried(q, v)
        q, v, bend = channel.step(q, bend, 1.5 * now - 0.5 * before)
        before = now
    return 1j * np.log(amplitude(v) / start) / END, v, channel


def draw(out: Path, v: np.ndarray, z: np.ndarray) -> None:
    """v over two wavelengths."""
    fig, ax = subplots(1, 1, 9.6, 3.2)
    modes = np.fft.rfft(v, axis=0)[1] / 4
    x = np.linspace(0, 4 * np.pi, 241)
    field = np.real(modes * np.exp(1j * (x[:, None] - np.pi / 8)))
    picture = ax.contourf(x, z, field.T, 24, cmap="RdBu_r")
    fig.colorbar(picture, label="velocity across the channel")
    ax.set(xlabel="x", ylabel="z")
    fig.savefig(out, dpi=90)


def main() -> None:
    """The frequency, extrapolated from two lengths of steps."""
    comm = MPI.COMM_WORLD
    given = Arguments(__doc__, comm, whole(56), 64).parse()
    (coarse, _, _), (fine, v, channel) = (followed(given.cells, steps) for steps in STEPS)
    found = fine + (fine - coarse) / 3
    shape, slices = channel.velocity.shape, channel.velocity.local_slices
    whole_v = plane(comm, shape, slices, {}, v)
    if comm.rank == 0:
        draw(given.out, whole_v, weft.chebyshev_points(shape[1]))
    conclude(
        comm,
        f"frequency {found.real:.8f}, growth {found.imag:.8f}: off by {abs(found - ORSZAG):.1e}, "
        f"steps of {END / STEPS[1]} by {abs(fine - ORSZAG):.1e}; picture in {given.out}",
        # What two lengths of steps leave is smaller by about w dt than what the finer one has.
        [("the difference from Orszag's frequency", abs(found - ORSZAG), abs(fine - ORSZAG) * END / STEPS[1])],
    )


if __name__ == "__main__":
    main()
