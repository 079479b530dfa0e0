"""One process that takes mutant after mutant of a kind, with limited memory and time; its master outlives it."""

import collections
import faulthandler
import json
import os
import random
import re
import resource
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import weft

from fuzz.files import arrays, formulas, texts
from fuzz.files.subject import Subject, Wrong

SUBJECTS: dict[str, type[Subject]] = {
    subject.kind: subject for subject in (*arrays.SUBJECTS, *texts.SUBJECTS, *formulas.SUBJECTS)
}
# A mutant may take so much memory beyond what the process has at the start, and so many seconds of a processor. The
# time on the clock is for what waits for ever, on a machine with much else to do.
MEMORY, SECONDS, CLOCK = 2 << 30, 5.0, 60.0
# What the state says before the number of the mutant, and how many were read and refused: who was at work.
READING, COMPARING = "r", "c"


def mutant_of(subject: Subject, seed: int, number: int) -> bytes:
    """The same bytes again for the same kind, seed and number."""
    return subject.mutant(random.Random(f"{subject.kind} {seed} {number}"))


def limit_memory() -> None:
    size = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))


def judged(subject: Subject, path: Path, data: bytes, before_comparing: Callable[[], object] = int) -> tuple[str, str]:
    """How a mutant was read: ("read", ""), ("refused", message), or ("failed", why it is a fault)."""
    path.write_bytes(data)
    try:
        subject.read(path, data)
    except weft.Error as error:
        return ("refused", str(error)) if str(error).strip() else ("failed", "an error without a message")
    except Wrong as error:
        return "failed", str(error)
    except BaseException as error:
        return "failed", "".join(traceback.format_exception(error))[-1500:]
    before_comparing()
    try:
        subject.compare(path, data)
    except Wrong as error:
        return "failed", str(error)
    return "read", ""


def work(kind: str, folder: Path, seed: int, first: int, until: float) -> None:
    """Takes the mutants from `first` on until the clock says `until`; the file `state` says which it has."""
    bases, mutants = folder / "bases", folder / "mutants"
    for place in (bases, mutants):
        place.mkdir(parents=True, exist_ok=True)
    subject = SUBJECTS[kind](mutants if kind == "case" else bases)
    limit_memory()
    counts: collections.Counter[str] = collections.Counter()
    messages: set[str] = set()
    state = os.open(folder / "state", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    number = first
    with open(folder / "failures", "a", encoding="utf-8") as failures:
        while time.time() < until:
            data = mutant_of(subject, seed, number)
            os.pwrite(state, f"{READING}{number:20}{counts['read']:20}{counts['refused']:20}".encode(), 0)
            faulthandler.dump_traceback_later(CLOCK, exit=True)
            begin = time.process_time()
            how, why = judged(
                subject, mutants / f"m{subject.suffix}", data, lambda: os.pwrite(state, COMPARING.encode(), 0)
            )
            seconds = time.process_time() - begin
            if how != "failed" and seconds > SECONDS:
                how, why = "failed", f"took {seconds:.1f} s"
            counts[how] += 1
            if how == "refused":
                messages.add(re.sub(r"[0-9]+|'[^']*'|\"[^\"]*\"", "N", why)[:160])
            elif how == "failed":
                failures.write(json.dumps([number, why]) + "\n")
                failures.flush()
            number += 1
    faulthandler.cancel_dump_traceback_later()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    done = {"counts": counts, "messages": len(messages), "peak_kb": peak, "next": number}
    (folder / "done").write_text(json.dumps(done), encoding="utf-8")
