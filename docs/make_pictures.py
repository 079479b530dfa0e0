"""Draws the pictures of docs/conventions.md: python docs/make_pictures.py [FOLDER]

Points, wavenumbers and weights come from plans and solvers, so the pictures show what the library does.
"""

import sys
from pathlib import Path

import matplotlib
import numpy as np
import weft
from mpi4py import MPI

matplotlib.use("Agg")
import matplotlib.pyplot as plt

N = 6
WAVES = {"dct": np.cos, "dst": np.sin}
INK, SECOND, FAINT = "#1b2a41", "#b04a2f", "#9aa5b1"


def points(path: Path) -> None:
    """The sample points of every cosine and sine kind, the lowest waves through them, and both centrings."""
    kinds = [f"{wave}{i}" for wave in ("dct", "dst") for i in (1, 2, 3, 4)]
    fig, axes = plt.subplots(12, 1, figsize=(4.6, 13), layout="constrained")
    for axis, kind in zip(axes[:8], kinds, strict=True):
        draw_kind(axis, kind)
    for axis, kind in zip(axes[8:10], ("c2c", "r2c"), strict=True):
        draw_period(axis, kind)
    for axis, centring in zip(axes[10:], ("cell", "node"), strict=True):
        draw_grid(axis, centring)
    save(fig, path)


def draw_kind(axis, kind: str) -> None:
    """One kind: n points between 0 and pi, and the two waves of the lowest wavenumbers beyond 0."""
    plan = weft.Plan(N, kind, comm=MPI.COMM_SELF)
    (x,), (kappa,) = plan.coordinates(), plan.wavenumbers()
    wave = WAVES[kind[:3]]
    fine = np.linspace(-0.35, np.pi + 0.35, 400)
    for k, color in zip([k for k in kappa if k > 0][:2], (INK, SECOND), strict=True):
        axis.plot(fine, wave(k * fine), color=FAINT, lw=1)
        axis.plot(x, wave(k * x), "o", color=color, ms=5)
    axis.axvspan(-0.35, 0, color="#eef1f5", lw=0)
    axis.axvspan(np.pi, np.pi + 0.35, color="#eef1f5", lw=0)
    axis.set_title(f"{kind}: wavenumbers {kappa[0]:g}, {kappa[1]:g} .. {kappa[-1]:g}", fontsize=10, loc="left")
    finish(axis, [0, np.pi], ["0", "π"])


def draw_grid(axis, centring: str) -> None:
    """The points of a solver along one axis of N cells."""
    solver = weft.Poisson((N, N), (1.0, 1.0), ("even", "even"), centring=centring, comm=MPI.COMM_SELF)
    x = solver.points()[0].ravel()
    axis.vlines(np.linspace(0, 1, N + 1), -0.6, 0.6, color=FAINT, lw=1)
    axis.plot([0, 1], [0, 0], color=FAINT, lw=1)
    axis.plot(x, 0 * x, "o", color=INK, ms=6)
    axis.set_title(f"{centring}-centred: {len(x)} points in {N} cells", fontsize=10, loc="left")
    finish(axis, [0, 1], ["0", "L"])


def draw_period(axis, kind: str) -> None:
    """The points of a periodic axis, the lowest wave and the one that repeats."""
    plan = weft.Plan(N, kind, comm=MPI.COMM_SELF)
    (x,), (kappa,) = plan.coordinates(), plan.wavenumbers()
    fine = np.linspace(-0.35, 2 * np.pi + 0.35, 400)
    axis.plot(fine, np.cos(fine), color=FAINT, lw=1)
    axis.plot(x, np.cos(x), "o", color=INK, ms=5)
    axis.axvspan(-0.35, 0, color="#eef1f5", lw=0)
    axis.axvspan(2 * np.pi, 2 * np.pi + 0.35, color="#eef1f5", lw=0)
    axis.set_title(f"{kind}: wavenumbers {', '.join(f'{k:g}' for k in kappa)}", fontsize=10, loc="left")
    finish(axis, [0, 2 * np.pi], ["0", "2π"])


def half_spectrum(path: Path) -> None:
    """The whole spectrum of a plane of real data: stored modes with their weights, and those that are left out."""
    n = 8
    plan = weft.Plan((n, n), "r2c", comm=MPI.COMM_SELF)
    (kx, ky), weights = plan.wavenumbers(), plan.weights()
    counts = dict(zip(ky.ravel().tolist(), weights.ravel().tolist(), strict=True))
    stored = {(a, b): counts[b] for a in kx.ravel().tolist() for b in counts}
    fig, axis = plt.subplots(figsize=(5.6, 5.2), layout="constrained")
    for a in range(-n // 2, n // 2):
        for b in range(-n // 2 + 1, n // 2 + 1):
            weight = stored.get((a, b))
            color = {None: "white", 1.0: INK, 2.0: SECOND}[weight]
            axis.plot(b, a, "o", ms=17, mfc=color, mec=FAINT)
            if weight is not None:
                axis.text(b, a, f"{weight:g}", color="white", ha="center", va="center", fontsize=10)
    axis.set_xlabel("ky, the halved axis")
    axis.set_ylabel("kx")
    axis.set_title(f"{n} x {n} real points: modes that are stored,\nand how often each counts", fontsize=11, loc="left")
    axis.set_aspect("equal")
    axis.spines[["top", "right"]].set_visible(False)
    save(fig, path)


def finish(axis, ticks: list[float], labels: list[str]) -> None:
    """What all small pictures have in common."""
    axis.set_xticks(ticks, labels)
    axis.set_yticks([])
    axis.set_ylim(-1.35, 1.35)
    axis.spines[["left", "top", "right"]].set_visible(False)


def save(fig, path: Path) -> None:
    """Writes a picture that is the same whenever it is made."""
    matplotlib.rcParams["svg.hashsalt"] = "weft"
    fig.savefig(path, metadata={"Date": None})
    plt.close(fig)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    points(folder / "points.svg")
    half_spectrum(folder / "half_spectrum.svg")
