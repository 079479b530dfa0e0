"""The throughputs of FLUPS (Balty, Chatelain, Gillis 2023) on MeluXina, Vega and Lumi, and a fitted model.

A solve in free space makes three changes of the topology (96^3 points per rank: bricks to pencils, 2N and 4N after the
transforms), and a pair of transforms makes two. The model of one strategy on one machine is

    T(nodes) = A + c L(nodes) + g L(nodes) M(nodes)

L is the time of the bytes of all changes on the most loaded link, at its published speed, and M the number of messages
that a rank sends. Three factors are fitted: A, the time inside a node, per machine and strategy; c, the share of L that
is not hidden, per strategy; g, the congestion by concurrent messages, per machine and strategy.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from weft.papers.tables import curves, seconds, table
from weft.prediction import Machine, machine, predict, predict_solve

NODE_RANKS = 128

# MB/s per rank, for a solve times 14/3 (Tables III and V to VII), and for a pair (Table II).
SOLVE_NODES = (1, 2, 8, 64, 128)
SOLVES = {
    "nb": {
        "vega": (33.82, 31.62, 25.50, 23.09, 17.11),
        "meluxina": (32.14, 31.54, 29.59, 29.19, 26.57),
        "lumi": (34.43, 33.13, 28.40, 24.15, 21.12),
    },
    "isr": {
        "vega": (42.16, 38.88, 28.55, 21.13, 16.29),
        "meluxina": (40.94, 38.39, 32.49, 26.92, 23.82),
        "lumi": (38.57, 34.79, 28.90, 24.09, 20.73),
    },
    "a2a": {
        "vega": (31.58, 29.28, 22.46, 18.11, 14.35),
        "meluxina": (30.34, 29.85, 27.21, 25.94, 24.33),
        "lumi": (34.19, 33.96, 28.41, 22.93, 16.05),
    },
}
PAIR_NODES = (1, 2, 8, 32, 128)
PAIRS = {
    "accFFT": (36.23, 33.10, 30.57, 25.25, 18.51),
    "isr": (36.13, 34.02, 28.80, 23.34, 18.62),
    "nb": (27.80, 27.09, 25.98, 26.34, 25.62),
}
# The serial share in per cent, as given in the text of the paper.
BETA = {"isr": 0.5, "nb": 0.2, "a2a": 0.2}

_DOUBLING = 14 / 3
_MB = 1e-6


def solve_seconds(throughput: float, factor: float = _DOUBLING, edge: int = 96) -> float:
    """The time of a solve from its throughput in MB/s per rank."""
    return edge**3 * 8 * _MB * factor / throughput


def grid_of(ranks: int) -> tuple[int, int, int]:
    """Three factors of a power of two, as equal as possible, the smaller ones first."""
    power = round(math.log2(ranks))
    return 2 ** (power // 3), 2 ** ((power + 1) // 3), 2 ** ((power + 2) // 3)


def pencil_grid(ranks: int) -> tuple[int, int]:
    """Two factors of a power of two, as equal as possible."""
    power = round(math.log2(ranks))
    return 2 ** (power // 2), 2 ** ((power + 1) // 2)


@dataclass(frozen=True)
class Traffic:
    """The time on the most loaded link and the messages of a rank, for all changes of the topology."""

    link_seconds: float
    messages: float

    @property
    def crowd(self) -> float:
        """L M."""
        return self.link_seconds * self.messages


def solve_traffic(on: Machine, nodes: int, shape: Sequence[int] | None = None) -> Traffic:
    """L and M of a solve in free space. shape defaults to 96^3 points per rank."""
    ranks = nodes * NODE_RANKS
    points = tuple(shape) if shape else tuple(96 * p for p in grid_of(ranks))
    found = predict_solve(
        points,
        ["unbounded"] * 3,
        ranks=ranks,
        machine=on,
        node_ranks=NODE_RANKS,
        grid=pencil_grid(ranks),
        strategy="persistent",
        pruned=False,
    )
    return _traffic(on, found.steps)


def pair_traffic(on: Machine, nodes: int) -> Traffic:
    """L and M of a forward and a backward transform of 256^3 points per rank."""
    ranks = nodes * NODE_RANKS
    shape = [256 * p for p in grid_of(ranks)]
    found = predict(
        shape, "r2c", ranks=ranks, machine=on, node_ranks=NODE_RANKS, grid=pencil_grid(ranks), strategy="persistent"
    )
    return _traffic(on, found.steps)


def _traffic(on: Machine, steps: Sequence[dict]) -> Traffic:
    link = sum(step["link_bytes"] for step in steps) / on.facts["link"]
    return Traffic(link, sum(step["messages"] for step in steps))


def non_negative_fit(columns: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The factors >= 0 of the columns with the least relative squares, by trying all subsets of the few columns."""
    rows, target = columns / wanted[:, None], np.ones(len(wanted))
    best, least = np.zeros(columns.shape[1]), math.inf
    for chosen in range(1, 2 ** columns.shape[1]):
        used = [i for i in range(columns.shape[1]) if chosen >> i & 1]
        factors = np.linalg.lstsq(rows[:, used], target, rcond=None)[0]
        squares = float(np.sum((rows[:, used] @ factors - target) ** 2))
        if factors.min() >= 0 and squares < least:
            least, best = squares, np.zeros(columns.shape[1])
            best[used] = factors
    return best


