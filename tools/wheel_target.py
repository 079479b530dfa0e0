"""The processors that tools/wheels.py builds for: this machine's, or AArch64's by Debian's cross compiler."""

import platform
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build-wheel"
SYSROOT = ROOT / "build-arm" / "sysroot"  # of tools/arm-sysroot


@dataclass(frozen=True)
class Target:
    """A processor, and how it is built for."""

    machine: str  # as in the tag of a wheel
    build: Path  # the folder of all that is built
    compiler: str = "cc"
    toolchain: str = ""  # CMake's toolchain file, of a cross compiler
    root: Path = Path("/")  # the folder with Debian's packages for this processor

    @property
    def is_foreign(self) -> bool:
        return bool(self.toolchain)

    @property
    def definitions(self) -> list[str]:
        """What CMake has to be told in every build tree."""
        return [f"-DCMAKE_TOOLCHAIN_FILE={self.toolchain}"] if self.is_foreign else []

    @property
    def pip_download(self) -> list[str]:
        """Options with which pip takes the wheels of this processor."""
        tags = [f"--platform=manylinux_2_{minor}_{self.machine}" for minor in (28, 17)]
        return ["--only-binary=:all:", *tags] if self.is_foreign else []

    @property
    def auditwheel(self) -> list[str]:
        """Where auditwheel finds the libraries of another processor; it knows those of this one."""
        folders = ":".join(str(self.root / name / f"{self.machine}-linux-gnu") for name in ("usr/lib", "lib"))
        return ["--ldpaths", folders] if self.is_foreign else []

    @property
    def environment(self) -> dict[str, str]:
        """What scikit-build-core has to be told, so that the wheel has the right tag."""
        return {"_PYTHON_HOST_PLATFORM": f"linux-{self.machine}"} if self.is_foreign else {}


def target_for(machine: str) -> Target:
    """The target of a name of make wheels ARCH=."""
    here = platform.machine()
    if machine in ("", here):
        return Target(here, BUILD)
    if machine != "aarch64":
        raise SystemExit(f"wheels: ARCH={machine!r} cannot be built for here; allowed are {here!r} and 'aarch64'")
    if not (SYSROOT / "usr").is_dir():
        raise SystemExit(f"wheels: {SYSROOT} is missing; make wheels ARCH=aarch64 makes it")
    toolchain = str(ROOT / "cmake" / "aarch64.cmake")
    return Target("aarch64", BUILD / "aarch64", "aarch64-linux-gnu-gcc", toolchain, SYSROOT)
