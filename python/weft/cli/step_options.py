"""The options that weft predict and weft explain share: the transforms or the solve, the machine, the strategy."""

from typing import Annotated, Any

import typer

from weft._problem import pair
from weft.cli.options import numbers, per_axis, words
from weft.errors import Error
from weft.prediction import MOST_RANKS

PRECISIONS = {"double": "float64", "float": "float32"}

_MACHINE_HELP = "A machine in the package, or a file of weft calibrate.  [default: WEFT_MACHINE, or this machine]"
_BOUNDARY_HELP = "Predict a solve: one word for all axes or one per axis, such as unbounded or even-unbounded."

Shape = Annotated[str, typer.Option(metavar="NX NY NZ...", help="Points (with --boundary: cells) per axis.")]
Kinds = Annotated[str, typer.Option(help="One kind for all axes, or one per axis with commas.")]
Boundary = Annotated[str | None, typer.Option(metavar="BX BY BZ", help=_BOUNDARY_HELP)]
CentringOption = Annotated[str, typer.Option(metavar="CX CY CZ", help="cell or node, with --boundary.")]
MachineName = Annotated[str | None, typer.Option("--machine", metavar="NAME", help=_MACHINE_HELP)]
Grid = Annotated[str | None, typer.Option(metavar="P Q...", help="Ranks per cut axis.  [default: chosen]")]
Precision = Annotated[str, typer.Option(help="double or float.")]


def _checked_ranks(ranks: int | None) -> int | None:
    if ranks is not None and not 1 <= ranks <= MOST_RANKS:
        raise Error(f"-n, --ranks: {ranks} ranks are not possible; give 1 to {MOST_RANKS}")
    return ranks


def ranks_option(text: str) -> Any:
    """The number of ranks of -n, which need not run."""
    return typer.Option("-n", "--ranks", callback=_checked_ranks, help=text)


def sizes_of(shape: str) -> tuple[int, ...]:
    """The points per axis of --shape."""
    return numbers(shape.replace(" ", ","), "--shape", "64 64 64")


def grid_of(grid: str | None) -> tuple[int, ...] | None:
    """The ranks per cut axis of --grid, or None if they are chosen."""
    return None if grid is None else numbers(grid.replace(" ", ","), "--grid", "2 2")


def words_in_order(text: str) -> list[str]:
    """The kinds of --kinds. A name may occur twice."""
    words(text, "--kinds")  # refuses empty entries
    return [word.strip() for word in text.split(",")]


def solve_of(boundary: str, centring: str, axes: int) -> dict[str, Any]:
    """The arguments boundary and centring of a solve, one per axis."""
    if axes not in (2, 3):
        raise Error(f"--shape: {axes} axes were given; a solve has 2 or 3")
    ends = per_axis(boundary.replace(" ", ","), axes, "--boundary")
    return {
        "boundary": [pair(word.split("-") if "-" in word else word, "--boundary") for word in ends],
        "centring": per_axis(centring.replace(" ", ","), axes, "--centring"),
    }
