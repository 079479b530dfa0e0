"""What the command `weft` needs before the package is loaded.

It ends at Ctrl-C while it is being loaded, as it ends later; Python would print a traceback. And it may ask for no MPI.
"""

import os
import signal
import sys
from pathlib import Path
from threading import current_thread, main_thread


def _is_command() -> bool:
    """Whether this process is `weft` or `python -m weft` and not a program that imports the package."""
    words = list(getattr(sys, "orig_argv", []))
    module = next((name for flag, name in zip(words, words[1:], strict=False) if flag == "-m"), "")
    return module == "weft" or (not module and Path(sys.argv[0] if sys.argv else "").name == "weft")


# The launchers of MPICH, Open MPI and PMIx (Slurm, PRRTE) set these in the environment of every rank.
_RANK_VARIABLES = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MPI_LOCALRANKID")


def has_launcher() -> bool:
    """Whether a launcher has started this process as a rank."""
    return any(name in os.environ for name in _RANK_VARIABLES)


def asks_for_help() -> bool:
    """Whether this process is the command and only prints a help text: the start of an MPI library can take a second.

    After `run-with` it may be a program that is asked for help.
    """
    words = sys.argv[1:]
    return _is_command() and "--help" in words and "run-with" not in words and not has_launcher()


def start() -> None:
    """Sets the signal handler. Call it before other imports; the command line replaces it later (end_on_interrupt)."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual and current_thread() is main_thread() and _is_command():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
