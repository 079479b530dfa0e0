"""Iterations in smooth and layered media: mpiexec -n 2 python examples/media.py [--cells 32] [--form spectral]

Solves div(a grad u) = f in a periodic cube to a residual of 1e-8, for a that goes from 1 to a contrast of 10, 100 and
1000: as a product of three cosines in the exponent, or by the sign of that product. Prints the iterations, and the
fastest seconds of one.
"""

import argparse
import sys
import time

import numpy as np
import weft
from mpi4py import MPI

CONTRASTS = 10.0, 100.0, 1000.0


def solved(given: argparse.Namespace, around: str, contrast: float, jumps: bool) -> tuple[int, float]:
    """Iterations and seconds of one iteration. Collective."""
    solver = weft.VariablePoisson(
        (given.cells,) * 3,
        (1.0,) * 3,
        ["periodic"] * 3,
        form=given.form,
        around=around,
        tolerance=1e-8,
        most_iterations=5000,
    )
    x, y, z = (2 * np.pi * points for points in solver.points())
    product = np.cos(x + 0.2 * np.pi) * np.cos(y + 0.2 * np.pi) * np.cos(z + 0.2 * np.pi)
    solver.set_coefficients(contrast ** ((1 + (np.sign(product) if jumps else product)) / 2))
    f = solver.field()
    f[...] = sum(np.sin(s + 0.6 * np.pi * i) * np.cos(2 * s) for i, s in enumerate((x, y, z)))
    solver.comm.Barrier()
    start = time.perf_counter()
    u = solver.solve(f)
    seconds = solver.comm.allreduce(time.perf_counter() - start, op=MPI.MAX)
    apart = (solver.apply(u) - f).norm() / f.norm()
    if not apart <= 2e-8:
        sys.exit(f"the residual is {apart:.1e}")
    return solver.iterations, seconds / max(solver.iterations, 1)


def main() -> None:
    """Prints a line for each medium and way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=32)
    parser.add_argument("--form", default="finite-volume")
    given = parser.parse_args()
    for medium in ("smooth", "jumps"):
        if medium == "jumps" and given.form == "spectral":
            continue  # waves do not have them
        for around in ("scaled", "laplacian"):
            found = [solved(given, around, contrast, medium == "jumps") for contrast in CONTRASTS]
            if MPI.COMM_WORLD.rank == 0:
                counts = "  ".join(f"{iterations:4}" for iterations, _ in found)
                milliseconds = 1000 * min(seconds for _, seconds in found)
                print(f"{medium:7} {around:10} iterations {counts}   {milliseconds:.2f} ms each", flush=True)


if __name__ == "__main__":
    main()
