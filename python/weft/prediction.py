"""predict: the time of every step of a plan or a solve on any number of ranks of any machine, in closed form.

The model is that of Ayala and Wang, Parallel Computing 39 (2013), extended: nodes, networks, all strategies, padding.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mpi4py import MPI

from weft import _core
from weft._arguments import encodable, entries, real_dtype, shown, whole, whole_entries, word
from weft._options import plan_options
from weft._problem import equation, grid
from weft.errors import Error

_FOLDER = Path(__file__).parent / "machines"


@dataclass(frozen=True)
class Machine:
    """Elementary times of a machine. text: its file; facts: the numbers in it, in seconds, by the names of the file."""

    text: str
    facts: dict[str, Any]


@dataclass(frozen=True)
class Prediction:
    """What is predicted for a pair of transforms (forward and backward) or one solve.

    seconds           of everything, on the rank with the largest boxes; infinite where the strategy is not possible.
    pass_seconds      of the passes, exchange_seconds of the exchanges between them.
    grid, node_ranks  ranks per cut axis, ranks of a node.
    physical          who owns which points, in words; spectral: which modes.
    steps             in order, each a dict: step ("pass" or "exchange"), axes, and in both directions together flops,
                      memory_bytes, through_planes_bytes, copied_bytes,
                      shared_bytes, inside_bytes (sent inside the node), between_bytes (to other nodes),
                      link_bytes (on the most loaded link of the network), link (which one), messages, and the seconds
                      of each: arithmetic, memory, computing, copying, inside, network, latency, hidden (_seconds).
    """

    seconds: float
    pass_seconds: float
    exchange_seconds: float
    grid: list[int]
    node_ranks: int
    physical: str
    spectral: str
    steps: list[dict[str, Any]]


def machines() -> list[str]:
    """The names of the machines that come with the package."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def machine(name: Any = None) -> Machine:
    """A machine: one that comes with the package by its name, or a file of weft calibrate by its path.

    None is the one that estimates are made for: the file of WEFT_MACHINE, ~/.config/weft/machine.toml, or a standard
    machine. Raises FileError where a file is missing or damaged.
    """
    if name is None:
        text = _core.chosen_machine(MPI._addressof(MPI.COMM_SELF))
    elif isinstance(name, str) and name in machines():
        text = _core.machine_text(str(_FOLDER / f"{name}.toml"))
    elif isinstance(name, str | Path) and str(name):
        if not os.path.isfile(name) and Path(name).name == str(name):
            raise Error(f"machine: there is no file {name}, and no machine of that name; known are {_known()}")
        text = _core.machine_text(encodable(str(name), "machine"))
    else:
        raise Error(f"machine: {shown(name)} is neither a name nor a path; known are {_known()}")
    return Machine(text, _core.machine_facts(text))


def _known() -> str:
    return ", ".join(machines())


def predict(
    shape: Any,
    kinds: Any = "r2c",
    *,
    ranks: int,
    machine: Machine | str | Path | None = None,
    node_ranks: int | None = None,
    threads: int = 1,
    dtype: Any = "float64",
    software: str = "weft",
    **options: Any,
) -> Prediction:
    """Predicts a forward and a backward transform. Nothing runs; any number of ranks will do.

    shape, kinds  of the array, as for Plan.
    machine       of machine(), or what it takes: a name, a path, or None: the one that estimates are made for.
    node_ranks    ranks of a node; None: as many as it has cores for.
    threads       of a rank, at most the cores of a node.
    software      "weft", or "ayala-wang": with their copies and messages (their eqs. 1 and 2).
    options       other arguments of Plan: grid, strategy, chunks, fuse.
    """
    kinds = [kinds] if isinstance(kinds, str) else entries(kinds, "kinds", '("c2c", "r2c")')
    problem = {
        "shape": whole_entries(shape, "shape", "(64, 64, 64)"),
        "kinds": [word(kind, f"kinds[{i}]", "r2c") for i, kind in enumerate(kinds)],
    }
    return _predicted(problem, ranks, machine, node_ranks, threads, dtype, software, options)


def predict_solve(
    cells: Any,
    boundary: Any,
    *,
    ranks: int,
    centring: Any = "cell",
    machine: Machine | str | Path | None = None,
    node_ranks: int | None = None,
    threads: int = 1,
    dtype: Any = "float64",
    software: str = "weft",
    pruned: bool = True,
    **options: Any,
) -> Prediction:
    """Predicts a solve of Poisson(cells, length, boundary, centring=centring); the rest is as for predict.

    pruned  False: exchanges lie behind the first two transforms, whatever is padded, as in other libraries.
    """
    counts = whole_entries(cells, "cells", "(64, 64, 64)")
    problem = grid(counts, [1.0] * len(counts), boundary, centring) | equation("chat2", 2.0, 0.0, "remove")
    problem["unpruned"] = not pruned
    return _predicted(problem, ranks, machine, node_ranks, threads, dtype, software, options)


def _predicted(
    problem: dict[str, Any],
    ranks: Any,
    given: Any,
    node_ranks: Any,
    threads: Any,
    dtype: Any,
    software: Any,
    options: dict[str, Any],
) -> Prediction:
    counts = {"ranks": whole(ranks, "ranks", bits=32), "threads": whole(threads, "threads", bits=32)}
    counts["node_ranks"] = 0 if node_ranks is None else whole(node_ranks, "node_ranks", bits=32)
    for name, value in counts.items():
        if value < (0 if node_ranks is None and name == "node_ranks" else 1):
            raise Error(f"{name}: {value} is not possible; give 1 or more")
    chosen = given if isinstance(given, Machine) else machine(given)
    found = _core.predict(
        problem,
        **counts,
        dtype=real_dtype(dtype),
        options=plan_options(**options),
        machine=chosen.text,
        software=word(software, "software", "weft"),
    )
    return Prediction(**found)