@dataclass(frozen=True)
class Fit:
    """The model of a strategy: A in seconds and g per message for each machine, and c for all machines."""

    inside: dict[str, float]
    seen: float
    crowded: dict[str, float]

    def seconds(self, name: str, traffic: Traffic) -> float:
        """T as defined above."""
        return self.inside[name] + self.seen * traffic.link_seconds + self.crowded[name] * traffic.crowd


def fit_solves(strategy: str) -> tuple[Fit, dict[str, list[float]]]:
    """The fit to the solves of a strategy on three machines, and its times for every number of nodes."""
    measured = SOLVES[strategy]
    names = list(measured)
    traffic = {name: [solve_traffic(machine(name), nodes) for nodes in SOLVE_NODES] for name in names}
    # The columns are A of each machine, c, and g of each machine.
    rows, wanted = [], []
    for i, name in enumerate(names):
        for found, throughput in zip(traffic[name], measured[name], strict=True):
            one = [float(i == j) for j in range(len(names))]
            rows.append([*one, found.link_seconds, *[x * found.crowd for x in one]])
            wanted.append(solve_seconds(throughput))
    factors = non_negative_fit(np.array(rows), np.array(wanted))
    count = len(names)
    fit = Fit(
        dict(zip(names, factors[:count].tolist(), strict=True)),
        float(factors[count]),
        dict(zip(names, factors[count + 1 :].tolist(), strict=True)),
    )
    return fit, {name: [fit.seconds(name, one) for one in traffic[name]] for name in names}


def fit_pairs(library: str) -> tuple[Fit, list[float]]:
    """The fit to the transforms of Table II, on MeluXina only, and its times."""
    on = machine("meluxina")
    traffic = [pair_traffic(on, nodes) for nodes in PAIR_NODES]
    columns = np.array([[1.0, one.link_seconds, one.crowd] for one in traffic])
    wanted = np.array([solve_seconds(value, 1.0, 256) for value in PAIRS[library]])
    inside, seen, crowded = non_negative_fit(columns, wanted).tolist()
    fit = Fit({"meluxina": inside}, seen, {"meluxina": crowded})
    return fit, [fit.seconds("meluxina", one) for one in traffic]


def beta(first: float, last: float, ratio: float) -> float:
    """The serial share (eq. 22) from the efficiency of the last of two runs on `ratio` times as many ranks."""
    return (last / first - 1) / (ratio - 1)


# --- the study -------------------------------------------------------------------------------------------------------


def _nodes(count: int) -> str:
    return "1 node" if count == 1 else f"{count} nodes"


def _pair_text(measured: float, modelled: float) -> str:
    return f"{measured:.2f} / {modelled:.2f}"


def _pairs_table() -> str:
    rows = []
    for library, throughputs in PAIRS.items():
        _, found = fit_pairs(library)
        modelled = [solve_seconds(t, 1.0, 256) for t in found]
        rows.append((library, *map(_pair_text, throughputs, modelled)))
    return table(("MB/s a rank: paper / model", *map(_nodes, PAIR_NODES)), rows)


