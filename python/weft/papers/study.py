"""Weak and strong scaling of Weft to a million ranks by the model, and the fastest strategies."""

from collections.abc import Callable
from pathlib import Path

from weft.papers.tables import curves, seconds, table
from weft.prediction import Machine, Prediction, machine, predict, predict_solve

STRATEGIES = ("shared", "alltoallv", "alltoallw", "multistage", "hierarchical")
CHUNKS = (1, 4, 16)
MACHINES = ("meluxina", "juwels", "shaheen")
STRONG = 4096
_FREE = ("unbounded",) * 3
_Case = Callable[[Machine, int, str, int], Prediction]


def rank_counts(on: Machine) -> list[int]:
    """Numbers of nodes: 1, 4, 16, 64, 384 (49,152 ranks of 128) and so on, up to a little over a million ranks."""
    cores = on.facts["node_cores"]
    counts = [cores * nodes for nodes in (1, 4, 16, 64, 384, 2048)]
    return [*counts, cores * round(2**20 / cores)]


def _edges(ranks: int, points: int) -> tuple[int, int, int]:
    """An array of about `points`^3 points per rank, as cubic as multiples of 32 allow."""
    edge = points * ranks ** (1 / 3)
    whole = max(32, round(edge / 32) * 32)
    return (whole,) * 3


def _strong_pair(on: Machine, ranks: int, strategy: str, chunks: int) -> Prediction:
    return predict((STRONG,) * 3, ranks=ranks, machine=on, strategy=strategy, chunks=chunks)


def _weak_pair(on: Machine, ranks: int, strategy: str, chunks: int) -> Prediction:
    return predict(_edges(ranks, 128), ranks=ranks, machine=on, strategy=strategy, chunks=chunks)


def _strong_solve(on: Machine, ranks: int, strategy: str, chunks: int) -> Prediction:
    return predict_solve((STRONG // 2,) * 3, _FREE, ranks=ranks, machine=on, strategy=strategy, chunks=chunks)


def _weak_solve(on: Machine, ranks: int, strategy: str, chunks: int) -> Prediction:
    return predict_solve(_edges(ranks, 96), _FREE, ranks=ranks, machine=on, strategy=strategy, chunks=chunks)


CASES: dict[str, tuple[str, _Case]] = {
    "strong": (f"Strong scaling: r2c {STRONG}^3, forward + backward", _strong_pair),
    "weak": ("Weak scaling: r2c, 128^3 points a rank, forward + backward", _weak_pair),
    "strong-solve": (f"Strong scaling: free-space solve of {STRONG // 2}^3", _strong_solve),
    "weak-solve": ("Weak scaling: free-space solve, 96^3 points a rank", _weak_solve),
}


def _times(case: _Case, on: Machine, ranks: int) -> dict[tuple[str, int], Prediction]:
    """Predictions by strategy and chunks. The strategy shared sends no messages and has one chunk only."""
    return {
        (name, chunks): case(on, ranks, name, chunks)
        for name in STRATEGIES
        for chunks in (CHUNKS if name != "shared" else (1,))
    }


def _recommended(found: dict[tuple[str, int], Prediction]) -> tuple[str, str, str]:
    """The chosen strategy with chunks, its time, and the grid. Differences below 1 % do not change the choice."""
    least = min(prediction.seconds for prediction in found.values())
    (name, chunks), best = next((key, p) for key, p in found.items() if p.seconds <= 1.01 * least)
    text = name if chunks == 1 else f"{name}, {chunks} chunks"
    return text, seconds(best.seconds), " x ".join(map(str, best.grid))


def _case_section(folder: Path, key: str, title: str, case: _Case) -> str:
    lines, tables = [], []
    for i, name in enumerate(MACHINES):
        on = machine(name)
        counts = rank_counts(on)
        found = [_times(case, on, ranks) for ranks in counts]
        for j, strategy in enumerate(STRATEGIES):
            points = [(p, one[strategy, 1].seconds) for p, one in zip(counts, found, strict=True)]
            here = [(p, t) for p, t in points if t < float("inf")]
            style = f"C{i}" + ("*", "-", "--", ":", "o-")[j]
            lines.append((f"{name}, {strategy}", [p for p, _ in here], [t for _, t in here], style))
        rows = [
            (f"{p:,}", *(seconds(one[s, 1].seconds) for s in STRATEGIES), *_recommended(one))
            for p, one in zip(counts, found, strict=True)
        ]
        tables.append(f"{on.facts['name']}:\n\n" + table(("ranks", *STRATEGIES, "take", "time", "grid"), rows))
    curves(folder / f"scaling-{key}.svg", f"{title} (modelled)", ("ranks", "seconds"), lines)
    return f"### {title}\n" + "\n".join(tables) + f"\n![{title}](scaling-{key}.svg)\n"


def section(folder: Path) -> dict[str, str]:
    """The section of the page on Weft itself. Writes its pictures."""
    parts = [_case_section(folder, key, title, case) for key, (title, case) in CASES.items()]
    return {"STUDY": "\n".join(parts)}
