"""Other libraries that weft bench can time. Programs in C++ are built into a cache when they are first used."""

import hashlib
import importlib.util
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from weft import _build
from weft.cli.bench_task import Round, SolveTask, Task, batch_and_kind
from weft.errors import Error, FileError, ResourceError
from weft.launch import Launcher, captured, own_launcher

KINDS = ("r2c", "c2c", *(f"{name}{i}" for name in ("dct", "dst") for i in range(1, 5)))
_PACKAGES = "apt-get install libfftw3-dev g++"
_MPI_PACKAGES = "apt-get install libfftw3-mpi-dev libopenmpi-dev openmpi-bin g++"
_ROOT = (("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"))


@dataclass(frozen=True)
class Peer:
    """A program for a contest, and how it is started."""

    program: tuple[str, ...]
    launcher: Launcher | None  # None: one process with the threads of all ranks
    arguments: Callable[["Peer", Any, Round], list[str]]  # the arguments for the kind of task that it was built for

    def command(self, task: Task | SolveTask, round: Round) -> list[str]:
        """The command line for as many ranks, or for one process instead of them."""
        own = [*self.program, *self.arguments(self, task, round)]
        return own if self.launcher is None else self.launcher.command(task.ranks, own)

    def environ(self) -> dict[str, str]:
        """The environment of the program."""
        return dict(os.environ) if self.launcher is None else self.launcher.environ()


def _words(peer: Peer, task: Task, round: Round) -> list[str]:
    """The arguments of the programs in C++ (contender.hpp)."""
    threads = task.ranks * task.threads if peer.launcher is None else 1
    return [round.folder, round.tag, task.kinds, task.precision, *map(str, [round.repeats, threads, *task.shape])]


def _solve_words(peer: Peer, task: SolveTask, round: Round) -> list[str]:
    """The arguments of padded_fftw.cpp. In two dimensions the first axis has one point."""
    flat = 3 - len(task.cells)
    cells, centring = (1,) * flat + task.cells, ("cell",) * flat + task.centring
    length, boundary = (1.0,) * flat + task.length, (("periodic", "periodic"),) * flat + task.boundary
    start = [
        round.folder,
        round.tag,
        "r2c",
        task.precision,
        *map(str, [round.repeats, task.ranks * task.threads, *cells]),
    ]
    axes = zip(length, boundary, centring, strict=True)
    return [*start, *(word for extent, ends, points in axes for word in (repr(extent), *ends, points))]


def _json(peer: Peer, task: Task, round: Round) -> list[str]:
    """The arguments of the programs in Python (bench_turns.py)."""
    return [json.dumps(asdict(task) | asdict(round))]


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "weft"


def _instructions() -> str:
    """The features of this processor. A cache may be copied to other machines, where its programs may not run."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((line for line in lines if line.lower().startswith(("flags", "features"))), platform.machine())


def _compile(compiler: str, name: str, flags: list[str], packages: str) -> str:
    """The program of a source file. It is built unless this version is in the cache."""
    source = Path(__file__).with_name(name)
    text = source.read_bytes() + b"".join(header.read_bytes() for header in sorted(source.parent.glob("*.hpp")))
    mark = hashlib.sha256(text + repr((compiler, flags, _instructions())).encode()).hexdigest()[:16]
    program = _cache() / f"{source.stem}-{mark}"
    if program.exists():
        return str(program)
    try:
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=program.parent) as folder:
            fresh = Path(folder) / source.stem
            command = [compiler, "-std=c++17", "-O3", "-march=native", "-o", str(fresh), str(source), *flags]
            done = captured(command)
            if done.returncode != 0:
                fault = next((line for line in done.stderr.splitlines() if "error" in line), "the compiler failed")
                raise ResourceError(f"{source.name} cannot be built ({fault}); missing packages come with: {packages}")
            os.replace(fresh, program)
    except OSError as error:
        raise FileError(f"{program.parent}: programs cannot be built there: {error.strerror}") from None
    return str(program)


def _require_three_axes(peer: str, task: Task) -> None:
    if len(task.shape) != 3:
        raise Error(f"--peers {peer}: --shape has {len(task.shape)} axes, but this peer does 3; omit the peer")


def _require(peer: str, tools: Sequence[str], packages: str) -> None:
    for tool in tools:
        if shutil.which(tool) is None:
            raise ResourceError(f"--peers {peer}: {tool} is not installed: {packages}")


def _fftw_mpi(task: Task) -> Peer:
    """FFTW's MPI transforms in Debian's package, which is linked with Open MPI and needs its launcher."""
    _require_three_axes("fftw-mpi", task)
    _require("fftw-mpi", ("mpicxx.openmpi", "mpiexec.openmpi"), _MPI_PACKAGES)
    libraries = ["-lfftw3_mpi", "-lfftw3f_mpi", "-lfftw3", "-lfftw3f", "-lm"]
    program = _compile("mpicxx.openmpi", "fftw_mpi.cpp", libraries, _MPI_PACKAGES)
    return Peer((program,), Launcher("mpiexec.openmpi", ("--oversubscribe", "--bind-to", "none"), _ROOT), _words)


def _threaded(peer: str, name: str) -> tuple[str]:
    """A program of one process with FFTW's OpenMP threads."""
    _require(peer, ("g++",), _PACKAGES)
    libraries = ["-lfftw3_omp", "-lfftw3f_omp", "-lfftw3", "-lfftw3f", "-fopenmp", "-lm"]
    return (_compile("g++", name, libraries, _PACKAGES),)


