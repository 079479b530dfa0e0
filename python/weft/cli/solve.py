"""weft solve: solves a case file on any number of ranks and writes the solution."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from weft import _core
from weft._arguments import raise_together
from weft._mpi import MPI
from weft.case import Case, FieldFile, load_case
from weft.cli.output import OutputFolder, side_by_side, write_solution
from weft.cli.plot import plot_solution
from weft.cli.ranks import communicator
from weft.cli.report import Reporter, measures, print_json, throughput_text
from weft.cli.terminal import Bar, progress
from weft.errors import Error
from weft.formula import Formula
from weft.norms import Errors, errors
from weft.poisson import Poisson
from weft.variable_poisson import VariablePoisson

CaseArgument = Annotated[Path, typer.Argument(metavar="CASE.toml", help="The problem, in TOML.", show_default=False)]
RanksOption = Annotated[int | None, typer.Option("-n", "--ranks", min=1, help="Start this many ranks.")]
Solver = Poisson | VariablePoisson
StrategyOption = Annotated[str, typer.Option(help="How data move between ranks: auto, or a strategy of weft info.")]
OutOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Folder for the results.  [default: out/NAME-OF-THE-CASE-FILE]")
]
PlotOption = Annotated[bool, typer.Option("--plot", help="Draw three mid-planes to DIR/solution.png.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
ThreadsOption = Annotated[int | None, typer.Option(min=1, help="Threads per rank.  [default: cores / ranks]")]


_STEPS = 5  # planning, right-hand side, solve, comparison, files


@dataclass(frozen=True)
class Options:
    """The options of the command line."""

    case: Path
    strategy: str
    out: Path
    plot: bool
    json: bool
    threads: int | None

    def arguments(self) -> list[str]:
        """The command line of a rank with these options."""
        flags = [flag for flag, on in (("--plot", self.plot), ("--json", self.json)) if on]
        threads = [] if self.threads is None else ["--threads", str(self.threads)]
        return ["solve", f"--strategy={self.strategy}", f"--out={self.out}", *flags, *threads, "--", str(self.case)]


def solve(
    case: CaseArgument,
    ranks: RanksOption = None,
    strategy: StrategyOption = "auto",
    out: OutOption = None,
    plot: PlotOption = False,
    json: JsonOption = False,
    threads: ThreadsOption = None,
) -> None:
    """Solve laplacian(u) = rhs, write solution.h5 and solution.xdmf (ParaView), and print times and errors."""
    options = Options(case, strategy, out or Path("out") / case.stem, plot, json, threads)
    comm = communicator(ranks, options.arguments())
    run(options, comm)


def run(options: Options, comm: MPI.Intracomm) -> None:
    """The whole job, on the ranks of comm. Collective."""
    with progress(comm, _STEPS, "") as bar:
        _run(options, comm, bar)


def _run(options: Options, comm: MPI.Intracomm, bar: Bar) -> None:
    """The steps of the job."""
    report = Reporter(comm, options.json)
    bar.say("planning")
    case = load_case(options.case, comm)
    for rhs in case.rhs if isinstance(case.rhs, tuple) else (case.rhs,):
        if isinstance(rhs, FieldFile):
            # Before any work the file is checked to exist, to be complete and to have the dataset.
            _core.file_shape(MPI._addressof(comm), str(rhs.path), rhs.dataset)
    solver = make_solver(case, options, comm)
    points = " x ".join(map(str, solver.shape))
    report.line("case", f"{case.name}: {points} points, {comm.size} rank{'s' if comm.size > 1 else ''}")
    how = f"strategy {solver.strategy}, {solver.threads} thread{'s' if solver.threads > 1 else ''} per rank"
    report.line("set-up", f"{solver.setup_seconds:.4f} s, {how}")
    bar.advance("right-hand side")
    sides = load_rhs(case, solver)
    folder = OutputFolder(options.out, comm)
    try:
        bar.advance("solving")
        solution, figures = timed_solve(case, solver, sides, bar)
        bar.advance("comparing")
        report.line("solve", f"{figures['solve_seconds']:.4f} s, {throughput_text(figures)}")
        if isinstance(solver, VariablePoisson):
            report.line("", f"{solver.iterations} iterations, residual {solver.residual:.2e}")
        norms = compare(case, solver, solution)
        report_norms(report, norms, case.batch)
        report.line("memory", f"{figures['peak_bytes_per_rank'] / 1e6:.0f} MB peak per rank")
        bar.advance("writing")
        files = write_solution(case, solver, solution, sides, folder.path)
        if options.plot:
            for name, field in side_by_side({"solution": solution}, case.batch).items():
                files.append(folder.path / f"{name}.png")
                plot_solution(case.name, field, solver, files[-1])
    except BaseException:  # also Ctrl-C
        folder.discard()
        raise
    bar.advance()
    report.line("written", ", ".join(map(str, files)))
    if options.json and comm.rank == 0:
        print_json(summary(options, case, solver, figures, norms, files))


def make_solver(case: Case, options: Options, comm: MPI.Intracomm) -> Solver:
    """The solver of a case. Collective."""
    if case.variable is None:
        return _plain_solver(case, options, comm)
    solver = VariablePoisson(
        case.cells,
        case.length,
        case.boundary,
        mean=case.mean,
        comm=comm,
        strategy=options.strategy,
        threads=options.threads,
        **case.variable.options,
    )
    points = solver.points()
    solver.set_coefficients(case.variable.a(*points), 0.0 if case.variable.c is None else case.variable.c(*points))
    return solver


def _plain_solver(case: Case, options: Options, comm: MPI.Intracomm) -> Poisson:
    return Poisson(
        case.cells,
        case.length,
        case.boundary,
        centring=case.centring,
        kernel=case.kernel,
        alpha=case.alpha,
        screening=case.screening,
        power=case.power,
        mean=case.mean,
        widths=case.widths,
        robin=case.robin,
        order=case.order,
        shift=case.shift,
        batch=case.batch,
        comm=comm,
        strategy=options.strategy,
        threads=options.threads,
    )


def check_finite(values: np.ndarray, name: str, solver: Solver) -> None:
    """Raises an Error on every rank that names the first NaN or infinity of any rank. Collective.

    values   this rank's values of one right-hand side, or of a whole batch.
    """
    problem: Error | None = None
    bad = ~np.isfinite(values)
    if bad.any():
        where = np.unravel_index(int(np.argmax(bad)), values.shape)
        axes = len(solver.cells)
        side, place = "".join(f" [{i}]" for i in where[:-axes]), where[-axes:]
        index = tuple(int(i) + s.start for i, s in zip(place, solver.local_slices[-axes:], strict=True))
        position = ", ".join(f"{float(p.ravel()[i]):.6g}" for p, i in zip(solver.points(), place, strict=True))
        problem = Error(
            f"{name}{side} is {values[where]} at index {index}, position ({position}); it must be finite everywhere"
        )
    raise_together(solver.comm, problem)


def load_rhs(case: Case, solver: Solver) -> np.ndarray:
    """This rank's block of the right-hand sides from their formulas or files. Collective."""
    if isinstance(case.rhs, tuple):
        axes = len(solver.cells)
        shape, slices = solver.shape[-axes:], solver.local_slices[-axes:]
        values = np.stack([_block(one, solver, shape, slices) for one in case.rhs])
    else:
        values = _block(case.rhs, solver, solver.shape, solver.local_slices)
    name = f"rhs: {case.rhs.path} {case.rhs.dataset}".rstrip() if isinstance(case.rhs, FieldFile) else "rhs"
    check_finite(values, name, solver)
    return values


