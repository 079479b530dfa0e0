"""Stars of a globular cluster, by particle-mesh: mpiexec -n 2 python examples/plummer.py [--cells 64] [--stars 200000]

A Plummer sphere (1911), potential -M / sqrt(r^2 + a^2), in equilibrium: speeds from its distribution function (Aarseth,
Henon and Wielen 1974). Gravity is solved in free space on a mesh (particle_mesh.py) and moves the stars by leapfrog.
Units: G = 1, mass 1.

Cloud in cell smooths the potential: by a variance h^2/6 an axis on the way to the cells, and as much on the way back.
That is what the mesh does to potential and virial, and what they are compared with.
"""

from pathlib import Path

import numpy as np
from common import Arguments, conclude, counted, largest, subplots, whole
from mpi4py import MPI
from particle_mesh import Mesh
from weft.plummer import Plummer

SPHERE = Plummer(scale=0.08, cut=0.45)
DYNAMICAL = np.sqrt(SPHERE.scale**3 / SPHERE.uncut_mass)  # a star in the centre oscillates with the frequency 1 / this
DT = DYNAMICAL / 10


def speeds(radius: np.ndarray, seed: int) -> np.ndarray:
    """Velocities (stars, 3): the fraction q of the escape speed has the density q^2 (1 - q^2)^(7/2)."""
    generator, q = np.random.default_rng(seed), np.linspace(0, 1, 2001)
    below = np.cumsum(q**2 * (1 - q**2) ** 3.5)
    escape = np.sqrt(2 * SPHERE.uncut_mass) * (radius**2 + SPHERE.scale**2) ** -0.25
    direction = generator.normal(size=(len(radius), 3))
    fraction = np.interp(generator.random(len(radius)), below / below[-1], q)
    return direction * (escape * fraction / np.linalg.norm(direction, axis=1))[:, None]


def expected_virial(cells: int) -> float:
    """2 T / |sum of m x . gravity| of the cut sphere on this mesh.

    A cut sphere is held by the pressure at its surface, 2 T = |W| + 4 pi R^3 P. Smoothing by h^2/6 twice turns W into
    W + pi h^2 int rho^2, since lap(potential) = 4 pi rho.
    """
    a, m, r = SPHERE.scale, SPHERE.uncut_mass, (np.arange(20000) + 0.5) / 20000 * SPHERE.cut
    rho, shell = SPHERE.density(r), 4 * np.pi * r**2 * SPHERE.cut / 20000
    kinetic = np.sum(shell * rho * m / (2 * np.sqrt(r**2 + a**2)))  # <v^2> is half the potential
    virial = np.sum(shell * rho * m * r**2 / (r**2 + a**2) ** 1.5)
    return kinetic / (virial - np.pi / cells**2 * np.sum(shell * rho**2))


def exact_potential(radius: np.ndarray) -> np.ndarray:
    """Of the sphere that is cut off: that of the uncut one and a constant within, a point mass outside."""
    constant = SPHERE.uncut_mass / np.hypot(SPHERE.cut, SPHERE.scale) - 1 / SPHERE.cut
    inside = constant - SPHERE.uncut_mass / np.sqrt(radius**2 + SPHERE.scale**2)
    return np.where(radius < SPHERE.cut, inside, -1 / np.maximum(radius, SPHERE.cut))


