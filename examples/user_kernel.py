"""Gravity with a softened kernel of one's own: mpiexec -n 2 python examples/user_kernel.py [--cells 64] [--out F.png]

N-body codes soften gravity: the potential of a point mass is -G m / sqrt(r^2 + eps^2) (Plummer 1911), so a point mass
solved with that kernel has the density of a Plummer sphere. Any function of the distance will do.
"""

import numpy as np
import weft
from common import Arguments, conclude, plane, subplots, whole
from mpi4py import MPI

comm = MPI.COMM_WORLD
given = Arguments(__doc__, comm, whole(8, multiple=2), 64).parse()
cells, eps = given.cells, 0.08  # softening length

# The kernel, in two lines.
plummer = weft.kernel_of_distance(lambda r, k: -1 / (4 * np.pi * np.sqrt(r**2 + eps**2)))
solver = weft.Poisson([cells] * 3, [1.0] * 3, ["unbounded"] * 3, kernel=plummer)
x, y, z = solver.points()
width, (x0, x1) = 0.04, (0.35, 0.65)  # two Gaussian clouds of unit mass
density = sum(np.exp(-((x - c) ** 2 + (y - 0.5) ** 2 + (z - 0.5) ** 2) / (2 * width**2)) for c in (x0, x1))
density /= (2 * np.pi * width**2) ** 1.5
potential = solver.solve(density)

# For comparison the sum over all pairs at a few points of the line of cells through both clouds.
line = plane(comm, solver.shape, solver.local_slices, {1: cells // 2, 2: cells // 2}, potential)
where = (np.arange(cells) + 0.5) / cells
some, middle = slice(None, None, max(1, cells // 8)), 0.5 + 0.5 / cells
distances = (np.sqrt((x - a) ** 2 + (y - middle) ** 2 + (z - middle) ** 2 + eps**2) for a in where[some])
direct = np.array([np.sum(density / r) for r in distances]) * -np.prod(solver.spacing) / (4 * np.pi)
direct = comm.allreduce(direct)
difference = comm.bcast(np.max(abs(line[some] - direct)) if comm.rank == 0 else None)
if comm.rank == 0:
    fig, axes = subplots(1, 1, 5, 3.4)
    axes.plot(where, line, label="two clouds, softened kernel")
    axes.plot(where[some], direct, "o", label="sum over all pairs")
    axes.set(xlabel="x", ylabel="potential", title="A user's kernel: gravity softened at 0.08")
    axes.legend()
    fig.savefig(given.out, dpi=100)
# Rounding of sums of that many terms of one sign, which sum up to the potential, below 2.
conclude(
    comm,
    f"largest difference from the sum over all pairs {difference:.1e}; picture in {given.out}",
    [("the difference", difference, 2 * cells**3 * 2**-52)],
)
