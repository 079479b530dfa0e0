"""Starts the rounds on several ranks: python -m leaks --ranks 2 --rounds 5000. The exit status is that of the job."""

import subprocess
import sys

from weft.launch import leave_mpi, own_launcher

# All memory of Python comes from malloc, which keeps nothing back for the next time: then its bytes can be counted.
SETTINGS = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0", "OPENBLAS_NUM_THREADS": "1"}


def main() -> int:
    arguments = sys.argv[1:]
    ranks = "2"
    if "--ranks" in arguments:
        at = arguments.index("--ranks")
        ranks = arguments[at + 1]
        del arguments[at : at + 2]
    leave_mpi()
    launcher = own_launcher()
    command = launcher.command(int(ranks), [sys.executable, "-m", "mpi4py", "-m", "leaks.rounds", *arguments])
    return subprocess.run(command, env={**launcher.environ(), **SETTINGS}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
