"""What the command line does on a terminal only: colours, and bars that show how long work still takes.

Ranks that -n starts write to pipes of the launcher; the command that starts them tells them by the variable
WEFT_TERMINAL which of its own streams are terminals. rich heeds NO_COLOR and FORCE_COLOR.
"""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from mpi4py import MPI
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

Done = TypeVar("Done")

_VARIABLE = "WEFT_TERMINAL"


def _is_terminal(name: str) -> bool:
    return getattr(sys, name).isatty() or name in os.environ.get(_VARIABLE, "").split(",")


def tell_ranks() -> None:
    """Leaves word for the ranks that are going to be started."""
    names = [name for name in ("stdout", "stderr") if _is_terminal(name)]
    if names:
        os.environ[_VARIABLE] = ",".join(names)
        os.environ.setdefault("COLUMNS", str(shutil.get_terminal_size().columns))


def console(name: str = "stdout", width: int | None = None) -> Console:
    """Where tables (stdout) and progress (stderr) go: colours on a terminal only."""
    return Console(stderr=name == "stderr", width=width, force_terminal=_is_terminal(name) or None)


class _Rate(ProgressColumn):
    """How many a second, or seconds for each where they are slow."""

    def render(self, task: Task) -> Text:
        """The mean of those that are done."""
        seconds = task.finished_time or task.elapsed
        if not seconds or not task.completed:
            return Text("")
        speed = task.completed / seconds
        return Text(f"{speed:.3g}/s" if speed >= 1 else f"{1 / speed:.3g} s each")


class Bar:
    """Progress of some work, shown or not. `done` counts, `failed` is told beside it."""

    def __init__(self, progress: Progress, total: int, unit: str) -> None:
        self.done, self.total, self.shown = 0, total, not progress.disable
        self._progress, self._unit, self._start = progress, unit, time.perf_counter()
        self._task = progress.add_task(unit, total=total)

    def say(self, text: str) -> None:
        """What is being done."""
        self._progress.update(self._task, description=text)
        self._draw()

    def advance(self, text: str | None = None) -> None:
        """One more is done."""
        self.done += 1
        self._progress.update(self._task, advance=1, description=self._unit if text is None else text)
        self._draw()

    def set(self, done: int, total: int, text: str) -> None:
        """So many are done, of so many."""
        self.done, self.total = done, total
        self._progress.update(self._task, completed=done, total=total, description=text)
        self._draw()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.perf_counter() - self._start

    def _draw(self) -> None:
        if self.shown and not self._progress.live.auto_refresh:
            self._progress.refresh()


def counted(bar: Bar, done: Done) -> Done:
    """What was done, when the bar has been told."""
    bar.advance()
    return done


@contextmanager
def progress(comm: MPI.Intracomm | None, total: int, unit: str, *, quiet: bool = False) -> Iterator[Bar]:
    """A bar with rate and remaining time on stderr, on rank 0 and a terminal only.

    comm   None where one process does the work, or watches others.
    quiet  draws when something is done only: no thread of the bar disturbs timings.
    """
    out = console("stderr")
    shown = (comm is None or comm.rank == 0) and out.is_terminal and not out.is_dumb_terminal
    columns = (BarColumn(30), MofNCompleteColumn(), _Rate(), TimeElapsedColumn(), TimeRemainingColumn())
    # What is printed on the same terminal meanwhile goes above the bar; a file gets it as ever.
    both = _is_terminal("stdout")
    with Progress(
        TextColumn("{task.description}"),
        *columns,
        console=out,
        disable=not shown,
        auto_refresh=not quiet,
        transient=True,
        refresh_per_second=4,
        redirect_stdout=both,
        redirect_stderr=both,
    ) as bar:
        yield Bar(bar, total, unit)
