"""weft check: tests that all strategies, process grids and chunks give the same, correct results on this machine.

weft check tensor tests the tensor transforms (check_tensor.py).
"""

import dataclasses
import time
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.table import Table

from weft import _build
from weft._mpi import MPI
from weft.cli import check_tensor
from weft.cli.check_cases import KINDS, PRECISIONS, Case, Way, cases, ways
from weft.cli.check_runs import Outcome, Subject, joined
from weft.cli.check_solves import PROBLEMS, QUICK, Problem, SolveOutcome, check_solves
from weft.cli.examples import epilog
from weft.cli.multi_value_options import SeveralNumbers, SeveralNumbersGroup
from weft.cli.options import chosen, numbers, strategies
from weft.cli.ranks import communicator
from weft.cli.report import Reporter, print_json
from weft.cli.terminal import counted, print_table, progress
from weft.errors import Error

app = typer.Typer(
    cls=SeveralNumbersGroup,
    invoke_without_command=True,
    epilog=epilog("check"),
    add_completion=False,
    rich_markup_mode=None,
)
app.command("tensor", cls=SeveralNumbers, epilog=epilog("check tensor"))(check_tensor.tensor)


@dataclasses.dataclass(frozen=True)
class _Found:
    """The results of a check."""

    ranks: int
    seconds: float
    cases: int
    rows: list[dict[str, Any]]  # the lines of the table, one for each strategy
    failed: list[Outcome]
    solves: list[SolveOutcome]


_CHUNKS, _QUICK_CHUNKS = (1, 2, 3), (1, 3)


