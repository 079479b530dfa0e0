"""Tables and curves of the scaling study, as text and pictures."""

from collections.abc import Iterable, Sequence
from pathlib import Path


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table whose first column is text."""
    lines = ["| " + " | ".join(map(str, head)) + " |", "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def seconds(value: float) -> str:
    """A number with three digits and a unit."""
    if value == float("inf"):
        return "-"
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if value * factor >= 0.9995:
            return f"{value * factor:.3g} {unit}"
    return f"{value:.1e} s"


def curves(
    path: Path,
    title: str,
    labels: tuple[str, str],
    lines: Sequence[tuple[str, Sequence[float], Sequence[float], str]],
    logarithmic: tuple[bool, bool] = (True, True),
) -> None:
    """Writes an SVG with lines (name, x, y, style of matplotlib)."""
    import matplotlib
    from matplotlib.figure import Figure

    # Matplotlib is imported late, since the command line imports this module.
    from weft.cli.output import write_file

    # Text is written as text, and equal input gives equal files.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "weft"}):
        figure = Figure(figsize=(7.6, 4.6), layout="constrained")
        axes = figure.subplots()
        for name, x, y, style in lines:
            axes.plot(x, y, style, label=name, markersize=4)
        if logarithmic[0]:
            axes.set_xscale("log", base=2)
        if logarithmic[1]:
            axes.set_yscale("log")
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        axes.set_title(title, fontsize="medium")
        axes.grid(True, alpha=0.3)
        axes.legend(fontsize="x-small", loc="center left", bbox_to_anchor=(1.0, 0.5))
        write_file(path, "--out", lambda file: figure.savefig(file, format="svg", metadata={"Date": None}))
