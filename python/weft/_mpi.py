"""Starts MPI, hands it to the other modules as `MPI`, and refuses an mpi4py that uses another MPI library than Weft.

The handles of one MPI library mean nothing to another one. Two libraries in one process would crash far from the cause,
so they are detected here and named.
"""

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from weft import _build, _namesake

_namesake.require_own_package()  # before weft/__init__.py has run, MPI is missing here

if TYPE_CHECKING:
    from mpi4py import MPI as MPI  # start() sets it


def short_name(library: str) -> str:
    """The name and version in the text of MPI_Get_library_version: "MPICH 4.0.2", "Open MPI v4.1.4"."""
    text = library.replace("\0", "").strip()
    if match := re.match(r"MPICH Version:\s*(\S+)", text):
        return f"MPICH {match[1]}"
    return re.split(r"[,\n]", text, maxsplit=1)[0].strip() or "an MPI library that does not give its name"


def same_library(theirs: str, ours: str, built_with: str) -> bool:
    """Whether mpi4py and the extension use one library, of the kind that the extension was built with.

    theirs, ours: the texts of MPI_Get_library_version as seen by mpi4py and by the extension. If one library was loaded
    with global symbols, the calls of the extension may go to the library of mpi4py. Then the texts are equal although
    the extension was compiled for another kind (built_with: "mpich" or "openmpi"), so the kind is compared as well.
    """
    return theirs == ours and ("Open MPI" in theirs) == (built_with == "openmpi")


def mismatch_message(theirs: str, ours: str) -> str:
    """The error text: the names of both libraries, and how to rebuild mpi4py for the library of Weft."""
    mine = short_name(ours)
    if short_name(theirs) == mine:
        mine = f"{_build.MPI} {_build.MPI_VERSION}"
    return (
        f"mpi4py uses {short_name(theirs)}, but Weft was built with {mine}; one process can use only one MPI library. "
        + rebuild_message()
    )


def rebuild_message() -> str:
    """The command that makes an mpi4py that loads the MPI of Weft."""
    return (
        f"Rebuild mpi4py for the MPI of Weft: MPICC={_compiler()} "
        "pip install --force-reinstall --no-cache-dir --no-binary=mpi4py mpi4py"
    )


def _compiler() -> str:
    """The C compiler wrapper of Weft's MPI, which lies beside its C++ wrapper."""
    return re.sub(r"mpi(cxx|c\+\+)(?=[^/]*$)", "mpicc", _build.MPICXX) or f"mpicc.{_build.MPI}"


def choose_library() -> None:
    """Makes the wheels of mpi4py load the MPI library of Weft; they choose one of several when they are imported.

    A choice that the user has made by mpi4py's variables is kept.
    """
    if "mpi4py.MPI" not in sys.modules and _build.MPI_LIBRARY and "MPI4PY_MPIABI" not in os.environ:
        os.environ.setdefault("MPI4PY_LIBMPI", str(Path(__file__).parent / _build.MPI_LIBRARY))


def start() -> None:
    """Imports mpi4py, which initialises MPI unless the program did. Raises ImportError for two MPI libraries."""
    global MPI
    if _build.ANY_MPI:
        from weft import _runtime_mpi

        MPI = _runtime_mpi.start()
        return
    choose_library()
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        raise ImportError(f"mpi4py cannot be loaded: {error}. {rebuild_message()}") from error

    from weft import _core

    theirs, ours = MPI.Get_library_version(), _core.mpi_library()
    if not same_library(theirs, ours, _build.MPI):
        raise ImportError(mismatch_message(theirs, ours))
