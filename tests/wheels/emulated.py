"""The trial of the wheel for AArch64 under qemu-user, with the Python of Debian for that processor.

`tools/arm-sysroot` unpacks that Python into build-arm/python. pip runs on this machine and installs for the other one,
so it decides by the tag of the wheel whether it fits. It is that of a Python of the same version, if there is one: then
what it compiles serves, and qemu need not compile it. Programs of AArch64 cannot start others without the kernel's
help: what starts ranks is this machine's mpiexec.mpich, those of the commands of `weft`, too.
"""

import shutil
import subprocess
import sys
import zipfile

from trial import ROOT, Environment, Failed, Trial, interpreter

MACHINE = "aarch64"
DEBIAN = ROOT / "build-arm" / "python"
# The first release of Debian whose Python has the stable ABI that the wheel uses, its Python and its glibc.
RELEASE, PYTHON, GLIBC = "trixie", (3, 13), 41
PACKAGES = ["base-files", "python3.13", "libgcc-s1", "libstdc++6"]


def make_debian() -> None:
    """The Python of Debian, with its modules compiled."""
    shutil.rmtree(DEBIAN, ignore_errors=True)
    words = [str(ROOT / "tools" / "arm-sysroot"), str(DEBIAN), RELEASE, *PACKAGES]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(done.stderr[-2000:])
    if python := interpreter(PYTHON):
        modules = DEBIAN / "usr" / "lib" / "python3.13"
        subprocess.run([python, "-m", "compileall", "-q", str(modules)], capture_output=True, check=False)


class EmulatedTrial(Trial):
    """A folder of packages for AArch64, and the Python that imports them under qemu."""

    @staticmethod
    def missing(given: Environment) -> str:
        if given.wheel is None:
            return "no wheel for it here (make wheels ARCH=aarch64)"
        absent = [program for program in ("qemu-aarch64", "mpiexec.mpich") if shutil.which(program) is None]
        return f"{absent[0]} is not installed here (tools/setup --also arm)" if absent else ""

    def make(self) -> None:
        if not (DEBIAN / "usr" / "bin" / "python3.13").exists():
            make_debian()
        self.folder.mkdir()
        self.environ |= {
            "PATH": "/usr/bin:/bin",
            "MPI4PY_LIBMPI": str(self.folder / "mpi" / "lib" / "libmpi.so.12"),
            "OMP_NUM_THREADS": "1",
            # qemu has no process_vm_readv.
            "MPIR_CVAR_CH4_CMA_ENABLE": "0",
        }

    def command(self, program: str, words: list[str]) -> list[str]:
        python = ["qemu-aarch64", "-L", str(DEBIAN), str(DEBIAN / "usr" / "bin" / "python3.13")]
        started = {
            "python": python,
            "weft": [*python, "-m", "weft"],
            "pip": [interpreter(PYTHON) or sys.executable, "-m", "pip"],
        }
        return [*started.get(program, [program]), *words]

    def install(self) -> None:
        """The wheel and what it needs in one folder, beside it the files of the MPI, which pip leaves out there."""
        tags = [f"--platform=manylinux_2_{minor}_{MACHINE}" for minor in range(17, GLIBC + 1)]
        options = ["-q", "--only-binary=:all:", *tags, "--python-version", ".".join(map(str, PYTHON))]
        self.run("install", "pip", "install", *options, "--target", self.folder / "packages", self.given.wheel)
        self.run("MPI", "pip", "download", "--no-deps", *options, "--dest", self.folder, self.given.package)
        (wheel,) = self.folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(self.folder)
        (data,) = self.folder.glob("*.data/data")
        data.rename(self.folder / "mpi")
        self.environ["PYTHONPATH"] = str(self.folder / "packages")

    def look(self) -> None:
        """What the package says of itself alone: seconds under qemu say nothing. It has to be the other processor."""
        said = self.run("machine", "python", "-c", "import platform; print(platform.machine())")
        if said.strip() != MACHINE:
            raise Failed(f"the Python that ran is one of {said.strip()}")
        self.look_at_info()

    def start(self, ranks: int) -> list[str]:
        return ["python"] if ranks == 1 else ["mpiexec.mpich", "-n", str(ranks), *self.command("python", [])]

    def weft(self, ranks: int, *words: str) -> list[str]:
        return [*self.start(ranks), "-m", "weft", *words]
