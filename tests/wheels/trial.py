"""The trial of a wheel in one environment. That of this module is a new virtual one on this machine."""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parents[2]
WHEELS = ROOT / "out" / "wheels"
QUICK = ROOT / "build-wheel" / "quick" / "wheels"  # of make wheels PART=quick
COMPILERS = re.compile(
    r"(.*-)?(cc|gcc|g\+\+|c\+\+|c89|c99|cpp|clang.*|ld|mpicc.*|mpicxx.*|mpic\+\+.*|nvcc|gfortran)(-\d+)?"
)
SERIAL_SENTENCE = "there is one rank, as no MPI library was found"
SECONDS = 300


class Failed(Exception):
    """A command has not done what it should; the text is its end."""


@dataclass
class Environment:
    """The Python of a wheel, and an MPI from PyPI or Debian's, by the name of its library."""

    name: str
    python: tuple[int, int]
    package: str = ""
    soname: str = ""
    says: str = ""  # what `weft info` has to say of the MPI
    compiler: str = ""  # that of the package which mpi4py is built with, instead of a wheel of mpi4py
    machine: str = platform.machine()
    wheels: Path = WHEELS
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return f"{self.name:<20}{'.'.join(map(str, self.python)):<8}"

    @property
    def ranks(self) -> list[int]:
        return [1, 2] if self.package or self.soname else [1]

    @property
    def wheel(self) -> Path | None:
        """The wheel of that Python; those of the stable ABI serve all from 3.12 on."""
        tag = f"cp{self.python[0]}{self.python[1]}-" if self.python < (3, 12) else "abi3"
        return next(self.wheels.glob(f"*{tag}*_{self.machine}.whl"), None)


def interpreter(version: tuple[int, int]) -> str | None:
    """An interpreter of that version: on PATH, of pyenv, or the one that runs this."""
    name = f"{version[0]}.{version[1]}"
    places = [*map(str, Path.home().glob(f".pyenv/versions/{name}.*/bin/python3")), f"/usr/bin/python{name}"]
    return next((place for place in places if os.access(place, os.X_OK)), shutil.which(f"python{name}"))


def has_library(name: str) -> bool:
    done = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False)
    return name in done.stdout


def commands_without_compilers(folder: Path) -> Path:
    """A folder with links to the programs of /usr/bin but for compilers."""
    folder.mkdir()
    for program in Path("/usr/bin").iterdir():
        if not COMPILERS.fullmatch(program.name) and not program.name.startswith("python"):
            (folder / program.name).symlink_to(program)
    return folder


