"""Runs random cases among the ranks of one MPI job, each kind for its time. tests/fuzz/run starts it.

Every rank draws the same case from its seed and makes the whole arrays itself, so that nothing of a check needs a
message but its verdict. A case is right where all ranks raise the same weft.Error, or where none raises and all numbers
are right. What a case of a seed is depends on the number of ranks, too.
"""

import argparse
import faulthandler
import json
import os
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from mpi4py import MPI

from fuzz.cases import Case, Verdict, run
from fuzz.kinds import KINDS
from fuzz.shrink import shrink

WORLD = MPI.COMM_WORLD
COUNTS = ("cases", "refused", "failures", "seconds")
SHRUNK = 3  # failures of a kind that are made simpler; more of them are most often the same fault
SHRINK_SECONDS = 15.0


def drawn(kind: str, seed: int, ranks: int, part: int) -> Case:
    """The case of a seed for a part of the ranks: 0 and 1 where two halves work at the same time, else 0."""
    return KINDS[kind].draw(np.random.default_rng([seed, list(KINDS).index(kind), part]), ranks)


def cut_at(kind: str, seed: int, ranks: int) -> int:
    """Where the ranks are cut in two that work at the same time on cases of their own, in one case of seven; or 0."""
    rng = np.random.default_rng([seed, list(KINDS).index(kind), 2])
    return int(rng.integers(1, ranks)) if ranks > 2 and rng.random() < 1 / 7 else 0


@dataclass
class Session:
    """What one job does: the record of where it is, for the process that started it, and counts."""

    record: int
    hang: float
    shrunk: int = 0
    tally: dict[str, dict[str, float]] = field(default_factory=dict)
    halves: dict[int, MPI.Intracomm] = field(default_factory=dict)

    def ready(self, kind: str, seed: int, note: str = "") -> None:
        """Writes down what begins now, and starts the watchdog, which needs no GIL and ends the job with status 1."""
        faulthandler.dump_traceback_later(self.hang, exit=True)
        if WORLD.rank == 0:
            text = json.dumps({"kind": kind, "seed": seed, "note": note, "tally": self.tally})
            os.ftruncate(self.record, os.pwrite(self.record, text.encode(), 0))

    def group(self, kind: str, seed: int) -> tuple[MPI.Intracomm, int]:
        """The ranks of this rank's case, the second half in the reverse order, and which half that is."""
        at = cut_at(kind, seed, WORLD.size)
        if at == 0:
            return WORLD, 0
        if at not in self.halves:
            self.halves[at] = MPI.Intracomm(WORLD.Split(int(WORLD.rank >= at), -WORLD.rank))
        return self.halves[at], int(WORLD.rank >= at)

    def one(self, kind: str, seed: int, show: bool = False) -> Verdict:
        """Runs the case of a seed; says what failed."""
        comm, part = self.group(kind, seed)
        case = drawn(kind, seed, comm.size, part)
        self.ready(kind, seed)
        if show and comm.rank == 0:
            print(case.program(), flush=True)
        verdict = run(case, comm)
        text = ""
        if verdict.failed:
            text = self.told(kind, seed, case, verdict, comm)
        elif show:
            text = f"{kind}, seed {seed}: {verdict.sort} {(verdict.texts or ('',))[0]}"
        everything = WORLD.allgather((comm.rank == 0, verdict, text))
        first = [(v, t) for leads, v, t in everything if leads]
        for found, words in first:
            self.count(kind, found)
            if WORLD.rank == 0 and words:
                print(words, flush=True)
        return next((v for v, _ in first if v.failed), verdict)

    def told(self, kind: str, seed: int, case: Case, verdict: Verdict, comm: MPI.Intracomm) -> str:
        """What to print of a failure: the seed, what each rank says, and the simplest program."""
        simd = os.environ.get("WEFT_SIMD", "")
        head = f"== {kind}, seed {seed}, {WORLD.size} ranks{', WEFT_SIMD=' + simd if simd else ''}: {verdict.sort}"
        if comm.size != WORLD.size:
            head += f" (on {comm.size} of the ranks, while the others did something else)"
        repeats = True
        if self.shrunk < SHRUNK:
            self.shrunk += 1
            case, verdict, repeats = shrink(
                case, verdict, comm, SHRINK_SECONDS, lambda trial: self.ready(kind, seed, "while it was simplified")
            )
            program = case.program()
        else:
            more = f" --simd {simd}" if simd else ""
            program = f"(the program: tests/fuzz/run --one {seed} --kind {kind} --ranks {WORLD.size}{more})\n"
        lines = [head, *(f"   rank {i}: {text.strip()}" for i, text in enumerate(verdict.texts) if text)]
        if not repeats:
            lines.append("   It was right when it was repeated: it depends on chance, or on what was done before.")
        return "\n".join([*lines, program])

    def count(self, kind: str, verdict: Verdict) -> None:
        counts = self.tally[kind]
        counts["cases"] += 1
        counts["refused"] += verdict.sort == "refused"
        counts["failures"] += verdict.failed

    def kind(self, kind: str, first: int, seconds: float) -> None:
        """Cases of one kind from a seed on, for that long."""
        self.tally[kind] = dict.fromkeys(COUNTS, 0.0)
        self.shrunk, begin, seed = 0, time.monotonic(), first
        while WORLD.bcast(time.monotonic() - begin < seconds):
            self.one(kind, seed)
            self.tally[kind]["seconds"] = time.monotonic() - begin
            seed += 1


def arguments() -> Any:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="+", help="KIND:SEED:SECONDS")
    parser.add_argument("--one", action="store_true", help="the case of the seed alone, with its program")
    parser.add_argument("--hang", type=float, default=120, help="seconds until a case counts as one that hangs")
    parser.add_argument("--record", default=os.devnull, help="a file that says what runs")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    session = Session(os.open(given.record, os.O_RDWR | os.O_CREAT) if WORLD.rank == 0 else -1, given.hang)
    for part in given.parts:
        kind, seed, seconds = part.split(":")
        if given.one:
            session.tally[kind] = dict.fromkeys(COUNTS, 0.0)
            session.one(kind, int(seed), show=True)
        else:
            session.kind(kind, int(seed), float(seconds))
    session.ready("", 0, "the end")
    faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main()
