"""Ctrl-C while the command `weft` is being loaded ends it, as it does later; Python would print a traceback."""

import signal
import sys
from pathlib import Path
from threading import current_thread, main_thread


def _is_command() -> bool:
    """Whether this process is `weft` or `python -m weft`, and no program that imports the package."""
    words = list(getattr(sys, "orig_argv", []))
    module = next((name for flag, name in zip(words, words[1:], strict=False) if flag == "-m"), "")
    return module == "weft" or (not module and Path(sys.argv[0] if sys.argv else "").name == "weft")


def start() -> None:
    """To be called before anything else is imported. The command line replaces what is set here (end_on_interrupt)."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual and current_thread() is main_thread() and _is_command():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
