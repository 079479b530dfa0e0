"""Self-gravity in a tall box, a patch of a disc: mpiexec -n 2 python examples/tall_box.py [--cells 48] [--out F.png]

x and y are periodic, z is open. laplacian(phi) = 4 pi G rho with an isothermal sheet rho = rho0 sech^2(z/H), whose
field g_z = -4 pi G rho0 H tanh(z/H) is known (Spitzer 1942), and waves on top of it. Units: 4 pi G rho0 = 1, H = 1/16.
"""

import numpy as np
import weft
from common import Arguments, conclude, plane, subplots, whole
from mpi4py import MPI

comm = MPI.COMM_WORLD
given = Arguments(__doc__, comm, whole(8, multiple=2), 48).parse()
cells, height = given.cells, 1 / 16

solver = weft.VectorPoisson(
    [cells, cells, 2 * cells], [1.0, 1.0, 2.0], ["periodic", "periodic", "unbounded"], kernel="truncated"
)
x, y, z = solver.points()
sheet = 1 / np.cosh((z - 1) / height) ** 2
density = sheet * (1 + 0.6 * np.cos(2 * np.pi * x) * np.cos(4 * np.pi * y + 1))
gravity = -solver.solve_gradient(density)  # (3, x, y, z) of this rank

# The mean over x and y has the field of the sheet alone.
profile = np.zeros(2 * cells)
profile[solver.local_slices[2]] = gravity[2].sum(axis=(0, 1)) / cells**2
profile = comm.allreduce(profile)
heights = (np.arange(2 * cells) + 0.5) * solver.spacing[2] - 1
exact = -height * np.tanh(heights / height)
error = np.max(abs(profile - exact)) / height

middle = [plane(comm, solver.shape, solver.local_slices, {1: cells // 2}, a) for a in (density, gravity[2])]
if comm.rank == 0:
    fig, axes = subplots(1, 3, 9, 4)
    for axis, values, title in zip(axes, middle, ("density", "vertical gravity"), strict=False):
        image = axis.imshow(values.T, origin="lower", extent=(0, 1, -1, 1), aspect="auto", cmap="magma")
        axis.set(xlabel="x (periodic)", ylabel="z (open)", title=title)
        fig.colorbar(image, ax=axis)
    axes[2].plot(profile / height, heights, label="mean over x, y")
    axes[2].plot(exact / height, heights, ":", color="k", label="isothermal sheet")
    axes[2].set(xlabel="g_z / (4 pi G rho0 H)", ylabel="z", title=f"largest error {error:.0e}")
    axes[2].legend(fontsize=8)
    fig.savefig(given.out, dpi=100)
# The grid does not resolve what the spectrum of sech^2(z/H), w / sinh(w) with w = pi H k / 2, has beyond k = pi/h.
beyond = np.pi**2 / 2 * height * cells
conclude(
    comm,
    f"largest relative error of the field of the sheet {error:.1e}; picture in {given.out}",
    [("the error of the field", error, 4 * beyond * np.exp(-beyond) + 1e-12)],
)
