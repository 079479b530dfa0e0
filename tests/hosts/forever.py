"""On every rank of several hosts: transforms until somebody ends it. Rank 0 says when they have begun."""

import weft
from mpi4py import MPI

plan = weft.Plan((64, 64, 64), "r2c")
points, modes = plan.physical(), plan.spectral()
points[...] = 1
plan.forward(points, out=modes)
MPI.COMM_WORLD.Barrier()
if MPI.COMM_WORLD.rank == 0:
    print("started", flush=True)
while True:
    plan.forward(points, out=modes)
