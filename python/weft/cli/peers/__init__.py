"""Other libraries that weft bench can time. Their programs are built when they are first asked for, into a cache."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from weft.errors import Error, FileError, ResourceError
from weft.launch import Launcher

KINDS = ("r2c", "c2c", *(f"{name}{i}" for name in ("dct", "dst") for i in range(1, 5)))
_PACKAGES = "apt-get install libfftw3-dev g++"
_MPI_PACKAGES = "apt-get install libfftw3-mpi-dev libopenmpi-dev openmpi-bin g++"
_ROOT = (("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"))


@dataclass(frozen=True)
class Peer:
    """A program that is built, and how it is started."""

    program: Path
    launcher: Launcher | None  # None: one process that has the threads of all ranks

    def command(self, ranks: int, arguments: Sequence[str]) -> list[str]:
        """The command line for as many ranks, or for one process in their place."""
        own = [str(self.program), *arguments]
        return own if self.launcher is None else self.launcher.command(ranks, own)

    def environ(self) -> dict[str, str]:
        """The environment to start it in."""
        return dict(os.environ) if self.launcher is None else self.launcher.environ()

    def threads(self, ranks: int, threads: int) -> int:
        """Threads of each process of it where Weft has so many ranks with so many threads."""
        return ranks * threads if self.launcher is None else 1


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "weft"


def _compile(compiler: str, name: str, flags: list[str], packages: str) -> Path:
    """The program of a source file, built unless this version of it is in the cache already."""
    source = Path(__file__).with_name(name)
    text = source.read_bytes() + source.with_name("contender.hpp").read_bytes()
    mark = hashlib.sha256(text + repr((compiler, flags)).encode()).hexdigest()[:16]
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


def _require(peer: str, tools: Sequence[str], packages: str) -> None:
    for tool in tools:
        if shutil.which(tool) is None:
            raise ResourceError(f"--peers {peer}: {tool} is not installed: {packages}")


def _fftw_mpi() -> Peer:
    """FFTW's MPI transforms as Debian has them: linked with Open MPI, so run by its launcher."""
    _require("fftw-mpi", ("mpicxx.openmpi", "mpiexec.openmpi"), _MPI_PACKAGES)
    libraries = ["-lfftw3_mpi", "-lfftw3f_mpi", "-lfftw3", "-lfftw3f", "-lm"]
    program = _compile("mpicxx.openmpi", "fftw_mpi.cpp", libraries, _MPI_PACKAGES)
    return Peer(program, Launcher("mpiexec.openmpi", ("--oversubscribe", "--bind-to", "none"), _ROOT))


def _fftw_threads() -> Peer:
    """FFTW in one process, with OpenMP threads."""
    _require("fftw-threads", ("g++",), _PACKAGES)
    libraries = ["-lfftw3_omp", "-lfftw3f_omp", "-lfftw3", "-lfftw3f", "-fopenmp", "-lm"]
    return Peer(_compile("g++", "fftw_threads.cpp", libraries, _PACKAGES), None)


PEERS: dict[str, Callable[[], Peer]] = {"fftw-mpi": _fftw_mpi, "fftw-threads": _fftw_threads}


def build(name: str, kinds: str) -> Peer:
    """The program of a peer. Error when it cannot do these kinds, or cannot be built here."""
    if kinds not in KINDS:
        raise Error(f"--peers {name}: kinds {kinds!r} cannot be compared; allowed is one of {', '.join(KINDS)}")
    return PEERS[name]()
