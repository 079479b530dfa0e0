"""Landau damping in four dimensions: mpiexec -n 2 python examples/phase_space.py [--cells 16] [--speeds 32] [--out F]

Electrons before a background of ions: df/dt + v . grad f + E . df/dv = 0, div E = int f dv - 1, with two dimensions of
space and two of velocity, near a Maxwell distribution. A plane wave of density dies without friction (Landau 1946): its
field goes as exp(-i omega t), 1 + (1 + z Z(z)) / k^2 = 0, z = omega / (k sqrt 2), Z the plasma dispersion function
(Fried and Conte 1961); omega = 1.4157 - 0.1534 i for k = 1/2. The wave is oblique, k = (0.3, 0.4): all axes take part.

Split in time (Cheng and Knorr 1976; Strang 1968): moving in space is a factor exp(-i k.v dt) of the modes along the
axes of space, being accelerated one of those along the axes of velocity. Each is one call of apply() on 4-D arrays.
"""

from pathlib import Path

import numpy as np
import weft
from common import Arguments, conclude, counted, plane, subplots, whole
from mpi4py import MPI
from scipy.optimize import newton
from scipy.special import wofz

WAVE = np.array([0.3, 0.4])
AMPLITUDE, TOP_SPEED, DT, END = 1e-3, 6.0, 0.1, 16.0
FIT = 6.0, 16.0  # where the field is fitted: faster waves have died, and velocities still resolve what has wound up


class PhaseSpace:
    """The distribution f(x, y, vx, vy) of this rank, and what moves it."""

    def __init__(self, cells: int, speeds: int) -> None:
        shape = (cells, cells, speeds, speeds)
        self.lengths = 2 * np.pi / WAVE
        self.space = weft.Plan(shape, ("r2c", "c2c", "none", "none"))
        own = self.space.physical_slices
        self.velocity = weft.Plan(shape, ("none", "none", "c2c", "r2c"), physical_box=own)
        self.comm, self.cells = self.space.comm, cells
        # Every rank solves for the field of the plane by itself: it is small beside f.
        self.poisson = weft.VectorPoisson([cells] * 2, self.lengths, ["periodic"] * 2, comm=MPI.COMM_SELF)
        x, y = (np.arange(cells) * length / cells for length in self.lengths)
        self.v = (np.arange(speeds) - speeds / 2) * 2 * TOP_SPEED / speeds
        wave = 1 + AMPLITUDE * np.cos(WAVE[0] * x[own[0], None] + WAVE[1] * y[own[1]])
        maxwell = np.exp(-(self.v**2) / 2) / np.sqrt(2 * np.pi)
        self.f = np.ascontiguousarray(np.einsum("xy,v,w->xyvw", wave, maxwell[own[2]], maxwell[own[3]]))
        self.cell_of_velocity = (2 * TOP_SPEED / speeds) ** 2

    def drift(self, dt: float) -> np.ndarray:
        """The factor that moves f in space for a time."""
        k = self.space.wavenumbers()
        mine = self.space.spectral_slices[2:]
        along = [np.exp(-1j * dt * q * w * v) for q, w, v in zip(WAVE, k, self._speeds(mine), strict=False)]
        return along[0] * along[1]

    def kick(self, dt: float) -> np.ndarray:
        """The factor that accelerates f by the field of its density for a time. Collective."""
        e = self.field()[(slice(None), *self.velocity.spectral_slices[:2], None, None)]
        rates = [w * np.pi / TOP_SPEED for w in self.velocity.wavenumbers()[2:]]
        return np.exp(-1j * dt * rates[0] * e[0]) * np.exp(-1j * dt * rates[1] * e[1])

    def _speeds(self, slices: tuple[slice, ...]) -> list[np.ndarray]:
        return [self.v[slices[0], None], self.v[slices[1]]]

    def density(self) -> np.ndarray:
        """int f dv in all of space, on every rank. Collective."""
        density = np.zeros((self.cells, self.cells))
        density[self.space.physical_slices[:2]] = np.sum(self.f, axis=(2, 3)) * self.cell_of_velocity
        return self.comm.allreduce(density)

    def field(self) -> np.ndarray:
        """E (2, x, y), on every rank. Collective."""
        return self.poisson.solve_gradient(self.density() - 1)

    def step(self, half: np.ndarray) -> None:
        """Half a drift, a kick, half a drift."""
        self.space.apply(self.f, half, out=self.f)
        self.velocity.apply(self.f, self.kick(DT), out=self.f)
        self.space.apply(self.f, half, out=self.f)


