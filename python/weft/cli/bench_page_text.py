"""The tables of weft bench page as Markdown."""

from collections.abc import Sequence
from typing import Any

from weft.cli.bench_page_runs import Run

Row = dict[str, Any]
Results = Sequence[tuple[Run, list[Row]]]


def table(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table whose first column is text and whose other columns are numbers."""
    rule = ["---", *["---:"] * (len(headings) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (headings, rule, *lines))


def of(results: Results, name: str) -> Results:
    """The results of one table."""
    return [(run, rows) for run, rows in results if run.table == name]


def named(rows: Sequence[Row], name: str) -> Row:
    """The row of a contender, without figures if it did not run."""
    return next((row for row in rows if row["name"] == name), {})


def figure(value: float | None) -> str:
    """A number with three digits, or a dash for None."""
    if value is None:
        return "-"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def _ratio(above: float | None, below: float | None) -> str:
    return "-" if above is None or below is None else f"{above / below:.1f}"


def _span(values: Sequence[float], form: str = "{:.0f}") -> str:
    least, most = form.format(min(values)), form.format(max(values))
    return least if least == most else f"{least} to {most}"


def copy_speeds(results: Results) -> str:
    """The range of GB/s of a plain copy during the runs."""
    return _span([row["copy_gb_per_s"] for _, rows in results for row in rows if "copy_gb_per_s" in row])


def loads(results: Results) -> str:
    """The range of load averages when the runs began."""
    return _span([row["load_average"] for _, rows in results for row in rows if "load_average" in row], "{:.1f}")


_BY_TWO_RANKS = {
    "in place": "weft shared, in place",
    "out of place, shared": "weft shared",
    "alltoallv": "weft alltoallv",
}
_BY_ONE_RANK = {"in place": "weft none, in place", "out of place": "weft none"}


def _beside_peer(results: Results, name: str, ours: dict[str, str], peer: str, quantity: str = "seconds_min") -> str:
    """The runs of a table, with a column for each of our rows, one for the peer, and its times over ours."""
    lines = []
    for run, rows in of(results, name):
        theirs = named(rows, run.peer).get(quantity)
        times = [named(rows, row).get(quantity) for row in ours.values()]
        ratios = ", ".join(_ratio(theirs, time) for time in times)
        lines.append([run.name, *map(figure, [*times, theirs]), ratios])
    return table(["", *ours, peer, f"times {peer}"], lines)


def transforms(results: Results, quantity: str = "seconds_min") -> str:
    """The table of transforms by Weft and FFTW-MPI."""
    return _beside_peer(results, "transforms", _BY_TWO_RANKS, "FFTW-MPI", quantity)


def one_thread(results: Results) -> str:
    """The table of small arrays on one rank by Weft and pyfftw."""
    return _beside_peer(results, "one thread", _BY_ONE_RANK, "pyfftw")


def two_ranks(results: Results) -> str:
    """The table of small arrays on two ranks by Weft and dtFFT."""
    return _beside_peer(results, "two ranks", _BY_TWO_RANKS, "dtFFT")


def strategies(results: Results) -> str:
    """The table of all strategies, the fastest first."""
    [(_, rows)] = of(results, "strategies")
    pairs = sorted((row for row in rows if row["work"] == "pair"), key=lambda row: row["seconds_min"])
    heading = ["", *(row["name"].removeprefix("weft ") for row in pairs)]
    seconds = ["seconds", *(figure(row["seconds_min"]) for row in pairs)]
    ratios = [figure(row.get("times_first_peer")) for row in pairs]
    return table(heading, [seconds, ["times FFTW-MPI", *ratios]])


def solves(results: Results) -> str:
    """The table of Poisson solves by Weft and by hand-written programs."""
    heading = ["boundaries", "solve", "padded FFTW", "times", "set-up in solves", "sent MB/rank"]
    heading += ["workspace / local array", "beyond arrays / local"]
    lines = []
    for run, rows in of(results, "solves"):
        ours, peer = rows[0], named(rows, run.peer)
        local = ours["peak_rss_bytes"] / ours["peak_rss_in_local_arrays"]
        lines.append(
            [
                run.name,
                figure(ours["seconds_min"]),
                figure(peer.get("seconds_min")),
                _ratio(peer.get("seconds_min"), ours["seconds_min"]),
                f"{ours['setup_in_solves']:.1f}",
                figure(1e-6 * ours["bytes_sent_per_rank"]),
                f"{ours['workspace_bytes'] / local:.1f}",
                f"{ours['beyond_arrays_in_local_arrays']:.1f}",
            ]
        )
    return table(heading, lines)


def engines(results: Results) -> str:
    """The table of the lane engine and FFTW's engine in the same plan."""
    lines = []
    for run, rows in of(results, "engines"):
        lanes, fftw = (next(row for row in rows if row["name"].endswith(f", {engine}")) for engine in ("lanes", "fftw"))
        times = [lanes["seconds_min"], fftw["seconds_min"]]
        lines.append([f"{run.name}, {run.size[0]}^3", *map(figure, times), f"{times[1] / times[0]:.1f}"])
    return table(["kinds of the axes", "lanes", "FFTW", "ratio"], lines)


def exchanges(results: Results) -> str:
    """The table of one redistribution, compared with memcpy."""
    lines = []
    for run, rows in of(results, "exchanges"):
        for row in rows:
            name = row["name"].removeprefix("weft ")
            lines.append([f"{run.name}, {name}", figure(row["seconds_min"]), f"{row['of_memcpy_speed']:.2f}"])
    return table(["", "seconds", "of memcpy speed"], lines)


def sentences(results: Results) -> str:
    """Results that need no table."""
    [(_, threads)] = of(results, "threads")
    [(_, every)] = of(results, "strategies")
    out, inside = (row["seconds_min"] for row in threads[:2])
    peer = named(threads, "fftw-threads").get("seconds_min")
    all_modes, one_axis = (
        min(row["of_pair"] for row in every if row["work"] == work) for work in ("apply", "apply axis")
    )
    _, rows = of(results, "transforms")[0]
    memory = {name: named(rows, name)["memory_in_local_arrays"] for name in ("weft shared, in place", "weft shared")}
    held = named(rows, "fftw-mpi").get("memory_in_local_arrays")
    return (
        f"One process with 2 threads, r2c 256^3: {figure(inside)} in place, {figure(out)} out of place, FFTW with 2 "
        f"threads {figure(peer)}.\nMemory of r2c 256^3 on 2 ranks, arrays included, in local input arrays: "
        f"{memory['weft shared, in place']:.2f} in place, {memory['weft shared']:.1f} out of place, FFTW-MPI "
        f"{figure(held)}.\n`plan.apply` takes {one_axis:.2f} of the time of a pair with the wavenumbers of "
        f"one axis as the symbol, {all_modes:.2f} with a factor for every mode."
    )


def commands(runs: Sequence[Run]) -> str:
    """The command lines that repeat every row."""
    return "\n".join("    weft bench " + " ".join(run.arguments(False, 10)) for run in runs)


def _part(title: str, text: str) -> str:
    return f"### {title}\n{text}\n"


def readme(head: str, picture: str) -> str:
    """The section of the README: the chart with its date and machine."""
    return f"![Times of Weft, FFTW-MPI, FFTW with threads and padded FFTW]({picture})\n\n{head}"


def benchmarks(results: Results, head: str, pictures: Sequence[str]) -> str:
    """The section of the page on benchmarks: all results, with medians and command lines."""
    parts = [
        head,
        "",
        *[f"![{name.removesuffix('.png')}]({name})" for name in pictures],
        "",
        _part("Forward + backward, seconds, fastest", transforms(results)),
        _part("Forward + backward, seconds, median", transforms(results, "seconds_median")),
        _part("Small arrays from Python on one rank with one thread, seconds, fastest", one_thread(results)),
        _part("Small arrays from Python on two ranks, seconds, fastest", two_ranks(results)),
        _part("All ways to move the data of r2c 256^3", strategies(results)),
        _part("Poisson solves, seconds, fastest", solves(results)),
        _part(
            "Mixes of kinds, one for each axis, on 2 ranks: the lane engine and FFTW's in the same plan",
            engines(results),
        ),
        _part("One redistribution of 256^3 complex numbers on 2 ranks", exchanges(results)),
        sentences(results),
        "",
        "Each row by itself:",
        "",
        commands([run for run, _ in results]),
    ]
    return "\n".join(parts)
