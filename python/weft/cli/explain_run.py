"""weft explain --run: runs a plan or a solver on ranks and measures its times."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from weft._mpi import MPI
from weft.errors import Error
from weft.plan import Plan
from weft.poisson import Poisson


def explained_on_ranks(
    comm: MPI.Intracomm, rank: int, sizes: Sequence[int], kinds: list[str], solve: dict[str, Any], how: dict[str, Any]
) -> dict[str, Any]:
    """The explanation of a plan, or of a solver with `solve`, on one of the ranks. Collective; equal on all ranks."""
    if rank >= comm.size:
        raise Error(f"--rank: {rank} is not one of {comm.size} ranks; give 0 to {comm.size - 1}")
    made = _solver(sizes, solve, how) if solve else Plan(sizes, kinds[0] if len(kinds) == 1 else kinds, **how)
    _run(made)
    facts = {
        "strategy": made.strategy,
        "threads": made.threads,
        "bytes_sent": made.bytes_sent,
        "workspace_bytes": made.workspace_bytes,
        "text": made.explain(),
    }
    if isinstance(made, Plan):
        facts |= {"grid": list(made.grid), "chunks": made.chunks}
    return comm.bcast(facts, root=rank) | {"ranks": comm.size}


def _solver(sizes: Sequence[int], solve: dict[str, Any], how: dict[str, Any]) -> Poisson:
    """A solver on cubic cells. Options that only plans have are refused."""
    plain = {"grid": None, "node_ranks": 0, "effort": "estimate"}
    for name, value in plain.items():
        if how[name] != value:
            option = "--" + name.replace("_", "-")
            raise Error(f"{option}: solvers that run have no such choice; omit it, or omit --run")
    choices = {name: value for name, value in how.items() if name not in plain}
    return Poisson(sizes, [float(n) for n in sizes], **solve, **choices)


def _run(made: Plan | Poisson) -> None:
    """Runs twice, since the first run touches new memory. Collective."""
    for _ in range(2):
        if isinstance(made, Poisson):
            made.solve(made.in_place_field() if made.in_place else np.zeros(made.local_shape, made.dtype))
        elif made.in_place:
            field = made.in_place_field()
            made.forward(field)
            made.backward(field)
        else:
            made.backward(made.forward(made.physical()))
