"""The tables of weft bench engine for the terminal and in Markdown, with a line for each kind and length."""

from typing import Any

from rich.table import Table

from weft import _core
from weft._text import wrapped
from weft.cli.terminal import print_table

_STRIDES = ("contiguous", "strided")
_HEADINGS = [
    "kind",
    "n",
    *(f"{stride}: {what}" for stride in _STRIDES for what in ("lanes", "FFTW", "ratio")),
    "copy GB/s",
]

Rows = list[dict[str, Any]]


def _pair(row: dict[str, Any]) -> str:
    """GF/s of the fastest and of the median sweep."""
    return f"{row['gflops_min_time']:.1f} / {row['gflops_median']:.1f}"


def _cells(rows: Rows) -> list[str]:
    """The line of one kind and length, from its rows for both strides and engines."""
    cells = [rows[0]["kind"], str(rows[0]["length"])]
    for stride in _STRIDES:
        found = {row["engine"]: row for row in rows if row["stride"] == stride}
        cells += [_pair(found["lanes"]), _pair(found["fftw"]), f"{found['lanes']['ratio']:.2f}"]
    return [*cells, f"{max(row['copy_gb_per_s'] for row in rows):.0f}"]


def _grouped(rows: Rows, keys: tuple[str, ...]) -> list[Rows]:
    """Groups of rows that agree in the keys, in the order of their first rows."""
    groups: dict[tuple[Any, ...], Rows] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return list(groups.values())


def _tables(rows: Rows) -> list[tuple[str, list[list[str]]]]:
    """The title and the lines of each location and precision."""
    return [
        (
            f"GF/s in {group[0]['place']}, {group[0]['precision']}: fastest / median sweep",
            [_cells(line) for line in _grouped(group, ("kind", "length"))],
        )
        for group in _grouped(rows, ("precision", "place"))
    ]


def _engine() -> str:
    """The instruction set of the lanes, and the version of FFTW."""
    return f"lanes: {_core.info()['lane engine']}; {_core.info()['fftw']}"


def show(rows: Rows) -> None:
    """Prints the tables."""
    print(wrapped(_engine()))
    for title, lines in _tables(rows):
        table = Table(title=title, title_justify="left")
        for place, heading in enumerate(_HEADINGS):
            table.add_column(heading, justify="left" if place == 0 else "right")
        for line in lines:
            table.add_row(*line)
        print_table(table)


def markdown(rows: Rows) -> str:
    """The tables as Markdown text."""
    text = [_engine()]
    for title, lines in _tables(rows):
        body = [_HEADINGS, ["---", *["---:"] * (len(_HEADINGS) - 1)], *lines]
        text += ["", f"### {title}", "", *(f"| {' | '.join(cells)} |" for cells in body)]
    return "\n".join(text) + "\n"
