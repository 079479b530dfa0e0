"""Space charge of a long thin bunch: mpiexec -n 2 python examples/bunch.py [--cells 32] [--aspect 30] [--out F.png]

A Gaussian bunch of particles in an accelerator, seen from where it rests, is 30 times as long as it is wide, and so are
the cells. The kernel chat2 samples 1/r, which changes much within a long cell; igf integrates it over each cell (Qiang
et al. 2006). The exact potential of a charge of 1, laplacian(u) = -rho (Kellogg 1929; Takayama 1980), is

    u = 1/(4 pi^(3/2)) int_0^inf prod_i exp(-x_i^2 / (2 s_i^2 + q)) / sqrt(2 s_i^2 + q) dq.

A mean over a cell smooths a potential to u + sum_i h_i^2/24 d^2u/dx_i^2. igf does so, and along cells that are longer
than what varies across them less, never more: a bound of its error.
"""

from pathlib import Path

import numpy as np
import weft
from common import Arguments, conclude, largest, plane, subplots, whole
from mpi4py import MPI
from scipy.integrate import quad_vec

BOX = 10.0  # side of the box in standard deviations of the bunch, along each axis
ASPECTS = (1, 3, 10, 30, 100)
KERNELS = ("chat2", "igf")


def exact(points: list[np.ndarray], sigma: np.ndarray, spacing: np.ndarray) -> tuple[np.ndarray, ...]:
    """The potential, sum h_i^2/24 d^2u/dx_i^2, and -du/dx, at points that broadcast."""
    squares = [p**2 for p in points]

    def integrand(logarithm: float) -> np.ndarray:
        q = np.exp(logarithm)  # steps of q in the ratio of its size: widths differ by orders of magnitude
        widths = 2 * sigma**2 + q
        value = q / np.sqrt(np.prod(widths)) * np.exp(-sum(s / w for s, w in zip(squares, widths, strict=True)))
        curved = sum(h**2 / 24 * (4 * s / w - 2) / w for h, s, w in zip(spacing, squares, widths, strict=True))
        return np.stack([value, value * curved, value * 2 * points[0] / widths[0]]) / (4 * np.pi**1.5)

    # Beyond these ends the integrand is below 1e-13 of its largest value: it falls as q, and as 1/sqrt(q).
    ends = np.log(1e-14 * sigma.min() ** 2), np.log(1e28 * sigma.max() ** 2)
    return tuple(quad_vec(integrand, *ends, epsrel=1e-11, norm="max")[0])


class Bunch:
    """A bunch of charge 1, its grid, and what is known of it exactly."""

    def __init__(self, cells: int, aspect: float) -> None:
        self.sigma = np.array([1.0, 1.0, aspect])
        self.box = [cells] * 3, list(BOX * self.sigma), ["unbounded"] * 3
        self.solver = weft.Poisson(*self.box, kernel="igf")
        points = [p - BOX * s / 2 for p, s in zip(self.solver.points(), self.sigma, strict=True)]
        self.density = np.exp(-sum((p / s) ** 2 for p, s in zip(points, self.sigma, strict=True)) / 2)
        self.density /= (2 * np.pi) ** 1.5 * aspect
        self.potential, self.smoothing, self.field = exact(points, self.sigma, np.array(self.solver.spacing))

    def error(self, kernel: str) -> float:
        """The largest error over the largest potential. Collective."""
        solver = self.solver if kernel == "igf" else weft.Poisson(*self.box, kernel=kernel)
        found = solver.solve(-self.density)
        return largest(solver.comm, found - self.potential) / largest(solver.comm, self.potential)

    def field_error(self, kernel: str) -> tuple[float, np.ndarray]:
        """The largest error of -du/dx over the largest; the field. Collective."""
        solver = weft.VectorPoisson(*self.box, kernel=kernel)
        found = solver.solve_gradient(self.density)[0]
        return largest(solver.comm, found - self.field) / largest(solver.comm, self.field), found


def draw(out: Path, bunch: Bunch, errors: dict, lines: dict) -> None:
    """The transverse field across the middle, and errors over the aspect ratio."""
    fig, axes = subplots(2, 1, 5, 7)
    across = (np.arange(len(lines["exact"])) + 0.5) * BOX / len(lines["exact"]) - BOX / 2
    for name, values in lines.items():
        axes[0].plot(across, values, {"exact": "k-", "chat2": "s", "igf": "o"}[name], ms=4, label=name)
    axes[0].set(
        xlabel="x / sigma_x", ylabel="transverse field", title=f"A bunch {bunch.sigma[2]:g} times as long as wide"
    )
    axes[0].legend()
    for kernel in KERNELS:
        axes[1].loglog(errors.keys(), [each[kernel] for each in errors.values()], "o-", label=kernel)
    axes[1].set(xlabel="length / width", ylabel="largest relative error of the potential")
    axes[1].legend()
    fig.savefig(out, dpi=90)


def main() -> None:
    """Errors of both kernels for bunches of several lengths, and the field of one."""
    comm = MPI.COMM_WORLD
    arguments = Arguments(__doc__, comm, whole(8, multiple=2), 32)
    arguments.add_argument("--aspect", type=whole(1), default=30, metavar="A", help="length over width [30]")
    given = arguments.parse()
    errors = {}
    for aspect in sorted({*ASPECTS, given.aspect}):
        each = Bunch(given.cells, aspect)
        errors[aspect] = {kernel: each.error(kernel) for kernel in KERNELS}
        if aspect == given.aspect:
            bunch = each
    fields = {kernel: bunch.field_error(kernel) for kernel in KERNELS}
    shape, slices = bunch.solver.shape, bunch.solver.local_slices
    lines = {}
    for name, values in {"exact": bunch.field, **{kernel: fields[kernel][1] for kernel in KERNELS}}.items():
        lines[name] = plane(comm, shape, slices, {1: given.cells // 2, 2: given.cells // 2}, values)
    if comm.rank == 0:
        draw(given.out, bunch, errors, lines)
    igf, chat2 = errors[given.aspect]["igf"], errors[given.aspect]["chat2"]
    smoothing = largest(comm, bunch.smoothing) / largest(comm, bunch.potential)
    conclude(
        comm,
        f"length {given.aspect}: relative errors of the potential: chat2 {chat2:.2e}, igf {igf:.2e}, bound "
        f"{smoothing:.2e}; of the field: chat2 {fields['chat2'][0]:.2e}, igf {fields['igf'][0]:.2e}; "
        f"picture in {given.out}",
        [("the error of igf", igf, smoothing)],
    )


if __name__ == "__main__":
    main()
