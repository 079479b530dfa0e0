"""weft bench fft: forward and backward transforms by Weft and by other libraries, in alternating turns."""

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from weft.cli.bench_contest import Task, Variant, run
from weft.cli.bench_lists import chosen
from weft.cli.peers import PEERS
from weft.cli.report import print_json
from weft.errors import Error
from weft.launch import leave_mpi, under_launcher

_ENGINES, _PRECISIONS = ("auto", "lanes", "fftw"), ("double", "float")
_ENGINE_HELP = "Weft's engines, with commas: auto, lanes, fftw.  [default: auto]"


def _variants(strategies: list[str] | None, engines: list[str], in_place: bool, apply: bool) -> list[Variant]:
    """Weft's contenders: every strategy with every engine, out of place and perhaps in place."""
    return [
        Variant(strategy, engine, place, apply and not place)
        for place in ([False, True] if in_place else [False])
        for strategy in dict.fromkeys(strategies or ["auto"])
        for engine in engines
    ]


def fft(
    shape: Annotated[tuple[int, int, int], typer.Option(metavar="NX NY NZ", help="Points per axis.")] = (128, 128, 128),
    kinds: Annotated[str, typer.Option(help="One kind for all axes, or three with commas.")] = "r2c",
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="Ranks.")] = 1,
    repeat: Annotated[int, typer.Option(min=1, help="Timings of each at least.")] = 10,
    strategy: Annotated[list[str] | None, typer.Option(help="Weft's strategies.  [default: auto]")] = None,
    engine: Annotated[str | None, typer.Option(help=_ENGINE_HELP)] = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="Also time plans of Weft in place.")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Also time plan.apply: forward, symbol, backward.")] = False,
    precision: Annotated[str, typer.Option(help="double or float.")] = "double",
    peers: Annotated[str, typer.Option(help=f"Others to time, with commas: {', '.join(PEERS)}.")] = "",
    threads: Annotated[int, typer.Option(min=1, help="Threads per rank of Weft.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of rows.")] = False,
) -> None:
    """Time forward + backward transforms; the minimum and the median of alternating turns."""
    if under_launcher():
        raise Error("weft bench starts its ranks itself: run it without mpiexec, with -n RANKS")
    if precision not in _PRECISIONS:
        raise Error(f"--precision: unknown name {precision!r}; allowed are {', '.join(_PRECISIONS)}")
    rivals = chosen(peers or None, "--peers", tuple(PEERS), ())
    variants = _variants(strategy, chosen(engine, "--engine", _ENGINES, ("auto",)), in_place, apply)
    leave_mpi()
    rows = run(Task(shape, kinds, ranks, threads, precision), repeat, variants, rivals)
    if json:
        print_json(rows)
    else:
        _print_table(rows, rivals)


def _print_table(rows: list[dict[str, Any]], peers: list[str]) -> None:
    title = f"forward + backward; load when it began: {rows[0]['load_average']:.1f}"
    table = Table(title=title, title_justify="left")
    table.add_column("", no_wrap=True)
    applied = any(row["work"] == "apply" for row in rows)
    columns = ["ranks x threads", "min ms", "median ms", *(f"times {peer}" for peer in peers[:1])]
    columns += [*(["of the pair"] if applied else []), "error", "sent MB/rank", "memory / local array", "copy GB/s"]
    for column in columns:
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            row["name"] + (", apply" if row["work"] == "apply" else ""),
            f"{row['ranks']} x {row['threads']}",
            f"{row['seconds_min'] * 1e3:.2f}",
            f"{row['seconds_median'] * 1e3:.2f}",
            *([f"{row['times_first_peer']:.2f}"] if peers else []),
            *([f"{row['of_pair']:.2f}" if "of_pair" in row else ""] if applied else []),
            f"{row['error']:.1e}",
            f"{row['bytes_sent_per_rank'] / 1e6:.1f}",
            f"{row['memory_in_local_arrays']:.2f}",
            f"{row['copy_gb_per_s']:.0f}",
        )
    Console(width=140).print(table)
