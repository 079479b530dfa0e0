"""The picture of weft bench engine: GF/s over length, with a row of panels for each location and stride."""

from typing import IO, Any

_GROUPS = {
    "c2c": ("c2c",),
    "r2c": ("r2c",),
    "DCT": ("dct1", "dct2", "dct3", "dct4"),
    "DST": ("dst1", "dst2", "dst3", "dst4"),
}
_COLOURS = {"lanes": "tab:blue", "fftw": "tab:orange"}
_TYPES = {"1": "I", "2": "II", "3": "III", "4": "IV"}
_MARKERS = {"c": "D", "1": "v", "2": "o", "3": "s", "4": "^"}  # by the last letter of the kind
_POWERS, _MULTIPLES, _AWKWARD = range(3)

Rows = list[dict[str, Any]]


def _class_of(length: int) -> int:
    """The class of a length: powers of two, multiples of 32, all others."""
    if length & (length - 1) == 0:
        return _POWERS
    return _MULTIPLES if length % 32 == 0 else _AWKWARD


def _places(lengths: set[int]) -> dict[int, float]:
    """The position of each length on the axis: by class, then by size, with a gap between the classes."""
    ordered = sorted(lengths, key=lambda length: (_class_of(length), length))
    classes = sorted({_class_of(length) for length in lengths})
    return {length: place + 0.5 * classes.index(_class_of(length)) for place, length in enumerate(ordered)}


def _draw_engine(axes: Any, rows: Rows, places: dict[int, float]) -> None:
    """Draws one kind by one engine. Lines join lengths of one class, except for the class of all other lengths."""
    style = {"marker": _MARKERS[rows[0]["kind"][-1]], "color": _COLOURS[rows[0]["engine"]], "alpha": 0.8}
    for wanted in range(3):
        points = sorted((places[r["length"]], r["gflops_min_time"]) for r in rows if _class_of(r["length"]) == wanted)
        x, y = [place for place, _ in points], [speed for _, speed in points]
        axes.plot(x, y, markersize=4, linewidth=1, linestyle="none" if wanted == _AWKWARD else "solid", **style)


def _draw_panel(axes: Any, rows: Rows, kinds: tuple[str, ...], places: dict[int, float]) -> None:
    for kind in kinds:
        for engine in _COLOURS:
            # Some kinds of a group may not have been requested.
            if found := [row for row in rows if (row["kind"], row["engine"]) == (kind, engine)]:
                _draw_engine(axes, found, places)
    axes.set_xticks(list(places.values()), [str(length) for length in places], rotation=60, fontsize="small")
    axes.set_xlim(-0.6, max(places.values()) + 0.6)
    axes.margins(y=0.1)
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", alpha=0.3)


def _legend(figure: Any) -> None:
    """Draws the legend of colours and markers above all panels."""
    from matplotlib.lines import Line2D

    names = {"lanes": "lane engine", "fftw": "FFTW"}
    handles = [Line2D([], [], color=colour, linewidth=3, label=names[engine]) for engine, colour in _COLOURS.items()]
    for digit, numeral in _TYPES.items():
        marker = _MARKERS[digit]
        handles.append(Line2D([], [], color="grey", marker=marker, linestyle="none", label=f"DCT or DST {numeral}"))
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))


def plot_rows(rows: Rows, file: IO[bytes]) -> None:
    """Writes the picture as PNG, with a column of panels for each group of kinds and the fastest sweeps only."""
    from matplotlib.figure import Figure

    shown = {group: kinds for group, kinds in _GROUPS.items() if any(row["kind"] in kinds for row in rows)}
    bands = list(dict.fromkeys((row["precision"], row["place"], row["stride"]) for row in rows))
    # The picture is wide enough for the legend even with few panels.
    figure = Figure(figsize=(max(4.2 * len(shown), 9.0), 2.8 * len(bands) + 0.6), dpi=110, layout="constrained")
    panels = figure.subplots(len(bands), len(shown), squeeze=False)
    for band, line in zip(bands, panels, strict=True):
        here = [row for row in rows if (row["precision"], row["place"], row["stride"]) == band]
        places = _places({row["length"] for row in here})
        for (group, kinds), axes in zip(shown.items(), line, strict=True):
            _draw_panel(axes, here, kinds, places)
            axes.set_title(f"{group}, {band[2]}, in {band[1]}, {band[0]}", fontsize="medium")
        line[0].set_ylabel("GF/s")
    for axes in panels[-1]:
        axes.set_xlabel("length")
    _legend(figure)
    figure.savefig(file, format="png")
