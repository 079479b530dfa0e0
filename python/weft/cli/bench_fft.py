"""weft bench fft: forward and backward transforms by Weft and other libraries, in alternating turns."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from weft.cli.bench_contest import run
from weft.cli.bench_plot import bars
from weft.cli.bench_task import Task, Variant
from weft.cli.options import chosen, numbers, strategies
from weft.cli.output import check_file, write_file
from weft.cli.peers import PEERS
from weft.cli.report import print_json
from weft.cli.terminal import print_table
from weft.errors import Error
from weft.launch import leave_mpi, under_launcher

_ENGINES, _PRECISIONS = ("auto", "lanes", "fftw"), ("double", "float")
_ENGINE_HELP = "Weft's engines, with commas: auto, lanes, fftw.  [default: auto]"
_STRATEGY_HELP = "Weft's strategies, with commas, or all.  [default: auto]"
_GRID_HELP = "Ranks per cut axis, such as 2 2 1.  [default: chosen]"


def _variants(
    given: list[str] | None, engines: list[str], chunks: tuple[int, ...], in_place: bool, apply: bool
) -> list[Variant]:
    """Weft's contenders: every strategy with every engine and number of chunks, out of place and perhaps in place."""
    named = {word.strip() for text in given or ["auto"] for word in text.split(",")}
    return [
        Variant(strategy, engine, place, apply and not place, count, strategy not in named)
        for place in ([False, True] if in_place else [False])
        for strategy in strategies(given, "auto")
        for engine in engines
        for count in dict.fromkeys(chunks)
    ]


def fft(
    shape: Annotated[str, typer.Option(metavar="NX NY NZ...", help="Points per axis, 1 to 6.")] = "128 128 128",
    kinds: Annotated[str, typer.Option(help="One kind for all axes, or one per axis with commas.")] = "r2c",
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="Ranks.")] = 1,
    grid: Annotated[str | None, typer.Option(metavar="P Q...", help=_GRID_HELP)] = None,
    repeat: Annotated[int, typer.Option(min=1, help="At least this many timings of each.")] = 10,
    strategy: Annotated[list[str] | None, typer.Option(help=_STRATEGY_HELP)] = None,
    chunks: Annotated[str, typer.Option(help="Parts of each exchange, with commas, such as 1,2,4.")] = "1",
    engine: Annotated[str | None, typer.Option(help=_ENGINE_HELP)] = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="Also time plans of Weft in place.")] = False,
    apply: Annotated[
        bool, typer.Option("--apply", help="Also time plan.apply, with factors of all modes and of one axis.")
    ] = False,
    precision: Annotated[str, typer.Option(help="double or float.")] = "double",
    peers: Annotated[str, typer.Option(help=f"Other libraries to time, with commas: {', '.join(PEERS)}.")] = "",
    threads: Annotated[int, typer.Option(min=1, help="Threads per rank of Weft.")] = 1,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a bar chart of the times (PNG).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of rows.")] = False,
) -> None:
    """Time forward + backward transforms: minimum and median over alternating turns."""
    if under_launcher():
        raise Error("weft bench starts its ranks itself: run it without mpiexec, with -n RANKS")
    if precision not in _PRECISIONS:
        raise Error(f"--precision: unknown name {precision!r}; allowed are {', '.join(_PRECISIONS)}")
    sizes = numbers(shape.replace(" ", ","), "--shape", "64 64 64")
    cuts = () if grid is None else numbers(grid, "--grid", "2 2")
    rivals = chosen(peers or None, "--peers", tuple(PEERS), ())
    engines = chosen(engine, "--engine", _ENGINES, ("auto",))
    counts = numbers(chunks, "--chunks", "1,2,4")
    variants = _variants(strategy, engines, counts, in_place, apply)
    check_file(plot, "--plot")
    leave_mpi()
    rows = run(Task(sizes, kinds, ranks, threads, precision, cuts), repeat, variants, rivals)
    title = f"{' x '.join(map(str, sizes))} {kinds}, {precision}, {ranks} ranks: forward + backward"
    write_file(plot, "--plot", lambda file: bars(title, rows, set(rivals), file))
    if json:
        print_json(rows)
    else:
        _print_table(rows, rivals)


def _print_table(rows: list[dict[str, Any]], peers: list[str]) -> None:
    title = f"forward + backward; load when it began: {rows[0]['load_average']:.1f}"
    table = Table(title=title, title_justify="left")
    table.add_column("", no_wrap=True)
    applied = any(row["work"].startswith("apply") for row in rows)
    columns = ["grid", "ranks x threads", "min ms", "median ms", "MB/s per rank", "of fastest"]
    columns += [f"times {peer}" for peer in peers[:1]]
    columns += [*(["of the pair"] if applied else []), "error", "sent MB/rank", "memory / local array", "copy GB/s"]
    for column in columns:
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            row["name"] + (f", {row['work']}" if row["work"].startswith("apply") else ""),
            "x".join(map(str, row["grid"])),
            f"{row['ranks']} x {row['threads']}",
            f"{row['seconds_min'] * 1e3:.4g}",
            f"{row['seconds_median'] * 1e3:.4g}",
            f"{row['mb_per_s_per_rank']:.0f}",
            f"{row['of_fastest']:.2f}",
            *([f"{row['times_first_peer']:.2f}"] if peers else []),
            *([f"{row['of_pair']:.2f}" if "of_pair" in row else ""] if applied else []),
            f"{row['error']:.1e}",
            f"{row['bytes_sent_per_rank'] / 1e6:.1f}",
            f"{row['memory_in_local_arrays']:.2f}",
            f"{row['copy_gb_per_s']:.0f}",
        )
    print_table(table, keys=3)
