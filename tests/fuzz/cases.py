"""A case: what a seed has drawn, the program that it is, simpler ones like it, and what came of it on all ranks."""

import abc
import dataclasses
import inspect
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import numpy as np
import weft
from mpi4py import MPI

from fuzz import checks, meshes, references
from fuzz.checks import Checks

PROGRAM = """\
# In the root of the project: mpiexec -n {ranks} .venv/bin/python case.py
import sys

sys.path.insert(0, "tests")
from fuzz.pasted import MPI, block, check, comm, cut, laid_out, meshes, norm, np, numbers, references, weft, workspace

{lines}
check.finish()
"""


@dataclasses.dataclass(frozen=True)
class Case(abc.ABC):
    """One random use of the library by `ranks` ranks. Kinds of cases derive from it."""

    ranks: int
    data: int  # seed of the numbers

    @classmethod
    @abc.abstractmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> Self:
        """A random case."""

    @abc.abstractmethod
    def lines(self) -> list[str]:
        """The program, in Python, without what all programs begin and end with."""

    @abc.abstractmethod
    def simpler(self) -> Iterator["Case"]:
        """Cases that are simpler in one way, the greatest simplifications first."""

    def program(self) -> str:
        """The program as it can be pasted into a file and run by itself."""
        return PROGRAM.format(ranks=self.ranks, lines="\n".join(self.lines()))

    def but(self, **changes: Any) -> Self:
        return dataclasses.replace(self, **changes)


def without_defaults(called: Callable[..., Any], options: dict[str, Any]) -> dict[str, Any]:
    """The options that are not what they are anyway."""
    known = inspect.signature(called).parameters
    return {name: value for name, value in options.items() if known[name].default != value}


def options_text(options: dict[str, Any]) -> str:
    """Options as arguments of a call, each after a comma."""
    return "".join(f", {name}={value!r}" for name, value in options.items())


def fewer_options(options: dict[str, Any], keep: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """The options, half of them at first, then without one."""
    names = [name for name in options if name not in keep]
    for part in (names[: len(names) // 2], names[len(names) // 2 :]):
        if len(part) > 1:
            yield {name: value for name, value in options.items() if name not in part}
    for name in names:
        yield {other: value for other, value in options.items() if other != name}


def without_one(items: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The items without one of them, as long as there are several."""
    for i in range(len(items) if len(items) > 1 else 0):
        yield (*items[:i], *items[i + 1 :])


def smaller_shapes(shape: Sequence[int], least: int = 1) -> Iterator[tuple[int, ...]]:
    """Shapes with the same axes, one of them shorter."""
    for axis, n in enumerate(shape):
        for fewer in dict.fromkeys((least, 2, n // 4, n // 2, n - 4, n - 1)):
            if least <= fewer < n:
                yield (*shape[:axis], fewer, *shape[axis + 1 :])


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What came of a case, the same on all ranks: "right", "refused" by the same error on all, or a sort of fault."""

    sort: str
    texts: tuple[str, ...] = ()  # one per rank

    @property
    def failed(self) -> bool:
        return self.sort not in ("right", "refused")


def _own_outcome(case: Case, comm: MPI.Intracomm) -> tuple[str, str]:
    """What came of the case on this rank."""
    check = Checks(comm)
    names = {"comm": comm, "check": check, "np": np, "weft": weft, "MPI": MPI}
    names |= {"meshes": meshes, "references": references}
    helpers = ("block", "cut", "laid_out", "norm", "numbers", "workspace")
    names |= {name: getattr(checks, name) for name in helpers}
    try:
        exec(compile("\n".join(case.lines()), "<case>", "exec"), names)
    except weft.Error as error:
        return "refused", f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"raised {type(error).__name__}", "".join(traceback.format_exception(error, limit=-3))
    finally:
        check.clean()
    if check.wrong:
        return check.wrong[0][0], "; ".join(text for _, text in check.wrong)
    return "right", ""


def _error_alone(text: str) -> str:
    """An error without what may differ between ranks: who found it, and each rank's own numbers and addresses."""
    return re.sub(r"0x[0-9a-f]+|-?\d+", "N", re.sub(r" \(on rank \d+\)$", "", text))


def run(case: Case, comm: MPI.Intracomm) -> Verdict:
    """Runs a case on all ranks of comm. Collective."""
    outcomes = comm.allgather(_own_outcome(case, comm))
    sorts, texts = [sort for sort, _ in outcomes], tuple(text for _, text in outcomes)
    faults = sorted({sort for sort in sorts if sort not in ("right", "refused")})
    if faults:
        return Verdict(faults[0], texts)
    if "refused" not in sorts:
        return Verdict("right")
    if "right" in sorts:
        return Verdict("refused on some ranks", texts)
    alike = len({_error_alone(text) for text in texts}) == 1
    return Verdict("refused" if alike else "errors differ", texts)
