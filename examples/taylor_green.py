"""The Taylor-Green vortex breaks up: mpiexec -n 2 python examples/taylor_green.py [--cells 64] [--end 4] [--out F.png]

From u = (sin x cos y cos z, -cos x sin y cos z, 0) in a periodic box of side 2 pi with viscosity 1/1600 (Taylor and
Green 1937; Brachet et al. 1983), pseudo-spectral without aliasing, Runge-Kutta of order 4 with the viscous decay exact
(spectral_flow.py). The dissipation is compared with that of a run with 512^3 modes, taylor_green_1600.txt.
"""

import time
from pathlib import Path

import numpy as np
from common import Arguments, conclude, counted, plane, subplots, whole
from mpi4py import MPI
from spectral_flow import Flow

VISCOSITY, REFERENCE = 1 / 1600, Path(__file__).with_name("taylor_green_1600.txt")
COURANT = 0.4  # time step over cell; RK4 is stable while the sum of |u_i| is below 2.8 / (pi COURANT) = 2.2
SURE, LIMIT = 4, 0.01  # until this time the dissipation has to be that of the reference, to this relative deviation


def vortex(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """The velocity at t = 0."""
    return np.sin(x) * np.cos(y) * np.cos(z), -np.cos(x) * np.sin(y) * np.cos(z), 0


def series(t: float) -> float:
    """Dissipation over that at t = 0 for short times, to t^5 (Taylor and Green 1937).

    Even terms, 0.104 t^2 and 0.0079 t^4, fall by 13 each: what is left out is below 0.0006 t^6.
    """
    v = VISCOSITY
    fourth = 50 / (99 * 64) + 1835 / (9 * 16) * v**2 + 54 * v**4
    fifth = -v * (361 / (44 * 32) + 761 / 12 * v**2 + 324 / 5 * v**4)
    return np.polyval([fifth, fourth, -v * (5 / 3 + 36 * v**2), 5 / 48 + 18 * v**2, -6 * v, 1], t)


def run(flow: Flow, cells: int, end: int) -> tuple[np.ndarray, dict[int, np.ndarray], float]:
    """Rows time, energy, dissipation; spectra at even times and at the end; seconds per step."""
    per_unit = 4 * int(np.ceil(cells / (8 * np.pi * COURANT)))  # the reference has quarters
    dt, steps = 1 / per_unit, end * per_unit
    rows, spectra, began = [flow.totals()], {}, time.perf_counter()
    for i in counted(flow.plan.comm, steps, "taylor_green"):
        flow.step(dt)
        rows.append(flow.totals())
        if (i + 1) % (2 * per_unit) == 0 or i + 1 == steps:
            spectra[(i + 1) // per_unit] = flow.spectrum()[: cells // 2]
    seconds = (time.perf_counter() - began) / steps
    return np.vstack([dt * np.arange(steps + 1), np.transpose(rows)]), spectra, seconds


def draw(out: Path, history: np.ndarray, reference: np.ndarray, spectra: dict, vorticity: np.ndarray) -> None:
    """Dissipation over time, spectra, and a plane of the vorticity."""
    fig, axes = subplots(3, 1, 5, 11)
    axes[0].plot(history[0], 1e3 * history[2], label="$2 \\nu$ enstrophy")
    axes[0].plot(history[0], -1e3 * np.gradient(history[1], history[0], edge_order=2), "--", label="-dE/dt")
    axes[0].plot(reference[0], 1e3 * reference[1], "ko", ms=3, label="reference, $512^3$ modes")
    axes[0].set(xlabel="time", ylabel="1000 x dissipation", title="Taylor-Green vortex, Re = 1600")
    axes[0].legend()
    for when, shells in spectra.items():
        axes[1].loglog(np.arange(2, len(shells)), shells[2:], label=f"time {when}")
    axes[1].set(xlabel="wavenumber", ylabel="energy", ylim=(1e-10, 0.3), title="Kinetic energy of shells")
    axes[1].minorticks_off()
    axes[1].set(xticks=[2, 4, 8, 16, 32], xticklabels=[2, 4, 8, 16, 32])
    axes[1].legend()
    quarter = vorticity[: len(vorticity) // 2, : len(vorticity) // 2].T  # the others are its mirror images
    image = axes[2].imshow(quarter, origin="lower", extent=(0, 1, 0, 1), cmap="inferno", vmin=0)
    axes[2].set(xlabel="y / $\\pi$", ylabel="z / $\\pi$", title=f"|vorticity| at x = 0, time {history[0, -1]:g}")
    fig.colorbar(image, ax=axes[2])
    fig.savefig(out, dpi=90)


def main() -> None:
    """Runs the flow, compares and draws."""
    comm, reference = MPI.COMM_WORLD, np.loadtxt(REFERENCE).T
    arguments = Arguments(__doc__, comm, whole(8, multiple=2), 64)
    arguments.add_argument("--end", type=whole(1, most=10), default=4, metavar="T", help="the time to run to [4]")
    given = arguments.parse()
    flow = Flow(given.cells, VISCOSITY, vortex)
    history, spectra, seconds = run(flow, given.cells, given.end)

    reference = reference[:, reference[0] <= given.end]
    found = history[2, :: (history.shape[1] - 1) // (reference.shape[1] - 1)]
    deviation = abs(found / reference[1] - 1)
    sure, early = np.max(deviation[reference[0] <= SURE]), abs(found[2] / found[0] / series(0.5) - 1)
    share = np.arange(given.cells // 2) ** 2 * spectra[given.end]
    tail = np.sum(share[given.cells // 4 :]) / np.sum(share)
    # Nothing but viscosity takes energy (and RK4, (w dt)^6/72 a step where small eddies are swept past with a frequency
    # w): what is gone is the integral of the dissipation, by trapezoids with corrected ends.
    (t, energy, lost), dt = history, history[0, 1]
    ends = np.gradient(lost, dt, edge_order=2)[[0, -1]]
    balance = abs((energy[0] - energy[-1]) / (np.trapezoid(lost, t) - dt**2 / 12 * (ends[1] - ends[0])) - 1)
    vorticity = np.sqrt(np.sum(flow.curl_of(flow.modes) ** 2, axis=0))
    vorticity = plane(comm, flow.plan.shape[1:], flow.plan.physical_slices[1:], {0: 0}, vorticity)
    if comm.rank == 0:
        draw(given.out, history, reference, spectra, vorticity)
    conclude(
        comm,
        f"dissipation within {sure:.1e} of the reference until {min(SURE, given.end)}, {np.max(deviation):.1e} until "
        f"{given.end}, {early:.1e} of the series at 0.5; energy balance {balance:.1e}; outer half of the shells "
        f"{tail:.1e} of the dissipation; {seconds:.3g} s a step; picture in {given.out}",
        [
            (f"the deviation from the reference until {SURE}", sure, LIMIT),
            ("the deviation from the series at 0.5", early, 6e-4 * 0.5**6),
            ("the imbalance of the energy", balance, 1e-3),
        ],
    )


if __name__ == "__main__":
    main()
