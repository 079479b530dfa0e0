"""weft validate: compares every combination of boundaries, kernels and strategies with theory."""

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from weft._mpi import MPI
from weft.cli.check import one_node
from weft.cli.options import chosen
from weft.cli.output import OutputFolder, check_file, write_file
from weft.cli.ranks import communicator
from weft.cli.report import Reporter
from weft.cli.terminal import Bar, print_table, progress
from weft.cli.validate_cases import Selection, everything, parse_case, quick
from weft.cli.validate_curves import Figure, figures
from weft.cli.validate_families import FAMILIES
from weft.cli.validate_operators import NAMES, examine_all
from weft.cli.validate_page import page
from weft.cli.validate_report import Tally, as_json, table
from weft.cli.validate_runs import known_kernels
from weft.cli.validate_theory import Theory
from weft.cli.validate_velocity import tube_figure
from weft.errors import Error

_JSON_HELP = "Write all figures to this file; - prints them and nothing else."
_FAMILIES_HELP = f"These families of other cases only, with commas: {', '.join(FAMILIES)}."
_PRINTED = Path("-")


def validate(
    ranks: Annotated[int | None, typer.Option("-n", "--ranks", min=1, help="Start this many ranks.")] = None,
    quickly: Annotated[bool, typer.Option("--quick", help="A representative sample of the boundaries.")] = False,
    kernels: Annotated[str | None, typer.Option(help="These kernels only, or power or batch, with commas.")] = None,
    families: Annotated[str | None, typer.Option(help=_FAMILIES_HELP)] = None,
    case: Annotated[str | None, typer.Option(metavar="TEXT", help="One case, as printed for a failed case.")] = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help=_JSON_HELP)] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page with plots.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Both, in this folder: validate.json, validate.html.")
    ] = None,
) -> None:
    """Solve all 1100 combinations of boundaries, cell- and node-centred, with every kernel and four strategies.

    Bits, errors and orders are compared with theory, also for powers of the Laplacian, and several right-hand sides at
    once are compared with each alone. Families of other cases follow: a finite-difference axis of order 2 and 4, values
    given at ends, halos, particles, displaced points, lattice kernels on long cells, coefficients that vary. Exit
    status 1 if anything is wrong.
    """
    selection = _selection(quickly, kernels, case, families)
    wanted = _families(families, whole=case is None and kernels is None)
    _for_ranks()
    comm = communicator(ranks, verdicts=(0, 1, 2))
    folder = None if out is None else OutputFolder(out, comm).path
    json, html = (
        given if folder is None or given else folder / f"validate.{kind}"
        for kind, given in (("json", json), ("html", html))
    )
    check_file(None if json == _PRINTED else json, "--json")
    check_file(html, "--html")
    # For a single case coarse grids suffice for the plots.
    if _run(comm, selection, wanted, json, html, quickly or case is not None):
        raise typer.Exit(1)


def _for_ranks() -> None:
    """Sets environment variables for the ranks that -n starts."""
    # Matrix products of numpy would use all cores on each rank.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _families(given: str | None, whole: bool) -> list[str]:
    """The families to check: all of them if all kernels are checked."""
    return chosen(given, "--families", list(FAMILIES), list(FAMILIES) if whole else [])


def _selection(quickly: bool, kernels: str | None, case: str | None, families: str | None) -> Selection:
    """The selection of cases from the options."""
    known = [*known_kernels(), *NAMES]
    if case is not None:
        if quickly or kernels is not None or families is not None:
            raise Error("--case: it selects a single case; omit --quick, --kernels and --families")
        return parse_case(case, known)
    if families is not None and kernels is None:
        return Selection((), ())
    names = chosen(kernels, "--kernels", known, known)
    return quick(names) if quickly else everything(names)


def _say(report: Reporter, bar: Bar, failed: int) -> None:
    """Counts a combination: updates a bar on a terminal, else prints a line for every tenth."""
    bar.advance(f"combinations, {failed} cases failed")
    if not bar.shown and bar.done * 10 // bar.total > (bar.done - 1) * 10 // bar.total:
        text = f"{bar.done} of {bar.total} combinations, {failed} cases failed, {bar.seconds:.0f} s"
        report.line("validated", text)


def _run(
    comm: MPI.Intracomm,
    selection: Selection,
    families: list[str],
    json: Path | None,
    html: Path | None,
    quickly: bool,
) -> int:
    """Runs the validation and returns how many cases failed. Collective."""
    report, start = Reporter(comm, silent=json == _PRINTED), time.perf_counter()
    if "shared" in selection.strategies and not one_node(comm):
        selection = replace(selection, strategies=tuple(name for name in selection.strategies if name != "shared"))
        report.line("", "shared is omitted: the ranks are on several nodes")
    tally, theory = Tally(comm.size, selection), Theory(comm)
    with progress(comm, len(selection.subjects), "combinations") as bar:
        for subject in selection.subjects:
            tally.add(examine_all(theory, subject, selection))
            _say(report, bar, tally.failed)
    for name in families:
        order, cases = FAMILIES[name]
        for finding in cases(comm, quickly):
            tally.add_finding(name, order, finding)
    drawn: list[Figure] = []
    if html is not None and selection.kernels:
        report.line("curves", "errors against the number of cells")
        shown = [name for name in selection.kernels if name not in NAMES]
        drawn = [*figures(comm, shown, quickly), tube_figure(comm, shown, quickly)]
    tally.seconds = time.perf_counter() - start
    if comm.rank == 0:
        write_file(html, "--html", lambda file: file.write(page(tally, drawn)))
        if json == _PRINTED:
            print(as_json(tally, drawn).decode(), end="", flush=True)
            return tally.failed
        write_file(json, "--json", lambda file: file.write(as_json(tally, drawn)))
        _print(tally, comm.size)
    return tally.failed


def _print(tally: Tally, ranks: int) -> None:
    for line, faults in tally.failures:
        print(f"FAILED {line}  # {'; '.join(faults)}")
    print_table(table(tally))
    good, minutes = tally.cases - tally.failed, tally.seconds / 60
    text = f"{tally.cases} cases, {good} good, {tally.failed} failed, {minutes:.1f} minutes on {ranks} ranks"
    print(text, flush=True)
