"""python -m fuzz.files [KIND...] --seconds 120 --seed 1: damaged files, by a worker process for each kind.

A worker that dies, hangs or runs out of memory is a failure of the mutant that it had, and another one goes on after
it. Failing mutants are kept in the folder, named after kind, seed and number; --show KIND:SEED:NUMBER makes and reads
one again.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

# Of workers: no locks of HDF5 files, which network file systems may not have, and no warnings of formulas.
ENVIRONMENT = dict(HDF5_USE_FILE_LOCKING="FALSE", PYTHONWARNINGS="ignore", WEFT_MACHINE="", MPLBACKEND="agg")

KINDS = ("npy", "checkpoint", "field", "series", "tuning", "machine", "case", "formula")
# A kind with so many deaths is left, as starting a worker takes longer than all of its mutants.
MOST_DEATHS = 20
KEPT_OF_A_FAULT = 2


@dataclass
class Result:
    """What became of the mutants of a kind."""

    read: int = 0
    refused: int = 0
    deaths: int = 0
    other_deaths: int = 0  # in the reader that weft's is compared with, or inside HDF5
    messages: int = 0
    peak_kb: int = 0
    seconds: float = 0.0
    failures: list[tuple[int, str]] = field(default_factory=list)

    @property
    def mutants(self) -> int:
        return self.read + self.refused + self.other_deaths + len(self.failures)


def signature(why: str) -> str:
    """The same for failures that look alike."""
    return re.sub(r"[0-9]+|'[^']*'", "N", why.strip().splitlines()[-1])[:100]


def inside_hdf5(said: str) -> bool:
    """Whether the backtrace of a crash begins in HDF5, whose older releases trust what has a right checksum or none."""
    libraries = re.findall(r"^ *[0-9]+  (\S+?)\(", said, re.MULTILINE)
    return next((name for name in libraries if not re.search(r"/lib(ucs|c)\.so", name)), "").find("/libhdf5") >= 0


def attack(kind: str, seed: int, seconds: float, folder: Path) -> Result:
    """Runs workers until the time is over."""
    result, begin, first = Result(), time.time(), 0
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("failures", "done", "state"):
        (folder / name).unlink(missing_ok=True)
    while time.time() < begin + seconds and result.deaths < MOST_DEATHS:
        (folder / "state").unlink(missing_ok=True)
        command = [sys.executable, "-m", "fuzz.files", kind, "--seed", str(seed), "--folder", str(folder)]
        worker = subprocess.run(
            [*command, "--first", str(first), "--until", str(begin + seconds)],
            capture_output=True,
            text=True,
            errors="replace",
        )
        first = _take(result, folder, first, worker.returncode, worker.stderr)
    if (folder / "failures").exists():
        for line in (folder / "failures").read_text(encoding="utf-8").splitlines():
            number, why = json.loads(line)
            result.failures.append((number, why))
    result.seconds = time.time() - begin
    return result


def _take(result: Result, folder: Path, first: int, status: int, said: str) -> int:
    """What a worker that has ended did, and where the next one goes on."""
    if (folder / "done").exists():
        done = json.loads((folder / "done").read_text(encoding="utf-8"))
        (folder / "done").unlink()
        result.read += done["counts"].get("read", 0)
        result.refused += done["counts"].get("refused", 0)
        result.messages = max(result.messages, done["messages"])
        result.peak_kb = max(result.peak_kb, done["peak_kb"])
        if status != 0:
            result.failures.append((done["next"] - 1, f"status {status} at the end of the process: {said[-600:]}"))
        return int(done["next"])
    if not (folder / "state").exists() or not (state := (folder / "state").read_text(encoding="ascii")):
        raise SystemExit(f"fuzz-files: a worker did not start (status {status}): {said[-2000:]}")
    number = int(state[1:21])
    result.read += int(state[21:41])
    result.refused += int(state[41:61])
    result.deaths += 1
    if state[0] == "c" or inside_hdf5(said):
        result.other_deaths += 1
    else:
        result.failures.append((number, f"status {status}: {said[-1500:].strip() or 'killed'}"))
    return number + 1


def keep(kind: str, seed: int, result: Result, folder: Path) -> list[str]:
    """Writes the first failing mutants of each fault to files, and says which."""
    from fuzz.files.worker import SUBJECTS, mutant_of

    said: list[str] = []
    seen: dict[str, int] = {}
    if not result.failures:
        return said
    subject = SUBJECTS[kind](folder / "bases")
    for number, why in result.failures:
        fault = signature(why)
        seen[fault] = seen.get(fault, 0) + 1
        if seen[fault] <= KEPT_OF_A_FAULT:
            path = folder / f"{kind}-{seed}-{number}{subject.suffix}"
            path.write_bytes(mutant_of(subject, seed, number))
            said.append(f"  {path}\n    {why.strip()[-700:]}\n    again: --show {kind}:{seed}:{number}")
    said += [f"  {count} times: {fault}" for fault, count in seen.items() if count > KEPT_OF_A_FAULT]
    return said


def show(which: str, folder: Path) -> None:
    """Makes one mutant, reads it without limits and says how that ended."""
    from fuzz.files.worker import SUBJECTS, judged, mutant_of

    kind, seed, number = which.split(":")
    place = folder / "show"
    place.mkdir(parents=True, exist_ok=True)
    subject = SUBJECTS[kind](place)
    path = place / f"m{subject.suffix}"
    print(path, *judged(subject, path, mutant_of(subject, int(seed), int(number))), flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="fuzz.files", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--seconds", type=float, default=120, help="of all kinds together")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz-files"))
    parser.add_argument("--show", metavar="KIND:SEED:NUMBER")
    parser.add_argument("--first", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--until", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if unknown := [kind for kind in given.kinds if kind not in KINDS]:
        parser.error(f"unknown kind {unknown[0]!r}; there are {', '.join(KINDS)}")
    given.folder = given.folder.absolute()
    return given


def main() -> int:
    os.environ.update(ENVIRONMENT)
    given = arguments()
    if given.show:
        show(given.show, given.folder)
        return 0
    if given.until:
        from fuzz.files.worker import work

        work(given.kinds[0], given.folder, given.seed, given.first, given.until)
        return 0
    kinds = given.kinds or KINDS
    print(f"fuzz-files: seed {given.seed}, {given.seconds / len(kinds):.0f} s for each of {len(kinds)} kinds of files")
    print("kind         mutants  per s      read   refused  messages  peak MB  HDF5's deaths  failures", flush=True)
    faults = []
    for kind in kinds:
        result = attack(kind, given.seed, given.seconds / len(kinds), given.folder / kind)
        print(
            f"{kind:<11} {result.mutants:8} {result.mutants / result.seconds:6.0f} {result.read:9} {result.refused:9}"
            f" {result.messages:9} {result.peak_kb // 1024:8} {result.other_deaths:14} {len(result.failures):9}",
            flush=True,
        )
        faults += keep(kind, given.seed, result, given.folder / kind)
    if faults:
        print("fuzz-files: failures, each a file that was kept:", *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
