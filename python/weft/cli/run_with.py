"""weft run-with: runs a program with Weft in the place of FFTW's MPI transforms or of FLUPS."""

import os
import sys
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from weft import _build
from weft.errors import Error, ResourceError
from weft.launch import leave_mpi


class Substitute(NamedTuple):
    """The substitute for a library."""

    name: str
    verbose: str  # the variable with which it says what it does
    page: str  # of the documentation
    # The variable with the folder in which programs look for it that open it themselves, and its name there.
    opened: tuple[str, str] | None = None


FFTW = Substitute("libweft_fftw3_mpi.so", "WEFT_FFTW_VERBOSE", "From FFTW's MPI transforms")
FLUPS = Substitute("libweft_flups.so", "WEFT_FLUPS_VERBOSE", "From FLUPS", ("FLUPS_LIB_PATH", "libflups.so"))
_LIBRARY_HELP = (
    f"The library {FFTW.name} or {FLUPS.name}.  [default: that of this build, or where libraries are looked for]"
)


def run_with(
    command: Annotated[list[str], typer.Argument(metavar="COMMAND...", help="mpiexec -n 4 PROGRAM ARGUMENTS")],
    fftw: Annotated[bool, typer.Option("--fftw", help="Weft serves FFTW's MPI interface.")] = False,
    flups: Annotated[bool, typer.Option("--flups", help="Weft serves the C interface of FLUPS.")] = False,
    library: Annotated[Path | None, typer.Option(metavar="FILE", help=_LIBRARY_HELP)] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not say which plans and solvers Weft makes.")] = False,
) -> None:
    """Run a program, unchanged, with Weft in the place of a shared library that it is linked with."""
    if fftw == flups:
        named = "both libraries are named" if fftw else "no library to replace is named"
        raise Error(f"run-with: {named}; give --fftw or --flups")
    substitute = FFTW if fftw else FLUPS
    path = found(library, substitute)
    environment = opened(preloaded(dict(os.environ), path), path, substitute)
    if not quiet:
        environment.setdefault(substitute.verbose, "1")
    leave_mpi()
    sys.stdout.flush()
    try:
        os.execvpe(command[0], command, environment)
    except OSError as error:
        raise Error(f"COMMAND: {command[0]} cannot be started: {error.strerror}; give a program") from None


def found(library: Path | None, substitute: Substitute) -> Path:
    """The library to load. Raises Error if it is not at the given path, ResourceError if it is nowhere."""
    if library is not None:
        if not library.is_file():
            raise Error(f"--library: {library} is not a file; give the path of {substitute.name}")
        return library.resolve()
    folders = [_build.BUILT_IN, *os.environ.get("LD_LIBRARY_PATH", "").split(":"), f"{sys.prefix}/lib"]
    folders += ["/usr/local/lib", "/usr/lib"]
    for folder in folders:
        path = Path(folder) / substitute.name
        if folder and path.is_file():
            return path.resolve()
    raise ResourceError(
        f"run-with: {substitute.name} was not found; it is built and installed with the C++ library (docs: "
        f"{substitute.page}): add its folder to LD_LIBRARY_PATH or give --library FILE"
    )


def preloaded(environment: dict[str, str], library: Path) -> dict[str, str]:
    """The environment in which programs load the library before those that they are linked with."""
    if not _can_be_preloaded(library):
        raise Error(f"--library: {library} has a blank or a colon in its path, which LD_PRELOAD does not take; move it")
    first = [str(library)]
    # The library brings MPI along. Wheels of mpi4py then open no file of their own, but ask for MPI by another name.
    package = Path(_build.__file__).parent
    mpi = package / _build.MPI_LIBRARY
    if mpi.parent == package and _can_be_preloaded(mpi):
        first.append(str(mpi))
    before = environment.get("LD_PRELOAD", "")
    return {**environment, "LD_PRELOAD": ":".join([*first, before]).rstrip(":")}


def _can_be_preloaded(library: Path) -> bool:
    return not any(letter in str(library) for letter in " :")


def opened(environment: dict[str, str], library: Path, substitute: Substitute) -> dict[str, str]:
    """The environment in which programs that open the library themselves find it, where its folder has that name."""
    if substitute.opened is None:
        return environment
    variable, name = substitute.opened
    folder = library.parent / "weft"
    return {**environment, variable: str(folder)} if (folder / name).exists() else environment
