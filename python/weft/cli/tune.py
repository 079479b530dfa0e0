"""weft tune: searches for the fastest plan of one transform and writes it to a tuning file."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from weft import tuning
from weft._text import wrapped
from weft.cli.options import numbers
from weft.cli.ranks import communicator
from weft.cli.report import print_json
from weft.cli.terminal import Bar, print_table, progress
from weft.errors import Error

_PRECISIONS = {"double": "float64", "float": "float32"}

_ROWS = 20  # lines of the table; --json has all


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")] if text else []


def _kinds(text: str) -> Any:
    names = _names(text)
    return names[0] if len(names) == 1 else tuple(names)


def tune(
    shape: Annotated[str, typer.Option(metavar="NX NY NZ...", help="Points per axis, 1 to 6.")],
    kinds: Annotated[str, typer.Option(help="One kind for all axes, or one per axis with commas.")] = "r2c",
    ranks: Annotated[int | None, typer.Option("-n", "--ranks", min=1, help="Start this many ranks.")] = None,
    precision: Annotated[str, typer.Option(help="double or float.")] = "double",
    in_place: Annotated[bool, typer.Option("--in-place", help="Tune a plan in place.")] = False,
    effort: Annotated[str, typer.Option(help="estimate, measure or patient.")] = "patient",
    budget: Annotated[float | None, typer.Option(help="Seconds to spend.  [default: 2 or 60, by effort]")] = None,
    include: Annotated[str, typer.Option(help="Strategies to try, with commas.  [default: all]")] = "",
    exclude: Annotated[str, typer.Option(help="Strategies to omit, with commas.")] = "",
    threads: Annotated[int | None, typer.Option(min=1, help="Threads per rank.  [default: cores / ranks]")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Add the outcome to this tuning file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Search for the fastest grid, strategy, chunks, batches and fusion of one transform on this machine."""
    comm = communicator(ranks)
    if precision not in _PRECISIONS:
        raise Error(f"--precision: unknown name {precision!r}; allowed are {', '.join(_PRECISIONS)}")
    sizes = numbers(shape.replace(" ", ","), "--shape", "64 64 64")
    with progress(comm, 1, "candidates", quiet=True) as bar:
        found = tuning.tune(
            sizes,
            _kinds(kinds),
            comm=comm,
            dtype=_PRECISIONS[precision],
            effort=effort,
            budget=budget,
            include=_names(include),
            exclude=_names(exclude),
            save=save,
            progress=_teller(bar, json) if comm.rank == 0 else None,
            chunks=0,
            in_place=in_place,
            threads=threads,
        )
    if comm.rank != 0:
        return
    if json:
        print_json(_summary(found, sizes, kinds, comm.size, save))
    else:
        _print_table(found, save)


def _grid(trial: dict[str, Any]) -> str:
    return " x ".join(map(str, trial["grid"]))


def _batch(trial: dict[str, Any]) -> str:
    return str(trial["send_batch"] or "all")


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3f}" if seconds > 0 else ""


def _teller(bar: Bar, json: bool) -> tuning.Progress | None:
    """The function that is called with every trial. It draws a bar on a terminal, else it prints a line."""

    def line(trial: dict[str, Any], number: int, count: int) -> None:
        outcome = f"{_time(trial['seconds'])} ms" if trial["runs"] else trial["note"]
        with suppress(OSError):
            print(f"{number} of {count}: {_name(trial)}: {outcome}", file=sys.stderr, flush=True)

    def step(trial: dict[str, Any], number: int, count: int) -> None:
        bar.set(number, count, _name(trial))

    return step if bar.shown else None if json else line


def _name(trial: dict[str, Any]) -> str:
    return f"{trial['strategy']}, grid {_grid(trial)}, chunks {trial['chunks']}, batch {_batch(trial)}"


def _summary(found: tuning.Tuning, shape: Sequence[int], kinds: str, ranks: int, save: Path | None) -> dict[str, Any]:
    return {
        "shape": list(shape),
        "kinds": kinds,
        "ranks": ranks,
        **found.options,
        "seconds": found.seconds,
        "trials": found.trials,
        "file": None if save is None else str(save),
    }


def _print_table(found: tuning.Tuning, save: Path | None) -> None:
    best = sorted(found.trials, key=lambda t: (t["seconds"] == 0, t["seconds"], t["estimate"]))
    title = f"forward + backward, the {min(_ROWS, len(best))} best of {len(best)}"
    table = Table(title=title, title_justify="left")
    table.add_column("strategy", no_wrap=True)
    for column in ("grid", "chunks", "batch", "fused", "ms", "estimated ms", "runs"):
        table.add_column(column, justify="right", no_wrap=True)
    for trial in best[:_ROWS]:
        table.add_row(
            trial["strategy"],
            _grid(trial),
            str(trial["chunks"]),
            _batch(trial),
            "yes" if trial["fuse"] else "no",
            _time(trial["seconds"]),
            _time(trial["estimate"]),
            str(trial["runs"]),
        )
    print_table(table)
    for trial in best[:_ROWS]:
        if trial["note"]:
            print(wrapped(f"{_name(trial)}: {trial['note']}"))
    print(wrapped(found.summary.strip() or f"estimated: {found.options}"))
    if save is not None:
        print(f"written: {save}")