def _fftw_threads(task: Task) -> Peer:
    """FFTW in one process, with OpenMP threads."""
    _require_three_axes("fftw-threads", task)
    return Peer(_threaded("fftw-threads", "fftw_threads.cpp"), None, _words)


def _padded_fftw(task: SolveTask) -> Peer:
    """A hand-written solve: FFTW in one process, one r2c and one c2r of the array padded by zeros and mirror images."""
    if task.kernel != "chat2":
        raise Error(f"--peers padded-fftw: kernel {task.kernel!r} cannot be compared; allowed is chat2")
    return Peer(_threaded("padded-fftw", "padded_fftw.cpp"), None, _solve_words)


def _python(peer: str, packages: str, launcher: Launcher) -> Peer:
    """A Python package, timed by the module of the same name in this folder."""
    module = peer.replace("-", "_")
    if importlib.util.find_spec(module) is None:
        raise ResourceError(f"--peers {peer}: the Python package {peer} is not installed: {packages}")
    return Peer((sys.executable, "-m", f"weft.cli.peers.{module}"), launcher, _json)


def _mpi4py_fft(task: Task) -> Peer:
    """mpi4py-fft: it uses the mpi4py of this interpreter, and so the MPI of Weft."""
    install = f"MPICC=mpicc.{_build.MPI} {sys.executable} -m pip install mpi4py-fft"
    return _python("mpi4py-fft", f"apt-get install libfftw3-dev, then {install}", own_launcher())


def _pyfftw(task: Task) -> Peer:
    """pyfftw: FFTW in one process, with as many threads as a rank of Weft has."""
    if task.ranks != 1:
        raise Error(f"--peers pyfftw: this peer is one process, so -n {task.ranks} cannot be compared; give -n 1")
    return _python("pyfftw", f"{sys.executable} -m pip install pyfftw", own_launcher())


def _dtfft(task: Task) -> Peer:
    """dtFFT from its wheel for MPICH. Its libraries are also searched in the folder of this interpreter."""
    _require_three_axes("dtfft", task)
    if _build.MPI != "mpich":
        raise ResourceError(f"--peers dtfft: its package is for MPICH, but Weft was built with {_build.MPI}")
    launcher = own_launcher()
    folders = [str(Path(sys.prefix, "lib")), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    path = ("LD_LIBRARY_PATH", os.pathsep.join(folders))
    launcher = replace(launcher, environment=(*launcher.environment, path))
    return _python("dtfft", f"{sys.executable} -m pip install dtfft-fftw-mpich", launcher)


PEERS: dict[str, Callable[[Task], Peer]] = {
    "fftw-mpi": _fftw_mpi,
    "mpi4py-fft": _mpi4py_fft,
    "fftw-threads": _fftw_threads,
    "pyfftw": _pyfftw,
    "dtfft": _dtfft,
}


SOLVE_PEERS: dict[str, Callable[[SolveTask], Peer]] = {"padded-fftw": _padded_fftw}


def build(name: str, task: Task | SolveTask) -> Peer:
    """The program of a peer. Raises Error if it cannot do this task, or cannot be built or found."""
    if isinstance(task, SolveTask):
        return SOLVE_PEERS[name](task)
    kind = batch_and_kind(task.kinds)[1] if name == "pyfftw" else task.kinds  # the others transform all axes
    if kind not in KINDS:
        raise Error(f"--peers {name}: kinds {task.kinds!r} cannot be compared; allowed is one of {', '.join(KINDS)}")
    return PEERS[name](task)
