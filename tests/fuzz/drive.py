"""Divides the time among the kinds of cases, starts the ranks, and prints what came of it.

Exit status: 0 where all is right, 1 where a case failed, crashed or hung. The seed is printed; the same seed and number
of ranks give the same cases. A part of the time goes to one of the smaller vectors of the processor (WEFT_SIMD), whose
transforms differ. A job that ends by itself is one failure of the kind that ran, which ends then.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weft.launch import leave_mpi, own_launcher

from fuzz.kinds import KINDS, SHARES
from fuzz.ranks import COUNTS, cut_at, drawn

SMALLER_VECTORS = 0.35  # share of the time


@dataclass
class Run:
    """What is run, and what has come of it so far."""

    ranks: int
    hang: float
    one: bool
    tally: dict[str, dict[str, float]] = field(default_factory=dict)

    def part(self, simd: str, seed: int, left: dict[str, float], folder: Path) -> None:
        """Runs all kinds for their seconds: in one MPI job, and the rest in another one where that ends by itself."""
        while left:
            found, status = self.job(simd, seed, left, folder)
            for kind, counts in found.get("tally", {}).items():
                self.add(kind, counts)
            if found["note"] == "the end":
                return
            self.ended(simd, status, found)
            kinds = list(left)
            left = {kind: left[kind] for kind in kinds[kinds.index(found["kind"]) + 1 :]}

    def job(self, simd: str, seed: int, left: dict[str, float], folder: Path) -> tuple[dict[str, Any], int]:
        """One MPI job: what it has written down last, and its status."""
        record = folder / "record"
        record.write_text("")
        parts = [f"{kind}:{seed}:{seconds:.3f}" for kind, seconds in left.items()]
        flags = ["--record", str(record), "--hang", str(self.hang)] + (["--one"] if self.one else [])
        launcher = own_launcher()
        environment = {**launcher.environ(), "TMPDIR": str(folder), **({"WEFT_SIMD": simd} if simd else {})}
        # mpi4py ends all ranks when one has failed outside of a case.
        # Solvers warn of random problems thousands of times, for good reasons.
        program = [sys.executable, "-W", "ignore::RuntimeWarning", "-m", "mpi4py", "-m", "fuzz.ranks"]
        command = launcher.command(self.ranks, [*program, *flags, *parts])
        # The ranks' own watchdogs act first; this is for ranks that do not end when they are told to.
        patience = sum(left.values()) + 200 * len(parts) + 2 * self.hang
        try:
            status = subprocess.run(command, env=environment, timeout=patience, check=False).returncode
        except subprocess.TimeoutExpired:
            status = 124
        text = record.read_text()
        return (json.loads(text) if text else {"kind": next(iter(left)), "seed": seed, "note": "at the start"}), status

    def ended(self, simd: str, status: int, found: dict[str, Any]) -> None:
        """Counts and prints what was running when a job ended by itself."""
        kind, seed = found["kind"], found["seed"]
        self.add(kind, {"failures": 1})
        vectors = f", WEFT_SIMD={simd}" if simd else ""
        print(
            f"== {kind}, seed {seed}, {self.ranks} ranks{vectors}: the job ended with status {status} {found['note']}"
        )
        print(f"(a case that takes {self.hang:g} s counts as one that hangs; the ranks' words and stacks are above)")
        at = cut_at(kind, seed, self.ranks)
        for part, size in enumerate([at, self.ranks - at] if at else [self.ranks]):
            print(drawn(kind, seed, size, part).program(), flush=True)

    def add(self, kind: str, counts: dict[str, float]) -> None:
        mine = self.tally.setdefault(kind, dict.fromkeys(COUNTS, 0.0))
        for name, count in counts.items():
            mine[name] += count

    def table(self) -> str:
        rows = [f"{'kind':10}{'cases':>9}{'refused':>9}{'failures':>10}{'cases/minute':>14}"]
        total = {name: sum(counts[name] for counts in self.tally.values()) for name in COUNTS}
        for kind, c in [*self.tally.items(), ("all", total)]:
            rate = 60 * c["cases"] / c["seconds"] if c["seconds"] else 0
            rows.append(f"{kind:10}{c['cases']:9.0f}{c['refused']:9.0f}{c['failures']:10.0f}{rate:14.0f}")
        return "\n".join(rows)

    @property
    def failures(self) -> float:
        return sum(counts["failures"] for counts in self.tally.values())


def smaller_vectors() -> list[str]:
    """What WEFT_SIMD may be here, but for the largest vectors, which are the default."""
    probe = [sys.executable, "-c", "import weft; weft.Plan((4,), 'c2c')"]
    told = subprocess.run(
        probe, env={**os.environ, "WEFT_SIMD": "?"}, capture_output=True, text=True, check=False
    ).stderr
    return re.findall(r"\w+", told.split("use one of")[1])[1:]


def arguments() -> Any:
    parser = argparse.ArgumentParser(prog="tests/fuzz/run", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for all kinds together")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--seed", type=int, help="the first seed; a fresh one without it")
    parser.add_argument("--one", type=int, metavar="SEED", help="the case of this seed alone, with its program")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="only this kind; may be repeated")
    parser.add_argument("--simd", help="WEFT_SIMD for all of the time, such as avx2")
    parser.add_argument("--hang", type=float, default=120, help="seconds until a case counts as one that hangs")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    smaller = smaller_vectors()
    leave_mpi()
    kinds = given.kind or list(KINDS)
    run = Run(given.ranks, given.hang, given.one is not None)
    seed = given.one if run.one else given.seed
    seed = random.SystemRandom().randrange(10**9) if seed is None else seed
    parts = {given.simd or "": given.seconds}
    if smaller and given.simd is None and not run.one:
        parts = {
            "": given.seconds * (1 - SMALLER_VECTORS),
            smaller[seed % len(smaller)]: given.seconds * SMALLER_VECTORS,
        }
    print(f"fuzz: seed {seed}, {given.ranks} ranks, {given.seconds:g} s, vectors: {', '.join(parts)}", flush=True)
    shares = sum(SHARES[kind] for kind in kinds)
    with tempfile.TemporaryDirectory(prefix="weft-fuzz-") as folder:
        for i, (simd, seconds) in enumerate(parts.items()):
            run.part(simd, seed + i * 10**9, {kind: seconds * SHARES[kind] / shares for kind in kinds}, Path(folder))
    print(run.table())
    if run.failures:
        again = f"make fuzz SEED={seed} RANKS={given.ranks} SECONDS={given.seconds:g}"
        print(f"fuzz: {run.failures:.0f} failures; again: {again}")
    return int(run.failures > 0)


if __name__ == "__main__":
    sys.exit(main())
