"""Gravity with a softened kernel of one's own: mpiexec -n 2 python examples/user_kernel.py [CELLS] [FOLDER]

N-body codes soften gravity: the potential of a point mass is -G m / sqrt(r^2 + eps^2) (Plummer 1911), so a point mass
solved with that kernel has the density of a Plummer sphere. Any function of the distance will do.
"""

import sys
from pathlib import Path

import numpy as np
import weft
from mpi4py import MPI

cells = int(sys.argv[1]) if len(sys.argv) > 1 else 64
folder = Path(sys.argv[2] if len(sys.argv) > 2 else "out")
eps = 0.08  # softening length

# The kernel, in five lines.
plummer = weft.kernel_of_distance(lambda r, k: -1 / (4 * np.pi * np.sqrt(r**2 + eps**2)))
solver = weft.Poisson([cells] * 3, [1.0] * 3, ["unbounded"] * 3, kernel=plummer)
x, y, z = solver.points()
width, (x0, x1) = 0.04, (0.35, 0.65)  # two Gaussian clouds of unit mass
density = sum(np.exp(-((x - c) ** 2 + (y - 0.5) ** 2 + (z - 0.5) ** 2) / (2 * width**2)) for c in (x0, x1))
potential = solver.solve(density / (2 * np.pi * width**2) ** 1.5)

# For comparison the sum over all pairs at a few points of the axis through both clouds.
comm = solver.comm
point_masses = density / (2 * np.pi * width**2) ** 1.5 * np.prod(solver.spacing)
row = np.argmin(abs(y.ravel() - 0.5)), np.argmin(abs(z.ravel() - 0.5))
mine = [(float(a), float(u)) for a, u in zip(x.ravel(), potential[:, row[0], row[1]], strict=True)]
holds = abs(y.ravel()[row[0]] - 0.5) < solver.spacing[1] and abs(z.ravel()[row[1]] - 0.5) < solver.spacing[2]
line = [pair for part in comm.allgather(mine if holds else []) for pair in part]
where = np.array([p for p, _ in line])
py = comm.allreduce(float(y.ravel()[row[0]]) if holds else -np.inf, MPI.MAX)
pz = comm.allreduce(float(z.ravel()[row[1]]) if holds else -np.inf, MPI.MAX)
direct = np.array(
    [
        np.sum(-point_masses / (4 * np.pi * np.sqrt((x - a) ** 2 + (y - py) ** 2 + (z - pz) ** 2 + eps**2)))
        for a in where[:: max(1, cells // 8)]
    ]
)
direct = comm.allreduce(direct)
found = np.array([u for _, u in line])
difference = np.max(abs(found[:: max(1, cells // 8)] - direct))
if comm.rank == 0:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    fig, axes = plt.subplots(figsize=(6, 3.4), layout="constrained")
    axes.plot(where, found, label="two clouds, softened kernel")
    axes.plot(where[:: max(1, cells // 8)], direct, "o", label="sum over all pairs")
    axes.set(xlabel="x", ylabel="potential", title="A user's kernel: gravity softened at 0.08")
    axes.legend()
    fig.savefig(folder / "user_kernel.png", dpi=110)
    print(f"largest difference from the sum over all pairs {difference:.1e}, picture in {folder / 'user_kernel.png'}")
