"""mpi4py-fft's own tests, unchanged, with mpi4py-fft and through weft.compat.mpi4py_fft."""

from clients.contest import Row, Setting
from clients.environment import environment, install, sdist
from clients.suites import compare, outcome

PACKAGES = ("mpich", "libmpich-dev", "libfftw3-dev")
_REQUIREMENT = "mpi4py-fft==2.0.6"
_QUICK = ("test_darray.py", "test_fftw.py", "test_pencil.py")
_FILES = (*_QUICK, "test_libfft.py", "test_mpifft.py")
# It asks that planning gets faster by a time limit. Weft's planners have nothing to leave out.
_EXPECTED = frozenset({"test_fftw::test_timelimit"})


def rows(setting: Setting) -> list[Row]:
    """One row. The quick part leaves out what takes long."""
    python = environment(setting.scratch)
    install(python, "cython", "setuptools", "wheel", "pytest")
    tests = sdist(python, _REQUIREMENT, setting.scratch) / "tests"
    files = _QUICK if setting.part == "quick" else _FILES
    theirs = None
    if setting.part == "all":
        build = {**setting.environment("mpich", weft=False), "MPICC": "mpicc.mpich"}
        install(
            python, _REQUIREMENT, options=("--no-build-isolation", "--no-deps", "--no-binary", "mpi4py-fft"), env=build
        )
        theirs = outcome(setting, python, tests, files)
    ours = outcome(setting, python, tests, files, weft="mpi4py_fft")
    passed, agreement = compare("mpi4py-fft", theirs, ours, _EXPECTED)
    what = f"its tests on {setting.ranks} ranks, one run: " + ", ".join(file[5:-3] for file in files)
    version = _REQUIREMENT.partition("==")[2]
    return [Row("mpi4py-fft", version, what, passed, theirs and theirs.seconds, ours.seconds, agreement)]
