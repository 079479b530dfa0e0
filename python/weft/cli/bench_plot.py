"""Bar charts of timings."""

from collections.abc import Collection
from typing import IO, Any

_OURS, _THEIRS = "tab:blue", "tab:orange"


def bars(title: str, rows: list[dict[str, Any]], others: Collection[str], file: IO[bytes], kind: str = "png") -> None:
    """Writes a picture with a bar for the fastest time of every row and a mark at its median.

    rows      dicts with name, work ("" or a word that is appended), seconds_min, seconds_median.
    others    the names of other libraries, which have another colour.
    kind      "png" or "svg".
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 1.3 + 0.32 * len(rows)), dpi=110, layout="constrained")
    axes = figure.subplots()
    names = [row["name"] + (f", {row['work']}" if row.get("work", "").startswith("apply") else "") for row in rows]
    times = [1e3 * row["seconds_min"] for row in rows]
    colours = [_THEIRS if row["name"] in others else _OURS for row in rows]
    places = range(len(rows))
    found = axes.barh(places, times, color=colours)
    axes.bar_label(found, [f"{time:.3g}" for time in times], padding=3, fontsize="small")
    axes.plot([1e3 * row["seconds_median"] for row in rows], places, "|", color="black", markersize=9, label="median")
    axes.set_yticks(places, names, fontsize="small")
    axes.invert_yaxis()
    axes.margins(x=0.1)
    axes.set_xlim(left=0)
    axes.set_xlabel("milliseconds, minimum")
    axes.legend(loc="best", fontsize="small")
    axes.set_title(title, fontsize="medium")
    figure.savefig(file, format=kind)
