"""Output for terminals: colours and progress bars.

Ranks that -n starts write to pipes of the launcher. The variable WEFT_TERMINAL tells them which streams of the starting
command are terminals. NO_COLOR and FORCE_COLOR are respected.
"""

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from rich.console import Console
from rich.measure import Measurement
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
from rich.table import Column, Table
from rich.text import Text, TextType

from weft._mpi import MPI
from weft._text import WIDTH

Done = TypeVar("Done")

_VARIABLE = "WEFT_TERMINAL"


def _is_terminal(name: str) -> bool:
    return getattr(sys, name).isatty() or name in os.environ.get(_VARIABLE, "").split(",")


def tell_ranks() -> None:
    """Sets WEFT_TERMINAL for ranks that are going to be started."""
    names = [name for name in ("stdout", "stderr") if _is_terminal(name)]
    if names:
        os.environ[_VARIABLE] = ",".join(names)
        os.environ.setdefault("COLUMNS", str(shutil.get_terminal_size().columns))


def console(name: str = "stdout", width: int | None = None) -> Console:
    """The console for tables (stdout) or progress (stderr), with colours on a terminal only."""
    return Console(stderr=name == "stderr", width=width, force_terminal=_is_terminal(name) or None)


def print_table(table: Table, keys: int = 1) -> None:
    """Prints a table within the width of a page.

    The headings of a wider one are broken into lines. Columns that do not fit follow in another table below, after the
    first `keys` columns, which name the rows.
    """
    out = console(width=WIDTH)
    columns = table.columns
    if _width(out, table, columns) > WIDTH:
        columns = [_narrowed(out, table, column) for column in columns]
    title, names, rest = table.title, columns[:keys], columns[keys:]
    while rest:
        count = len(rest)
        while count > 1 and _width(out, table, [*names, *rest[:count]]) > WIDTH:
            count -= 1
        out.print(_part(table, [*names, *rest[:count]], title))
        title, rest = None, rest[count:]


def _part(table: Table, columns: Sequence[Column], title: TextType | None = None) -> Table:
    """The table with some of its columns."""
    part = Table(title=title, title_justify=table.title_justify)
    part.columns = [replace(column, _index=index) for index, column in enumerate(columns)]
    part.rows = table.rows
    return part


def _width(out: Console, table: Table, columns: Sequence[Column]) -> int:
    """The columns that a table needs for no line to be broken."""
    return Measurement.get(out, out.options.update(width=10_000), _part(table, columns)).maximum


def _narrowed(out: Console, table: Table, column: Column) -> Column:
    """The column with its heading in as many lines as make it as wide as its cells or the longest word."""
    heading = str(column.header)
    cells = _width(out, table, [replace(column, header="")]) - _width(out, table, [Column()])
    width = max([cells, *map(len, heading.split())])
    lines = textwrap.wrap(heading, width or 1, break_long_words=False, break_on_hyphens=False)
    return replace(column, header="\n".join(lines))


class _Rate(ProgressColumn):
    """The rate per second, or seconds per item if they are slow."""

    def render(self, task: Task) -> Text:
        """The mean rate of the finished items."""
        seconds = task.finished_time or task.elapsed
        if not seconds or not task.completed:
            return Text("")
        speed = task.completed / seconds
        return Text(f"{speed:.3g}/s" if speed >= 1 else f"{1 / speed:.3g} s each")


class Bar:
    """The progress of some work, shown or not. `done` counts items, and `failed` is shown next to it."""

    def __init__(self, progress: Progress, total: int, unit: str) -> None:
        self.done, self.total, self.shown = 0, total, not progress.disable
        self._progress, self._unit, self._start = progress, unit, time.perf_counter()
        self._task = progress.add_task(unit, total=total)

    def say(self, text: str) -> None:
        """Sets the description of the present item."""
        self._progress.update(self._task, description=text)
        self._draw()

    def advance(self, text: str | None = None) -> None:
        """Counts one more finished item."""
        self.done += 1
        self._progress.update(self._task, advance=1, description=self._unit if text is None else text)
        self._draw()

    def set(self, done: int, total: int, text: str) -> None:
        """Sets the number of finished items and the total."""
        self.done, self.total = done, total
        self._progress.update(self._task, completed=done, total=total, description=text)
        self._draw()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._start

    def _draw(self) -> None:
        if self.shown and not self._progress.live.auto_refresh:
            self._progress.refresh()


def counted(bar: Bar, done: Done) -> Done:
    """Yields the items and counts each one when the next is requested."""
    bar.advance()
    return done


@contextmanager
def progress(comm: MPI.Intracomm | None, total: int, unit: str, *, quiet: bool = False) -> Iterator[Bar]:
    """A progress bar with rate and remaining time on stderr, shown on rank 0 and on a terminal only.

    comm   None if one process does the work or watches others.
    quiet  draw only when an item is finished, so that no thread of the bar disturbs timings.
    """
    out = console("stderr")
    shown = (comm is None or comm.rank == 0) and out.is_terminal and not out.is_dumb_terminal
    columns = (BarColumn(30), MofNCompleteColumn(), _Rate(), TimeElapsedColumn(), TimeRemainingColumn())
    # Text printed meanwhile on the same terminal appears above the bar. Output to files does not change.
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
