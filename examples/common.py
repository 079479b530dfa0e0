"""What the examples share: arguments, progress, planes of distributed arrays, pictures, and the verdict.

Every example takes --cells and --out, prints one line of numbers, and ends with status 1 where the physics is wrong.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from mpi4py import MPI
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, ProgressColumn, Task
from rich.text import Text

_PICTURES = (".png", ".pdf", ".svg")
_QUIET_SECONDS = 5.0


class _Rate(ProgressColumn):
    """Steps a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.finished_speed or task.speed or 0:.3g}/s")


class Arguments(argparse.ArgumentParser):
    """A parser that knows --cells and --out; what is wrong is said once, and ends every rank with status 2."""

    def __init__(self, text: str | None, comm: MPI.Intracomm, cells: Callable[[str], int], default: int) -> None:
        self._comm, name = comm, Path(sys.argv[0]).stem
        paragraphs = (text or "").strip().split("\n\n")
        super().__init__(description=paragraphs[0].split(":")[0] + ".", allow_abbrev=False)
        self.add_argument("--cells", type=cells, default=default, metavar="N", help=f"cells an axis [{default}]")
        picture = Path("out", f"{name}.png")
        self.add_argument("--out", type=_picture, default=picture, metavar="FILE", help=f"the picture [{picture}]")

    def parse(self) -> argparse.Namespace:
        """The arguments; the file of the picture is known to take it. Collective."""
        given = self.parse_args()
        problem = self._comm.bcast(_unwritable(given.out) if self._comm.rank == 0 else None)
        if problem is not None:
            self.error(f"argument --out: {given.out} cannot be written: {problem}; name a file that can")
        return given

    def error(self, message: str) -> None:  # type: ignore[override]
        """All ranks were given the same words, so one of them may speak for all."""
        if self._comm.rank == 0:
            super().error(message)
        sys.exit(2)

    def print_help(self, file: Any = None) -> None:
        if self._comm.rank == 0:
            super().print_help(file)


def whole(least: int, most: int | None = None, multiple: int = 1) -> Callable[[str], int]:
    """The type of an argument: a whole number in a range, a multiple of something."""
    kind = "whole number" if multiple == 1 else f"multiple of {multiple}"
    allowed = f"{kind} from {least} to {most}" if most else f"{kind} from {least} on"

    def convert(text: str) -> int:
        number = int(text) if text.isascii() and text.isdigit() else -1
        if number < least or number > (most or number) or number % multiple:
            raise argparse.ArgumentTypeError(f"{text!r} is not allowed; give a {allowed}")
        return number

    return convert


def _picture(text: str) -> Path:
    if Path(text).suffix not in _PICTURES:
        raise argparse.ArgumentTypeError(f"{text!r} is no picture; give a file that ends in {', '.join(_PICTURES)}")
    return Path(text)


def _unwritable(path: Path) -> str | None:
    """Why a file cannot be written, or None; its folder is made."""
    existed = path.exists()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("ab").close()
    except OSError as error:
        return error.strerror or str(error)
    if not existed:
        path.unlink()
    return None


def counted(comm: MPI.Intracomm, count: int, what: str) -> Iterator[int]:
    """0 ... count-1, while rank 0 shows rate and remaining time: a bar on a terminal, else a line every 5 seconds.

    Launchers put pipes between ranks and the terminal, so lines are what is seen of more than one rank.
    """
    console = Console(stderr=True)
    if comm.rank == 0 and console.is_terminal:
        columns = *Progress.get_default_columns(), MofNCompleteColumn(), _Rate()
        with Progress(*columns, console=console, transient=True) as bar:
            yield from bar.track(range(count), description=what)
        return
    began = told = time.monotonic()
    for i in range(count):
        yield i
        now = time.monotonic()
        if comm.rank == 0 and now - told > _QUIET_SECONDS:
            told, rate = now, (i + 1) / (now - began)
            left = (count - i - 1) / rate
            print(f"{what}: {i + 1} of {count}, {rate:.3g} a second, {left:.0f} s left", file=sys.stderr, flush=True)


def plane(
    comm: MPI.Intracomm, shape: tuple[int, ...], slices: tuple[slice, ...], at: dict[int, int], values: np.ndarray
) -> np.ndarray | None:
    """What of a distributed array has the given indices along some axes, on rank 0; None elsewhere. Collective.

    shape of the whole array; slices and values are this rank's part. at = {axis: index}.
    """
    free = [axis for axis in range(len(shape)) if axis not in at]
    result = np.zeros([shape[axis] for axis in free])
    if all(slices[axis].start <= index < slices[axis].stop for axis, index in at.items()):
        local = tuple(at[axis] - slices[axis].start if axis in at else slice(None) for axis in range(len(shape)))
        result[tuple(slices[axis] for axis in free)] = values[local]
    return comm.reduce(result, root=0)


def largest(comm: MPI.Intracomm, values: np.ndarray) -> float:
    """The largest magnitude of a distributed array; nan if any is. Collective."""
    return float(np.max(comm.allgather(np.max(np.abs(values), initial=0.0))))


def subplots(rows: int, columns: int, width: float, height: float) -> tuple[Any, Any]:
    """A figure and its axes, drawn without a screen."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt.subplots(rows, columns, figsize=(width, height), layout="constrained")


def conclude(comm: MPI.Intracomm, line: str, checks: list[tuple[str, float, float]]) -> None:
    """Prints the line of numbers; ends all ranks with status 1 where a check (what, found, limit) has found > limit.

    The numbers are the same on all ranks. What is not a number is wrong.
    """
    wrong = [check for check in checks if not check[1] <= check[2]]
    if comm.rank == 0:
        print(line, flush=True)
        for what, found, limit in wrong:
            print(f"wrong: {what} is {found:.3g}, allowed is {limit:.3g}", file=sys.stderr, flush=True)
    if wrong:
        sys.exit(1)