def potential_on(mesh: Mesh, positions: np.ndarray, mass: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distances from the centre and potentials in the cells of this rank, found and expected. Collective."""
    *_, visitors = mesh.visit(positions)
    found = mesh.potential.solve(4 * np.pi * mesh.density(visitors, mass))
    radius = np.sqrt(sum((x - 0.5) ** 2 for x in mesh.potential.points()))
    smoothing = np.where(radius < SPHERE.cut, 4 * np.pi * SPHERE.density(radius) / (12 * mesh.cells**2), 0)
    return radius, found, exact_potential(radius) + smoothing


def draw(out: Path, radius: np.ndarray, found: np.ndarray, rows: np.ndarray, expected: float) -> None:
    """Potential of some cells over the radius; virial ratio and half-mass radius over time."""
    fig, axes = subplots(2, 1, 5, 7)
    line, order = np.linspace(0, np.max(radius), 100), np.argsort(radius)
    some = order[np.minimum(np.searchsorted(radius[order], line), radius.size - 1)]
    axes[0].plot(line, exact_potential(line), "k", lw=1, label="exact")
    axes[0].plot(radius[some], found[some], ".", label="cells")
    axes[0].set(xlabel="distance from the centre", ylabel="potential", title="A Plummer sphere in free space")
    axes[0].legend()
    times = np.arange(len(rows)) * DT / DYNAMICAL
    axes[1].plot(times, rows[:, 0], label="virial ratio 2T/|W|")
    axes[1].plot(times, rows[:, 1] / rows[0, 1], label="half-mass radius / initial")
    axes[1].axhline(expected, color="k", lw=0.8, ls=":", label="virial ratio of theory at time 0")
    axes[1].set(xlabel="time / dynamical time", ylim=(0.9, 1.15), title="It stays as it is")
    axes[1].legend()
    fig.savefig(out, dpi=90)


def main() -> None:
    """Potential and virial at the beginning, then a leapfrog."""
    comm = MPI.COMM_WORLD
    arguments = Arguments(__doc__, comm, whole(8), 64)
    arguments.add_argument("--stars", type=whole(1000), default=200000, metavar="N", help="how many stars [200000]")
    arguments.add_argument("--steps", type=whole(1), default=100, metavar="N", help="of a tenth dynamical time [100]")
    given = arguments.parse()
    mesh, mass = Mesh(given.cells), 1 / given.stars
    x = SPHERE.particles(given.stars)[comm.rank :: comm.size]
    v = speeds(np.linalg.norm(x - 0.5, axis=1), seed=comm.rank)
    radius, found, theory = potential_on(mesh, x, mass)
    g = mesh.gravity(x, mass)
    net = np.max(abs(comm.allreduce(mass * np.sum(g, axis=0))))

    rows = []
    for _ in counted(comm, given.steps + 1, "plummer"):
        sums = comm.allreduce(mass * np.array([np.sum(v**2), -np.sum(g * (x - 0.5))]))
        distances = np.concatenate(comm.allgather(np.linalg.norm(x - 0.5, axis=1)))
        rows.append((sums[0] / sums[1], np.median(distances)))
        v = v + DT / 2 * g
        x = x + DT * v
        g = mesh.gravity(x, mass)
        v = v + DT / 2 * g
    rows = np.array(rows)
    depth = SPHERE.uncut_mass / SPHERE.scale
    plain = largest(comm, found - exact_potential(radius)) / depth
    error = largest(comm, found - theory) / depth
    expected, noise, ratio = (
        expected_virial(given.cells),
        4 / np.sqrt(given.stars),
        (1 / given.cells / SPHERE.scale) ** 2,
    )
    change = np.max(abs(rows[:, 1] / rows[0, 1] - 1))
    if comm.rank == 0:
        draw(given.out, radius.ravel(), found.ravel(), rows, expected)
    conclude(
        comm,
        f"potential {plain:.1e} from the exact one, {error:.1e} when smoothed; net force {net:.1e}; virial ratio "
        f"{rows[0, 0]:.4f}, theory {expected:.4f}; half-mass radius changes by {change:.1e}; picture in {given.out}",
        [
            ("the error of the potential", error, 0.25 * ratio**2 + noise),
            ("the net force, which is 0 to rounding,", net, 1e-10),
            ("the error of the virial ratio", abs(rows[0, 0] - expected), ratio**2 + noise),
            # A system with the ratio 1 + d settles at a radius 1 + d times as large, around which it oscillates.
            ("the change of the half-mass radius", change, 2 * abs(expected - 1) + noise),
        ],
    )


if __name__ == "__main__":
    main()
