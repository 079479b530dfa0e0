"""Ends the command `weft` at Ctrl-C while it is being loaded, as it ends later. Python would print a traceback."""

import signal
import sys
from pathlib import Path
from threading import current_thread, main_thread


def _is_command() -> bool:
    """Whether this process is `weft` or `python -m weft` and not a program that imports the package."""
    words = list(getattr(sys, "orig_argv", []))
    module = next((name for flag, name in zip(words, words[1:], strict=False) if flag == "-m"), "")
    return module == "weft" or (not module and Path(sys.argv[0] if sys.argv else "").name == "weft")


def start() -> None:
    """Sets the signal handler. Call it before other imports; the command line replaces it later (end_on_interrupt)."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual and current_thread() is main_thread() and _is_command():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
