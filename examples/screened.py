"""Charges in an electrolyte beside walls: mpiexec -n 2 python examples/screened.py [--cells 64] [--out F.png]

Debye and Hueckel (1923): ions screen the potential, laplacian(u) - l^2 u = -rho. x is periodic; y is open, beside an
insulating wall (du/dy = 0); z is open, beside a grounded one (u = 0). A Gaussian charge of width s has the potential

    exp(l^2 s^2 / 2) / (8 pi r) (exp(-l r) erfc((l s - r/s) / sqrt 2) - exp(l r) erfc((l s + r/s) / sqrt 2))

in free space (the integral of the heat kernel exp(-l^2 t - r^2 / (2 s^2 + 4 t)) over t, as in Ewald sums of Yukawa
potentials, Salin and Caillol 2000), and walls are mirrors: images of the same sign, of the opposite sign, and periods.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import weft
from common import Arguments, conclude, largest, plane, subplots, whole
from mpi4py import MPI
from scipy.special import erfc

LAMBDA, WIDTH, PERIODS = 12.0, 0.06, 4  # exp(-12 * 3) of the first period that is left out
CHARGES = (((0.3, 0.25, 0.22), 1.0), ((0.37, 0.55, 0.45), -0.8))
BOUNDARY = "periodic", ("even", "unbounded"), ("odd", "unbounded")


def images() -> Iterator[tuple[tuple[float, float, float], float]]:
    """Places and charges of all charges, mirrored in y = 0 and z = 0 and repeated in x."""
    for ((x, y, z), charge), n in itertools.product(CHARGES, range(-PERIODS, PERIODS + 1)):
        for mirror_y, mirror_z in itertools.product((1, -1), repeat=2):
            yield (x + n, mirror_y * y, mirror_z * z), charge * mirror_z


def gaussian(r: np.ndarray) -> np.ndarray:
    """The density of a charge of 1."""
    return np.exp(-((r / WIDTH) ** 2) / 2) / (2 * np.pi * WIDTH**2) ** 1.5


def potential(r: np.ndarray) -> np.ndarray:
    """The potential of a charge of 1 in free space."""
    near, far = (np.exp(sign * LAMBDA * r) * erfc((LAMBDA * WIDTH + sign * r / WIDTH) / np.sqrt(2)) for sign in (-1, 1))
    return np.exp((LAMBDA * WIDTH) ** 2 / 2) / (8 * np.pi * r) * (near - far)


def error(cells: int, kernel: str) -> tuple[float, weft.Poisson, np.ndarray]:
    """The largest error over the largest potential; the solver and its solution. Collective."""
    solver = weft.Poisson([cells] * 3, [1.0] * 3, BOUNDARY, kernel=kernel, screening=LAMBDA)
    points = solver.points()
    density, exact = np.zeros(solver.local_shape), np.zeros(solver.local_shape)
    for place, charge in images():
        r = np.sqrt(sum((p - c) ** 2 for p, c in zip(points, place, strict=True)))
        density += charge * gaussian(r)
        exact += charge * potential(r)
    found = solver.solve(-density)
    return largest(solver.comm, found - exact) / largest(solver.comm, exact), solver, found


def draw(out: Path, values: np.ndarray, sizes: list[int], errors: dict[str, list[float]]) -> None:
    """The potential in the plane of x = 0.3, and errors over the number of cells."""
    fig, axes = subplots(2, 1, 5, 7.6)
    scale = np.max(abs(values))
    levels = scale * np.array([-0.3, -0.1, -0.03, -0.01, 0.01, 0.03, 0.1, 0.3])
    points = (np.arange(len(values)) + 0.5) / len(values)
    image = axes[0].pcolormesh(points, points, values.T, cmap="RdBu_r", vmin=-scale, vmax=scale)
    axes[0].contour(points, points, values.T, levels=levels, colors="k", linewidths=0.6)
    axes[0].set(xlabel="y, from an insulating wall", ylabel="z, from a grounded wall", aspect="equal")
    axes[0].set_title("Screened potential of two charges")
    fig.colorbar(image, ax=axes[0])
    for kernel, values_of in errors.items():
        axes[1].loglog(sizes, values_of, "o-", label=kernel)
    axes[1].set(xlabel="cells an axis", ylabel="largest relative error", xticks=sizes, xticklabels=sizes)
    axes[1].minorticks_off()
    axes[1].legend()
    fig.savefig(out, dpi=90)


def main() -> None:
    """Errors of two kernels on three grids."""
    comm = MPI.COMM_WORLD
    given = Arguments(__doc__, comm, whole(16, multiple=4), 64).parse()
    sizes, errors = [given.cells // 2, 3 * given.cells // 4, given.cells], {}
    for kernel in ("chat2", "truncated"):
        results = [error(cells, kernel) for cells in sizes]
        errors[kernel] = [found for found, _, _ in results]
    _, solver, found = results[-1]
    values = plane(comm, solver.shape, solver.local_slices, {0: int(0.3 * given.cells)}, found)
    if comm.rank == 0:
        draw(given.out, values, sizes, errors)
    order = np.log(errors["chat2"][1] / errors["chat2"][2]) / np.log(4 / 3)
    # What the grid does not resolve of a Gaussian is the part of its spectrum beyond pi/h, 1 - P(|k| s < pi s/h) of it.
    reach = np.pi * WIDTH * given.cells
    unresolved = erfc(reach / np.sqrt(2)) + np.sqrt(2 / np.pi) * reach * np.exp(-(reach**2) / 2)
    # chat2 errs by c h^2 f and less than h^2/6 times the Laplacian of that: 5/6 (h/s)^2 of it, since the mean k^2 of a
    # Gaussian, weighted with k^2, is 5/s^2.
    conclude(
        comm,
        f"relative errors: chat2 {errors['chat2'][-1]:.2e}, order {order:.2f}; truncated "
        f"{errors['truncated'][-1]:.1e}; picture in {given.out}",
        [
            ("the error of the kernel truncated", errors["truncated"][-1], unresolved + 1e-12),
            ("the difference of chat2's order from 2", abs(order - 2), 20 / 9 / (WIDTH * given.cells) ** 2),
        ],
    )


if __name__ == "__main__":
    main()
