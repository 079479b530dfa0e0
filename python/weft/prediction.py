"""predict and explain: the time of every step of a plan or a solve and the data that it moves, without its ranks.

They are computed from the schedule, for up to MOST_RANKS ranks of any machine. The model extends that of Ayala and
Wang, Parallel Computing 39 (2013), to nodes, networks, all strategies and padding.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weft import _core
from weft._arguments import encodable, entries, real_dtype, shown, whole, whole_entries, word
from weft._mpi import MPI
from weft._options import plan_options
from weft._problem import equation, grid
from weft._text import Told
from weft.errors import Error

MOST_RANKS: int = _core.MOST_ABSENT_RANKS
"""The largest number of ranks for predict and explain."""

_FOLDER = Path(__file__).parent / "machines"


@dataclass(frozen=True, repr=False)
class Machine(Told):
    """Elementary times of a machine. text is its file; facts are the numbers in the file, in seconds, by name."""

    text: str
    facts: dict[str, Any]


@dataclass(frozen=True, repr=False)
class Prediction(Told):
    """The prediction for a pair of transforms (forward and backward) or for one solve.

    seconds           the total time on the rank with the largest boxes; infinite if the strategy is not possible.
    pass_seconds      the time of the passes; exchange_seconds: the time of the exchanges between them.
    grid, node_ranks  ranks per cut axis, and ranks of a node.
    physical          the distribution of the points, in words; spectral: the distribution of the modes.
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


@dataclass(frozen=True, repr=False)
class Explanation(Told):
    """The description of a plan or a solver on ranks that do not run.

    text        as from explain().
    strategy, grid, chunks, threads   as the attributes of Plan.
    node_ranks  ranks of a node.
    bytes_sent  bytes that the explained rank sends in one direction or in a solve.
    """

    text: str
    strategy: str
    grid: list[int]
    chunks: int
    threads: int
    node_ranks: int
    bytes_sent: int


def machines() -> list[str]:
    """The names of the machines that come with the package."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def machine(name: Any = None) -> Machine:
    """A machine: one of those in the package by its name, or a file of weft calibrate by its path.

    None is the machine for which estimates are made: the file of WEFT_MACHINE, ~/.config/weft/machine.toml, or a
    standard machine. Raises FileError if a file is missing or damaged.
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
    """Predicts a forward and a backward transform. Nothing runs; ranks may be 1 to MOST_RANKS (1,048,576).

    shape, kinds  as for Plan.
    machine       a Machine, or the argument of machine(): a name, a path, or None.
    node_ranks    ranks of a node; None: as many as its cores can run.
    threads       threads of a rank, at most the cores of a node.
    software      "weft", or "ayala-wang" for the copies and messages of their eqs. 1 and 2.
    options       other arguments of Plan: grid, strategy, chunks, fuse.
    """
    return _predicted(_transform(shape, kinds), ranks, machine, node_ranks, threads, dtype, software, options)


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
    """Predicts a solve of Poisson(cells, length, boundary, centring=centring). Other arguments are as for predict.

    pruned  False: exchanges follow the first two transforms, even for padded axes, as in other libraries.
    """
    problem = _solve(cells, boundary, centring) | {"unpruned": not pruned}
    return _predicted(problem, ranks, machine, node_ranks, threads, dtype, software, options)


def explain(shape: Any, kinds: Any = "r2c", *, ranks: int, **how: Any) -> str:
    """The text of Plan.explain() without running its ranks: what each step computes, moves and sends to which ranks.

    It is computed from the schedule; nothing runs, and no memory is allocated. The text lacks facts that only running
    ranks know: engines, batches, workspace, and whether a node has enough shared memory.

    shape, kinds  as for Plan.
    ranks         1 to MOST_RANKS (1,048,576).
    how           rank: the rank whose lines and peers are given, 0 by default; machine, node_ranks, dtype: as for
                  predict; threads: threads of a rank, None for the choice of a plan, the cores of a node shared by its
                  ranks; and the arguments of Plan that change its steps, such as grid, strategy, chunks (0 chooses),
                  fuse, in_place, wire and tuning.
    """
    return explanation(_transform(shape, kinds), ranks, **how).text


def explain_solve(cells: Any, boundary: Any, *, ranks: int, centring: Any = "cell", **how: Any) -> str:
    """The text of Poisson(cells, length, boundary, centring=centring).explain(). Other arguments are as for explain."""
    return explanation(_solve(cells, boundary, centring), ranks, **how).text


def explanation(
    problem: dict[str, Any],
    ranks: Any,
    *,
    rank: Any = 0,
    machine: Machine | str | Path | None = None,
    node_ranks: Any = None,
    threads: Any = None,
    dtype: Any = "float64",
    **options: Any,
) -> Explanation:
    """The text and the facts of explain and explain_solve. problem is a result of problem_of."""
    found = _core.explain(
        problem,
        **_counts(ranks, node_ranks, threads),
        rank=whole(rank, "rank", bits=32),
        dtype=real_dtype(dtype),
        options=plan_options(**options),
        machine=_machine_text(machine),
    )
    return Explanation(**found)


def problem_of(shape: Any, kinds: Any, boundary: Any = None, centring: Any = "cell") -> dict[str, Any]:
    """The problem of transforms of an array, or, with a boundary, of a solve on as many cells."""
    return _transform(shape, kinds) if boundary is None else _solve(shape, boundary, centring)


def _transform(shape: Any, kinds: Any) -> dict[str, Any]:
    kinds = [kinds] if isinstance(kinds, str) else entries(kinds, "kinds", '("c2c", "r2c")')
    return {
        "shape": whole_entries(shape, "shape", "(64, 64, 64)"),
        "kinds": [word(kind, f"kinds[{i}]", "r2c") for i, kind in enumerate(kinds)],
    }


def _solve(cells: Any, boundary: Any, centring: Any) -> dict[str, Any]:
    counts = whole_entries(cells, "cells", "(64, 64, 64)")
    return grid(counts, [1.0] * len(counts), boundary, centring) | equation("chat2", 2.0, 0.0, "remove")


def _counts(ranks: Any, node_ranks: Any, threads: Any) -> dict[str, int]:
    """The numbers of ranks and threads. 0 leaves the ranks of a node, or the threads, open."""
    given = {"ranks": ranks, "node_ranks": node_ranks, "threads": threads}
    open_ones = [name for name, value in given.items() if value is None and name != "ranks"]
    counts = {name: 0 if name in open_ones else whole(value, name, bits=32) for name, value in given.items()}
    for name, value in counts.items():
        if value < 1 and name not in open_ones:
            raise Error(f"{name}: {value} is not possible; give 1 or more")
    return counts


def _machine_text(given: Any) -> str:
    return given.text if isinstance(given, Machine) else machine(given).text


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
    found = _core.predict(
        problem,
        **_counts(ranks, node_ranks, whole(threads, "threads", bits=32)),
        dtype=real_dtype(dtype),
        options=plan_options(**options),
        machine=_machine_text(given),
        software=word(software, "software", "weft"),
    )
    return Prediction(**found)
