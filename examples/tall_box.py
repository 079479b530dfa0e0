"""Self-gravity in a tall box, a patch of a disc: mpiexec -n 2 python examples/tall_box.py [CELLS] [FOLDER]

x and y are periodic, z is open. laplacian(phi) = 4 pi G rho with an isothermal sheet rho = rho0 sech^2(z/H), whose
field g_z = -4 pi G rho0 H tanh(z/H) is known (Spitzer 1942), and waves on top of it. Units: 4 pi G rho0 = 1, H = 1/16.
"""

import sys
from pathlib import Path

import numpy as np
import weft

cells = int(sys.argv[1]) if len(sys.argv) > 1 else 48
folder = Path(sys.argv[2] if len(sys.argv) > 2 else "out")
height = 1 / 16

solver = weft.VectorPoisson(
    [cells, cells, 2 * cells], [1.0, 1.0, 2.0], ["periodic", "periodic", "unbounded"], kernel="truncated"
)
x, y, z = solver.points()
sheet = 1 / np.cosh((z - 1) / height) ** 2
density = sheet * (1 + 0.6 * np.cos(2 * np.pi * x) * np.cos(4 * np.pi * y + 1))
gravity = -solver.solve_gradient(density)  # (3, x, y, z) of this rank

# The mean over x and y has the field of the sheet alone.
comm = solver.comm
profile, count = np.zeros(2 * cells), np.zeros(2 * cells)
mine = solver.local_slices[2]
profile[mine] = gravity[2].sum(axis=(0, 1))
count[mine] = gravity[2].shape[0] * gravity[2].shape[1]
profile, count = comm.allreduce(profile), comm.allreduce(count)
profile /= count
heights = (np.arange(2 * cells) + 0.5) * solver.spacing[2] - 1
exact = -height * np.tanh(heights / height)
error = np.max(abs(profile - exact)) / height

# The plane y = 1/2, gathered on rank 0.
plane = np.zeros((2, cells, 2 * cells))
middle = cells // 2 - solver.local_slices[1].start
if 0 <= middle < solver.local_shape[1]:
    for values, target in ((density, plane[0]), (gravity[2], plane[1])):
        target[solver.local_slices[0], solver.local_slices[2]] = values[:, middle, :]
plane = comm.reduce(plane, root=0)
if comm.rank == 0:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    fig, axes = plt.subplots(1, 3, figsize=(9, 4), layout="constrained")
    for axis, values, title in zip(axes, plane, ("density", "vertical gravity"), strict=False):
        image = axis.imshow(values.T, origin="lower", extent=(0, 1, -1, 1), aspect="auto", cmap="magma")
        axis.set(xlabel="x (periodic)", ylabel="z (open)", title=title)
        fig.colorbar(image, ax=axis)
    axes[2].plot(profile / height, heights, label="mean over x, y")
    axes[2].plot(exact / height, heights, ":", color="k", label="isothermal sheet")
    axes[2].set(xlabel="g_z / (4 pi G rho0 H)", ylabel="z", title=f"largest error {error:.0e}")
    axes[2].legend(fontsize=8)
    fig.savefig(folder / "tall_box.png", dpi=110)
    print(f"largest relative error of the field of the sheet {error:.1e}, picture in {folder / 'tall_box.png'}")
