"""Time steps of fluidsim's ns3d solver with several transforms of fluidfft, beside one another in one run.

usage: [mpiexec -n N] python run_ns3d.py [--points 64 96] [--steps 10] [--methods METHOD...] [--save FOLDER]

All start from one field. They take turns, a step each. Prints the median of the seconds of a step, their least, and
the median of those of a core, and how far apart the velocities are at the end; the exit status is 1 if they are further
apart than rounding takes them.
"""

import argparse
import contextlib
import io
import sys
import time
from pathlib import Path

import numpy as np
from fluiddyn.util import mpi

STEP, VISCOSITY = 1e-3, 1e-3


def simulation(method, n):
    """fluidsim's solver on n^3 points of a periodic cube, that writes no files."""
    from fluidsim.solvers.ns3d.solver import Simul

    params = Simul.create_default_params()
    params.oper.type_fft = method
    params.oper.nx = params.oper.ny = params.oper.nz = n
    params.oper.Lx = params.oper.Ly = params.oper.Lz = 2 * np.pi
    params.oper.coef_dealiasing = 2 / 3
    params.nu_2 = VISCOSITY
    params.init_fields.type = "in_script"
    params.time_stepping.USE_CFL = False
    params.time_stepping.deltat0 = STEP
    params.time_stepping.type_time_scheme = "RK4"
    params.time_stepping.t_end = 1e9
    params.output.HAS_TO_SAVE = False
    with contextlib.redirect_stdout(io.StringIO()):
        result = Simul(params)
    result.state.init_statephys_from(**velocity(result.oper))
    result.state.statespect_from_statephys()
    return result


def velocity(oper):
    """Taylor and Green's vortices and an ABC flow: free of divergence, and below 3."""
    x, y, z = oper.get_XYZ_loc()
    vx = np.sin(x) * np.cos(y) * np.cos(z) + np.sin(2 * z) + np.cos(3 * y)
    vy = -np.cos(x) * np.sin(y) * np.cos(z) + np.sin(2 * x) + np.cos(3 * z)
    return {"vx": vx, "vy": vy, "vz": np.sin(2 * y) + np.cos(3 * x)}


def seconds_of_a_step(sim):
    """Of the slowest rank, and those of its core, which leave out what other programs took of it meanwhile."""
    if mpi.nb_proc > 1:
        mpi.comm.barrier()
    begin, core = time.perf_counter(), time.process_time()
    sim.time_stepping.one_time_step_computation()
    took = time.perf_counter() - begin, time.process_time() - core
    return took if mpi.nb_proc == 1 else tuple(mpi.comm.allreduce(part, op=mpi.MPI.MAX) for part in took)


def whole_velocity(sim):
    """All three components on rank 0, [component, z, y, x]; None on the others."""
    parts = [sim.state.state_phys.get_var(name) for name in ("vx", "vy", "vz")]
    found = [sim.oper.gather_Xspace(np.ascontiguousarray(part), root=0) for part in parts]
    return np.array(found) if mpi.rank == 0 else None


def rounding(largest, n, steps):
    """What the velocities of two runs may differ by.

    A transform rounds by eps log2 N of the largest value. There is one at the beginning and one at the end, and a step
    adds STEP times those of its forces: three products of velocities and gradients, up to wavenumber n / 3.
    """
    one = np.finfo(float).eps * np.log2(n**3) * largest
    return 2 * one * (2 + steps * STEP * 3 * largest * n / 3)


def beside(methods, n, steps, folder=None):
    """Runs the methods, prints what they take, and returns whether they agree."""
    sims = {method: simulation(method, n) for method in methods}
    took = {method: [] for method in methods}
    start = whole_velocity(sims[methods[0]])
    for step in range(steps + 1):
        for method, sim in sims.items():
            seconds = seconds_of_a_step(sim)
            if step > 0:  # the first one also makes arrays
                took[method].append(seconds)
    fields = {method: whole_velocity(sim) for method, sim in sims.items()}
    if mpi.rank > 0:
        return True
    reference = fields[methods[0]]
    allowed = rounding(np.abs(reference).max(), n, steps + 1)
    moved = np.abs(reference - start).max()
    good = moved > 1e3 * allowed
    for method, field in fields.items():
        apart = np.abs(field - reference).max()
        good = good and apart <= allowed
        (seconds, of_cores), least = np.median(took[method], axis=0), np.min(took[method], axis=0)[0]
        print(
            f"{n}^3, {mpi.nb_proc} ranks, {method}: {seconds:.4f} s a step (least {least:.4f}, of a core "
            f"{of_cores:.4f}), {apart:.1e} from {methods[0]}, rounding {allowed:.1e}, moved {moved:.1e}",
            flush=True,
        )
        if folder:
            np.save(Path(folder) / f"{method}-{n}.npy", field)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--points", type=int, nargs="+", default=[64, 96], help="along each axis")
    parser.add_argument("--steps", type=int, default=10, help="that are timed, after one that is not")
    parser.add_argument("--methods", nargs="+", default=["fft3d.mpi_with_weft", "fft3d.mpi_with_fftwmpi3d"])
    parser.add_argument("--save", metavar="FOLDER", help="keep the velocities as FOLDER/METHOD-POINTS.npy")
    given = parser.parse_args()
    good = [beside(given.methods, n, given.steps, given.save) for n in given.points]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
