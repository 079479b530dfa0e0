"""The velocity of a vortex ring in free space: mpiexec -n 2 python examples/vortex_ring.py [CELLS] [FOLDER]

A ring of radius R with a Gaussian core of width a and circulation 1 moves along its axis with the speed
(ln(8 R/a) - 0.558)/(4 pi R), to order (a/R)^2 (Saffman 1970), which is compared with that of its impulse's centroid.
"""

import sys
from pathlib import Path

import numpy as np
import weft

cells = int(sys.argv[1]) if len(sys.argv) > 1 else 64
folder = Path(sys.argv[2] if len(sys.argv) > 2 else "out")
radius, core = 0.28, 0.056

solver = weft.VectorPoisson([cells] * 3, [1.0] * 3, ["unbounded"] * 3, kernel="truncated")
x, y, z = (p - 0.5 for p in solver.points())
r = np.hypot(x, y)
swirl = np.exp(-((r - radius) ** 2 + z**2) / core**2) / (np.pi * core**2)
vorticity = np.stack([-y / r * swirl, x / r * swirl, np.zeros(solver.local_shape)])
velocity = solver.biot_savart(vorticity)

# omega dr dz moves with the fluid, so the centroid of the impulse, int z omega r^2 dr dz / int omega r^2 dr dz, moves
# at the mean of r u_z + 2 z u_r over omega r dr dz, divided by that of r.
comm, volume = solver.comm, np.prod(solver.spacing)
radial = (x * velocity[0] + y * velocity[1]) / r
moments = comm.allreduce(volume * np.array([np.sum((velocity[2] * r + 2 * z * radial) * swirl), np.sum(swirl * r)]))
speed, theory = moments[0] / moments[1], (np.log(8 * radius / core) - 0.558) / (4 * np.pi * radius)

# The plane y = 1/2, gathered on rank 0.
plane = np.zeros((3, cells, cells))
middle = cells // 2 - solver.local_slices[1].start
if 0 <= middle < solver.local_shape[1]:
    for values, target in zip((swirl, velocity[0], velocity[2]), plane, strict=True):
        target[solver.local_slices[0], solver.local_slices[2]] = values[:, middle, :]
plane = comm.reduce(plane, root=0)
if comm.rank == 0:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    points = (np.arange(cells) + 0.5) / cells
    fig, axes = plt.subplots(figsize=(5.4, 4.6), layout="constrained")
    image = axes.imshow(np.hypot(plane[1], plane[2]).T, origin="lower", extent=(0, 1, 0, 1), cmap="viridis")
    fig.colorbar(image, ax=axes, label="speed")
    axes.streamplot(points, points, plane[1].T, plane[2].T, color="w", linewidth=0.6, arrowsize=0.7, density=1.3)
    axes.contour(points, points, plane[0].T, levels=[plane[0].max() / 2], colors="r")
    axes.set(xlabel="x", ylabel="z", title=f"A vortex ring moves at {speed:.4f}; theory {theory:.4f}")
    fig.savefig(folder / "vortex_ring.png", dpi=110)
    print(f"speed {speed:.5f}, theory {theory:.5f}, picture in {folder / 'vortex_ring.png'}")
