"""The velocity of a vortex ring in free space: mpiexec -n 2 python examples/vortex_ring.py [--cells 64] [--out F.png]

A ring of radius R with a Gaussian core of width a and circulation 1 moves along its axis with the speed
(ln(8 R/a) - 0.558)/(4 pi R) (Saffman 1970), less terms of the order (a/R)^2 ln(R/a). It is compared with that of the
centroid of the impulse of two rings, the core of one half as wide as that of the other: the deviations show the order.
"""

import numpy as np
import weft
from common import Arguments, conclude, plane, subplots, whole
from mpi4py import MPI

RADIUS, CORES = 0.28, (0.2, 0.1)  # widths of the cores in radii

comm = MPI.COMM_WORLD
given = Arguments(__doc__, comm, whole(48, multiple=2), 64).parse()
solver = weft.VectorPoisson([given.cells] * 3, [1.0] * 3, ["unbounded"] * 3, kernel="truncated")
x, y, z = (p - 0.5 for p in solver.points())
r = np.hypot(x, y)


def ring(core: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Vorticity around the axis, velocity, and speed along the axis. Collective.

    omega dr dz moves with the fluid, so the centroid of the impulse, int z omega r^2 dr dz / int omega r^2 dr dz, moves
    at the mean of r u_z + 2 z u_r over omega r dr dz, divided by that of r.
    """
    swirl = np.exp(-((r - RADIUS) ** 2 + z**2) / core**2) / (np.pi * core**2)
    velocity = solver.biot_savart(np.stack([-y / r * swirl, x / r * swirl, np.zeros(solver.local_shape)]))
    radial = (x * velocity[0] + y * velocity[1]) / r
    moments = comm.allreduce(np.array([np.sum((velocity[2] * r + 2 * z * radial) * swirl), np.sum(swirl * r)]))
    return swirl, velocity, moments[0] / moments[1]


speeds, theory = [], [(np.log(8 / core) - 0.558) / (4 * np.pi * RADIUS) for core in CORES]
for core in CORES:
    swirl, velocity, speed = ring(core * RADIUS)
    speeds.append(speed)
    if core == CORES[0]:
        fields = swirl, velocity[0], velocity[2]
deviations = [found / exact - 1 for found, exact in zip(speeds, theory, strict=True)]

middle = [plane(comm, solver.shape, solver.local_slices, {1: given.cells // 2}, field) for field in fields]
if comm.rank == 0:
    points = (np.arange(given.cells) + 0.5) / given.cells
    fig, axes = subplots(1, 1, 5, 4.2)
    image = axes.imshow(np.hypot(middle[1], middle[2]).T, origin="lower", extent=(0, 1, 0, 1), cmap="viridis")
    fig.colorbar(image, ax=axes, label="speed", shrink=0.8)
    axes.streamplot(points, points, middle[1].T, middle[2].T, color="w", linewidth=0.6, arrowsize=0.7)
    axes.contour(points, points, middle[0].T, levels=[middle[0].max() / 2], colors="r")
    axes.set(xlabel="x", ylabel="z", title=f"A vortex ring: speed {speeds[0]:.3f}, theory {theory[0]:.3f}")
    fig.savefig(given.out, dpi=90)
terms = [core**2 * np.log(8 / core) for core in CORES]
conclude(
    comm,
    "; ".join(
        f"core {core:g} R: speed {found:.5f}, theory {exact:.5f}, deviation {deviation:.2e}"
        for core, found, exact, deviation in zip(CORES, speeds, theory, deviations, strict=True)
    )
    + f"; picture in {given.out}",
    [
        (f"the deviation with the core {core:g} R", abs(deviation), term)
        for core, deviation, term in zip(CORES, deviations, terms, strict=True)
    ],
)
