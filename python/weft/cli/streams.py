"""What the command line writes to: a stdout that may be closed or full, or ASCII, and whose reader may leave.

StdoutError   is raised where it cannot be written; main() makes one line of it.
SystemExit    with 141 (128 + SIGPIPE), where the reader has left, as in `weft info | head -1`: there is no one to tell.
"""

import io
import os
import signal
import sys
from typing import Any, NoReturn

from weft.errors import Error

READER_GONE = 128 + signal.SIGPIPE


class StdoutError(Error):
    """Standard output cannot be written. On one rank alone, unlike other errors."""


def _lost(error: OSError) -> NoReturn:
    """What stdout still holds back goes nowhere: Python would fail once more when it writes it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        raise SystemExit(READER_GONE) from None
    raise StdoutError(f"stdout cannot be written: {error.strerror or error}; send it where there is room") from None


class _Output(io.TextIOWrapper):
    """Standard output whose errors are told apart from those of other files."""

    def write(self, text: str, /) -> int:
        """As of any text file."""
        try:
            return super().write(text)
        except OSError as error:
            _lost(error)

    def flush(self) -> None:
        """As of any file."""
        try:
            super().flush()
        except OSError as error:
            _lost(error)


def prepare() -> None:
    """To be called before anything is printed. StdoutError where stdout is closed.

    Characters that the terminal does not have, and bytes of file names that are no text, are written as escapes, which
    is what Python does on stderr.
    """
    if sys.stderr is None:  # print(file=None) would go to stdout
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  as long as the process lives
    if sys.stdout is None:
        raise StdoutError("stdout is closed; send it to a file, or to /dev/null")
    given: Any = sys.stdout
    if isinstance(given, io.TextIOWrapper) and not isinstance(given, _Output):
        line_buffering, encoding = given.line_buffering, given.encoding
        sys.stdout = _Output(given.detach(), encoding, "backslashreplace", line_buffering=line_buffering)


def pass_on(data: bytes) -> None:
    """Bytes that another process has printed, to stdout at once."""
    view = memoryview(data)
    try:
        sys.stdout.flush()
        while view:
            view = view[os.write(1, view) :]
    except OSError as error:
        _lost(error)
