"""Inside one MPI job: makes calls of one rank fail, operation by operation, and looks at what all ranks do.

    trials.py KIND SECONDS SEED FOLDER [PATTERN [ROUNDS]]

KIND is memory, shared (memory of the node), files, or broken (what has to be noticed). What happened is added to
FOLDER/outcomes, a line of JSON each; FOLDER/at says what is tried at the moment, for when the ranks never come back.
"""

import errno
import faulthandler
import json
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import weft
from mpi4py import MPI

from fuzz.faults import fields, files, solvers, transforms
from fuzz.faults.injection import WRITES, Fault, Injector, allocations
from fuzz.faults.operation import Operation

# Ranks that wait so long for each other wait for ever.
PATIENCE = 20
# What grows with the data. Smaller allocations are served from what the process has.
LEAST = 4096
SHARED = [Fault("node's memory full (ENOSPC)", how=errno.ENOSPC), Fault("a signal (EINTR)", how=errno.EINTR)]

Attempt = tuple[str, str, Any]


@dataclass
class Job:
    """The ranks, what they have between them, and where they write."""

    comm: MPI.Intracomm
    folder: Path
    injector: Injector
    choose: random.Random
    end: float
    stack: Any

    def late(self) -> bool:
        """Whether the time is over, by the clock of rank 0. Collective."""
        return bool(self.comm.bcast(time.monotonic() > self.end))

    def say(self, name: str, text: str, mode: str = "a") -> None:
        """Adds a line to a file, on rank 0."""
        if self.comm.rank == 0:
            with open(self.folder / name, mode) as file:
                file.write(text + "\n")

    def tell(self, operation: Operation, fault: Fault, outcome: str, breach: str = "") -> None:
        """An outcome for the table. Ends the job at a breach, since messages may be left that nobody waits for."""
        place = self.comm.allreduce(self.injector.where() if breach else "")
        facts = {"operation": operation.name, "fault": fault.name, "outcome": outcome, "breach": breach, "where": place}
        self.say("outcomes", json.dumps(facts))
        if breach:
            self.comm.Barrier()
            os._exit(3)


def attempted(run: Callable[[], Any]) -> Attempt:
    """The kind of exception and its text, without the rank that the words are of; and the result."""
    try:
        return "", "", run()
    except Exception as error:
        return type(error).__name__, re.sub(r" \(on rank \d+\)$", "", str(error)), None


def verdict(said: list[tuple[str, str]], victim: int, operation: Operation, fault: Fault, wanted: str) -> Iterator[str]:
    """First the outcome, then what is wrong with it, if anything is."""
    kinds = [kind for kind, _ in said]
    if not any(kinds):
        yield "succeeded on all ranks"
        return
    others = {kind for rank, kind in enumerate(kinds) if rank != victim}
    if operation.local and others <= {""}:
        yield f"{kinds[victim]} on that rank, which works alone"
        if kinds[victim] not in ("MemoryError", "ResourceError", "OSError", wanted):
            yield f"{kinds[victim]}: {said[victim][1]}"
        return
    yield f"{kinds[victim]} on all ranks"
    if len(set(said)) > 1:
        yield f"ranks differ: {said}"
    elif fault.is_harmless:
        yield f"the call was not made again: {said[0]}"
    elif kinds[0] != wanted or (wanted == "FileError" and str(operation.folder) not in said[0][1]):
        yield f"{said[0][0]}: {said[0][1]}"


def tried(job: Job, operation: Operation, fault: Fault, first: int, victim: int, wanted: str) -> bool:
    """Whether something has failed. Ends the process at a breach."""
    faulthandler.dump_traceback_later(PATIENCE, exit=True, file=job.stack)
    if job.comm.rank == victim:
        job.injector.arm(fault, first, operation.folder or "/dev/shm/weft-")
    kind, text, result = attempted(operation.run)
    hits = job.injector.end()[0] if job.comm.rank == victim else 0
    if job.comm.rank == victim and hits:
        (job.folder / "where").write_text(job.injector.where())
    hits = job.comm.bcast(hits, victim)
    said = job.comm.allgather((kind, text))
    outcome, *breach = verdict(said, victim, operation, fault, wanted)
    if hits:
        job.tell(operation, fault, outcome, *breach)
    if not any(kind for kind, _ in said):
        check(job, operation, fault, "the result", attempted(lambda: operation.right(result)))
    check_files(job, operation, fault)
    kind, text, result = attempted(operation.run)
    if not kind:
        kind, text, result = attempted(lambda: operation.right(result))
    check(job, operation, fault, "the same call afterwards", (kind, text, result))
    check_files(job, operation, fault)
    faulthandler.cancel_dump_traceback_later()
    return hits > 0


