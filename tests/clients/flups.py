"""FLUPS's samples, built from its sources with FLUPS itself and with Weft's flups.h and library in its place."""

import re
import shutil
from pathlib import Path

from clients.contest import ClientError, Row, Setting, in_turns, repository, run

PACKAGES = ("mpich", "libmpich-dev", "libfftw3-dev", "make", "git")
_FLUPS = ("https://github.com/vortexlab-uclouvain/flups", "v2.4")
_H3LPR = ("https://github.com/vortexlab-uclouvain/h3lpr", "7c4c0d4")  # FLUPS's helpers: options and timers
_ARCHITECTURE = """\
CXX = mpicxx.mpich
CC = mpicc.mpich
CXXFLAGS := -O3 -march=native -std=c++17 -fopenmp -DNDEBUG -DNO_HDF5 -w
CCFLAGS := -O3 -std=c99 -fopenmp -DNDEBUG -DNO_HDF5 -w
LDFLAGS := -fopenmp -lstdc++ -lm
HDF5_LIBNAME :=
"""
# The sample, its folder, what it is given, and the file of the errors that it writes.
_SAMPLES = (
    ("validation", "validation/src", "--res=64,64,64 --bc=4,4,4,4,4,4", "validation_3d_CellCenter_444444_typeGreen=0"),
    ("validation", "validation/src", "--res=64,64,64 --bc=0,1,3,3,4,4", "validation_3d_CellCenter_013344_typeGreen=0"),
    ("vtube", "solve_vtube/src", "--res=64,64,64 --dir=2", "vtube_*"),
    # Components that are no vector field, and a derivative whose error is not one of rounding.
    ("vtube", "solve_vtube/src", "--res=64,64,64 --case=5 --order=2", "vtube_*"),
)


def rows(setting: Setting) -> list[Row]:
    """A row for each problem: seconds of the whole program, and how far the errors that it writes are apart."""
    source = repository("flups", *_FLUPS, setting.scratch)
    helpers = repository("h3lpr", *_H3LPR, setting.scratch)
    prefix = _libraries(source, helpers, setting.scratch)
    programs = {name: _built(setting, source, prefix, name, folder) for name, folder, _, _ in _SAMPLES}
    return [_row(setting, name, programs[name], options, file) for name, _, options, file in _SAMPLES]


def _libraries(source: Path, helpers: Path, scratch: Path) -> Path:
    """The folder into which FLUPS (all-to-all) and h3lpr are built and installed, unless they are there."""
    prefix = scratch / "flups"
    if not (prefix / "lib" / "libflups_a2a.a").is_file():
        (prefix / "include" / "h3lpr").mkdir(parents=True, exist_ok=True)
        (prefix / "lib").mkdir(exist_ok=True)
        architecture = prefix / "make.arch"
        architecture.write_text(f"{_ARCHITECTURE}H3LPR_INC := {prefix}/include\nH3LPR_LIB := {prefix}/lib\n")
        make = ["make", "-j2", f"ARCH_FILE={architecture}", f"PREFIX={prefix}", "GIT_COMMIT=none"]
        run([*make, "h3lpr.a"], helpers)
        shutil.copy(helpers / "h3lpr.a", prefix / "lib" / "libh3lpr.a")
        for header in (helpers / "src").glob("*.hpp"):
            shutil.copy(header, prefix / "include" / "h3lpr")
        run([*make, "build/libflups_a2a.a"], source)
        for header in (source / "src").glob("*.h"):
            shutil.copy(header, prefix / "include")
        shutil.copy(source / "build" / "libflups_a2a.a", prefix / "lib")
    return prefix


def _built(setting: Setting, source: Path, prefix: Path, name: str, folder: str) -> dict[bool, Path]:
    """The sample with FLUPS (False) and with Weft (True), unless they are there."""
    programs = {}
    for weft in (False, True):
        program = prefix / ("weft" if weft else "original") / name
        program.parent.mkdir(exist_ok=True)
        header = setting.flups.parents[2] / "include" / "weft" / "flups"
        compiler = ["mpicxx.mpich", "-O3", "-march=native", "-std=c++17", "-fopenmp", "-w"]
        files = [str(file) for file in sorted((source / "samples" / folder).glob("*.cpp"))]
        own = [f"-L{setting.flups.parent}", f"-Wl,-rpath,{setting.flups.parent}", "-lweft_flups"]
        linked = own if weft else ["-lflups_a2a"]
        includes = [f"-I{header}"] if weft else []
        libraries = [f"-L{prefix}/lib", *linked, "-lh3lpr", "-lfftw3_omp", "-lfftw3"]
        if not program.is_file():
            run([*compiler, *includes, f"-I{prefix}/include", *files, "-o", str(program), *libraries], prefix)
        programs[weft] = program
    return programs


def _row(setting: Setting, name: str, programs: dict[bool, Path], options: str, file: str) -> Row:
    for program in programs.values():
        shutil.rmtree(program.parent / "data", ignore_errors=True)
    given = [*options.split(), f"--np=1,1,{setting.ranks}"]

    def start(*, weft: bool) -> str:
        command = setting.command("mpich", setting.ranks, [str(programs[weft]), *given])
        return run(command, programs[weft].parent, setting.environment("mpich", weft=False))

    original, seconds, _, _ = in_turns(lambda: start(weft=False), lambda: start(weft=True))
    theirs, ours = (_errors(programs[weft].parent / "data", file) for weft in (False, True))
    apart = max(abs(a - b) for a, b in zip(theirs, ours, strict=True)) / max(theirs)
    if not apart < 1e-9:
        raise ClientError(f"{name} {options}: errors are {theirs} with FLUPS and {ours} with Weft")
    version = _FLUPS[1].removeprefix("v")
    agreement = f"its errors to {apart:.0e}" if apart else "all digits of its errors"
    return Row("FLUPS's samples", version, f"{name} {options}", "", original, seconds, agreement)


def _errors(folder: Path, file: str) -> list[float]:
    """The numbers of the last line of the file of errors, without that of the cells."""
    (found,) = folder.glob(f"{file}.txt")
    return [float(number) for number in re.findall(r"\S+", found.read_text().splitlines()[-1])[1:]]
