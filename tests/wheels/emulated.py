"""The trial of the wheel for AArch64 under qemu-user, with the Python of Debian for that processor.

`tools/arm-sysroot` unpacks that Python into build-arm/python. pip runs on this machine and installs for the other one,
so it decides by the tag of the wheel whether it fits. Programs of AArch64 cannot start others without the kernel's
help: what starts ranks is this machine's mpiexec.mpich, and the commands of `weft` run on one rank.
"""

import shutil
import subprocess
import sys

from trial import ROOT, Environment, Failed, Trial

MACHINE = "aarch64"
DEBIAN = ROOT / "build-arm" / "python"
# The first release of Debian whose Python has the stable ABI that the wheel uses, its Python and its glibc.
RELEASE, PYTHON, GLIBC = "trixie", (3, 13), 41
PACKAGES = ["base-files", "python3.13", "libgcc-s1", "libstdc++6"]


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
            shutil.rmtree(DEBIAN, ignore_errors=True)
            subprocess.run([str(ROOT / "tools" / "arm-sysroot"), str(DEBIAN), RELEASE, *PACKAGES], check=True)
        (packages := self.folder / "packages").mkdir(parents=True)
        self.environ |= {
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(packages),
            "MPI4PY_LIBMPI": str(packages / "lib" / "libmpi.so.12"),
            "OMP_NUM_THREADS": "1",
        }
        self.solve_ranks = [1]

    def command(self, program: str, words: list[str]) -> list[str]:
        python = ["qemu-aarch64", "-L", str(DEBIAN), str(DEBIAN / "usr" / "bin" / "python3.13")]
        started = {"python": python, "weft": [*python, "-m", "weft"], "pip": [sys.executable, "-m", "pip"]}
        return [*started.get(program, [program]), *words]

    def install(self) -> None:
        tags = [f"--platform=manylinux_2_{minor}_{MACHINE}" for minor in range(17, GLIBC + 1)]
        version = ".".join(map(str, PYTHON))
        self.run("install", "pip", "--disable-pip-version-check", "install", "-q", "--only-binary=:all:", *tags,
                 "--python-version", version, "--target", self.folder / "packages", self.given.wheel,
                 self.given.package)  # fmt: skip

    def start(self, ranks: int) -> list[str]:
        return ["python"] if ranks == 1 else ["mpiexec.mpich", "-n", str(ranks), *self.command("python", [])]

    def check(self) -> None:
        said = self.run("machine", "python", "-c", "import platform; print(platform.machine())")
        if said.strip() != MACHINE:
            raise Failed(f"the Python that ran is one of {said.strip()}")
