"""The pictures of weft bench tensor: the local update, events and updates, and times over numbers of ranks.

They correspond to Figs. 4, 5 and 8 to 11 of Malapally et al. (2024), in that order.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from weft.errors import Error

Rows = list[dict[str, Any]]
FORMATS = ("png", "svg")
_COLOURS = ("tab:blue", "tab:green", "tab:red", "tab:purple", "tab:brown", "tab:pink", "tab:olive", "tab:cyan")
_OTHERS = "tab:orange"


def picture_format(path: Path | None) -> str:
    """The format of a picture according to its file name."""
    if path is None:
        return FORMATS[0]
    word = path.suffix.removeprefix(".").lower()
    if word not in FORMATS:
        raise Error(f"--plot: {path} ends in {path.suffix or 'nothing'}; allowed are .png and .svg")
    return word


def _figure(panels: int, width: float = 4.6) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width * panels, 3.6), dpi=110, layout="constrained")
    return figure, figure.subplots(1, panels, squeeze=False)[0]


def _finish(figure: Any, axes: Iterable[Any], file: IO[bytes], kind: str) -> None:
    for one in axes:
        one.grid(alpha=0.3)
        one.legend(fontsize="small")
    figure.savefig(file, format=kind)


def _by(rows: Rows, *keys: str) -> dict[tuple[Any, ...], Rows]:
    groups: dict[tuple[Any, ...], Rows] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def update_picture(rows: Rows, file: IO[bytes], kind: str) -> None:
    """Draws the rate of the local update over the block size, and over threads for the largest block."""
    figure, (over_blocks, over_threads) = _figure(2)
    for colour, ((threads, way), found) in zip(_COLOURS * 9, _by(rows, "threads", "way").items(), strict=False):
        places = [row["block"] for row in found]
        over_blocks.plot(places, [row["gflops"] for row in found], "o-", markersize=3, color=colour,
                         label=f"{way}, {threads} thread{'s' * (threads > 1)}")  # fmt: skip
    for (threads,), found in _by(rows, "threads").items():
        over_blocks.axhline(max(row["zgemm_gflops"] for row in found), color="black", linewidth=0.8, linestyle=":",
                            label=f"best zgemm, {threads}")  # fmt: skip
    # The legend is above the curves.
    top = 1.5 * max(row["gflops"] for row in rows)
    over_blocks.set(xlabel="block size b", ylabel="GF/s, 8 b$^4$ flops", ylim=(0, top))
    largest = max(row["block"] for row in rows)
    for colour, ((way,), found) in zip(_COLOURS, _by(rows, "way").items(), strict=False):
        here = [row for row in found if row["block"] == largest]
        counts, rates = [row["threads"] for row in here], [row["gflops"] for row in here]
        over_threads.plot(counts, rates, "o-", color=colour, label=way)
        ideal = [rates[0] / counts[0] * count for count in counts]
        over_threads.plot(counts, ideal, "--", color=colour, linewidth=0.8, label=f"{way}, ideal")
    over_threads.set(xlabel="threads", ylabel="GF/s, 8 b$^4$ flops", title=f"b = {largest}", ylim=(0, None))
    over_threads.set_xticks(sorted({row["threads"] for row in rows}))
    _finish(figure, (over_blocks, over_threads), file, kind)


def model_picture(models: Rows, file: IO[bytes], kind: str) -> None:
    """Draws measured events and updates for each number of ranks, their polynomials and their intersections."""
    figure, panels = _figure(len(models))
    for axes, model in zip(panels, models, strict=True):
        blocks = model["blocks"]
        fine = [blocks[0] + (blocks[-1] - blocks[0]) * step / 200 for step in range(201)]
        for colour, name, line in (("tab:blue", "event", "-"), ("tab:red", "update", "--")):
            curve = [sum(c * b**power for power, c in enumerate(model[f"{name}_polynomial"])) for b in fine]
            axes.plot(fine, curve, line, color=colour, label=name)
            axes.plot(blocks, model[f"{name}_seconds"], "o", markersize=3, color=colour)
            if name == "update":
                continue
            meets = model["overlap_blocks"]
            heights = [sum(c * b**power for power, c in enumerate(model["event_polynomial"])) for b in meets]
            axes.plot(meets, heights, "o", color="black", label="perfect overlap", zorder=3)
        axes.set(xlabel="block size b", ylabel="seconds", yscale="log", title=model["title"])
    _finish(figure, panels, file, kind)


def scaling_picture(rows: Rows, others: Iterable[str], title: str, file: IO[bytes], kind: str) -> None:
    """Draws time and speed-up of every contender over numbers of ranks. Shading reaches down to the minimum."""
    figure, (times, speedups) = _figure(2, 5.2)
    colours = iter(_COLOURS * 9)
    first = min(row["ranks"] for row in rows)
    for (name,), found in _by(rows, "name").items():
        style = {"color": _OTHERS if name in others else next(colours)}
        ranks = [row["ranks"] for row in found]
        middle, best = [row["seconds_median"] for row in found], [row["seconds_min"] for row in found]
        times.plot(ranks, middle, "o-", markersize=3, label=name, **style)
        times.fill_between(ranks, best, middle, alpha=0.2, **style)
        if ranks[0] == first:
            speedups.plot(ranks, [best[0] / second for second in best], "o-", markersize=3, label=name, **style)
    times.set(xlabel="ranks", ylabel="seconds", xscale="log", yscale="log", title=title)
    speedups.set(xlabel="ranks", ylabel=f"speed-up over {first} rank{'s' * (first > 1)}", xscale="log", yscale="log")
    counts = sorted({row["ranks"] for row in rows})
    for axes in (times, speedups):
        axes.set_xticks(counts, [str(count) for count in counts], rotation=60, fontsize="small")
        axes.minorticks_off()
    _finish(figure, (times, speedups), file, kind)


def prediction_picture(rows: Rows, title: str, file: IO[bytes], kind: str) -> None:
    """Draws the times of one transform by the closed form."""
    names = {"tensor": "tensor", "fft_pairs": "FFT, pairs", "fft_stages": "FFT, stages"}
    curves = [
        {"name": name, "ranks": row["ranks"], "seconds_median": row[key], "seconds_min": row[key]}
        for key, name in names.items()
        for row in rows
    ]
    scaling_picture(curves, (), title, file, kind)
