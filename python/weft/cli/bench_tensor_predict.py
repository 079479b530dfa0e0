"""weft bench tensor --predict: tensor transforms and FFTs of one size on growing numbers of ranks, in closed form."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from weft.cli.bench_tensor_cost import Model
from weft.cli.terminal import print_table
from weft.errors import Error

_MESHES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32)
_BLOCKS = tuple(range(1, 129))


def positive(text: str, option: str, counts: Sequence[int], example: str) -> list[float]:
    """Positive numbers from a text with commas, as many as one of the counts."""
    try:
        found = [float(word) for word in text.split(",")]
    except ValueError:
        found = []
    if len(found) not in counts or not all(0 < value < float("inf") for value in found):
        wanted = " or ".join(map(str, counts))
        raise Error(f"{option}: {text!r} is not {wanted} numbers above 0; write for example {option} {example}")
    return found


def prediction(n: int, model: Model) -> list[dict[str, Any]]:
    """A row for every cubic mesh: times of a transform of n^3 points, and the blocks for which the tensor is faster."""
    return [
        row
        | {
            "crossover_block": model.crossover(row["p"], n),
            "wins_over_pairs": model.winning(row["p"], _BLOCKS, False),
            "wins_over_stages": model.winning(row["p"], _BLOCKS, True),
        }
        for row in model.scaling(n, _MESHES)
    ]


def _range(blocks: Sequence[int]) -> str:
    """The range of block sizes as a text."""
    return f"{min(blocks)} to {max(blocks)}" if blocks else "none"


def show_prediction(n: int, rows: list[dict[str, Any]]) -> None:
    """Prints a line for every mesh."""
    table = Table(title=f"{n}^3 points, one transform, by the closed form", title_justify="left")
    columns = ["ranks", "b = n/p", "tensor ms", "FFT, pairs ms", "FFT, stages ms", "closed-form b"]
    for column in (*columns, "b that beat pairs", "b that beat stages"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            str(row["ranks"]),
            f"{row['block']:.1f}",
            *(f"{row[name] * 1e3:.4g}" for name in ("tensor", "fft_pairs", "fft_stages")),
            f"{row['crossover_block']:.2f}",
            _range(row["wins_over_pairs"]),
            _range(row["wins_over_stages"]),
        )
    print_table(table)