def _block(rhs: Formula | FieldFile, solver: Solver, shape: tuple[int, ...], slices: tuple[slice, ...]) -> np.ndarray:
    """The slices of an array of a shape, from a formula or a file. Collective."""
    if isinstance(rhs, Formula):
        return rhs(*solver.points())
    values = np.empty([s.stop - s.start for s in slices], solver.dtype)
    box = [(s.start, s.stop) for s in slices]
    _core.read_block(MPI._addressof(solver.comm), str(rhs.path), rhs.dataset, shape, box, values)
    return values


def _sides(formula: Formula | tuple[Formula, ...], points: Sequence[np.ndarray]) -> np.ndarray:
    """The values of a formula, or of one for each right-hand side, which the first axis then counts."""
    return np.stack([one(*points) for one in formula]) if isinstance(formula, tuple) else formula(*points)


def end_values(case: Case, solver: Solver) -> dict[tuple[int, str], np.ndarray]:
    """The values that the case gives at ends, for this rank's points."""
    found = {}
    for (axis, side), formula in case.ends.items():
        points = list(solver.points())
        points[axis] = np.full((1,) * len(points), 0.0 if side == "left" else case.length[axis])
        found[axis, side] = _sides(formula, points)
    return found


def timed_solve(case: Case, solver: Solver, rhs: np.ndarray, bar: Bar) -> tuple[np.ndarray, dict[str, Any]]:
    """The solution and the figures of the slowest rank. Collective."""
    ends = end_values(case, solver)
    solver.comm.Barrier()
    start = time.perf_counter()
    if isinstance(solver, VariablePoisson):
        shows = (
            (lambda number, residual: bar.say(f"iteration {number}, residual {residual:.1e}")) if bar.shown else None
        )
        solution = solver.solve(solver.field(rhs), report=shows).local
    else:
        solution = solver.solve(rhs, ends=ends or None)
    seconds = time.perf_counter() - start
    return solution, measures(solver, seconds)


