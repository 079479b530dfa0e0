"""weft info: the versions and libraries of this copy of Weft, and the machine."""

import os
import platform
from collections.abc import Iterator
from importlib import metadata
from typing import Annotated, Any

import numpy as np
import typer

from weft import _build, _core
from weft._mpi import MPI, short_name
from weft._runtime_mpi import HOW_TO_GET_RANKS
from weft._text import wrapped
from weft.cli.report import print_json


def _mpi_facts() -> dict[str, Any]:
    """The MPI that is loaded, and which one the library was built for."""
    if _build.MPI == "none":
        return {"loaded": HOW_TO_GET_RANKS}
    serves = f"none: it serves any MPI, here {_build.MPI_LIBRARY}"
    return {
        "loaded by weft": short_name(_core.mpi_library()),
        "loaded by mpi4py": short_name(MPI.Get_library_version()),
        "built with": serves if _build.ANY_MPI else f"{_build.MPI} {_build.MPI_VERSION}",
        "launcher": _build.MPIEXEC,
    }


def facts() -> dict[str, Any]:
    """Versions, loaded libraries, processor and features."""
    return {
        "weft": _build.VERSION,
        "build": f"{_build.BUILD_TYPE}, {_build.COMPILER}",
        "mpi": _mpi_facts(),
        **_core.info(),
        "python": {"python": platform.python_version(), "numpy": np.__version__, "mpi4py": metadata.version("mpi4py")},
        "kernels": list(_core.kernels()),
        "machine": {"system": platform.platform(), "cores for this process": len(os.sched_getaffinity(0))},
    }


def _lines(prefix: str, value: Any) -> Iterator[tuple[str, str]]:
    """(label, text) for every entry of nested dictionaries."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _lines(f"{prefix} {key}".strip(), inner)
    elif isinstance(value, list | tuple):
        yield prefix, ", ".join(map(str, value))
    else:
        yield prefix, {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def info(json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """Print versions, the MPI and FFTW actually loaded, SIMD, cores and features."""
    found = facts()
    if MPI.COMM_WORLD.rank != 0:
        return
    if json:
        print_json(found)
        return
    lines = list(_lines("", found))
    width = max(len(label) for label, _ in lines)
    for label, text in lines:
        print(wrapped(f"{label:<{width}}  {text}", indent=width + 2))
