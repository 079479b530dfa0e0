"""weft predict: the time of every step of a plan or a solve on up to a million ranks of any machine."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from weft._mpi import MPI
from weft._text import wrapped
from weft.cli.options import chosen, strategies
from weft.cli.output import check_file, write_file
from weft.cli.report import print_json
from weft.cli.step_options import (
    PRECISIONS,
    Boundary,
    CentringOption,
    Grid,
    Kinds,
    MachineName,
    Precision,
    Shape,
    grid_of,
    ranks_option,
    sizes_of,
    solve_of,
    words_in_order,
)
from weft.cli.terminal import print_table
from weft.papers import ayala_wang
from weft.prediction import Machine, Prediction, machine, predict, predict_solve

_SOFTWARE = ("weft", "ayala-wang")
_STRATEGY_HELP = "Strategies with commas, or all; may be repeated.  [default: auto]"


def predict_command(
    shape: Shape,
    ranks: Annotated[int, ranks_option("Ranks; they are not started.")],
    kinds: Kinds = "r2c",
    boundary: Boundary = None,
    centring: CentringOption = "cell",
    machine_name: MachineName = None,
    node_ranks: Annotated[int | None, typer.Option(min=1, help="Ranks of a node.  [default: its cores]")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Threads of a rank.")] = 1,
    grid: Grid = None,
    strategy: Annotated[list[str] | None, typer.Option(help=_STRATEGY_HELP)] = None,
    chunks: Annotated[int, typer.Option(min=1, help="Parts of every exchange.")] = 1,
    precision: Precision = "double",
    software: Annotated[str, typer.Option(help="weft, or ayala-wang for their copies and messages.")] = "weft",
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the steps as bars (PNG).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Predict a pair of transforms, or with --boundary a solve: flops, memory, messages, network, step by step."""
    if MPI.COMM_WORLD.rank != 0:
        return
    chosen(precision, "--precision", tuple(PRECISIONS), ())
    chosen(software, "--software", _SOFTWARE, ())
    check_file(plot, "--plot")
    sizes, on = sizes_of(shape), machine(machine_name)
    options: dict[str, Any] = {
        "ranks": ranks,
        "machine": on,
        "node_ranks": node_ranks,
        "threads": threads,
        "dtype": PRECISIONS[precision],
        "software": software,
        "chunks": chunks,
        "grid": grid_of(grid),
    }

    def one(name: str) -> Prediction:
        if boundary is None:
            return predict(sizes, words_in_order(kinds), strategy=name, **options)
        return predict_solve(sizes, **solve_of(boundary, centring, len(sizes)), strategy=name, **options)

    found = {name: one(name) for name in strategies(strategy, "auto")}
    work = f"forward + backward, {kinds}" if boundary is None else f"one solve, {boundary}"
    title = f"{' x '.join(map(str, sizes))}, {work}, {precision}, on {ranks} ranks of {on.facts['name']}"
    write_file(plot, "--plot", lambda file: _draw(title, found, file))
    if json:
        print_json(_summary(sizes, ranks, on, found))
    else:
        _print(title, on, found, sizes, boundary is None)


def _summary(sizes: tuple[int, ...], ranks: int, on: Machine, found: dict[str, Prediction]) -> dict[str, Any]:
    """The prediction as JSON, which has no infinity: seconds are null for strategies that are not possible."""
    rows = [
        {"strategy": name, **vars(p), "possible": p.seconds < float("inf")}
        | {key: value if value < float("inf") else None for key, value in vars(p).items() if key.endswith("seconds")}
        | {"steps": [{k: None if v == float("inf") else v for k, v in step.items()} for step in p.steps]}
        for name, p in found.items()
    ]
    return {"shape": list(sizes), "ranks": ranks, "machine": on.facts, "predictions": rows}


def _print(title: str, on: Machine, found: dict[str, Prediction], sizes: tuple[int, ...], pair: bool) -> None:
    first = next(iter(found.values()))
    lines = [f"{title}: grid {' x '.join(map(str, first.grid))}, {first.node_ranks} ranks a node"]
    lines += [f"machine: {on.facts['source'] or 'rough numbers of a common machine'}"]
    print(wrapped("\n".join(lines)))
    for name, prediction in found.items():
        if prediction.seconds == float("inf"):
            print(f"{name}: not possible on these ranks")
        else:
            _print_steps(name, prediction)
    if len(found) > 1:
        best = min(found, key=lambda name: found[name].seconds)
        print(f"fastest: {best}, {found[best].seconds * 1e3:.4g} ms")
    if pair and len(set(sizes)) == 1 and len(sizes) == 3:
        _print_closed_forms(on, sizes[0])


_COLUMNS = (
    ("Mflop", "flops", 1e-6),
    ("memory MB", "memory_bytes", 1e-6),
    ("copied MB", "copied_bytes", 1e-6),
    ("shared MB", "shared_bytes", 1e-6),
    ("in node MB", "inside_bytes", 1e-6),
    ("between MB", "between_bytes", 1e-6),
    ("worst link MB", "link_bytes", 1e-6),
    ("messages", "messages", 1.0),
    ("computing ms", "computing_seconds", 1e3),
    ("copying ms", "copying_seconds", 1e3),
    ("in node ms", "inside_seconds", 1e3),
    ("network ms", "network_seconds", 1e3),
    ("latency ms", "latency_seconds", 1e3),
    ("hidden ms", "hidden_seconds", 1e3),
    ("ms", "seconds", 1e3),
)


def _print_steps(name: str, prediction: Prediction) -> None:
    table = Table(title=f"{name}: {prediction.seconds * 1e3:.4g} ms, both directions", title_justify="left")
    table.add_column("step", no_wrap=True)
    table.add_column("ranks", justify="right")
    table.add_column("worst link", no_wrap=True)
    used = [c for c in _COLUMNS if any(step[c[1]] for step in prediction.steps)]
    for column, *_ in used:
        table.add_column(column, justify="right")
    for step in prediction.steps:
        peers = str(step["peers"]) if step.get("peers", 1) > 1 else ""
        values = [f"{step[key] * factor:.4g}" if step[key] else "" for _, key, factor in used]
        table.add_row(f"{step['step']} {step['axes']}", peers, step["link"] or "", *values)
    print_table(table)


def _print_closed_forms(on: Machine, n: int) -> None:
    """The results of Ayala and Wang's formulas for a cube on this machine."""
    print(wrapped(ayala_wang.summary(on, n)))


def _draw(title: str, found: dict[str, Prediction], file: Any) -> None:
    """Draws a bar per strategy, stacked by the parts of the time."""
    from matplotlib.figure import Figure

    parts = ("computing", "copying", "inside", "network", "latency")
    possible = {name: p for name, p in found.items() if p.seconds < float("inf")}
    figure = Figure(figsize=(9.0, 1.6 + 0.4 * len(possible)), dpi=110, layout="constrained")
    axes = figure.subplots()
    left = [0.0] * len(possible)
    for part in parts:
        values = [1e3 * sum(step[f"{part}_seconds"] for step in p.steps) for p in possible.values()]
        axes.barh(list(possible), values, left=left, label={"inside": "messages in nodes"}.get(part, part))
        left = [a + b for a, b in zip(left, values, strict=True)]
    axes.plot([1e3 * p.seconds for p in possible.values()], list(possible), "|", color="black", label="with overlap")
    axes.invert_yaxis()
    axes.set_xlabel("milliseconds, predicted")
    axes.set_title(title, fontsize="small", parse_math=False)  # a machine may have any name
    axes.legend(fontsize="small")
    figure.savefig(file, format="png")
