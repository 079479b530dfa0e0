"""weft bench solve: Poisson solves by Weft and other programs, in alternating turns."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from weft.cli.bench_contest import run
from weft.cli.bench_plot import bars
from weft.cli.bench_task import SolveTask, Task, Variant
from weft.cli.options import chosen, numbers, per_axis, strategies
from weft.cli.output import check_file, write_file
from weft.cli.peers import SOLVE_PEERS
from weft.cli.report import print_json
from weft.cli.terminal import print_table
from weft.errors import Error
from weft.launch import leave_mpi, under_launcher

_PRECISIONS, _ENDS, _CENTRINGS = ("double", "float"), ("periodic", "even", "odd", "unbounded"), ("cell", "node")
_CELLS_HELP = "Cells per axis, 2 or 3; may be repeated.  [default: 128 128 128]"
_BOUNDARY_HELP = (
    "One word for all axes or one per axis: unbounded, even-unbounded; may be repeated.  [default: unbounded]"
)
_LENGTH_HELP = "Length per axis.  [default: equal spacings]"
_STRETCHED_HELP = (
    "Also the problem whose cells along this axis have unequal widths, so that it is not transformed; may be repeated."
)
_CHEBYSHEV_HELP = (
    "Also the problem with Chebyshev points along this axis, whose ends are walls, even or odd; may be repeated."
)
_ORDER_HELP = "Order of the differences along the axis of --stretched: 2 or 4."
_ENDS_HELP = (
    "Also time solves with values at the even and odd ends that take them: of the stretched or Chebyshev axis, or else "
    "of all axes."
)
_PAIRS_HELP = "Also time r2c transforms, forward and backward, of arrays with as many points."


def _ends(word: str) -> tuple[str, str]:
    """The boundaries at both ends of an axis from a word such as "even" or "even-unbounded"."""
    ends = word.split("-")
    if len(ends) > 2 or not set(ends) <= set(_ENDS):
        allowed = ", ".join(_ENDS)
        raise Error(f"--boundary: {word!r} is not allowed; give one of {allowed}, or two of them such as odd-unbounded")
    return ends[0], ends[-1]


def _lengths(text: str | None, cells: tuple[int, ...]) -> tuple[float, ...]:
    """The given lengths, or equal spacings in a box whose longest side is 1."""
    if text is None:
        return tuple(n / max(cells) for n in cells)
    words = per_axis(text.replace(" ", ","), len(cells), "--length")
    try:
        found = tuple(map(float, words))
    except ValueError:
        raise Error(f"--length: {text!r} is not a list of numbers; write for example --length 1 1 2") from None
    if not all(math.isfinite(value) and value > 0 for value in found):
        raise Error(f"--length: {text!r}: lengths must be positive and finite")
    return found


def _axes(given: list[int] | None, option: str, axes: int, peers: Sequence[str]) -> list[int]:
    """The axes of --stretched or --chebyshev."""
    for axis in given or []:
        if not 0 <= axis < axes:
            raise Error(f"{option}: {axis} is not an axis of the problem; give 0 to {axes - 1}")
    if given and peers:
        raise Error(f"{option}: the other programs have no such axis; omit --peers")
    return given or []


def _on_chebyshev_points(task: SolveTask, axis: int) -> SolveTask:
    """The task with Chebyshev points along an axis."""
    ends = task.boundary[axis]
    if not set(ends) <= {"even", "odd"}:
        raise Error(f"--chebyshev: axis {axis} is {'-'.join(ends)}; its ends are walls, give it even or odd ones")
    centring = tuple("chebyshev" if a == axis else word for a, word in enumerate(task.centring))
    return replace(task, centring=centring, stretched=None, order=2)


def _check_ends(tasks: Sequence[SolveTask], wanted: bool) -> None:
    if wanted and not any(task.taking for task in tasks):
        hint = "give an axis two even or odd ends, and --kernel lgf2 if another axis is unbounded"
        raise Error(f"--ends: no end takes values; {hint}")


def _variants(given: list[str] | None) -> list[Variant]:
    named = {word.strip() for text in given or ["auto"] for word in text.split(",")}
    return [
        Variant(strategy, "auto", in_place=False, apply=False, may_refuse=strategy not in named)
        for strategy in strategies(given, "auto")
    ]


def solve(
    cells: Annotated[list[str] | None, typer.Option(metavar="NX NY NZ", help=_CELLS_HELP)] = None,
    boundary: Annotated[list[str] | None, typer.Option(metavar="BX BY BZ", help=_BOUNDARY_HELP)] = None,
    length: Annotated[str | None, typer.Option(metavar="LX LY LZ", help=_LENGTH_HELP)] = None,
    stretched: Annotated[list[int] | None, typer.Option(metavar="AXIS", help=_STRETCHED_HELP)] = None,
    chebyshev: Annotated[list[int] | None, typer.Option(metavar="AXIS", help=_CHEBYSHEV_HELP)] = None,
    order: Annotated[int, typer.Option(help=_ORDER_HELP)] = 2,
    ends: Annotated[bool, typer.Option("--ends", help=_ENDS_HELP)] = False,
    centring: Annotated[str, typer.Option(help="cell or node, one word for all axes or one per axis.")] = "cell",
    kernel: Annotated[str, typer.Option(help="The Green's function.")] = "chat2",
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="Ranks.")] = 1,
    repeat: Annotated[int, typer.Option(min=1, help="At least this many timings of each.")] = 10,
    strategy: Annotated[
        list[str] | None, typer.Option(help="Weft's strategies, with commas, or all.  [default: auto]")
    ] = None,
    precision: Annotated[str, typer.Option(help="double or float.")] = "double",
    peers: Annotated[str, typer.Option(help=f"Other programs to time, with commas: {', '.join(SOLVE_PEERS)}.")] = "",
    pairs: Annotated[bool, typer.Option("--pairs", help=_PAIRS_HELP)] = False,
    threads: Annotated[int, typer.Option(min=1, help="Threads per rank of Weft.")] = 1,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a bar chart of the times (PNG).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of rows.")] = False,
) -> None:
    """Time Poisson solves: minimum and median over alternating turns."""
    if under_launcher():
        raise Error("weft bench starts its ranks itself: run it without mpiexec, with -n RANKS")
    chosen(precision, "--precision", _PRECISIONS, ())
    rivals, variants = chosen(peers or None, "--peers", tuple(SOLVE_PEERS), ()), _variants(strategy)
    sizes = [numbers(text.replace(" ", ","), "--cells", "64 64 64") for text in cells or ["128 128 128"]]
    tasks = []
    for counts in sizes:
        centrings = tuple(per_axis(centring.replace(" ", ","), len(counts), "--centring"))
        chosen(",".join(centrings), "--centring", _CENTRINGS, ())
        for text in boundary or ["unbounded"]:
            pairs_of = tuple(_ends(word) for word in per_axis(text.replace(" ", ","), len(counts), "--boundary"))
            given = (counts, _lengths(length, counts), pairs_of, centrings, kernel, ranks, threads, precision)
            axes = [None, *_axes(stretched, "--stretched", len(counts), rivals)]
            tasks += [SolveTask(*given, axis, order, ends) for axis in axes]
            plain = tasks[-len(axes)]
            tasks += [_on_chebyshev_points(plain, a) for a in _axes(chebyshev, "--chebyshev", len(counts), rivals)]
    _check_ends(tasks, ends)
    check_file(plot, "--plot")
    leave_mpi()
    rows = [row for task in tasks for row in _rows(task, repeat, variants, rivals, pairs)]
    title = f"Poisson, {kernel}, {precision}, {ranks} ranks: one solve"
    write_file(plot, "--plot", lambda file: _draw(title, rows, rivals, file))
    if json:
        print_json(rows)
    else:
        _print_table(title, rows, rivals)


def _rows(
    task: SolveTask, repeat: int, variants: Sequence[Variant], peers: Sequence[str], pairs: bool
) -> list[dict[str, Any]]:
    """The rows of one problem, with its description."""
    beside = Task(task.shape, "r2c", task.ranks, task.threads, task.precision) if pairs else None
    problem: dict[str, Any] = {"cells": list(task.cells), "boundary": task.boundary_text, "kernel": task.kernel}
    problem |= {} if task.stretched is None else {"stretched": task.stretched, "order": task.order}
    problem |= {"chebyshev": task.centring.index("chebyshev")} if "chebyshev" in task.centring else {}
    return [row | problem for row in run(task, repeat, variants, peers, beside)]


def _problem(row: dict[str, Any]) -> str:
    stretched = f", axis {row['stretched']} stretched" if "stretched" in row else ""
    stretched += f", order {row['order']}" if row.get("order", 2) != 2 else ""
    chebyshev = f", axis {row['chebyshev']} Chebyshev" if "chebyshev" in row else ""
    return f"{'x'.join(map(str, row['cells']))} {row['boundary']}{stretched}{chebyshev}"


def _label(row: dict[str, Any]) -> str:
    return row["name"] + {"pair": ", r2c pair", "ends": ", values at ends"}.get(row["work"], "")


def _draw(title: str, rows: list[dict[str, Any]], peers: Sequence[str], file: Any) -> None:
    """The rows for the chart. With several problems a bar is also named after its problem."""
    several = len({_problem(row) for row in rows}) > 1
    named = [row | {"name": f"{_problem(row)}: {_label(row)}" if several else _label(row)} for row in rows]
    others = {new["name"] for new, row in zip(named, rows, strict=True) if row["name"] in peers}
    bars(title if several else f"{_problem(rows[0])}, {title}", named, others, file)


def _print_table(title: str, rows: list[dict[str, Any]], peers: Sequence[str]) -> None:
    table = Table(title=f"{title}; load when it began: {rows[0]['load_average']:.1f}", title_justify="left")
    for column in ("problem", ""):
        table.add_column(column, no_wrap=True)
    paired, given = any("of_pair" in row for row in rows), any("of_solve" in row for row in rows)
    columns = ["ranks x threads", "min ms", "median ms", *[f"times {peer}" for peer in peers[:1]]]
    columns += [
        *(["of the pair"] if paired else []),
        *(["of the solve"] if given else []),
        "set-up s",
        "error",
        "sent MB/rank",
    ]
    columns += ["workspace MB", "peak MB", "beyond arrays / local", "copy GB/s"]
    for column in columns:
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            _problem(row),
            _label(row),
            f"{row['ranks']} x {row['threads']}",
            f"{row['seconds_min'] * 1e3:.4g}",
            f"{row['seconds_median'] * 1e3:.4g}",
            *([f"{row['times_first_peer']:.2f}"] if peers else []),
            *([_figure(row, "of_pair", ".2f")] if paired else []),
            *([_figure(row, "of_solve", ".2f")] if given else []),
            _figure(row, "setup_seconds", ".3g"),
            f"{row['error']:.1e}",
            f"{row['bytes_sent_per_rank'] / 1e6:.1f}",
            f"{row['workspace_bytes'] / 1e6:.1f}",
            f"{row['peak_rss_bytes'] / 1e6:.0f}",
            _figure(row, "beyond_arrays_in_local_arrays", ".2f"),
            f"{row['copy_gb_per_s']:.0f}",
        )
    print_table(table, keys=2)


def _figure(row: dict[str, Any], name: str, form: str) -> str:
    """The text of a figure that only solves have, or an empty cell for transforms."""
    return format(row[name], form) if name in row else ""
