"""Runs a program whose `import mpi4py_fft` this package answers; nothing in the program is edited.

    python -m weft.compat.mpi4py_fft PROGRAM ARGUMENTS...
    python -m weft.compat.mpi4py_fft -m MODULE ARGUMENTS...

An exception that ends the program on one rank leaves the others waiting, as with any program of mpi4py;
`python -m mpi4py -m weft.compat.mpi4py_fft PROGRAM` ends all of them.
"""

import importlib
import os
import pkgutil
import runpy
import sys

from weft.compat import mpi4py_fft

OURS, THEIRS = mpi4py_fft.__name__, "mpi4py_fft"


def take_over() -> None:
    """Lets imports of mpi4py_fft and of its modules find this package."""
    sys.modules[THEIRS] = mpi4py_fft
    for module in pkgutil.walk_packages(mpi4py_fft.__path__, OURS + "."):
        if not module.name.rpartition(".")[2].startswith("_"):
            sys.modules[THEIRS + module.name.removeprefix(OURS)] = importlib.import_module(module.name)


def run(arguments: list[str]) -> None:
    """Runs the program or module, whose arguments follow, as Python would."""
    if arguments[:1] == ["-m"] and len(arguments) > 1:
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif arguments and not arguments[0].startswith("-"):
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")
    else:
        sys.exit(f"usage: python -m {OURS} PROGRAM ARGUMENTS..., or -m MODULE ARGUMENTS...")


if __name__ == "__main__":
    take_over()
    run(sys.argv[1:])
