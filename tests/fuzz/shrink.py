"""Makes a case that fails simpler, as long as it fails in the same way."""

import time
from collections.abc import Callable

from mpi4py import MPI

from fuzz.cases import Case, Verdict, run


def shrink(
    case: Case, verdict: Verdict, comm: MPI.Intracomm, seconds: float, before: Callable[[Case], None]
) -> tuple[Case, Verdict, bool]:
    """The simplest case found within that time, its verdict, and whether the case fails when it is repeated at all.

    Collective: all ranks try the same cases, since each draws the same from its own copy, and stop when the first does.
    before   is called before each trial.
    """
    end = time.monotonic() + seconds

    def fails(trial: Case) -> Verdict | None:
        before(trial)
        found = run(trial, comm)
        return found if found.sort == verdict.sort else None

    again = fails(case)
    if again is None:
        return case, verdict, False
    verdict, tried, going_on = again, {repr(case)}, True
    while going_on:
        going_on = False
        for trial in case.simpler():
            if comm.bcast(time.monotonic() > end):
                return case, verdict, True
            if repr(trial) in tried:
                continue
            tried.add(repr(trial))
            found = fails(trial)
            if found is not None:
                case, verdict, going_on = trial, found, True
                break
    return case, verdict, True
