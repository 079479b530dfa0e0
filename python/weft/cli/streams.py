"""The standard output of the command line, which may be closed, full or ASCII, and whose reader may end.

StdoutError   is raised if stdout cannot be written. main() prints it as one line.
SystemExit    with status 141 (128 + SIGPIPE) is raised without a message if the reader ends (`weft info | head -1`).
"""

import io
import os
import signal
import sys
from typing import Any, NoReturn

from weft.errors import Error

READER_GONE = 128 + signal.SIGPIPE


class StdoutError(Error):
    """Standard output cannot be written. Unlike other errors it may occur on one rank only."""


def _lost(error: OSError) -> NoReturn:
    """Discards the buffer of stdout. Python would fail again when it writes it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        raise SystemExit(READER_GONE) from None
    raise StdoutError(f"stdout cannot be written: {error.strerror or error}; send it where there is room") from None


class _Output(io.TextIOWrapper):
    """Standard output, whose errors differ from those of other files."""

    def write(self, text: str, /) -> int:
        """Writes text as to any text file."""
        try:
            return super().write(text)
        except OSError as error:
            _lost(error)

    def flush(self) -> None:
        """Flushes as for any file."""
        try:
            super().flush()
        except OSError as error:
            _lost(error)


def prepare() -> None:
    """Prepares stdout before anything is printed. Raises StdoutError if it is closed.

    Characters that the terminal does not have, and bytes of file names that are not text, are written as escapes, as
    Python does on stderr.
    """
    if sys.stderr is None:  # print(file=None) would go to stdout
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  open until the process ends
    if sys.stdout is None:
        raise StdoutError("stdout is closed; send it to a file, or to /dev/null")
    given: Any = sys.stdout
    if isinstance(given, io.TextIOWrapper) and not isinstance(given, _Output):
        line_buffering, encoding = given.line_buffering, given.encoding
        sys.stdout = _Output(given.detach(), encoding, "backslashreplace", line_buffering=line_buffering)


def pass_on(data: bytes) -> None:
    """Writes the output of another process to stdout and flushes it."""
    view = memoryview(data)
    try:
        sys.stdout.flush()
        while view:
            view = view[os.write(1, view) :]
    except OSError as error:
        _lost(error)
