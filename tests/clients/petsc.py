"""PETSc's matrices of type fftw, by two of PETSc's own tests: ex143 (complex, 1 to 4 axes) and ex148 (real, 2 axes)."""

from pathlib import Path

from clients.contest import ClientError, Row, Setting, package_version, run, source_of

PACKAGES = ("libpetsc-real-dev", "libpetsc-complex-dev")
_TESTS = (("ex143", "complex"), ("ex148", "real"))


def rows(setting: Setting) -> list[Row]:
    """One row for each test: on how many ranks it printed what it prints with FFTW."""
    folder = source_of("petsc", setting.scratch) / "src" / "mat" / "tests"
    version = package_version("libpetsc-real-dev")
    found = []
    for name, scalars in _TESTS:
        program = _built(folder, name, scalars)
        passed = [ranks for ranks in (1, 2, 3, 4) if _same(setting, program, ranks)]
        ranks = ", ".join(map(str, passed))
        found.append(Row("PETSc", version, f"{name}, {scalars} numbers, on {ranks} ranks", f"{len(passed)} of 4"))
    return found


def _built(folder: Path, name: str, scalars: str) -> Path:
    program = folder / f"{name}-{scalars}"
    if not program.is_file():
        (prefix,) = Path("/usr/lib/petscdir").glob(f"petsc3.*/*-{scalars}/lib/pkgconfig")
        flags = run(["env", f"PKG_CONFIG_PATH={prefix}", "pkg-config", "--cflags", "--libs", "PETSc"], folder).split()
        source = [f"{name}.c", "-o", str(program)]
        run(["mpicc.openmpi", "-O1", "-w", *source, *flags, "-lfftw3_mpi", "-lfftw3", "-lm"], folder)
    return program


def _same(setting: Setting, program: Path, ranks: int) -> bool:
    """Whether the test prints the same with Weft, which is nothing about errors. Raises ClientError if it fails."""
    command = setting.command("openmpi", ranks, [str(program)])
    theirs, ours = (run(command, program.parent, setting.environment("openmpi", weft=weft)) for weft in (False, True))
    if theirs != ours:
        raise ClientError(f"{program.name} on {ranks} ranks: {theirs}\nand with Weft:\n{ours}")
    return True