def check(job: Job, operation: Operation, fault: Fault, what: str, found: Attempt) -> None:
    """Whether a result is right on all ranks."""
    kind, text, right = found
    words = "" if right and not kind else f"{what} is wrong: {kind} {text}"
    wrong = [one for one in job.comm.allgather(words) if one]
    if wrong:
        job.tell(operation, fault, "wrong", wrong[0])


def check_files(job: Job, operation: Operation, fault: Fault) -> None:
    """Whether files are whole, and nothing is left, by rank 0."""
    problem = operation.problem() if job.comm.rank == 0 else ""
    mine = f"weft-{os.getpid()}-"
    left = [name for name in os.listdir("/dev/shm") if name.startswith(mine)]
    problems = [one for one in job.comm.allgather(problem or (f"/dev/shm has {left}" if left else "")) if one]
    if problems:
        job.tell(operation, fault, "wrong", problems[0])


def counted(job: Job, operation: Operation, fault: Fault) -> list[int]:
    """How many calls could fail, per rank; the operation runs twice, once to make what is made only once."""
    for _ in range(2):
        job.injector.arm(fault, 1 << 40, operation.folder or "/dev/shm/weft-")
        operation.run()
        calls = job.injector.end()[1]
    return job.comm.allgather(calls)


def operations(kind: str, job: Job) -> list[Operation]:
    """All of a kind."""
    folder = job.folder / "files"
    if job.comm.rank == 0:
        folder.mkdir(exist_ok=True)
        (folder / "read").mkdir(exist_ok=True)
    job.comm.Barrier()
    comm = MPI.COMM_WORLD
    if kind == "broken":
        return [Operation("an array for each rank", lambda: np.empty(1 << 14), lambda _: True)]
    writing = files.Files(comm, folder).operations()
    if kind == "files":
        return writing
    making = [*transforms.plans(comm), *solvers.making(comm)]
    if kind == "shared":
        return making
    making += [*transforms.redistributions(comm), *transforms.tensors(comm), *transforms.tuning(comm)]
    running = [*transforms.transforms(comm), *solvers.solving(comm), *fields.fields(comm)]
    return [*running, *making, *files.reading(comm, folder / "read"), *writing]


def faults_of(kind: str) -> tuple[list[Fault], str]:
    """What fails, and what the error has to be."""
    if kind == "files":
        return WRITES, "FileError"
    return (SHARED if kind == "shared" else allocations(LEAST)), "ResourceError"


def sweep(job: Job, kind: str, pattern: str = "", rounds: str = "0") -> None:
    """Round after round through all operations, a call that fails of each: all of them, until the time is over."""
    all_faults, wanted = faults_of(kind)
    chosen = [one for one in operations(kind, job) if re.search(pattern, one.name)]
    left: dict[tuple[str, Fault], list[tuple[int, int]]] = {}
    done = 0
    while chosen and (done == 0 or done != int(rounds)):
        done += 1
        for operation, fault in product(chosen, all_faults):
            if job.late():
                return
            key = (operation.name, fault)
            if key not in left:
                calls = counted(job, operation, fault)
                left[key] = [(rank, call) for rank, count in enumerate(calls) for call in range(1, count + 1)]
                job.choose.shuffle(left[key])
            if left[key]:
                victim, call = left[key].pop()
                job.say("at", json.dumps([operation.name, fault.name, victim, call]), "w")
                tried(job, operation, fault, call, victim, wanted)
        chosen = [one for one in chosen if any(left[one.name, fault] for fault in all_faults)]


def main() -> None:
    """The job, on all ranks."""
    kind, seconds, seed, folder, *options = sys.argv[1:]
    # A communicator of its own: messages of a call that went wrong never meet those of the driver.
    comm = MPI.COMM_WORLD.Dup()
    end = time.monotonic() + float(seconds)
    with open(Path(folder) / f"stack-{comm.rank}", "w") as stack:
        faulthandler.enable(stack)
        job = Job(comm, Path(folder), Injector(), random.Random(int(seed)), end, stack)
        weft.Plan((4, 4), "r2c")  # what is made once in a process
        sweep(job, kind, *options)
    job.say("at", "done", "w")


if __name__ == "__main__":
    main()
