"""A channel that starts to flow: mpiexec -n 2 python examples/channel.py [--cells 64] [--out F.png]

A force G sets a fluid of viscosity nu at rest between two walls in motion, u_t = G + nu laplacian(u), along x; x and y
are periodic. Cells are narrow at the walls, z = -1 and 1, whose slip length is b: u + b du/dn = 0. With the wavenumbers
k of k tan(k) = 1/b the exact flow is

    u = G / (2 nu) (1 - z^2 + 2 b) - sum A_k cos(k z) exp(-nu k^2 t)
    A_k = 2 G sin(k) / (nu k^3 (1 + sin(2 k) / (2 k)))

A step of Crank and Nicolson's is one solve of a screened problem, l^2 = 2 / (nu dt):

    (laplacian - l^2) u' = -(laplacian + l^2) u - 2 G / nu,

and what it has on the right is known from the step before: laplacian(u') = right-hand side + l^2 u'.
"""

from pathlib import Path

import numpy as np
import weft
from common import Arguments, conclude, counted, largest, subplots, whole
from mpi4py import MPI
from scipy.optimize import brentq

FORCE, VISCOSITY, SLIP, END = 1.0, 1.0, 0.1, 2.0  # a time of 1 is how long viscosity takes across half the channel
SHOWN = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)


def widths(cells: int) -> np.ndarray:
    """Cells between the walls, the narrowest of which touch them."""
    edges = np.tanh(1.6 * np.linspace(-1, 1, cells + 1)) / np.tanh(1.6)
    return np.diff(edges)


def series(z: np.ndarray, t: float, slip: float) -> np.ndarray:
    """The exact flow."""
    ends = [(n * np.pi, (n + 1) * np.pi) for n in range(60)]
    waves = [brentq(lambda k: slip * k * np.sin(k) - np.cos(k), low, high, xtol=1e-14) for low, high in ends]
    u = FORCE / (2 * VISCOSITY) * (1 - z**2 + 2 * slip)
    for k in waves:
        share = 2 * FORCE * np.sin(k) / (VISCOSITY * k**3 * (1 + np.sin(2 * k) / (2 * k)))
        u = u - share * np.cos(k * z) * np.exp(-VISCOSITY * k**2 * t)
    return u


def flow(cells: int, slip: float) -> tuple[float, np.ndarray, dict[float, np.ndarray]]:
    """The largest error at the times shown over the fastest flow; z and the profiles. Collective."""
    comm, steps = MPI.COMM_WORLD, 20 * cells
    square = 2 * steps / (VISCOSITY * END)  # l^2
    solver = weft.Poisson(
        (8, 8, cells),
        (2.0, 2.0, 2.0),
        ["periodic", "periodic", "odd"],
        widths=(None, None, widths(cells)),
        robin=(slip, slip),
        screening=np.sqrt(square),
    )
    z = solver.points()[2] - 1
    u, laplacian, error, profiles = np.zeros(solver.local_shape), np.zeros(solver.local_shape), 0.0, {}
    shown = {round(t / END * steps): t for t in SHOWN}
    for step in counted(comm, steps, "steps"):
        rhs = -laplacian - square * u - 2 * FORCE / VISCOSITY
        u = solver.solve(rhs)
        laplacian = rhs + square * u
        if step + 1 in shown:
            t = (step + 1) * END / steps
            error = max(error, largest(comm, u - series(z, t, slip)))
            profiles[shown[step + 1]] = solver.field(u)[0, 0, :]
    fastest = float(series(np.zeros(1), END, slip)[0])
    return error / fastest, np.cumsum(widths(cells)) - widths(cells) / 2 - 1, profiles


def draw(out: Path, results: dict[float, tuple[float, np.ndarray, dict[float, np.ndarray]]]) -> None:
    """Profiles without and with slip, cells as dots on the exact curves."""
    fig, axes = subplots(1, 2, 9.6, 4.4)
    line = np.linspace(-1, 1, 401)
    for ax, (slip, (_, z, profiles)) in zip(axes, results.items(), strict=True):
        for t, profile in profiles.items():
            (curve,) = ax.plot(series(line, t, slip), line, lw=1, label=f"t = {t}")
            ax.plot(profile, z, ".", ms=4, color=curve.get_color())
        ax.set(xlabel="velocity", ylabel="z", xlim=(0, None), title=f"slip length {slip}")
    axes[0].legend(loc="lower right", ncols=2, fontsize="small")
    fig.savefig(out, dpi=90)


def main() -> None:
    """Errors without and with slip, and the order between two grids."""
    comm = MPI.COMM_WORLD
    given = Arguments(__doc__, comm, whole(16, multiple=2), 64).parse()
    results = {slip: flow(given.cells, slip) for slip in (0.0, SLIP)}
    orders = [np.log2(flow(given.cells // 2, slip)[0] / results[slip][0]) for slip in results]
    if comm.rank == 0:
        draw(given.out, results)
    conclude(
        comm,
        f"relative errors: no slip {results[0.0][0]:.2e}, order {orders[0]:.2f}; slip length {SLIP} "
        f"{results[SLIP][0]:.2e}, order {orders[1]:.2f}; picture in {given.out}",
        # Errors are c h^2 and terms that are smaller by (h/d)^2, d = sqrt(nu t) the layers at the first time.
        [
            (
                "the difference of the order from 2",
                max(abs(order - 2) for order in orders),
                (2 / given.cells) ** 2 / (VISCOSITY * SHOWN[0]),
            )
        ],
    )


if __name__ == "__main__":
    main()