def compare(case: Case, solver: Solver, solution: np.ndarray) -> list[Errors]:
    """The error norms of each solution against the reference of the case, if it has one. Collective."""
    if case.reference is None:
        return []
    places = solver.points()
    if isinstance(solver, Poisson):
        places = tuple(points + shift for points, shift in zip(places, solver.shift, strict=True))
    reference = _sides(case.reference, places)
    check_finite(reference, "reference", solver)
    shape = solver.shape[-len(solver.cells) :]
    counts = [n - (centring == "chebyshev") for n, centring in zip(shape, solver.centring, strict=True)]
    points = int(np.prod(counts, dtype=np.int64))
    differences = solution - reference
    volumes = solver.local_volumes()
    return [
        errors(difference, solver.spacing, points, solver.mean_is_free, solver.comm, volumes)
        for difference in (differences[np.newaxis] if case.batch is None else differences)
    ]


def report_norms(report: Reporter, norms: list[Errors], batch: int | None) -> None:
    """Prints two lines with the norms of each solution, and one more if a mean was subtracted."""
    for number, one in enumerate(norms):
        side = "" if batch is None else f" [{number}]"
        report.line(f"E_inf{side}", f"{one.e_inf:.12e}")
        report.line(f"E_2{side}", f"{one.e_2:.12e}")
        if one.removed_mean is not None:
            text = f"u is free up to a constant here; the mean difference {one.removed_mean:.6e} was subtracted first"
            report.line("", text)


def summary(
    options: Options, case: Case, solver: Solver, figures: dict[str, Any], norms: list[Errors], files: list[Path]
) -> dict[str, Any]:
    """All reported figures, for --json. With several right-hand sides norms are lists."""
    names = ("e_inf", "e_2", "removed_mean") if norms else ()
    found = {name: [getattr(one, name) for one in norms] for name in names}
    if case.batch is None:
        found = {name: values[0] for name, values in found.items()}
    equation: dict[str, Any]
    if isinstance(solver, Poisson):
        equation = {
            "kernel": case.kernel,
            "screening": case.screening,
            "power": case.power,
            "shift": list(solver.shift),
            "batch": case.batch,
        }
    else:
        equation = {"form": solver.form, "iterations": solver.iterations, "residual": solver.residual}
    return {
        "case": case.name,
        "cells": list(solver.cells),
        "shape": list(solver.shape),
        **equation,
        "strategy": solver.strategy,
        "ranks": solver.comm.size,
        "threads": solver.threads,
        **figures,
        **found,
        "files": [str(path) for path in files],
    }
