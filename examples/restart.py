"""A run that may be killed at any time: mpiexec -n 2 python examples/restart.py [STEPS] [FOLDER] [CELLS]

Burgers' equation in the plane, u_t + u (u_x + u_y) = nu lap u, with checkpoints and a time series for ParaView in the
folder. Started again, on any number of ranks, it goes on from the last whole checkpoint and ends with the same bits as
a run that was never stopped: checkpoints keep all of them, and transforms do not depend on the number of ranks.
"""

import sys
from pathlib import Path

import numpy as np
import weft
from mpi4py import MPI

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200
folder = Path(sys.argv[2] if len(sys.argv) > 2 else "out/restart")
cells = int(sys.argv[3]) if len(sys.argv) > 3 else 128
every, dt, nu = 5, 0.01, 0.02

plan = weft.Plan((cells, cells), "r2c")
kx, ky = plan.wavenumbers()
along = 1j * (kx + ky)  # u_x + u_y
damping = 1 / (1 + nu * dt * (kx**2 + ky**2))  # one implicit step of the viscous term
folder.mkdir(parents=True, exist_ok=True)
checkpoints = weft.CheckpointFolder(folder, keep=2)


def distributed(u):
    """The local array, and where it belongs."""
    return {"u": (u, plan.physical_slices, plan.shape)}


last = checkpoints.restore({"u": plan.physical_slices})
if last is None:
    # Of whole axes: a sine of part of an axis may differ in its last bit where the processor works on several at once.
    wave = np.sin(2 * np.pi * np.arange(cells) / cells)
    x, y = plan.physical_slices
    first, u = 0, wave[x, None] * wave[y] + 0.5 * wave[y]
else:
    first, u = last.values["step"], last.fields["u"]

series = weft.TimeSeries(folder / "run.xdmf", plan.shape, (2 * np.pi / cells,) * 2, resume=dt * first)
for step in range(first, steps):
    if step % every == 0:
        if step > first:
            checkpoints.save(step, distributed(u), {"time": dt * step})
        series.append(dt * step, distributed(u))
    u = plan.apply(u - dt * u * plan.apply(u, along), damping)
checkpoints.save(steps, distributed(u), {"time": dt * steps})

steepest = plan.comm.allreduce(np.abs(plan.apply(u, along)).max(initial=0.0), MPI.MAX)
if plan.comm.rank == 0:
    print(f"steps {first} to {steps}, steepest slope {steepest:.17g}, fields in {folder / 'run.xdmf'}")
