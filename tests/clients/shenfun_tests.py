"""shenfun's own tests, unchanged, with mpi4py-fft and through weft.compat.mpi4py_fft: those that take a minute."""

from pathlib import Path

from clients.contest import Row, Setting
from clients.environment import environment, install, sdist
from clients.suites import compare, outcome

PACKAGES = ("mpich", "libmpich-dev", "libfftw3-dev")
_REQUIREMENT = "shenfun==4.3.0"
_LIBRARY = "mpi4py-fft==2.0.6"
_SOURCES = ("--no-build-isolation", "--no-deps", "--no-binary", "mpi4py-fft,shenfun")
# Spaces of Fourier, Chebyshev and Legendre series and forms on them. The other files are about one process (matrices,
# bases, transforms of one axis), or take many minutes (tensorproductspace).
_FILES = tuple(f"test_{name}.py" for name in ("curl", "forms", "fourier", "io", "la", "lagrangian_particles"))


def install_shenfun(setting: Setting, python: Path) -> None:
    """Installs shenfun, mpi4py-fft and what they need. Raises Missing if that is not possible."""
    install(python, "cython", "setuptools", "wheel", "pytest", "sympy", "mpmath", "pyyaml", "numba", "netCDF4")
    build = {**setting.environment("mpich", weft=False), "MPICC": "mpicc.mpich"}
    install(python, _LIBRARY, _REQUIREMENT, options=_SOURCES, env=build)


def rows(setting: Setting) -> list[Row]:
    """One row: tests that passed with both libraries, and the seconds of all of them."""
    python = environment(setting.scratch)
    install_shenfun(setting, python)
    tests = sdist(python, _REQUIREMENT, setting.scratch) / "tests"
    theirs = outcome(setting, python, tests, _FILES)
    ours = outcome(setting, python, tests, _FILES, weft="mpi4py_fft")
    passed, agreement = compare("shenfun", theirs, ours, frozenset())
    what = f"its tests on {setting.ranks} ranks, one run: " + ", ".join(file[5:-3] for file in _FILES)
    return [Row("shenfun", _REQUIREMENT.partition("==")[2], what, passed, theirs.seconds, ours.seconds, agreement)]
