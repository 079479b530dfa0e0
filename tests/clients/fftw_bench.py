"""FFTW's own test of its MPI transforms, built from Debian's source package and linked with Weft's library.

The random tests of its tests/check.pl choose shapes, kinds, tuples and distributions, in place or not, and test what
the definition of each transform asks for: linearity, impulses, shifts.
"""

import re
from pathlib import Path

from clients.contest import ClientError, Row, Setting, package_version, run, source_of

PACKAGES = ("mpich", "libmpich-dev", "libfftw3-dev", "make", "perl")
COUNT = 10  # of the loop of random tests; each makes about six problems


def rows(setting: Setting) -> list[Row]:
    """One row: problems that were right on 1, 2, 3 and 4 ranks."""
    source = source_of("fftw3", setting.scratch)
    program = _built(source, setting.libraries["mpich"])
    version = package_version("libfftw3-dev")
    passed = {ranks: _passed(source, program, ranks) for ranks in (1, 2, 3, 4)}
    text = ", ".join(f"{count} on {ranks}" for ranks, count in passed.items())
    what = f"mpi-bench, {COUNT} turns of its random tests on each number of ranks"
    return [Row("FFTW's mpi-bench", version, what, f"{sum(passed.values())} ({text})")]


def _built(source: Path, library: Path) -> Path:
    """Builds the test with FFTW's sources for benchmarks and nothing else of it."""
    program = source / "mpi" / "weft-mpi-bench"
    if not program.is_file():
        run(["./configure", "--enable-mpi", "--disable-fortran", "MPICC=mpicc.mpich"], source)
        run(["make", "-C", "libbench2"], source)
        header = library.parent.parent.parent / "include" / "weft" / "fftw"
        folders = [f"-I../{name}" for name in ("", "libbench2", "kernel", "api", "dft", "rdft", "tests")]
        files = ["mpi-bench.c", "../tests/fftw-bench.c", "../tests/hook.c"]
        link = [f"-L{library.parent}", f"-Wl,-rpath,{library.parent}", "-lweft_fftw3_mpi", "-lfftw3"]
        command = ["mpicc.mpich", "-O1", "-w", "-DHAVE_CONFIG_H", f"-I{header}", *folders, *files, "-o", str(program)]
        run([*command, *link, "../libbench2/libbench2.a", "-lm"], source / "mpi")
    return program


def _passed(source: Path, program: Path, ranks: int) -> int:
    """How many random problems were right. Raises ClientError at one that was not."""
    start = f"mpiexec.mpich -n {ranks} {program}"
    options = ["--verbose", "--random", "--maxsize=10000", f"-c={COUNT}", "--estimate", "--mpi", start]
    text = run(["perl", "-w", "../tests/check.pl", *options], source / "mpi")
    if "FAILED" in text or "Found relative error" in text:
        raise ClientError(text[-2000:])
    # A problem that is right is a line with its name and three errors.
    return len(re.findall(r"(?m)^\S+ \S+ \S+ \S+$", text))
