"""weft demo: solves for a Plummer sphere of particles, from its density file to the picture of its potential."""

from pathlib import Path
from typing import IO, Annotated

import numpy as np
import typer

from weft._mpi import MPI
from weft.cli.output import OutputFolder, replace_file
from weft.cli.report import Reporter, print_json
from weft.cli.streams import pass_on
from weft.cli.terminal import tell_ranks
from weft.errors import Error
from weft.formula import Formula
from weft.launch import check_count, run_ranks, under_launcher
from weft.plummer import Plummer, deposit

# h5py is imported where it is used, since it loads an HDF5 of its own, which the ranks of a solve do not need.
_CELLS = 128
_PARTICLES = 1_000_000
# The potential has two errors, both proportional to h^2 times the local density. Sharing a particle among cells smears
# it by a triangle of variance h^2/6 per axis, which gives h^2 rho / 12. The kernel chat2 adds about h^2 rho / 30 (its
# error for smooth compact sources over h^2 times their Laplacian). The bound has a margin for the noise of particles.
_ERROR_FACTOR = 1 / 12 + 1 / 30
_NOISE_ROOM = 1.3

_CASE = """\
# The potential of a Plummer sphere in free space, from a density file: laplacian(u) = density.
name = "Plummer sphere"
cells = [{cells}, {cells}, {cells}]
length = [1.0, 1.0, 1.0]
boundary = ["unbounded", "unbounded", "unbounded"]
rhs = {{ file = "plummer.h5", dataset = "density" }}
# The exact potential of the sphere, which is cut off at the radius {cut}.
reference = "{reference}"

[define]
{definitions}
"""


def _write_input(sphere: Plummer, folder: Path) -> Path:
    """Writes the density file and the case file. Returns the case file."""
    import h5py

    def density(out: IO[bytes]) -> None:
        with h5py.File(out, "w") as file:
            file["density"] = deposit(sphere.particles(_PARTICLES), _CELLS)

    replace_file(folder / "plummer.h5", density)
    formulas = sphere.reference()
    reference = formulas.pop("u")
    definitions = "\n".join(f'{name} = "{text}"' for name, text in formulas.items())
    case = folder / "plummer.toml"
    text = _CASE.format(cells=_CELLS, cut=sphere.cut, reference=reference, definitions=definitions)
    replace_file(case, lambda out: out.write(text.encode()))
    return case


def _errors_by_region(sphere: Plummer, folder: Path) -> list[tuple[str, float, float]]:
    """The largest absolute and relative errors of the potential in the core, around it and outside."""
    import h5py

    with h5py.File(folder / "solution.h5") as file:
        found = file["solution"][...]
    formulas = sphere.reference()
    x = (np.arange(_CELLS) + 0.5) / _CELLS
    points = np.meshgrid(x, x, x, indexing="ij", sparse=True)
    exact = Formula(formulas.pop("u"), definitions=formulas)(*points)
    radius = Formula("r", definitions=formulas)(*points)
    difference = np.abs(found - exact)
    a, cut = sphere.scale, sphere.cut
    regions = {
        f"core, r < {2 * a:g}": radius < 2 * a,
        f"envelope, {2 * a:g} < r < {cut:g}": (radius >= 2 * a) & (radius < cut),
        f"outside, r > {cut:g}": radius >= cut,
    }
    return [
        (name, float(difference[inside].max()), float((difference[inside] / np.abs(exact[inside])).max()))
        for name, inside in regions.items()
    ]


def _report_regions(report: Reporter, sphere: Plummer, rows: list[tuple[str, float, float]]) -> bool:
    """Prints the errors and returns whether the deposit explains them."""
    report.line("", "")
    report.line("errors", "largest difference from the exact potential, absolute and relative")
    for name, absolute, relative in rows:
        report.line("", f"{name:<26} {absolute:.2e}   {relative:.2e}")
    expected = _ERROR_FACTOR * sphere.density(0.0) / _CELLS**2
    report.line("", "Each particle is shared by 8 cells of width h, so the core, only 10 h wide, is smeared:")
    report.line("", f"there an error of h^2 (1/12 + 1/30) density = {expected:.2e} is expected, and far less outside.")
    explained = max(error for _, error, _ in rows) <= _NOISE_ROOM * expected
    if not explained:
        report.line("", "The error is larger: something is wrong.")
    return explained


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for all files.")] = Path("out/demo"),
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="Number of ranks.")] = 2,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Make a density file, solve it in free space, compare with the exact potential, plot."""
    if under_launcher():
        raise Error("weft demo starts its ranks itself: run it without mpiexec, with -n RANKS")
    check_count(ranks)
    comm = MPI.COMM_WORLD
    report = Reporter(comm, silent=json)
    folder = OutputFolder(out, comm).path
    sphere = Plummer()
    report.line("density", f"{_PARTICLES} particles of a Plummer sphere, shared by {_CELLS}^3 cells")
    case = _write_input(sphere, folder)
    report.line("written", f"{folder / 'plummer.h5'}, {case}")
    arguments = ["solve", str(case), "--out", str(folder), "--plot"]
    report.line("run", f"weft {' '.join(arguments)} -n {ranks}")
    tell_ranks()
    if status := run_ranks(ranks, arguments, pass_on=None if json else pass_on):
        raise typer.Exit(status)
    regions = _errors_by_region(sphere, folder)
    explained = _report_regions(report, sphere, regions)
    if json:
        errors = [{"region": name, "absolute": absolute, "relative": relative} for name, absolute, relative in regions]
        print_json({"ranks": ranks, "cells": _CELLS, "folder": str(folder), "errors": errors, "explained": explained})
    if not explained:
        raise typer.Exit(1)
