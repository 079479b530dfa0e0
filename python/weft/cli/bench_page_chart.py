"""The chart of weft bench page for the README: Weft and other programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import IO, Any

from weft.cli.bench_page_text import Results, named, of

# The rows of the tables to draw, by the names of their runs.
_TRANSFORMS = ("r2c 256^3", "c2c 256^3", "dct2 256^3", "r2c 243^3")
_SOLVES = (
    "unbounded, 192^3",
    "unbounded unbounded periodic, 192^3",
    "odd even periodic, 192^3",
    "periodic, 192^3",
)
_MPI, _PADDED, _THREADS = "FFTW-MPI", "padded FFTW, 2 threads", "FFTW, 2 threads"
_MESSAGES, _SHARED, _OURS = "Weft, alltoallv", "Weft, in place", "Weft"
_COLOURS = {_MPI: "#d98032", _THREADS: "#d98032", _PADDED: "#d98032", _MESSAGES: "#86b3d9"}


@dataclass(frozen=True)
class Bar:
    """The time of one program in seconds."""

    program: str
    seconds: float


@dataclass(frozen=True)
class Group:
    """One problem and the bars of those that solved it."""

    problem: str
    bars: Sequence[Bar]


def transforms(results: Results) -> list[Group]:
    """Pairs of transforms by Weft, by FFTW-MPI, and by FFTW with threads in one process."""
    rows = {run.name: rows for run, rows in of(results, "transforms")}
    drawn = {_MPI: "fftw-mpi", _MESSAGES: "weft alltoallv", _SHARED: "weft shared, in place"}
    groups = [_group(name, {label: named(rows[name], row) for label, row in drawn.items()}) for name in _TRANSFORMS]
    [(_, threads)] = of(results, "threads")
    return [*groups, _group("r2c 256^3, one process", {_THREADS: named(threads, "fftw-threads"), _SHARED: threads[1]})]


def solves(results: Results) -> list[Group]:
    """Poisson solves by Weft and by hand-written programs with FFTW."""
    found = {run.name: {_PADDED: named(rows, run.peer), _OURS: rows[0]} for run, rows in of(results, "solves")}
    return [_group(name, found[name]) for name in _SOLVES]


def _group(problem: str, rows: dict[str, dict[str, Any]]) -> Group:
    """The bars of one problem. Programs that did not run have no bar."""
    timed = {program: row.get("seconds_min") for program, row in rows.items()}
    return Group(problem, [Bar(program, seconds) for program, seconds in timed.items() if seconds is not None])


def draw(results: Results, file: IO[bytes]) -> None:
    """Writes the chart as PNG, with a panel for transforms and one for solves."""
    from matplotlib.figure import Figure

    panels = {
        "Forward and backward transform on 2 cores, milliseconds": transforms(results),
        "Poisson solve on 2 cores, milliseconds": solves(results),
    }
    heights = [sum(len(group.bars) + 0.7 for group in groups) for groups in panels.values()]
    figure = Figure(figsize=(6.4, 1.1 + 0.17 * sum(heights)), dpi=150, layout="constrained")
    for axes, (title, groups) in zip(
        figure.subplots(2, 1, gridspec_kw={"height_ratios": heights}), panels.items(), strict=True
    ):
        _panel(axes, title, groups)
    figure.savefig(file, format="png")


def _panel(axes: Any, title: str, groups: Sequence[Group]) -> None:
    place, longest = 0.0, max(bar.seconds for group in groups for bar in group.bars)
    ticks = {}
    for group in groups:
        ticks[group.problem] = place + (len(group.bars) - 1) / 2
        for bar in group.bars:
            axes.barh(place, 1e3 * bar.seconds, height=0.92, color=_COLOURS.get(bar.program, "#1f5f99"))
            label = f" {1e3 * bar.seconds:.3g}  {bar.program}"
            axes.text(1e3 * bar.seconds, place, label, va="center", fontsize=7.5)
            place += 1
        place += 0.7
    axes.set_yticks(list(ticks.values()), ["\n".join(wrap(name, 20)) for name in ticks], fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_ylim(place - 1.1, -0.7)
    axes.set_xlim(0, 1.5e3 * longest)
    axes.set_title(title, fontsize=10, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
