"""A channel that starts to flow, to ten digits: mpiexec -n 2 python examples/startup.py [--cells 24] [--steps 40]

A force G sets a fluid of viscosity nu at rest between two walls in motion, u_t = G + nu laplacian(u), along x; the
walls are at z = -1 and 1, where u = 0, with Chebyshev points between. With the wavenumbers k = pi/2, 3 pi/2, ... the
exact flow is

    u = G / (2 nu) (1 - z^2) - sum A_k cos(k z) exp(-nu k^2 t),    A_k = 2 G sin(k) / (nu k^3)

It is followed from the time 0.1 on. A step of the length dt is done by n implicit ones of Euler's, for n = 1 .. 8, each
a solve of a screened problem, l^2 = n / (nu dt):

    (laplacian - l^2) u' = -l^2 u - G / nu

The polynomial in 1/n through the eight results has at 1/n = 0 that of order 8 (Richardson's extrapolation), which is
their sum with the weights (-1)^(8 - n) n^8 / (n! (8 - n)!).
"""

from math import factorial
from pathlib import Path

import numpy as np
import weft
from common import Arguments, conclude, largest, subplots, whole
from mpi4py import MPI
from numpy.polynomial import chebyshev

FORCE, VISCOSITY, BEGIN, END = 1.0, 1.0, 0.1, 0.9  # a time of 1 is how long viscosity takes across half the channel
ORDER = 8
WEIGHTS = {n: (-1) ** (ORDER - n) * n**ORDER / (factorial(n) * factorial(ORDER - n)) for n in range(1, ORDER + 1)}
WAVES = np.pi * (np.arange(40) + 0.5)
SHARES = 2 * FORCE * np.sin(WAVES) / (VISCOSITY * WAVES**3)
FASTEST = FORCE / (2 * VISCOSITY)

Flow = tuple[float, dict[float, np.ndarray]]


def exact(z: np.ndarray, t: float) -> np.ndarray:
    """The flow by its series."""
    decay = SHARES * np.exp(-VISCOSITY * WAVES**2 * t)
    return FASTEST * (1 - z**2) - np.tensordot(decay, np.cos(np.multiply.outer(WAVES, z)), 1)


def flow(comm: MPI.Intracomm, cells: int, steps: int) -> Flow:
    """The largest error after any step over the fastest flow, and the profiles by time. Collective."""
    dt = (END - BEGIN) / steps
    channel = (4, 4, cells), (2.0, 2.0, 2.0), ["periodic", "periodic", "odd"]
    squares = {n: n / (VISCOSITY * dt) for n in WEIGHTS}
    solvers = {
        n: weft.Poisson(*channel, centring=("cell", "cell", "chebyshev"), screening=np.sqrt(square))
        for n, square in squares.items()
    }
    z = solvers[1].points()[2] - 1
    u = exact(z, BEGIN) + np.zeros(solvers[1].local_shape)
    error, profiles = 0.0, {BEGIN: solvers[1].field(u)[0, 0, :]}
    for step in range(1, steps + 1):
        before, u = u, np.zeros_like(u)
        for n, weight in WEIGHTS.items():
            part = before
            for _ in range(n):
                part = solvers[n].solve(-squares[n] * part - FORCE / VISCOSITY)
            u += weight * part
        t = BEGIN + step * dt
        error = max(error, largest(comm, u - exact(z, t)))
        profiles[t] = solvers[1].field(u)[0, 0, :]
    return error / FASTEST, profiles


def known_error(cells: int, steps: int) -> float:
    """What the error of flow() may be at most, over the fastest flow: of the steps, of polynomials, and rounding."""
    dt = (END - BEGIN) / steps
    # A step multiplies each wave by a rational function in place of an exponential.
    z = VISCOSITY * WAVES**2 * dt
    factor = sum(weight * (1 + z / n) ** -n for n, weight in WEIGHTS.items())
    first = np.abs(SHARES) * np.exp(-VISCOSITY * WAVES**2 * BEGIN)
    of_steps = max(float(first @ np.abs(factor**n - np.exp(-n * z))) for n in range(1, steps + 1))
    # Polynomials have at first what interpolation leaves, and what obeys the equation is some times as far away.
    points = weft.chebyshev_points(cells + 1)
    between = np.linspace(-1, 1, 20 * cells)
    through = chebyshev.chebval(between, chebyshev.chebfit(points, exact(points, BEGIN), cells))
    of_points = 10 * float(np.abs(through - exact(between, BEGIN)).max())
    # Solves lose some units, which the weights multiply, and the slowest wave takes down from step to step.
    rounding = 10 * np.finfo(float).eps * FASTEST * sum(map(abs, WEIGHTS.values())) / -np.expm1(-z[0])
    return (of_steps + of_points + rounding) / FASTEST


def draw(out: Path, results: dict[tuple[int, int], Flow]) -> None:
    """Profiles, points as dots on the exact curves; errors by cells and steps."""
    fig, (left, right) = subplots(1, 2, 9.6, 4.4)
    line = np.linspace(-1, 1, 401)
    cells, most = max(results)
    steps = sorted(count for across, count in results if across == cells)
    shown = list(results[cells, steps[0]][1].items())
    for t, profile in shown[:: max(1, len(shown) // 5)]:
        (curve,) = left.plot(exact(line, t), line, lw=1, label=f"t = {t:.2g}")
        left.plot(profile, weft.chebyshev_points(cells + 1), ".", ms=4, color=curve.get_color())
    left.set(xlabel="velocity", ylabel="z", xlim=(0, None), title=f"{cells} cells across, {steps[0]} steps")
    left.legend(loc="lower right", fontsize="small")
    right.loglog(steps, [results[cells, count][0] for count in steps], "o-", label=f"{cells} cells")
    for across in sorted({across for across, _ in results} - {cells}):
        right.loglog(most, results[across, most][0], "s", label=f"{across} cells")
    right.set(xlabel="steps", ylabel="largest error over the fastest flow", xticks=steps, xticklabels=steps)
    right.minorticks_off()
    right.legend(fontsize="small")
    fig.savefig(out, dpi=90)


def main() -> None:
    """Errors with fewer cells, and with fewer steps."""
    comm = MPI.COMM_WORLD
    parser = Arguments(__doc__, comm, whole(8, 64, multiple=4), 24)
    parser.add_argument("--steps", type=whole(8, multiple=4), default=40, metavar="N", help="steps to the end [40]")
    given = parser.parse()
    cells, steps = given.cells, given.steps
    runs = [(cells // 2, steps), (cells * 3 // 4, steps), (cells, steps // 4), (cells, steps // 2), (cells, steps)]
    results = {run: flow(comm, *run) for run in runs}
    if comm.rank == 0:
        draw(given.out, results)
    text = ", ".join(f"{results[run][0]:.1e} with {run[0]} cells and {run[1]} steps" for run in runs)
    conclude(
        comm,
        f"relative errors: {text}; picture in {given.out}",
        [(f"the error with {run[0]} cells and {run[1]} steps", results[run][0], known_error(*run)) for run in runs],
    )


if __name__ == "__main__":
    main()