class Trial:
    """A virtual environment with a wheel and an MPI, and what is run in it. Others are derived from it."""

    def __init__(self, given: Environment, folder: Path) -> None:
        self.given = given
        self.folder = folder  # where the environment is,
        self.seen = folder  # and where its programs see it
        kept = {name: os.environ[name] for name in ("HOME", "LANG", "PIP_INDEX_URL", "TMPDIR") if name in os.environ}
        # Root, and more ranks than cores.
        self.environ = {
            **kept,
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMP_WAIT_POLICY": "passive",
            "WEFT_MACHINE": "",
        }

    @staticmethod
    def missing(given: Environment) -> str:
        """What an environment needs and this machine lacks, or an empty text."""
        if interpreter(given.python) is None or given.wheel is None:
            return "no such Python or no wheel for it here"
        return f"{given.soname} is not installed here" if given.soname and not has_library(given.soname) else ""

    def make(self) -> None:
        """Makes the environment, without the wheel."""
        subprocess.run([str(interpreter(self.given.python)), "-m", "venv", str(self.folder)], check=True)
        commands = commands_without_compilers(self.folder / "commands")
        self.environ |= {"PATH": f"{self.folder}/bin:{commands}", "VIRTUAL_ENV": str(self.folder)}
        # The library of the system, or none: what mpi4py finds first need not be that of this environment. Debian's
        # MPICH is found without a name where it is alone.
        is_alone = self.given.soname == "libmpich.so.12" and not has_library("libmpi.so.40")
        if not self.given.package and not is_alone:
            self.environ["MPI4PY_LIBMPI"] = self.given.soname or "/nowhere/libmpi.so"
        if self.given.compiler:
            self.build_mpi4py()

    def build_mpi4py(self) -> None:
        """Builds mpi4py with a compiler of the MPI, as its wheels do not know this MPI."""
        pip = [str(self.folder / "bin" / "pip"), "--disable-pip-version-check", "install", "-q"]
        environ = {**os.environ, "MPICC": str(self.folder / "bin" / self.given.compiler), "CFLAGS": "-O0 -g0"}
        for words in ([self.given.package], ["--no-cache-dir", "--no-binary=mpi4py", "mpi4py"]):
            done = subprocess.run([*pip, *words], env=environ, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise Failed(f"pip install {' '.join(words)}: {done.stderr[-2000:]}")

    def command(self, program: str, words: list[str]) -> list[str]:
        """How a program of the environment is started."""
        return [str(self.folder / "bin" / program), *words]

    def run(self, what: str, program: str, *words: object) -> str:
        """Runs a program of the environment, and gives what it prints."""
        start = time.monotonic()
        try:
            done = subprocess.run(self.command(program, [*map(str, words)]), cwd=self.folder, env=self.environ,
                                  capture_output=True, text=True, timeout=SECONDS, check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            raise Failed(f"{what}: not over after {SECONDS} s") from None
        self.given.seconds[what] = time.monotonic() - start
        if done.returncode != 0:
            raise Failed(f"{what}: status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
        return done.stdout

    def install(self) -> None:
        """Installs the wheel and the MPI."""
        packages = [str(self.given.wheel), *filter(None, [self.given.package])]
        self.run("install", "pip", "--disable-pip-version-check", "install", "-q", *packages)

    def look(self) -> None:
        """What the package says of itself, and how long it takes."""
        # The first import compiles Python's files; users see later ones.
        self.run("first import", "python", "-c", "import weft")
        self.run("import", "python", "-c", "import weft")
        self.run("import of numpy, mpi4py", "python", "-c", IMPORTS)
        self.run("help", "weft", "--help")
        self.look_at_info()

    def look_at_info(self) -> None:
        said = self.run("info", "weft", "info")
        if self.given.says not in said:
            raise Failed(f"info: says no {self.given.says!r}:\n{said}")

    def start(self, ranks: int) -> list[str]:
        """What starts a Python program on a number of ranks."""
        if ranks == 1:
            return ["python"]
        launcher = self.run("launcher", "python", "-c", "from weft import _build; print(_build.MPIEXEC, end='')")
        return [launcher, "-n", str(ranks), str(self.seen / "bin" / "python")]

    def weft(self, ranks: int, *words: str) -> list[str]:
        """What starts `weft WORDS` on a number of ranks."""
        return ["weft", *words, *(["-n", str(ranks)] if ranks > 1 else [])]

    def solutions(self) -> set[str]:
        """Runs README's Python and `weft solve` on each number of ranks. Gives the bits of the solutions."""
        readme = (ROOT / "README.md").read_text()
        (self.folder / "charge.py").write_text(re.search(r"```python\n(.*?)```", readme, re.DOTALL)[1])
        expected = re.search(r"```text\n\d+ ranks: (.*?)\n```", readme, re.DOTALL)[1]
        if self.given.machine != platform.machine():
            # Eight points around the centre are equally deep, and rounding decides which one is found.
            expected = expected.split(" at ")[0]
        shutil.copy(ROOT / "examples" / "free_space.toml", self.folder / "case.toml")
        bits = set()
        for ranks in self.given.ranks:
            said = self.run(f"README on {ranks}", *self.start(ranks), "charge.py")
            if f"{ranks} ranks: {expected}" not in said:
                raise Failed(f"README on {ranks}: printed {said!r} instead of {expected!r}")
            out = f"solved-on-{ranks}"
            self.run(f"solve on {ranks}", *self.weft(ranks, "solve", "case.toml", "--out", out))
            with h5py.File(self.folder / out / "solution.h5") as file:
                bits.add(hashlib.sha256(file["solution"][...].tobytes()).hexdigest()[:12])
        return bits

    def check(self) -> None:
        if self.given.ranks == [1]:
            program, *words = self.weft(2, "check", "--quick")
            done = subprocess.run(
                self.command(program, words), env=self.environ, capture_output=True, text=True, check=False
            )
            if done.returncode == 0 or SERIAL_SENTENCE not in done.stderr:
                raise Failed(f"check on 2 ranks without MPI: {done.stderr}")
            return
        said = self.run("check on 2", *self.weft(2, "check", "--quick"))
        if ", 0 failed" not in said:
            raise Failed(f"check on 2: {said[-500:]}")


IMPORTS = """
import numpy
try:
    from mpi4py import MPI
except (ImportError, RuntimeError):
    pass
"""