def theory() -> complex:
    """The frequency of the least damped wave."""
    k = np.linalg.norm(WAVE)

    def dispersion(omega: complex) -> complex:
        z = omega / (k * np.sqrt(2))
        return 1 + (1 + z * 1j * np.sqrt(np.pi) * wofz(z)) / k**2

    return newton(dispersion, 1.4 - 0.15j, tol=1e-12)


def frequency(times: np.ndarray, amplitude: np.ndarray) -> complex:
    """omega of the damped wave that fits best (Prony 1795): a(t + 2 s) = p a(t + s) - q a(t), with s of one unit."""
    window = amplitude[(times >= FIT[0] - DT / 2) & (times <= FIT[1] + DT / 2)]
    s = round(1 / DT)
    p, q = np.linalg.lstsq(np.stack([window[s:-s], -window[: -2 * s]], axis=1), window[2 * s :], rcond=None)[0]
    return 1j * np.log(p / 2 - np.emath.sqrt(p**2 / 4 - q)) / (s * DT)


def draw(out: Path, times: np.ndarray, amplitude: np.ndarray, exact: complex, slab: np.ndarray, length: float) -> None:
    """The wave over time, and what it leaves behind in phase space."""
    fig, axes = subplots(2, 1, 5, 7)
    axes[0].semilogy(times, abs(amplitude) / AMPLITUDE, label="wave of density")
    axes[0].semilogy(times, np.exp(exact.imag * times), "k--", lw=1, label=f"theory, exp({exact.imag:.4f} t)")
    axes[0].set(xlabel="time", ylabel="amplitude / initial", title="Landau damping, k = (0.3, 0.4)")
    axes[0].legend()
    reach = np.max(abs(slab)) / AMPLITUDE
    box = 0, length, -TOP_SPEED, TOP_SPEED
    image = axes[1].imshow(
        slab.T / AMPLITUDE, origin="lower", extent=box, aspect="auto", cmap="RdBu_r", vmin=-reach, vmax=reach
    )
    axes[1].set(xlabel="x", ylabel="speed along x", title=f"What is left in f at time {times[-1]:g}")
    fig.colorbar(image, ax=axes[1])
    fig.savefig(out, dpi=90)


def main() -> None:
    """Runs, fits and draws."""
    comm = MPI.COMM_WORLD
    arguments = Arguments(__doc__, comm, whole(4, multiple=2), 16)
    # exp(-i k.v t) winds up until the shortest wave along v, pi/(spacing), is k t at the end.
    fewest = 2 * int(np.ceil(TOP_SPEED * max(WAVE) * END / np.pi))
    arguments.add_argument("--speeds", type=whole(fewest, multiple=2), default=32, metavar="N", help="along v [32]")
    given = arguments.parse()
    flow = PhaseSpace(given.cells, given.speeds)
    start, mass = flow.f.copy(), np.mean(flow.density())
    x, y = (np.arange(given.cells) * length / given.cells for length in flow.lengths)
    wave = 2 * np.cos(WAVE[0] * x[:, None] + WAVE[1] * y)
    half, amplitude = flow.drift(DT / 2), [np.mean(wave * flow.density())]
    for _ in counted(comm, round(END / DT), "phase_space"):
        flow.step(half)
        amplitude.append(np.mean(wave * flow.density()))
    times, amplitude = DT * np.arange(len(amplitude)), np.array(amplitude)
    found, exact = frequency(times, amplitude), theory()
    lost = abs(np.mean(flow.density()) / mass - 1)
    slab = plane(comm, flow.space.shape, flow.space.physical_slices, {1: 0, 3: given.speeds // 2}, flow.f - start)
    if comm.rank == 0:
        draw(given.out, times, amplitude, exact, slab, flow.lengths[0])
    conclude(
        comm,
        f"damping {-found.imag:.4f}, theory {-exact.imag:.4f}; frequency {found.real:.4f}, theory {exact.real:.4f}; "
        f"mass changes by {lost:.1e}; picture in {given.out}",
        [
            # Splitting errs by (omega DT)^2/24 = 1e-3; the second wave has died to 5e-3 of it when the fit begins.
            ("the relative error of the damping", abs(found.imag / exact.imag - 1), 0.01),
            ("the relative error of the frequency", abs(found.real / exact.real - 1), 0.002),
            ("the change of mass", lost, 1e-12),
        ],
    )


if __name__ == "__main__":
    main()
