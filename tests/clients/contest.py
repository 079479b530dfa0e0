"""Runs a program with the library that it was made for and with Weft in its place, and keeps what both took."""

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TURNS = 5
_SECONDS = 900.0


@dataclass
class Row:
    """A line of the page: what ran, its own tests, and the seconds of the fastest run of each library."""

    program: str
    version: str
    what: str
    tests: str = ""
    original: float | None = None
    weft: float | None = None
    agreement: str = ""


@dataclass(frozen=True)
class Setting:
    """What is needed to start programs: the libraries of Weft, folders for sources and for what is built."""

    libraries: dict[str, Path]  # of FFTW's interface, by MPI: mpich, openmpi
    scratch: Path
    ranks: int = 2
    part: str = "all"  # own: own tests with Weft alone; quick: some of them, of some programs
    launchers: dict[str, tuple[str, ...]] = field(
        default_factory=lambda: {
            "mpich": ("mpiexec.mpich",),
            "openmpi": ("mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe"),
        }
    )

    def environment(self, mpi: str, *, weft: bool) -> dict[str, str]:
        """The environment of a program: with Weft's library loaded first, or as it is."""
        own = {**os.environ, "OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "1"}
        return {**own, "LD_PRELOAD": str(self.libraries[mpi])} if weft else own

    @property
    def flups(self) -> Path:
        """The library of FLUPS's interface, for MPICH."""
        return self.libraries["mpich"].with_name("libweft_flups.so")

    @property
    def polite(self) -> Path:
        """The library that lets waiting ranks of MPICH give their cores away, for more ranks than cores."""
        return self.libraries["mpich"].parents[1] / "tests" / "libweft_yield.so"

    def command(self, mpi: str, ranks: int, program: Sequence[str]) -> list[str]:
        """The command line that runs a program on that many ranks."""
        return [*self.launchers[mpi], "-n", str(ranks), *program]


class ClientError(Exception):
    """A program could not be built or run, with what it printed."""


class Missing(ClientError):
    """A program cannot be had here, and why: the table says so."""

    @classmethod
    def since(cls, what: str, error: ClientError) -> "Missing":
        """What cannot be had, with the line of what a command printed that says why."""
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reasons = [line for line in lines if line.lower().startswith(("error", "fatal", "e: "))]
        return cls(f"{what}: {(reasons or lines)[-1]}")


def run(
    command: Sequence[str], folder: Path, env: dict[str, str] | None = None, *, allowed: tuple[int, ...] = (0,)
) -> str:
    """Runs a command to its end and returns its output. Raises ClientError if its status is not one that is allowed."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ClientError(f"{' '.join(command)}: {error}") from None
    if done.returncode not in allowed:
        raise ClientError(f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def in_turns(original: Callable[[], str], weft: Callable[[], str]) -> tuple[float, float, str, str]:
    """The fastest of some runs of both, one after the other in turns, and what they printed."""
    fastest = {True: float("inf"), False: float("inf")}
    text = {True: "", False: ""}
    for _ in range(TURNS):
        for ours, start in ((False, original), (True, weft)):
            began = time.perf_counter()
            text[ours] = start()
            fastest[ours] = min(fastest[ours], time.perf_counter() - began)
    return fastest[False], fastest[True], text[False], text[True]


def package_version(package: str) -> str:
    """The version of an installed Debian package. Raises ClientError if it is not installed."""
    text = run(["dpkg-query", "-W", "-f", "${Version}", package], Path.cwd())
    return text.split("-")[0].split("+")[0]


def source_of(package: str, scratch: Path) -> Path:
    """The folder with the unpacked sources of a Debian package, fetched if it is not there."""
    folder = scratch / f"source-{package}"
    if not folder.is_dir():
        lists = scratch / "lists"
        (lists / "partial").mkdir(parents=True, exist_ok=True)
        listed = scratch / "sources.list"
        release = run(["sh", "-c", ". /etc/os-release && echo $VERSION_CODENAME"], scratch).strip()
        listed.write_text(f"deb-src http://deb.debian.org/debian {release} main\n")
        options = ["-o", f"Dir::Etc::sourcelist={listed}", "-o", "Dir::Etc::sourceparts=-", "-o"]
        options.append(f"Dir::State::lists={lists}")
        run(["apt-get", *options, "-qq", "update"], scratch)
        run(["apt-get", *options, "source", "--download-only", package], scratch)
        (archive,) = scratch.glob(f"{package}_*.orig.tar.*")
        folder.mkdir()
        run(["tar", "-xf", str(archive), "-C", str(folder), "--strip-components=1"], scratch)
    return folder


def repository(name: str, address: str, version: str, scratch: Path) -> Path:
    """The folder with the sources of a git repository at a tag or commit, fetched if it is not there.

    Where the address cannot be reached, a clone that was put into scratch/source-NAME by hand serves as well.
    """
    folder = scratch / f"source-{name}"
    try:
        if not folder.is_dir():
            run(["git", "clone", "-q", address, str(folder)], scratch)
        run(["git", "-C", str(folder), "checkout", "-q", version], scratch)
    except ClientError as error:
        raise Missing.since(f"its sources cannot be had from {address}", error) from None
    return folder
