"""weft explain: the steps of a plan or a solve and their messages; with --run on ranks, with measured times."""

from typing import Annotated, Any

import typer

from weft._mpi import MPI
from weft.cli.explain_run import explained_on_ranks
from weft.cli.options import chosen
from weft.cli.ranks import communicator
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
from weft.errors import Error
from weft.prediction import explanation, problem_of

_RANKS_HELP = "Ranks; with --run they are started.  [default: those of the launcher, or 1]"
_NODE_HELP = "Ranks of a node.  [default: its cores; with --run: as they are]"
_THREADS_HELP = "Threads of a rank.  [default: the cores of a node over its ranks]"


def explain(
    shape: Shape,
    kinds: Kinds = "r2c",
    boundary: Boundary = None,
    centring: CentringOption = "cell",
    ranks: Annotated[int | None, ranks_option(_RANKS_HELP)] = None,
    rank: Annotated[int, typer.Option("--rank", min=0, metavar="R", help="The rank whose steps are printed.")] = 0,
    machine_name: MachineName = None,
    node_ranks: Annotated[int, typer.Option(min=0, help=_NODE_HELP, show_default=False)] = 0,
    threads: Annotated[int | None, typer.Option(min=1, help=_THREADS_HELP)] = None,
    grid: Grid = None,
    strategy: Annotated[str, typer.Option(help="How data move between ranks: a strategy of weft info.")] = "auto",
    chunks: Annotated[int, typer.Option(min=0, help="Parts of every exchange; 0 chooses.")] = 1,
    precision: Precision = "double",
    in_place: Annotated[bool, typer.Option("--in-place", help="Points and modes in one memory.")] = False,
    effort: Annotated[str, typer.Option(help="estimate; with --run also measure or patient.")] = "estimate",
    run: Annotated[bool, typer.Option("--run", help="Start the ranks and run twice in each direction.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print every step of a plan or a solve on one rank: lines, flops, memory, messages to each peer.

    It is computed from the schedule. No ranks are started except with --run, which measures times.
    """
    comm = communicator(ranks) if run else MPI.COMM_WORLD
    if not run and comm.rank != 0:
        return
    chosen(precision, "--precision", tuple(PRECISIONS), ())
    sizes, names = sizes_of(shape), words_in_order(kinds)
    how: dict[str, Any] = {"strategy": strategy, "chunks": chunks, "in_place": in_place, "effort": effort}
    how |= {"threads": threads, "node_ranks": node_ranks, "grid": grid_of(grid), "dtype": PRECISIONS[precision]}
    solve = {} if boundary is None else solve_of(boundary, centring, len(sizes))
    head: dict[str, Any] = {"shape": list(sizes)} | (solve or {"kinds": _all_kinds(names, len(sizes))})
    if run:
        if machine_name is not None:
            raise Error("--machine: with --run the ranks use their own; name its file by WEFT_MACHINE, or omit --run")
        facts = explained_on_ranks(comm, rank, sizes, names, solve, how)
    else:
        number, how["node_ranks"] = ranks or comm.size, node_ranks or None
        found = explanation(problem_of(sizes, names, **solve), number, rank=rank, machine=machine_name, **how)
        facts = vars(found) | {"ranks": number}
    if comm.rank == 0:
        print_json(head | facts) if json else print(facts["text"], end="")


def _all_kinds(names: list[str], axes: int) -> list[str]:
    """One kind per axis. A single r2c is the kind of the last axis, after c2c axes."""
    if len(names) > 1:
        return names
    return [*(["c2c" if names[0] == "r2c" else names[0]] * (axes - 1)), names[0]]