@app.callback()
def check(
    context: typer.Context,
    ranks: Annotated[int | None, typer.Option("-n", "--ranks", min=1, help="Start this many ranks.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer kinds, chunks and shapes.")] = False,
    shape: Annotated[str | None, typer.Option(metavar="NX NY...", help="This shape only.")] = None,
    kinds: Annotated[str | None, typer.Option(help="These kinds only: one, or one per axis with commas.")] = None,
    precision: Annotated[str | None, typer.Option(help="double or float only.")] = None,
    grid: Annotated[str | None, typer.Option(metavar="P Q...", help="This process grid only.")] = None,
    strategy: Annotated[list[str] | None, typer.Option(help="These strategies only, with commas.")] = None,
    chunks: Annotated[str | None, typer.Option(help="These counts of chunks only, with commas.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Test that every strategy gives the same bits as one rank and is right to roundoff. Exit status 1 if not."""
    if context.invoked_subcommand is not None:
        _refuse_options(context)
        return
    given = {"shape": shape, "kinds": kinds, "precision": precision, "grid": grid, "chunks": chunks}
    work = _work(quick, strategy, **given)
    # A choice of transforms excludes solves.
    problems = () if any(given.values()) else QUICK if quick else PROBLEMS
    comm = communicator(ranks, verdicts=(0, 1, 2))
    if _run(comm, json, problems=problems, **work):
        raise typer.Exit(1)


def _refuse_options(context: typer.Context) -> None:
    """Refuses options before the name of a subcommand, which would be ignored."""
    for name in context.params:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            text = f"weft check {context.invoked_subcommand}: its options come after its name, not before it"
            raise Error(f"{text}; move {name} there")


def _work(
    quick: bool,
    strategy: list[str] | None,
    shape: str | None,
    kinds: str | None,
    precision: str | None,
    grid: str | None,
    chunks: str | None,
) -> dict[str, Any]:
    """The work to do, from the texts of the options."""
    sizes = None if shape is None else numbers(shape, "--shape", "9 10 11")
    names = None if kinds is None else tuple(kinds.split(","))
    for name in names or ():
        chosen(name, "--kinds", ("none", *KINDS), ())
    if precision is not None:
        chosen(precision, "--precision", tuple(PRECISIONS), ())
    counts = numbers(chunks, "--chunks", "1,2,3") if chunks else _QUICK_CHUNKS if quick else _CHUNKS
    found = cases(sizes, names, precision, quick)
    if not found:
        raise Error(f"--kinds: {kinds} does not have one kind for each axis of {shape or 'any of the shapes'}")
    return {
        "found": found,
        "strategies": strategies(strategy, "all"),
        "grid": None if grid is None else numbers(grid, "--grid", "2 2"),
        "chunks": counts,
    }


def one_node(comm: MPI.Intracomm) -> bool:
    """Whether all ranks can share memory. Collective."""
    node = comm.Split_type(MPI.COMM_TYPE_SHARED)
    size = node.size
    node.Free()
    return size == comm.size


def _run(
    comm: MPI.Intracomm,
    json: bool,
    found: list[Case],
    strategies: list[str],
    grid: tuple[int, ...] | None,
    chunks: tuple[int, ...],
    problems: Sequence[Problem] = (),
) -> int:
    """Runs the check and returns how many ways and solves failed. Collective."""
    report, start = Reporter(comm, json), time.perf_counter()
    strategies = _possible(comm, report, strategies)
    wanted = {case: ways(case, comm.size, strategies, grid, chunks) for case in found}
    if not any(wanted.values()):
        text = "x".join(map(str, grid or ()))
        raise Error(f"--grid: {text} is not a grid of {comm.size} ranks for any of the shapes; omit it to try all")
    everything = _try_all(comm, report, wanted)
    failed = [one for one in everything if one.faults]
    solves = _try_solves(comm, report, problems, strategies)
    if comm.rank == 0:
        rows = [_row(name, [one for one in everything if one.way.strategy == name]) for name in strategies]
        tell = _print_json if json else _print
        tell(_Found(comm.size, time.perf_counter() - start, len(found), rows, failed, solves))
    return len(failed) + len([one for one in solves if one.faults])


def _try_all(comm: MPI.Intracomm, report: Reporter, wanted: dict[Case, list[Way]]) -> list[Outcome]:
    """The results of all ways of all cases. Prints a line for each case. Collective."""
    subjects, outcomes = [], []
    with progress(comm, sum(map(len, wanted.values())), "ways") as bar:
        for case, found in wanted.items():
            before = time.perf_counter()
            subjects.append(Subject(case))
            outcomes.append([counted(bar, subjects[-1].outcome(comm, way)) for way in found])
            report.line("checked", f"{case}: {len(found)} ways, {time.perf_counter() - before:.1f} s")
    return joined(comm, subjects, outcomes)


def _possible(comm: MPI.Intracomm, report: Reporter, strategies: list[str]) -> list[str]:
    """The strategies, without those that need one node if there are several. Collective."""
    if "shared" not in strategies or one_node(comm):
        return strategies
    report.line("", "shared is omitted: the ranks are on several nodes")
    return [name for name in strategies if name != "shared"]


def _try_solves(
    comm: MPI.Intracomm, report: Reporter, problems: Sequence[Problem], strategies: Sequence[str]
) -> list[SolveOutcome]:
    """The results of all solves. Prints a line if there are any. Collective."""
    solves = check_solves(comm, problems, strategies)
    if solves:
        report.line("checked", f"{len(solves)} solves compared with those on one rank")
    return solves


def _row(strategy: str, outcomes: list[Outcome]) -> dict[str, Any]:
    done = [one for one in outcomes if not one.refused]
    return {
        "strategy": strategy,
        "ways": len(outcomes),
        "grids": len({one.way.grid for one in outcomes}),
        "same_bits": sum(one.same_modes and one.same_points for one in done),
        "right_to_roundoff": sum(one.mode_error <= 1 and one.point_error <= 1 for one in done),
        "worst_error_of_bound": max((max(one.mode_error, one.point_error) for one in done), default=None),
        "failed": sum(bool(one.faults) for one in outcomes),
    }


def _reproducer(ranks: int, one: Outcome) -> str:
    """The command that repeats one way."""
    words = {
        "--shape": " ".join(map(str, one.case.shape)),
        "--kinds": ",".join(one.case.kinds),
        "--precision": one.case.precision,
        "--grid": " ".join(map(str, one.way.grid)),
        "--strategy": one.way.strategy,
        "--chunks": one.way.chunks,
    }
    return f"weft check -n {ranks} " + " ".join(f"{option} {value}" for option, value in words.items())


def _print_json(found: _Found) -> None:
    content = {
        "ranks": found.ranks,
        "mpi": f"{_build.MPI} {_build.MPI_VERSION}",
        "cases": found.cases,
        "ways": sum(row["ways"] for row in found.rows),
        "failed": len(found.failed),
        "seconds": found.seconds,
        "strategies": found.rows,
        "failures": [{"reproducer": _reproducer(found.ranks, one), "faults": one.faults} for one in found.failed],
        "solves": [
            {"problem": str(one.problem), "strategy": one.strategy, "works": list(one.works), "faults": one.faults}
            for one in found.solves
        ],
    }
    print_json(content)


def _print(found: _Found) -> None:
    title = f"{found.ranks} ranks, {_build.MPI} {_build.MPI_VERSION}: {found.cases} transforms, {found.seconds:.0f} s"
    table = Table(title=title, title_justify="left")
    table.add_column("strategy", no_wrap=True)
    for column in ("ways", "grids", "same bits", "right to roundoff", "worst error / bound", "failed"):
        table.add_column(column, justify="right")
    for row in found.rows:
        worst = row["worst_error_of_bound"]
        counts = [str(row[name]) for name in ("ways", "grids", "same_bits", "right_to_roundoff")]
        table.add_row(row["strategy"], *counts, "" if worst is None else f"{worst:.3f}", str(row["failed"]))
    for one in found.failed:
        print(f"FAILED {_reproducer(found.ranks, one)}  # {'; '.join(one.faults)}")
    for other in found.solves:
        if other.faults:
            print(f"FAILED {other.problem} by {other.strategy}  # {'; '.join(other.faults)}")
    print_table(table)
    if found.solves:
        print(f"{len(found.solves)} solves, {sum(not one.faults for one in found.solves)} with the bits of one rank")
    ways_tried = sum(row["ways"] for row in found.rows)
    print(f"{ways_tried} ways, {ways_tried - len(found.failed)} good, {len(found.failed)} failed", flush=True)
