"""Runs programs whose imports of a library are answered by a package of weft.compat. Nothing in them is edited."""

import importlib
import os
import pkgutil
import runpy
import sys
from types import ModuleType


def main(ours: ModuleType, theirs: str) -> None:
    """Runs the program of the command line with `ours` in the place of the library `theirs`."""
    _take_over(ours, theirs)
    _run(ours.__name__, sys.argv[1:])


def _take_over(ours: ModuleType, theirs: str) -> None:
    """Lets imports of the library `theirs`, and of its modules, find the package `ours`."""
    sys.modules[theirs] = ours
    for module in pkgutil.walk_packages(ours.__path__, ours.__name__ + "."):
        if not module.name.rpartition(".")[2].startswith("_"):
            sys.modules[theirs + module.name.removeprefix(ours.__name__)] = importlib.import_module(module.name)


def _run(ours: str, arguments: list[str]) -> None:
    """Runs the program or module, whose arguments follow, as Python would. `ours`: the package that was called."""
    if arguments[:1] == ["-m"] and len(arguments) > 1:
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif arguments and not arguments[0].startswith("-"):
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")
    else:
        sys.exit(f"usage: python -m {ours} PROGRAM ARGUMENTS..., or -m MODULE ARGUMENTS...")
