"""The tables of docs/simulation.md, between its markers, and its plot."""

from pathlib import Path
from typing import Any

_BEGIN, _END = "<!-- make simulate writes from here -->", "<!-- to here -->"
_COLOURS = {"fat tree": "tab:blue", "dragonfly": "tab:orange", "torus": "tab:green"}
_MARKERS = {64: "o", 256: "s", 1024: "^"}

Records = list[dict[str, Any]]


def _times(record: dict[str, Any]) -> str:
    simulated, modelled = 1e6 * record["simulated"], 1e6 * record["modelled"]
    return f"{simulated:.1f} | {modelled:.1f} | {simulated / modelled:.2f}"


def _elements(record: dict[str, Any]) -> str:
    """How many elements were compared; all of them were right."""
    return f"{sum(exchange['elements'] for exchange in record['exchanges']):,}"


def _table(head: str, rows: list[str]) -> list[str]:
    return [f"| {head} |", "|" + "---|" * len(head.split("|")), *(f"| {row} |" for row in rows)]


def _tables(records: Records) -> str:
    exchanges = [r for r in records if not r["redistribution"]]
    whole, parts = ([r for r in exchanges if (r["chunks"] == 1) == one] for one in (True, False))
    lines = _table(
        "strategy | network | ranks | elements right | simulated us | modelled us | ratio",
        [f"{r['strategy']} | {r['network']} | {r['ranks']} | {_elements(r)} | {_times(r)}" for r in whole],
    )
    if parts:
        lines += ["", "With passes of 50 us on either side of each exchange, in chunks:", ""]
        lines += _table(
            "strategy | network | ranks | chunks | simulated us | modelled us | ratio",
            [f"{r['strategy']} | {r['network']} | {r['ranks']} | {r['chunks']} | {_times(r)}" for r in parts],
        )
    if moved := [r for r in records if r["redistribution"]]:
        lines += ["", "Redistributions from bricks to pencils and back:", ""]
        lines += _table(
            "strategy | network | ranks | elements right | simulated us",
            [
                f"{r['strategy']} | {r['network']} | {r['ranks']} | {_elements(r)} | {1e6 * r['simulated']:.1f}"
                for r in moved
            ],
        )
    return "\n".join(lines)


def _plot(records: Records, path: Path) -> None:
    """Simulated against modelled seconds."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "weft"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 5), layout="constrained")
    for topology, colour in _COLOURS.items():
        for ranks, marker in _MARKERS.items():
            here = [r for r in records if (r["topology"], r["ranks"]) == (topology, ranks)]
            shown = [r for r in here if r["modelled"] is not None and r["strategy"] != "shared"]
            x, y = ([1e6 * record[name] for record in shown] for name in ("modelled", "simulated"))
            axes.loglog(x, y, marker, color=colour, alpha=0.7, label=f"{topology}, {ranks} ranks")
    low, high = min(axes.get_xlim()[0], axes.get_ylim()[0]), max(axes.get_xlim()[1], axes.get_ylim()[1])
    axes.loglog([low, high], [low, high], color="grey", linewidth=1)
    axes.set(xlabel="modelled, us", ylabel="simulated, us", title="Two exchanges, one direction")
    axes.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def write_page(records: Records, docs: Path) -> None:
    """Replaces what is between the markers of simulation.md in `docs`, and draws simulation.svg beside it."""
    page = docs / "simulation.md"
    head, _, rest = page.read_text().partition(_BEGIN)
    tail = rest.partition(_END)[2]
    page.write_text(f"{head}{_BEGIN}\n{_tables(records)}\n{_END}{tail}")
    _plot(records, docs / "simulation.svg")
