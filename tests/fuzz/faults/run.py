"""Fault injection: memory that runs short, disks that are full, ranks that are killed. Exit status 1 at any breach.

    PYTHONPATH=tests python -m fuzz.faults.run LIBRARY [--seconds N] [--kind KIND] [--only PATTERN] ...

LIBRARY is libweft_inject.so of the build tree. Every public operation is tried with a fault on one rank: an allocation
that fails, a call that cannot write, a signal that ends the process. A table says what happened. Where nothing is
broken, all ranks raise the same error or the operation succeeds on all, nobody waits for ever, the next call is right,
files are whole, and nothing stays behind.
"""

import argparse
import json
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from weft.launch import own_launcher

from fuzz.faults import kills

IN_ONE_JOB = ("memory", "shared", "files")
KINDS = (*IN_ONE_JOB, "kills")
# An operation that only looks collective: what finds no fault in it is no test.
BROKEN = "broken"
# Starting ranks and making all operations once, on a machine that does other things.
START = 120
# Python's stack where the innermost frame is in a package that is not ours: what draws pictures dies without memory.
CRASH_ELSEWHERE = re.compile(r'Segmentation fault\n\n.*\n  File "[^"]*/site-packages/(?!weft/)(\w+)/')
# A kind that is broken everywhere need not be told a hundred times.
MOST_BREACHES = 20


def preloads_with(injector: Path) -> str:
    """What ranks are started with: the injector, and what makes MPICH give its core away where it waits."""
    polite = injector.with_name("libweft_yield.so")
    return f"{injector} {polite}" if polite.exists() else str(injector)


def job(kind: str, seconds: float, seed: int, options: argparse.Namespace, folder: Path) -> list[dict[str, str]]:
    """What happened in one MPI job, which ends at the first breach."""
    launcher = own_launcher()
    script = [sys.executable, "-m", "fuzz.faults.trials", kind, str(seconds), str(seed), str(folder), options.only]
    script.append(str(options.rounds))
    command = launcher.command(options.ranks, ["env", f"LD_PRELOAD={options.preloads}", *script])
    environment = launcher.environ() | kills.ENVIRONMENT
    with open(folder / "output", "wb") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=output, start_new_session=True)
        try:
            process.wait(seconds + START)
        except subprocess.TimeoutExpired:
            kills.end_all(process)
    lines = (folder / "outcomes").read_text().splitlines() if (folder / "outcomes").exists() else []
    outcomes = [json.loads(line) for line in lines]
    at = (folder / "at").read_text().strip() if (folder / "at").exists() else "the start"
    if at != "done" and not any(one["breach"] for one in outcomes):
        outcomes.append(_lost(at, folder))
    return outcomes


def _lost(at: str, folder: Path) -> dict[str, str]:
    """What is said of ranks that never came back: a breach, unless another library crashed."""
    operation, fault = json.loads(at)[:2] if at.startswith("[") else (at, "")
    stacks = "".join(path.read_text() for path in sorted(folder.glob("stack-*")))
    where = (folder / "where").read_text() if (folder / "where").exists() else ""
    if crash := CRASH_ELSEWHERE.search(stacks):
        outcome = f"the job ended: {crash[1]} crashed"
        return {"operation": operation, "fault": fault, "outcome": outcome, "breach": "", "where": where}
    said = stacks or (folder / "output").read_text(errors="replace")[-2000:]
    breach = f"ranks wait for ever, or have crashed: {at}\n{said}"
    return {"operation": operation, "fault": fault, "outcome": "lost", "breach": breach, "where": where}


def in_one_job(kind: str, seconds: float, options: argparse.Namespace) -> list[dict[str, str]]:
    """What happened in a kind's share of the time; after a breach or a crash another job goes on with another seed."""
    end, seed = time.monotonic() + seconds, options.seed
    found: list[dict[str, str]] = []
    all_breaches = 0
    while (left := end - time.monotonic()) > 0 and all_breaches <= MOST_BREACHES:
        with tempfile.TemporaryDirectory(prefix="weft-faults-") as folder:
            outcomes = job(kind, left, seed, options, Path(folder))
        found += outcomes
        breaches = report_breaches(outcomes)
        all_breaches += breaches
        crashed = any(one["outcome"].endswith("crashed") for one in outcomes)
        if (breaches == 0 and not crashed) or kind == BROKEN:
            break
        seed += 1
    return found


def table(kind: str, outcomes: list[dict[str, str]], each: bool) -> str:
    """How often which fault ended how, and in how many operations; or in each of them."""
    counts = Counter((one["operation"] if each else "", one["fault"], one["outcome"]) for one in outcomes)
    rows = [f"\n{kind}: {len(outcomes)} faults in {len({one['operation'] for one in outcomes})} operations"]
    for (operation, fault, outcome), count in sorted(counts.items()):
        start = f"{operation:<38} " if each else ""
        rows.append(f"  {start}{fault:<28} {outcome:<52} {count:>7}")
    return "\n".join(rows)


def report_breaches(outcomes: list[dict[str, str]]) -> int:
    """Prints what is broken, when it is found; how much that is."""
    breaches = [one for one in outcomes if one["breach"]]
    for one in breaches:
        print(f"\nBREACH in {one['operation']}, {one['fault']}: {one['breach']}\n{one['where']}", flush=True)
    return len(breaches)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("injector", type=Path)
    parser.add_argument("--seconds", type=float, default=120, help="altogether, beside the start of jobs")
    parser.add_argument("--rounds", type=int, default=0, help="through all operations at most; 0: as time allows")
    parser.add_argument("--each", action="store_true", help="a table that tells operations apart")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--seed", type=int, default=None, help="the default is a new one")
    parser.add_argument("--kind", action="append", choices=(*KINDS, BROKEN), help="one or several; the default is all")
    parser.add_argument("--only", default="", help="operations whose name this regular expression finds")
    options = parser.parse_args()
    options.preloads = preloads_with(options.injector.resolve())
    options.seed = secrets.randbelow(1 << 30) if options.seed is None else options.seed
    return options


def main() -> int:
    """The exit status."""
    options = arguments()
    chosen = options.kind or KINDS
    print(f"faults: seed {options.seed}, {options.ranks} ranks, {options.seconds:g} s", flush=True)
    breaches = 0
    for kind in chosen:
        share = options.seconds / len(chosen)
        if kind == "kills":
            outcomes = kills.trials(kind, share, options)
            report_breaches(outcomes)
        else:
            outcomes = in_one_job(kind, share, options)
        print(table(kind, outcomes, options.each), flush=True)
        breaches += sum(bool(one["breach"]) for one in outcomes)
        if not outcomes:
            print(f"BREACH: nothing was injected in {share:g} s")
            breaches += 1
    print(f"\nfaults: {breaches} breaches")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
