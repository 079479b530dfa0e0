"""weft explain: the steps of a plan, what they move and to whom, and with --run how long each takes."""

from typing import Annotated

import typer

from weft.cli.bench_lists import chosen, numbers, words
from weft.cli.ranks import communicator
from weft.cli.report import print_json
from weft.plan import Plan

_PRECISIONS = {"double": "float64", "float": "float32"}


def explain(
    shape: Annotated[str, typer.Option(metavar="NX NY NZ...", help="Points per axis, 1 to 6.")],
    kinds: Annotated[str, typer.Option(help="One kind for all axes, or one per axis with commas.")] = "r2c",
    ranks: Annotated[int | None, typer.Option("-n", "--ranks", min=1, help="Start this many ranks.")] = None,
    grid: Annotated[str | None, typer.Option(metavar="P Q...", help="Ranks per cut axis.  [default: chosen]")] = None,
    strategy: Annotated[str, typer.Option(help="How data move between ranks; weft info lists the ways.")] = "auto",
    chunks: Annotated[int, typer.Option(min=0, help="Parts of every exchange; 0 chooses.")] = 1,
    node_ranks: Annotated[int, typer.Option(min=0, help="Ranks that count as one node; 0: as they are.")] = 0,
    precision: Annotated[str, typer.Option(help="double or float.")] = "double",
    in_place: Annotated[bool, typer.Option("--in-place", help="Points and modes in one memory.")] = False,
    effort: Annotated[str, typer.Option(help="estimate, measure or patient.")] = "estimate",
    run: Annotated[bool, typer.Option("--run", help="Also run it once in either direction, with times.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print every step of a plan as rank 0 sees it: lines, flops, memory, what goes to each peer."""
    comm = communicator(ranks)
    names = words_in_order(kinds)
    chosen(precision, "--precision", tuple(_PRECISIONS), ())
    plan = Plan(
        numbers(shape.replace(" ", ","), "--shape", "64 64 64"),
        names[0] if len(names) == 1 else names,
        grid=None if grid is None else numbers(grid.replace(" ", ","), "--grid", "2 2"),
        dtype=_PRECISIONS[precision],
        strategy=strategy,
        chunks=chunks,
        node_ranks=node_ranks,
        in_place=in_place,
        effort=effort,
    )
    if run:
        _run_once(plan)
    text = plan.explain()
    if comm.rank != 0:
        return
    if json:
        facts = {"strategy": plan.strategy, "grid": list(plan.grid), "chunks": plan.chunks, "threads": plan.threads}
        facts |= {"bytes_sent": plan.bytes_sent, "workspace_bytes": plan.workspace_bytes, "text": text}
        print_json({"shape": list(plan.shape), "kinds": list(plan.kinds), "ranks": comm.size} | facts)
    else:
        print(text, end="")


def words_in_order(text: str) -> list[str]:
    """The entries of a list with commas; a name may come twice."""
    words(text, "--kinds")  # refuses empty entries
    return [word.strip() for word in text.split(",")]


def _run_once(plan: Plan) -> None:
    """Forward and backward twice: the first time touches new memory. Collective."""
    for _ in range(2):
        if plan.in_place:
            field = plan.in_place_field()
            plan.forward(field)
            plan.backward(field)
        else:
            plan.backward(plan.forward(plan.physical()))