def _solves_tables() -> tuple[str, str, str, dict[str, dict[str, list[float]]]]:
    """Tables of throughputs, efficiencies, betas and factors, and the modelled times."""
    rows, efficiencies, factors, modelled = [], [], [], {}
    for strategy, measured in SOLVES.items():
        fit, modelled[strategy] = fit_solves(strategy)
        for name, throughputs in measured.items():
            times = modelled[strategy][name]
            ours = [solve_seconds(t) for t in times]
            rows.append((f"{strategy}, {name}", *map(_pair_text, throughputs, ours)))
            last, ratio = throughputs[0] / throughputs[-1], SOLVE_NODES[-1] / SOLVE_NODES[0]
            efficiencies.append(
                (
                    f"{strategy}, {name}",
                    _pair_text(1 / last, times[0] / times[-1]),
                    f"{100 * beta(1.0, last, ratio):.2f} / {100 * beta(times[0], times[-1], ratio):.2f}",
                    f"about {BETA[strategy]}" if name == "meluxina" else "",
                )
            )
            factors.append(
                (
                    f"{strategy}, {name}",
                    seconds(fit.inside[name]),
                    f"{fit.seen:.3f}",
                    f"{1e3 * fit.crowded[name]:.2f}",
                    f"{100 * max(abs(t / solve_seconds(m) - 1) for t, m in zip(times, throughputs, strict=True)):.1f}%",
                )
            )
    return (
        table(("MB/s a rank: paper / model", *map(_nodes, SOLVE_NODES)), rows),
        table(("128 nodes", "efficiency: paper / model", "beta, %: from both", "beta in the text, %"), efficiencies),
        table(("fitted", "A", "c", "g, of 1000 messages", "largest error"), factors),
        modelled,
    )


def _strong(fits: dict[str, Fit]) -> str:
    """1280^3 points on 1 to 384 nodes (Figs. 14 and 15). The time inside a node scales with the points of a rank."""
    on, rows = machine("meluxina"), []
    for strategy, fit in fits.items():
        times = []
        for nodes in (1, 2, 8, 64, 256):
            traffic = solve_traffic(on, nodes, (1280, 1280, 1280))
            part = 1280**3 / (nodes * NODE_RANKS) / 96**3
            times.append(
                fit.inside["meluxina"] * part
                + fit.seen * traffic.link_seconds
                + fit.crowded["meluxina"] * traffic.crowd
            )
        share = beta(1.0, 256 * times[-1] / times[0], 256)
        rows.append((strategy, *(seconds(t) for t in times), f"{100 * share:.2f}"))
    return table(("1280^3, modelled", *map(_nodes, (1, 2, 8, 64, 256)), "beta, %"), rows)


def section(folder: Path) -> dict[str, str]:
    """The text of the page on this paper, by the names of its placeholders. Writes its picture."""
    solves, efficiencies, factors, modelled = _solves_tables()
    lines = []
    for strategy, colour in (("nb", "C0"), ("isr", "C1"), ("a2a", "C2")):
        for name, mark in (("meluxina", "o"), ("vega", "s"), ("lumi", "^")):
            measured = [solve_seconds(t) for t in SOLVES[strategy][name]]
            ours = modelled[strategy][name]
            lines.append(
                (f"{strategy}, {name}: measured", SOLVE_NODES, [measured[0] / t for t in measured], colour + mark)
            )
            lines.append((f"{strategy}, {name}: model", SOLVE_NODES, [ours[0] / t for t in ours], colour + "-"))
    curves(
        folder / "scaling-flups.svg",
        "FLUPS, Figs. 13, 17, 21, 23: weak efficiency (points measured, lines fitted)",
        ("nodes of 128 ranks", "efficiency"),
        lines,
        (True, False),
    )
    fits = {strategy: fit_solves(strategy)[0] for strategy in SOLVES}
    return {
        "FACTORS": factors,
        "PAIRS": _pairs_table(),
        "SOLVES": solves,
        "EFFICIENCIES": efficiencies,
        "STRONG": _strong(fits),
    }
