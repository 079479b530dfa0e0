"""Starts the command line of this package on several ranks by the launcher of the MPI that Weft was built with.

The processes end with the process that has started them, whatever signal ends it, except for SIGKILL.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from weft import _build, _core
from weft._loading import has_launcher
from weft._mpi import MPI
from weft._runtime_mpi import HOW_TO_GET_RANKS
from weft.errors import Error, ResourceError

# Users of launchers name the hosts of a job by these. The number of cores of this host says nothing then.
_HOST_VARIABLES = (
    "HYDRA_HOST_FILE",
    "HYDRA_HOSTS_FILE",
    "OMPI_MCA_orte_default_hostfile",
    "PRTE_MCA_prte_default_hostfile",
)

STOPPED = 128 + signal.SIGINT
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_SECONDS_TO_CLEAR_UP, _SECONDS_TO_END = 0.25, 5.0

# A program gets a process group of its own; Python 3.10 has no other way than a function in the new process.
_OWN_GROUP: dict[str, Any] = {"process_group": 0} if sys.version_info >= (3, 11) else {"preexec_fn": os.setpgrp}

# Ranks per core: the most that are started by default, and the most that are started at all.
_FEW_PER_CORE, _MOST_PER_CORE = 4, 256
MANY_RANKS = "WEFT_MANY_RANKS"


def under_launcher() -> bool:
    """Whether this process was started as a rank, by mpiexec or a batch system."""
    return MPI.COMM_WORLD.size > 1 or has_launcher()


@dataclass(frozen=True)
class Launcher:
    """A launcher of MPI programs: the program, its arguments before the rank count, additions to the environment."""

    program: str
    flags: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()

    def command(self, ranks: int, command: Sequence[str]) -> list[str]:
        """The full command line that runs `command` on that many ranks."""
        return [self.program, *self.flags, "-n", str(ranks), *command]

    def on_hosts(self, hosts: Sequence[str]) -> "Launcher":
        """A launcher whose ranks run on these hosts, in order. The name of a host may end in ":RANKS"."""
        option = "--host" if _build.MPI == "openmpi" else "-hosts"
        return replace(self, flags=(*self.flags, option, ",".join(hosts)))

    def environ(self) -> dict[str, str]:
        """The environment for the launcher.

        os.environ is the environment with which Python was started. A singleton MPI_Init of Open MPI adds variables to
        the process that os.environ does not have; a launcher that inherited them would take itself for a rank.
        """
        return {**os.environ, **dict(self.environment)}


def own_launcher() -> Launcher:
    """The launcher of Weft's MPI, with the flags that allow root and more ranks than cores."""
    if _build.MPI == "none":
        raise ResourceError(f"-n: {HOW_TO_GET_RANKS}")
    if not _build.MPIEXEC:
        raise ResourceError(
            f"-n: no mpiexec was found for the MPI library that is loaded, {_build.MPI} {_build.MPI_VERSION}; "
            "start the ranks yourself: mpiexec -n 2 python -m weft ..."
        )
    return Launcher(_build.MPIEXEC, tuple(_build.MPIEXEC_FLAGS), tuple(_build.MPIEXEC_ENV.items()))


def weft_command(arguments: Sequence[str]) -> list[str]:
    """The command line of `weft ARGUMENTS` with the running Python interpreter and this package."""
    return [sys.executable, "-m", "weft", *arguments]


def check_count(ranks: int) -> None:
    """Raises Error for more ranks than a machine can run, and for more than 4 per core unless the user allows it."""
    cores = len(os.sched_getaffinity(0))
    if ranks <= _FEW_PER_CORE * cores:
        return
    here = f"-n: {ranks} ranks on {cores} core{'s' if cores > 1 else ''}"
    if ranks > _MOST_PER_CORE * cores:
        more = f"weft predict, and weft explain without --run, take {_core.MOST_ABSENT_RANKS}"
        raise Error(f"{here} cannot run; give at most {_MOST_PER_CORE * cores} ({more})")
    if os.environ.get(MANY_RANKS) != "1" and not any(name in os.environ for name in _HOST_VARIABLES):
        text = f"{here} take long, which share each core by {_FEW_PER_CORE} at most unless asked to"
        raise Error(f"{text}; give at most {_FEW_PER_CORE * cores}, or weft --many-ranks COMMAND ...")


def leave_mpi() -> None:
    """Ends MPI in this process, which is going to start ranks and must not be a rank itself."""
    if MPI.Is_initialized() and not MPI.Is_finalized():
        MPI.Finalize()


