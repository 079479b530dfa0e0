"""Notices the other distribution that has a package of this name.

On PyPI `weft` is a task runner with a package and a command of the same name; this project's distribution is
`weft-fft`. pip installs both into one folder: files of the later one replace those of the earlier one, and uninstalling
either removes files of both.
"""

import sys
import warnings
from pathlib import Path

FOLDER = Path(__file__).parent
# Releases of the other project have this file, and this package has no file of that name.
THEIR_FILE = "manager_process.py"
REMEDY = "Keep the two in separate environments: run pip uninstall weft weft-fft, then install the one that you need."


def their_version(folder: Path = FOLDER) -> str | None:
    """The version of the other distribution if it is installed into the folder of this package, else None.

    Metadata are imported and read only if the other project's file exists, since that takes milliseconds.
    """
    if not (folder / THEIR_FILE).is_file():
        return None
    from importlib import metadata

    found = next(iter(metadata.distributions(name="weft", path=[str(folder.parent)])), None)
    return found.version if found else None


def warn_if_shared() -> None:
    """Warns on rank 0 if this package has replaced files of the other one. MPI has to be running."""
    if (version := their_version()) is None:
        return
    from weft._mpi import MPI

    if MPI.Is_initialized() and not MPI.Is_finalized() and MPI.COMM_WORLD.rank != 0:
        return
    text = (
        f"weft {version}, another project, is installed in the same folder as weft-fft, {FOLDER}. "
        f"It does not work there, and uninstalling it removes files of weft-fft. {REMEDY}"
    )
    warnings.warn(text, RuntimeWarning, stacklevel=3)


def require_own_package() -> None:
    """Raises ImportError if a module of weft-fft is imported from a package that is not that of weft-fft."""
    if "weft._loading" in sys.modules:  # weft/__init__.py imports it before all others
        return
    version = their_version()
    other = f"weft {version}, another project," if version else "Another distribution"
    raise ImportError(f"{other} has replaced or removed weft/__init__.py of weft-fft in {FOLDER}. {REMEDY}")
