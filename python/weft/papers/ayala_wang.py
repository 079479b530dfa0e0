"""The closed forms of Ayala and Wang, Parallel Computing 39 (2013), for any machine."""

import math
from pathlib import Path

from weft import _core
from weft.papers.tables import curves, seconds, table
from weft.prediction import Machine, machine


def times(on: Machine, t_w: float | None = None) -> _core.ElementaryTimes:
    """t_c, t_a, t_w and t_s of a machine in seconds. t_w may be replaced."""
    facts = on.facts
    return _core.ElementaryTimes(facts["t_c"], facts["t_a_together"], t_w or facts["t_w"], facts["t_s"])


def percent(share: float) -> str:
    """A percentage with two decimals, truncated as in the paper."""
    return f"{math.floor(1e4 * share) / 100:.2f}%"


def summary(on: Machine, n: int) -> str:
    """The shares of the parts without latency and the optimal numbers of ranks for n^3 real points, in two lines."""
    found = _core.optima(n, times(on))
    parts = ("computation", "copying", "communication")
    shares = ", ".join(f"{part} {percent(found[part + '_share'])}" for part in parts)
    best, overlap = int(found["fastest_ranks"]), int(found["ranks_with_overlap"])
    return (
        f"Ayala and Wang's closed forms: {shares} without latency (eq. 4)\n"
        f"P_max {best:,} ranks (eq. 9), overlap pays up to P_max,improve {overlap:,} ranks (eq. 11)"
    )


# --- the study -------------------------------------------------------------------------------------------------------


def _optima(on: Machine, n: int, t_w: float) -> dict[str, float]:
    return _core.optima(n, times(on, t_w))


def _form(on: Machine, name: str, n: int, ranks: float, parts: float = 1.0, t_w: float | None = None) -> float:
    return _core.closed_form(name, n, ranks, parts, times(on, t_w))["seconds"]


def _table_2(on: Machine) -> str:
    paper = {1024: (256, "24.69 / 34.01 / 41.29"), 2048: (1024, "26.51 / 33.19 / 40.29")}
    rows = []
    for n, (ranks, text) in paper.items():
        found = _optima(on, n, on.facts["t_w"])
        ours = " / ".join(
            percent(found[f"{part}_share"]).rstrip("%") for part in ("computation", "copying", "communication")
        )
        rows.append((f"{n}^3 on {ranks}", text, ours))
    return table(("computation / copying / communication, per cent", "paper", "model"), rows)


def _numbers(on: Machine) -> str:
    loaded, idle = on.facts["t_w"], on.facts["least_t_w"]
    rows = [
        ("P_max, 4096^3 (eq. 9)", "694,532", f"{int(_optima(on, 4096, loaded)['fastest_ranks']):,}"),
        ("P_max,improve, 1024^3 (eq. 11)", "3,156", f"{int(_optima(on, 1024, loaded)['ranks_with_overlap']):,}"),
        ("P_max,improve, 2048^3", "13,455", f"{int(_optima(on, 2048, loaded)['ranks_with_overlap']):,}"),
        (
            "P_0, 1024^3, as a power of two",
            "256",
            f"{_optima(on, 1024, idle)['ranks_without_latency']:.0f} (t_w 2.19), "
            f"{_optima(on, 1024, loaded)['ranks_without_latency']:.0f} (11.60)",
        ),
        (
            "P_0, 2048^3",
            "1024",
            f"{_optima(on, 2048, idle)['ranks_without_latency']:.0f} (t_w 2.19), "
            f"{_optima(on, 2048, loaded)['ranks_without_latency']:.0f} (11.60)",
        ),
    ]
    return table(("", "paper", "model"), rows)


def _figure_10(on: Machine, folder: Path) -> str:
    lines, ranks = [], [2**k for k in range(5, 21)]
    for n, colour in zip((256, 512, 1024, 2048, 4096), ("C0", "C1", "C2", "C3", "C4"), strict=True):
        for t_w, style, label in (("least_t_w", "-", f"{n}^3, t_w 2.19"), ("t_w", "--", f"{n}^3, t_w 11.60")):
            here = [p for p in ranks if p <= n * n]
            y = [2 * _form(on, "pencils", n, p, t_w=on.facts[t_w]) for p in here]
            lines.append((label, here, y, colour + style))
    curves(
        folder / "scaling-fig10.svg",
        "Ayala and Wang, Fig. 10: forward + backward on Bluefire (modelled)",
        ("ranks", "seconds"),
        lines,
    )
    rows = []
    for n, p in ((256, 256), (512, 512), (1024, 1024), (2048, 2048), (4096, 65536)):
        cells = [seconds(2 * _form(on, "pencils", n, p, t_w=on.facts[name])) for name in ("least_t_w", "t_w")]
        rows.append((f"{n}^3 on {p:,}", *cells))
    return table(("forward + backward, eq. (3)", "t_w 2.19 ns/word", "t_w 11.60 ns/word"), rows)


def _figure_11(on: Machine, folder: Path) -> str:
    n, names = 4096, ("slabs", "pencils", "multistage", "bricks")
    serial = _optima(on, n, on.facts["t_w"])["serial_seconds"]
    ranks = [2**k for k in range(6, 24)]
    lines = []
    for name in names:
        here = [p for p in ranks if name != "slabs" or p <= n]
        lines.append((name, here, [serial / _form(on, name, n, p) for p in here], "-"))
    curves(
        folder / "scaling-fig11.svg",
        "Ayala and Wang, Fig. 11: 4096^3 on Bluefire (modelled)",
        ("ranks", "speed-up over the computation on one rank"),
        lines,
    )
    rows = []
    for p in (4096, 65536, 694532, 2**22):
        speed = [f"{serial / _form(on, name, n, p):,.0f}" if name != "slabs" or p <= n else "-" for name in names]
        rows.append((f"{p:,}", *speed))
    return table(("ranks", *names), rows)


def _figure_12(on: Machine, folder: Path) -> str:
    n, lines, rows = 8192, [], []
    for ranks in (256, 1024, 4096, 16384, 65536, 262144):
        most = n // math.isqrt(ranks)
        parts = [2**k for k in range(int(math.log2(most)) + 1)]
        one = _form(on, "pencils", n, ranks)
        gain = [100 * (one / _form(on, "overlapped", n, ranks, m) - 1) for m in parts]
        lines.append((f"{ranks:,} ranks", parts, gain, "o-"))
        best = max(range(len(parts)), key=gain.__getitem__)
        rows.append((f"{ranks:,}", f"{gain[best]:.1f}", parts[best], f"{gain[-1]:.1f}"))
    curves(
        folder / "scaling-fig12.svg",
        "Ayala and Wang, Fig. 12: overlap at 8192^3 on Bluefire (modelled)",
        ("parts of an exchange", "gain in speed, per cent"),
        lines,
        (True, False),
    )
    return table(("ranks", "largest gain, %", "with so many parts", "gain of the most parts, %"), rows)


def section(folder: Path) -> dict[str, str]:
    """The text of the page on this paper, by the names of its placeholders. Writes its pictures."""
    on = machine("bluefire")
    return {
        "TABLE_2": _table_2(on),
        "NUMBERS": _numbers(on),
        "FIGURE_10": _figure_10(on, folder),
        "FIGURE_11": _figure_11(on, folder),
        "FIGURE_12": _figure_12(on, folder),
    }
