"""Starts this package's command line on several ranks, through the launcher of the MPI that Weft was built with."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mpi4py import MPI

from weft import _build
from weft.errors import ResourceError

# Set by the launchers of MPICH, Open MPI and by PMIx (Slurm, PRRTE) in the environment of every rank.
_RANK_VARIABLES = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MPI_LOCALRANKID")


def under_launcher() -> bool:
    """Whether this process was started as a rank, by mpiexec or a batch system."""
    return MPI.COMM_WORLD.size > 1 or any(name in os.environ for name in _RANK_VARIABLES)


@dataclass(frozen=True)
class Launcher:
    """A way to start MPI programs: the program, the arguments before the rank count, additions to the environment."""

    program: str
    flags: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()

    def command(self, ranks: int, command: Sequence[str]) -> list[str]:
        """The full command line that runs `command` on that many ranks."""
        return [self.program, *self.flags, "-n", str(ranks), *command]

    def on_hosts(self, hosts: Sequence[str]) -> "Launcher":
        """The same, with ranks on these hosts, in order, each of which may end in ":RANKS"."""
        option = "--host" if _build.MPI == "openmpi" else "-hosts"
        return replace(self, flags=(*self.flags, option, ",".join(hosts)))

    def environ(self) -> dict[str, str]:
        """The environment to start it in.

        os.environ is what Python was started with. A singleton MPI_Init of Open MPI adds its own variables to the
        process behind Python's back; a launcher that inherits those takes itself for a rank.
        """
        return {**os.environ, **dict(self.environment)}


def own_launcher() -> Launcher:
    """The launcher of Weft's MPI, with the flags with which root and more ranks than cores work."""
    return Launcher(_build.MPIEXEC, tuple(_build.MPIEXEC_FLAGS), tuple(_build.MPIEXEC_ENV.items()))


def weft_command(arguments: Sequence[str]) -> list[str]:
    """The command line of `weft ARGUMENTS`, with the Python interpreter and package that run now."""
    return [sys.executable, "-m", "weft", *arguments]


def leave_mpi() -> None:
    """Ends MPI in this process, which is going to start ranks and must not count as one itself."""
    if MPI.Is_initialized() and not MPI.Is_finalized():
        MPI.Finalize()


def run_ranks(
    ranks: int,
    arguments: Sequence[str],
    verdicts: Sequence[int] = (0, 2),
    *,
    silent: bool = False,
    hosts: Sequence[str] = (),
) -> int:
    """Runs `weft ARGUMENTS` on that many ranks; returns the exit status. This process leaves MPI for good.

    verdicts: statuses that the ranks have explained themselves; any other is told on stderr.
    silent  whether what they print on stdout is dropped.
    hosts   where they run, as of Launcher.on_hosts; none: here.
    """
    leave_mpi()
    launcher = own_launcher().on_hosts(hosts) if hosts else own_launcher()
    # The ranks say themselves what is wrong; Open MPI would wrap it in boxes of its own.
    quiet = replace(launcher, flags=(*launcher.flags, "--quiet")) if _build.MPI == "openmpi" else launcher
    try:
        done = subprocess.run(
            quiet.command(ranks, weft_command(arguments)),
            env=launcher.environ(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if silent else None,
            check=False,
        )
    except OSError as error:
        text = f"{launcher.program}: the MPI launcher that Weft was built with cannot be started: {error.strerror}"
        raise ResourceError(text) from None
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    if status not in verdicts:
        print(f"weft: the ranks ended with status {status}", file=sys.stderr, flush=True)
    return status
