"""weft check tensor: tests that every variant of the tensor transform is right to roundoff on this machine."""

import math
import time
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.table import Table

from weft import _build
from weft._mpi import MPI
from weft.cli import check_tensor_runs as runs
from weft.cli.check_cases import PRECISIONS, Case
from weft.cli.options import chosen, numbers
from weft.cli.ranks import communicator
from weft.cli.report import Reporter, print_json
from weft.cli.terminal import counted, print_table, progress
from weft.errors import Error


def tensor(
    ranks: Annotated[int | None, typer.Option("-n", "--ranks", min=1, help="Start this many ranks.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer sizes.")] = False,
    shape: Annotated[str | None, typer.Option(metavar="NX NY NZ", help="This shape only.")] = None,
    kinds: Annotated[str | None, typer.Option(help="c2c or r2c only.")] = None,
    precision: Annotated[str | None, typer.Option(help="double or float only.")] = None,
    mesh: Annotated[str | None, typer.Option(metavar="P Q R", help="This mesh of ranks.  [default: cubic]")] = None,
    algorithm: Annotated[str | None, typer.Option(help="With commas: cannon, transpose.  [default: all]")] = None,
    matrix: Annotated[str | None, typer.Option(help="With commas: circulate, own.  [default: all]")] = None,
    folding: Annotated[str | None, typer.Option(help="With commas: off, on.  [default: all]")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Compare all variants of the tensor transform with numpy's FFT in both directions. Exit status 1 if not right."""
    sizes = [numbers(shape, "--shape", "12 30 31")] if shape else []
    if sizes and len(sizes[0]) != 3:
        raise Error(f"--shape: {len(sizes[0])} numbers are given; a tensor transform has 3 axes, such as 12 30 31")
    sizes = sizes or [(n, n, n) for n in (runs.QUICK_SIZES if quick else runs.SIZES)]
    found = runs.cases(
        sizes,
        chosen(kinds, "--kinds", runs.KINDS, runs.KINDS),
        chosen(precision, "--precision", tuple(PRECISIONS), tuple(PRECISIONS)),
    )
    wanted = runs.ways(
        chosen(algorithm, "--algorithm", runs.ALGORITHMS, runs.ALGORITHMS),
        chosen(matrix, "--matrix", runs.MATRICES, runs.MATRICES),
        chosen(folding, "--folding", runs.FOLDINGS, runs.FOLDINGS),
    )
    extents = numbers(mesh, "--mesh", "2 2 2") if mesh else ()
    comm = communicator(ranks, verdicts=(0, 1, 2))
    if extents and (len(extents) != 3 or math.prod(extents) > comm.size):
        text = "x".join(map(str, extents))
        raise Error(
            f"--mesh: {text} is not a mesh of {comm.size} ranks; give 3 numbers whose product is {comm.size} or less"
        )
    if _run(comm, json, found, wanted, extents):
        raise typer.Exit(1)


def _run(comm: MPI.Intracomm, json: bool, cases: Sequence[Case], ways: Sequence[runs.Way], mesh: Sequence[int]) -> int:
    """Runs the check and returns how many ways failed. Collective."""
    report, start = Reporter(comm, json), time.perf_counter()
    subjects, outcomes = [], []
    with progress(comm, len(cases) * len(ways), "ways") as bar:
        for case in cases:
            before = time.perf_counter()
            subjects.append(runs.Subject(case))
            outcomes.append([counted(bar, subjects[-1].outcome(comm, way, mesh)) for way in ways])
            report.line("checked", f"{case}: {len(ways)} ways, {time.perf_counter() - before:.1f} s")
    everything = runs.joined(comm, subjects, outcomes)
    failed = [one for one in everything if one.faults]
    if comm.rank == 0:
        found = {
            "ranks": comm.size,
            "mpi": f"{_build.MPI} {_build.MPI_VERSION}",
            "cases": len(cases),
            "ways": len(everything),
            "failed": len(failed),
            "seconds": time.perf_counter() - start,
            "variants": [_row(way, [one for one in everything if one.way == way]) for way in ways],
            "failures": [{"reproducer": _reproducer(comm.size, one, mesh), "faults": one.faults} for one in failed],
        }
        print_json(found) if json else _print(found)
    return len(failed)


def _row(way: runs.Way, outcomes: Sequence[runs.Outcome]) -> dict[str, Any]:
    done = [one for one in outcomes if not one.refused]
    return {
        **vars(way),
        "name": str(way),
        "ways": len(outcomes),
        "right_to_roundoff": sum(one.mode_error <= 1 and one.point_error <= 1 for one in done),
        "worst_error_of_bound": max((max(one.mode_error, one.point_error) for one in done), default=None),
        "messages_per_transform": max((one.messages for one in done), default=None),
        "failed": sum(bool(one.faults) for one in outcomes),
    }


def _reproducer(ranks: int, one: runs.Outcome, mesh: Sequence[int]) -> str:
    """The command that repeats one way."""
    words = {
        "--shape": " ".join(map(str, one.case.shape)),
        "--kinds": one.case.kinds[-1],
        "--precision": one.case.precision,
        "--algorithm": one.way.algorithm,
        "--matrix": one.way.matrix,
        "--folding": one.way.folding,
    } | ({"--mesh": " ".join(map(str, mesh))} if mesh else {})
    return f"weft check tensor -n {ranks} " + " ".join(f"{option} {value}" for option, value in words.items())


def _print(found: dict[str, Any]) -> None:
    title = f"{found['ranks']} ranks, {found['mpi']}: {found['cases']} transforms, {found['seconds']:.0f} s"
    table = Table(title=title, title_justify="left")
    table.add_column("variant", no_wrap=True)
    for column in ("ways", "right to roundoff", "worst error / bound", "most messages per transform", "failed"):
        table.add_column(column, justify="right")
    for row in found["variants"]:
        worst, messages = row["worst_error_of_bound"], row["messages_per_transform"]
        cells = ["" if worst is None else f"{worst:.3f}", "" if messages is None else str(messages)]
        table.add_row(row["name"], str(row["ways"]), str(row["right_to_roundoff"]), *cells, str(row["failed"]))
    for one in found["failures"]:
        print(f"FAILED {one['reproducer']}  # {'; '.join(one['faults'])}")
    print_table(table)
    print(f"{found['ways']} ways, {found['ways'] - found['failed']} good, {found['failed']} failed", flush=True)
