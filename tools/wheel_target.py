"""The processors that tools/wheels.py builds for: this machine's, or AArch64's by Debian's cross compiler."""

import platform
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build-wheel"
OUT = ROOT / "out" / "wheels"
QUICK = BUILD / "quick" / "wheels"  # not in OUT, where make release takes its wheels
SYSROOT = ROOT / "build-arm" / "sysroot"  # of tools/arm-sysroot


@dataclass(frozen=True)
class Target:
    """A processor, and how it is built for."""

    machine: str  # as in the tag of a wheel
    build: Path  # the folder of all that is built
    compiler: str = "cc"
    toolchain: str = ""  # CMake's toolchain file, of a cross compiler
    root: Path = Path("/")  # the folder with Debian's packages for this processor
    out: Path = OUT  # the folder of the wheels

    @property
    def is_foreign(self) -> bool:
        return bool(self.toolchain)

    @property
    def is_quick(self) -> bool:
        """Whether its wheel is for a trial on this machine: it takes the HDF5 of this machine instead of its own."""
        return self.out == QUICK

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
        """Options of auditwheel: what it leaves out, or where it finds the libraries of another processor."""
        folders = ":".join(str(self.root / name / f"{self.machine}-linux-gnu") for name in ("usr/lib", "lib"))
        return ["--exclude=libhdf5*"] if self.is_quick else ["--ldpaths", folders] if self.is_foreign else []

    @property
    def environment(self) -> dict[str, str]:
        """What scikit-build-core has to be told, so that the wheel has the right tag."""
        return {"_PYTHON_HOST_PLATFORM": f"linux-{self.machine}"} if self.is_foreign else {}


def target_for(machine: str, part: str = "all") -> Target:
    """The target of a name of make wheels ARCH= and of its PART=."""
    here = platform.machine()
    if part not in ("all", "quick"):
        raise SystemExit(f"wheels: PART={part!r} is unknown; allowed are 'all' and 'quick'")
    if part == "quick" and machine not in ("", here):
        raise SystemExit(f"wheels: PART=quick is for this machine, {here!r}; omit ARCH={machine!r} or give PART=all")
    if machine in ("", here):
        return Target(here, QUICK.parent, out=QUICK) if part == "quick" else Target(here, BUILD)
    if machine != "aarch64":
        raise SystemExit(f"wheels: ARCH={machine!r} cannot be built for here; allowed are {here!r} and 'aarch64'")
    if not (SYSROOT / "usr").is_dir():
        raise SystemExit(f"wheels: {SYSROOT} is missing; make wheels ARCH=aarch64 makes it")
    toolchain = str(ROOT / "cmake" / "aarch64.cmake")
    return Target("aarch64", BUILD / "aarch64", "aarch64-linux-gnu-gcc", toolchain, SYSROOT)
