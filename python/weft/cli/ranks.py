"""Commands whose work is done by several ranks: under a launcher, or started by the command itself."""

import sys
from collections.abc import Sequence

import typer
from mpi4py import MPI

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
    """The ranks that do the work. Without a launcher, -n RANKS starts that many and ends this process when they have.

    arguments  the command that they run; None is the one that this process was started with.
    verdicts, hosts   as of run_ranks.
    """
    if not under_launcher() and (hosts or ranks not in (None, 1)):
        tell_ranks()
        own = sys.argv[1:] if arguments is None else arguments
        raise typer.Exit(run_ranks(ranks or 1, own, verdicts, pass_on=pass_on, hosts=hosts))
    comm = MPI.COMM_WORLD
    if ranks not in (None, comm.size):
        raise Error(f"-n: {ranks} ranks are asked for, but the launcher started {comm.size}; leave -n away here")
    return comm
