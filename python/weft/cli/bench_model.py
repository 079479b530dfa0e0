"""weft bench model: predicted and measured times of transforms and solves on this machine."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer
from rich.table import Table

from weft.cli.bench_contest import run
from weft.cli.bench_task import SolveTask, Task, Variant
from weft.cli.options import numbers
from weft.cli.report import print_json
from weft.cli.terminal import print_table
from weft.errors import Error
from weft.launch import leave_mpi, under_launcher
from weft.prediction import Machine, machine, predict, predict_solve

_SHAPES, _CELLS = ("128 128 128", "256 256 256", "512 256 256"), ("128 128 128", "256 256 256")
_SHAPE_HELP = "Transform (r2c) this array; may be repeated.  [default: 128^3, 256^3, 512 x 256^2]"
_CELLS_HELP = "Solve in free space on this grid; may be repeated.  [default: 128^3, 256^3]"
_MACHINE_HELP = "A file of weft calibrate.  [default: the file that plans use]"
_UNBOUNDED = ("unbounded", "unbounded")


def model(
    shape: Annotated[list[str] | None, typer.Option(metavar="NX NY NZ", help=_SHAPE_HELP)] = None,
    cells: Annotated[list[str] | None, typer.Option(metavar="NX NY NZ", help=_CELLS_HELP)] = None,
    ranks: Annotated[str, typer.Option("-n", "--ranks", help="Numbers of ranks, with commas.")] = "1,2",
    machine_file: Annotated[str | None, typer.Option("--machine", metavar="FILE", help=_MACHINE_HELP)] = None,
    strategy: Annotated[str, typer.Option(help="How data move between ranks.")] = "auto",
    repeat: Annotated[int, typer.Option(min=1, help="At least this many timings of each.")] = 10,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of rows.")] = False,
) -> None:
    """Time transforms and solves and print the times that the cost model predicts. Run weft calibrate first."""
    if under_launcher():
        raise Error("weft bench starts its ranks itself: run it without mpiexec, with -n RANKS")
    on = machine(machine_file)
    tasks = list(_tasks(shape, cells, numbers(ranks, "--ranks", "1,2")))
    predictions = [_predicted(task, on, strategy) for task in tasks]
    leave_mpi()
    variant = Variant(strategy, "auto", in_place=False, apply=False)
    rows = [
        _row(task, seconds, run(task, repeat, [variant], [])[0])
        for task, seconds in zip(tasks, predictions, strict=True)
    ]
    if json:
        print_json(rows)
    else:
        _print_table(on, rows)


def _tasks(
    shapes: Sequence[str] | None, cells: Sequence[str] | None, ranks: Sequence[int]
) -> Iterator[Task | SolveTask]:
    """The transforms and solves to time; both defaults if neither is given."""
    if not shapes and not cells:
        shapes, cells = _SHAPES, _CELLS
    for count in ranks:
        for text in shapes or ():
            yield Task(numbers(text.replace(" ", ","), "--shape", "64 64 64"), "r2c", count, 1)
        for text in cells or ():
            sizes = numbers(text.replace(" ", ","), "--cells", "64 64 64")
            axes = len(sizes)
            yield SolveTask(sizes, (1.0,) * axes, (_UNBOUNDED,) * axes, ("cell",) * axes, "chat2", count, 1)


def _predicted(task: Task | SolveTask, on: Machine, strategy: str) -> float:
    if isinstance(task, Task):
        return predict(task.shape, task.kinds, ranks=task.ranks, machine=on, strategy=strategy).seconds
    return predict_solve(task.cells, task.boundary, ranks=task.ranks, machine=on, strategy=strategy).seconds


def _row(task: Task | SolveTask, predicted: float, measured: dict[str, Any]) -> dict[str, Any]:
    return {
        "work": task.work,
        "shape": list(task.shape),
        "ranks": task.ranks,
        "strategy": measured["strategy"],
        "predicted_seconds": predicted,
        "seconds_min": measured["seconds_min"],
        "seconds_median": measured["seconds_median"],
        "predicted_over_measured": predicted / measured["seconds_min"],
        "copy_gb_per_s": measured["copy_gb_per_s"],
        "load_average": measured["load_average"],
    }


def _print_table(on: Machine, rows: list[dict[str, Any]]) -> None:
    title = f"{on.facts['name']}; load when it began: {rows[0]['load_average']:.1f}"
    table = Table(title=title, title_justify="left")
    for column in ("work", "shape", "strategy"):
        table.add_column(column, no_wrap=True)
    for column in ("ranks", "predicted ms", "min ms", "median ms", "predicted / min", "copy GB/s"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            {"pair": "forward + backward, r2c", "solve": "solve in free space"}[row["work"]],
            " x ".join(map(str, row["shape"])),
            row["strategy"],
            str(row["ranks"]),
            f"{row['predicted_seconds'] * 1e3:.3g}",
            f"{row['seconds_min'] * 1e3:.3g}",
            f"{row['seconds_median'] * 1e3:.3g}",
            f"{row['predicted_over_measured']:.2f}",
            f"{row['copy_gb_per_s']:.0f}",
        )
    print_table(table, keys=3)
