"""Commands that work on several ranks, under a launcher or started by the command itself."""

import sys
from collections.abc import Sequence

import typer

from weft._mpi import MPI
from weft.cli.streams import pass_on
from weft.cli.terminal import tell_ranks
from weft.errors import Error
from weft.launch import run_ranks, under_launcher


def communicator(
    ranks: int | None,
    arguments: Sequence[str] | None = None,
    verdicts: Sequence[int] = (0, 2),
    hosts: Sequence[str] = (),
) -> MPI.Intracomm:
    """The communicator of the ranks. Without a launcher -n RANKS starts them, and this process ends with them.

    arguments  the command that they run; None is the command of this process.
    verdicts, hosts   as for run_ranks.
    """
    if not under_launcher() and (hosts or ranks not in (None, 1)):
        tell_ranks()
        own = sys.argv[1:] if arguments is None else arguments
        raise typer.Exit(run_ranks(ranks or 1, own, verdicts, pass_on=pass_on, hosts=hosts))
    comm = MPI.COMM_WORLD
    if ranks not in (None, comm.size):
        raise Error(f"-n: {ranks} ranks are requested, but the launcher has started {comm.size}; omit -n here")
    return comm
