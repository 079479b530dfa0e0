"""Two bunches beside a conducting plane: mpiexec -n 2 python examples/image_charge.py [--cells 48] [--out F.png]

The plane z = 0 is grounded. Each bunch, a Gaussian charge, is solved in a box of its own; what a box sees of the other
bunch and of the images of both comes by displaced solves (shift), however far the boxes are apart. The potential of a
Gaussian of width s in free space is -erf(r / (sqrt 2 s)) / (4 pi r), and a plane is a mirror that changes the sign.
Bunches that do not overlap act on each other and on images as points do: the force on the first is that of Coulomb's
law.
"""

from pathlib import Path

import numpy as np
import weft
from common import Arguments, conclude, largest, plane, subplots, whole
from mpi4py import MPI
from scipy.special import erf, erfc

SIDE, WIDTH = 1.0, 0.075
ORIGINS = np.array([[0.0, 0.0, 0.05], [1.2, 0.0, 0.5]])  # of the boxes
CENTRES = np.array([[0.5, 0.5, 0.45], [0.5, 0.5, 0.52]])  # of the bunches, in their boxes
CHARGES = (1.0, -0.7)
BOUNDARY = ["unbounded"] * 3


def mirrored(place: np.ndarray) -> np.ndarray:
    return place * (1.0, 1.0, -1.0)


def sources() -> list[tuple[np.ndarray, np.ndarray, float]]:
    """Origin of the box, place in it and charge, of both bunches and their images."""
    found = []
    for origin, centre, charge in zip(ORIGINS, CENTRES, CHARGES, strict=True):
        below = mirrored(origin) - (0.0, 0.0, SIDE)
        found += [(origin, centre, charge), (below, mirrored(centre) + (0.0, 0.0, SIDE), -charge)]
    return found


def distance(points: tuple[np.ndarray, ...], place: np.ndarray) -> np.ndarray:
    return np.sqrt(sum((p - c) ** 2 for p, c in zip(points, place, strict=True)))


def solved(box: int, cells: int) -> tuple[np.ndarray, np.ndarray, weft.Poisson]:
    """The potential in a box, the exact one, and a solver with as many points. Collective."""
    u = exact = np.zeros(())
    for origin, centre, charge in sources():
        shift = ORIGINS[box] - origin
        solver = weft.Poisson([cells] * 3, [SIDE] * 3, BOUNDARY, kernel="truncated", shift=tuple(shift))
        points = solver.points()
        r = distance(points, centre)
        f = charge * np.exp(-((r / WIDTH) ** 2) / 2) / (2 * np.pi * WIDTH**2) ** 1.5
        u = u + solver.solve(f)
        r = distance(points, centre - shift)
        exact = exact - charge * erf(r / (np.sqrt(2) * WIDTH)) / (4 * np.pi * r)
    return u, exact, solver


def force(cells: int) -> tuple[float, float]:
    """Along z on the first bunch, from its density and the gradient of what it sees, and that of points. Collective."""
    origin, centre, charge = sources()[0]
    found = expected = 0.0
    for other, place, of_other in sources()[1:]:
        shift = tuple(origin - other)
        solver = weft.VectorPoisson([cells] * 3, [SIDE] * 3, BOUNDARY, kernel="truncated", shift=shift)
        points = solver.points()
        f = [q * np.exp(-((distance(points, c) / WIDTH) ** 2) / 2) for q, c in ((of_other, place), (charge, centre))]
        norm = (2 * np.pi * WIDTH**2) ** -1.5
        field = solver.solve_gradient(norm * f[0])[2]
        found += float(solver.comm.allreduce(np.sum(norm * f[1] * field))) * (SIDE / cells) ** 3
        apart = origin + centre - other - place
        expected += charge * of_other * apart[2] / (4 * np.pi * np.sum(apart**2) ** 1.5)
    return found, expected


def draw(out: Path, planes: list[np.ndarray]) -> None:
    """The potential in the plane of the middles of the bunches, which the plane z = 0 bounds."""
    fig, axes = subplots(1, 1, 6.4, 4.4)
    scale = max(np.max(abs(values)) for values in planes)
    levels = scale * np.array([-0.5, -0.3, -0.2, -0.1, -0.05, -0.02, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5])
    for values, origin in zip(planes, ORIGINS, strict=True):
        points = (np.arange(len(values)) + 0.5) * SIDE / len(values)
        x, z = origin[0] + points, origin[2] + points
        image = axes.pcolormesh(x, z, values.T, cmap="RdBu_r", vmin=-scale, vmax=scale, shading="nearest")
        axes.contour(x, z, values.T, levels=levels, colors="k", linewidths=0.6)
    axes.axhline(0, color="k", linewidth=3)
    axes.set(xlabel="x", ylabel="z, from a conducting plane", aspect="equal", xlim=(-0.05, 2.25), ylim=(-0.05, 1.6))
    axes.set_title("Potential of two bunches, each in a box of its own")
    fig.colorbar(image, ax=axes)
    fig.savefig(out, dpi=90)


def main() -> None:
    """The potential in both boxes beside the exact one, and a force."""
    comm = MPI.COMM_WORLD
    given = Arguments(__doc__, comm, whole(24, multiple=2), 48).parse()
    errors, planes = [], []
    for box in range(2):
        u, exact, solver = solved(box, given.cells)
        errors.append(largest(comm, u - exact) / largest(comm, exact))
        planes.append(plane(comm, solver.shape, solver.local_slices, {1: given.cells // 2}, u))
    found, expected = force(given.cells)
    if comm.rank == 0:
        draw(given.out, planes)
    # What the grid does not resolve of a Gaussian is the part of its spectrum beyond pi/h; what lies beyond the ends of
    # a box, 0.45 from a middle, is the part beyond 6 widths there.
    reach = np.pi * WIDTH * given.cells
    limit = erfc(reach / np.sqrt(2)) + np.sqrt(2 / np.pi) * reach * np.exp(-(reach**2) / 2) + 12 * erfc(6 / np.sqrt(2))
    conclude(
        comm,
        f"relative errors of the potential {errors[0]:.1e} and {errors[1]:.1e}; force {found:.8f}, of points "
        f"{expected:.8f}; picture in {given.out}",
        [
            ("the error in the first box", errors[0], limit),
            ("the error in the second box", errors[1], limit),
            ("the error of the force", abs(found / expected - 1), 10 * limit),
        ],
    )


if __name__ == "__main__":
    main()
