"""tune: searches for the fastest options of one transform on this machine, with arrays of the real size."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from weft import _core
from weft._arguments import agreed, communicator, entries, real, word
from weft._mpi import MPI
from weft._options import path_text, plan_options
from weft._text import Told
from weft.errors import Error
from weft.plan import plan_arguments

Progress = Callable[[dict[str, Any], int, int], None]


@dataclass(frozen=True, repr=False)
class Tuning(Told):
    """The outcome of a search.

    options   the fastest grid, strategy, chunks, send_batch and fuse, as keyword arguments of Plan.
    seconds   the time of forward and backward with these options on the slowest rank; 0 if nothing was measured.
    trials    all candidates: grid, strategy, chunks, send_batch, fuse, estimate and seconds of forward and backward,
              runs, and a note that says why a candidate was omitted. Candidates that did not run have seconds 0.
    summary   the outcome in one line.
    """

    options: dict[str, Any]
    seconds: float
    trials: list[dict[str, Any]]
    summary: str


def tune(
    shape: Any,
    kinds: Any,
    *,
    comm: MPI.Intracomm | None = None,
    dtype: Any = "float64",
    effort: str = "patient",
    budget: float | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    save: Any = None,
    progress: Progress | None = None,
    **options: Any,
) -> Tuning:
    """Tries process grids, strategies, chunks, batches of messages and fusion, and returns the fastest. Collective.

    effort    "measure" (2 s), "patient" (60 s), or "estimate": the times are predicted, and nothing runs.
    budget    seconds to spend instead. Three candidates run in any case.
    include   strategies to try; an empty list is all. exclude: strategies to omit.
    save      a tuning file (TOML) to which the outcome is added. Plans made with tuning=save use it.
    progress  a function that is called with every trial, its number and their count, on the ranks that give it.
    options   other arguments of Plan. A grid, a strategy, chunks of 2 and more, a send_batch other than 0 and fuse are
              fixed by them and not varied.
    """
    comm = communicator(comm)

    def convert() -> dict[str, Any]:
        search = {
            "include": _names(include, "include"),
            "exclude": _names(exclude, "exclude"),
            "budget": 0.0 if budget is None else _positive(budget),
        }
        choices = plan_options(effort=effort, **options)
        return {"search": search, "save": path_text(save, "save"), "options": choices} | plan_arguments(
            shape, kinds, dtype
        )

    given = agreed(comm, convert)
    return Tuning(**_core.tune(MPI._addressof(comm), **given, progress=progress))


def _names(values: Any, name: str) -> list[str]:
    return [word(value, f"{name}[{i}]", "alltoallv") for i, value in enumerate(entries(values, name, '("shared",)'))]


def _positive(budget: Any) -> float:
    seconds = real(budget, "budget")
    if not 0 < seconds < float("inf"):
        raise Error(f"budget: {budget} is not allowed; give a positive number of seconds, or None for the default")
    return seconds