def end_on_interrupt() -> None:
    """Makes Ctrl-C end this process with status 130, also while C++ code runs. Python cleans up first.

    Ctrl-C remains ignored if it is ignored now (nohup, a background command of a script).
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)
        _core.end_on_interrupt(_SECONDS_TO_CLEAR_UP)


_asked_to_end: list[int] = []


def _end(number: int, _frame: Any) -> NoReturn:
    _asked_to_end.append(128 + number)
    sys.unraisablehook = lambda _: None  # Python reports what is raised in destructors, and goes on
    raise SystemExit(128 + number)


def asked_to_end() -> int | None:
    """The exit status of the first signal that asked this process to end, or None.

    The exception that ends the process may be replaced on its way: Python 3.11 makes a RuntimeError of what is raised
    while it calls __set_name__ for a new class.
    """
    return _asked_to_end[0] if _asked_to_end else None


@contextmanager
def watching() -> Iterator[None]:
    """A context in which signals that end this process raise SystemExit, so that its child processes can be ended."""
    before = {number: signal.getsignal(number) for number in _ENDING}
    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, _end)
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)
        if before[signal.SIGINT] is _end:
            end_on_interrupt()


def _descendants(ancestor: int) -> list[int]:
    """The descendants of a process on this machine."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            child = int(entry.name)
            # The name of the program, in parentheses, may have spaces.
            parent = int((entry / "stat").read_bytes().rpartition(b")")[2].split()[1])
            parents.setdefault(parent, []).append(child)
    found = [ancestor]
    for process in found:
        found.extend(parents.get(process, []))
    return found[1:]


def end_processes(process: subprocess.Popen) -> None:
    """Ends a program and its descendants on this machine: a launcher and its ranks.

    The launcher is stopped (SIGSTOP) first. Otherwise it would report that its ranks end, and MPICH's ranks are killed
    at once when their launcher has ended. The ranks remove files that they have half written, which may take a moment.
    Ranks on other machines end with their connection.
    """
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGSTOP)
    started = _descendants(process.pid)
    for number, seconds in ((signal.SIGINT, _SECONDS_TO_END), (signal.SIGKILL, _SECONDS_TO_END)):
        for one in started:
            with suppress(ProcessLookupError):
                os.kill(one, number)
        limit = time.monotonic() + seconds
        while any(_lives(one) for one in started) and time.monotonic() < limit:
            time.sleep(0.005)
    process.kill()
    process.wait()


def _lives(process: int) -> bool:
    """Whether a process exists and has not ended. A zombie, which waits for its parent, has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def captured(command: Sequence[str], env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end and returns its output. Raises OSError if it cannot be started."""
    with watching():
        process = start(
            command, env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="backslashreplace"
        )
        try:
            out, err = process.communicate()
        finally:
            end_processes(process)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def start(command: Sequence[str], env: dict[str, str] | None = None, **options: Any) -> subprocess.Popen:
    """Starts a program that Ctrl-C does not reach; this process has to end it. OSError if it cannot be started."""
    return subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, **_OWN_GROUP, **options)


def run_ranks(
    ranks: int,
    arguments: Sequence[str],
    verdicts: Sequence[int] = (0, 2),
    *,
    pass_on: Callable[[bytes], None] | None = None,
    hosts: Sequence[str] = (),
) -> int:
    """Runs `weft ARGUMENTS` on that many ranks and returns the exit status. This process ends MPI for itself.

    verdicts  exit statuses that the ranks explain themselves; any other status is reported on stderr.
    pass_on   called with the output of the ranks on stdout, which is dropped otherwise. If it raises, the ranks end.
    hosts     the hosts of the ranks, as for Launcher.on_hosts; an empty list is this host.
    """
    if not hosts:
        check_count(ranks)
    leave_mpi()
    launcher = own_launcher().on_hosts(hosts) if hosts else own_launcher()
    # The ranks report errors themselves; Open MPI would add text of its own. Its version 5 has no such option.
    can_be_quiet = _build.MPI == "openmpi" and _build.MPI_VERSION.startswith("4.")
    quiet = replace(launcher, flags=(*launcher.flags, "--quiet")) if can_be_quiet else launcher
    with watching():
        try:
            process = start(
                quiet.command(ranks, weft_command(arguments)),
                launcher.environ(),
                stdout=subprocess.DEVNULL if pass_on is None else subprocess.PIPE,
            )
        except OSError as error:
            text = f"{launcher.program}: the MPI launcher that Weft was built with cannot be started: {error.strerror}"
            raise ResourceError(text) from None
        try:
            if pass_on is not None and process.stdout is not None:
                while data := os.read(process.stdout.fileno(), 1 << 16):
                    pass_on(data)
            status = process.wait()
        finally:
            end_processes(process)
    status = status if status >= 0 else 128 - status
    if status not in verdicts:
        print(f"weft: the ranks ended with status {status}", file=sys.stderr, flush=True)
    return status
