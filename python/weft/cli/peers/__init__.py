"""Other libraries that weft bench can time. Their programs are built when they are first asked for, into a cache."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from weft.errors import Error, FileError, ResourceError
from weft.launch import Launcher

_FFTW_MPI_PACKAGES = "libfftw3-mpi-dev libopenmpi-dev openmpi-bin g++"


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "weft"


def _compile(compiler: str, source: Path, flags: list[str], packages: str) -> Path:
    """The program of a source file, built unless this version of it is in the cache already."""
    mark = hashlib.sha256(source.read_bytes() + repr((compiler, flags)).encode()).hexdigest()[:16]
    program = _cache() / f"{source.stem}-{mark}"
    if program.exists():
        return program
    try:
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=program.parent) as folder:
            fresh = Path(folder) / source.stem
            command = [compiler, "-std=c++17", "-O3", "-march=native", "-o", str(fresh), str(source), *flags]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                fault = next((line for line in done.stderr.splitlines() if "error" in line), "the compiler failed")
                raise ResourceError(f"{source.name} cannot be built ({fault}); missing packages come with: {packages}")
            os.replace(fresh, program)
    except OSError as error:
        raise FileError(f"{program.parent}: programs cannot be built there: {error.strerror}") from None
    return program


def fftw_mpi(kinds: str) -> tuple[Launcher, str]:
    """FFTW's MPI transforms as Debian has them: linked with Open MPI, so run by its launcher."""
    if kinds not in ("r2c", "c2c"):
        raise Error(f"--peers fftw-mpi: kinds {kinds!r} cannot be compared; allowed are r2c and c2c")
    for tool in ("mpicxx.openmpi", "mpiexec.openmpi"):
        if shutil.which(tool) is None:
            raise ResourceError(f"--peers fftw-mpi: {tool} is not installed: apt-get install {_FFTW_MPI_PACKAGES}")
    source = Path(__file__).with_name("fftw_mpi.cpp")
    libraries = ["-lfftw3_mpi", "-lfftw3", "-lm"]
    program = _compile("mpicxx.openmpi", source, libraries, f"apt-get install {_FFTW_MPI_PACKAGES}")
    root = (("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"))
    return Launcher("mpiexec.openmpi", ("--oversubscribe", "--bind-to", "none"), root), str(program)


PEERS: dict[str, Callable[[str], tuple[Launcher, str]]] = {"fftw-mpi": fftw_mpi}
